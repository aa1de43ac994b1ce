"""How often things happen in a run: combinations, scores, and where Pagat and Fool went.

Each table is made from whole counts that add up over the parts of a run, so a run of any size is
read once. A new table is an entry in ``TABLES``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.estimates import Estimate, check_level, mean_of, proportion
from analysis.reader import ROLES, Part, by_role, by_side, open_run, read, role_of
from sim.kernels.combinations import KINDS
from sim.records import Manifest, RunError
from sim.run import Run

# Whose score: the sides by number, by who deals, and the dealer's side minus the other.
SCORES = ("side 0", "side 1", "dealers", "others", "difference")

Counts = NDArray[np.int64]
# Estimates, each with what it is told by.
Rows = Iterable[tuple[dict[str, str], Estimate]]

_PATTERNS = 1 << 14  # of a held or declared column: the combinations and two withheld cards
_LARGEST = 2**16 - 1  # difference of two int16 scores
_MOST_TRICKS = 16


@dataclass(frozen=True)
class Table:
    """One table of a summary: the columns it reads, how a part is counted, what the counts say.

    ``count`` makes of a part an array of whole numbers, always of one shape; ``estimate`` makes
    rows of the sum of these arrays, the number of hands and the level.
    """

    columns: tuple[str, ...]
    count: Callable[[Part], Counts]
    estimate: Callable[[Counts, int, float], Rows]
    of_combinations: bool = False


@dataclass(frozen=True, eq=False)
class Summary:
    """The figures of a run.

    Attributes
    ----------
    manifest
        What the run is.
    hands
        Hands read.
    level
        Of each interval on its own.
    counts
        For each table, the whole numbers that it is made from.
    notes
        Sentences on what is missing.
    """

    manifest: Manifest
    hands: int
    level: float
    counts: dict[str, Counts]
    notes: tuple[str, ...]

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables that the run allows, by name.

        A row is an Estimate (columns ``mean`` to ``method``), told by the columns before it:

        ``combinations``
            ``combination``, ``role``, ``what`` (held, declared): share of hands. Only in games
            with combinations.
        ``scores``
            ``who`` (one of ``SCORES``): points a hand. The dealer rotates evenly, so the intervals
            of side 0 and side 1 are a little wider than they need be. Empty for a single hand.
        ``pagat``, ``fool``
            ``role`` of the seat that held the card at the first lead; ``what``: ``held``, share of
            hands; ``kept``, share of these hands in which its side has it in the end; ``trick``
            in which it was played, the first being 0. No row for ``kept`` without such a hand, or
            for ``trick`` with fewer than two.

        Source: RULES §3, 4.
        """
        return {name: self._frame(name) for name in self.counts}

    def _frame(self, name: str) -> pd.DataFrame:
        rows = TABLES[name].estimate(self.counts[name], self.hands, self.level)
        return pd.DataFrame([{**told, **estimate.to_dict()} for told, estimate in rows])

    def score_counts(self, who: str) -> tuple[Counts, Counts]:
        """How many hands had each score: points in rising order, and hands, both int64 (k,).

        ``who`` is one of ``SCORES``. Raises RunError if the run has no scores.
        """
        if "scores" not in self.counts:
            raise RunError("the run has no scores: expected the columns dealer, score0 and score1")
        hands = self.counts["scores"][SCORES.index(who)]
        found = np.flatnonzero(hands)
        return found - _LARGEST, hands[found]

    def to_dict(self) -> dict[str, Any]:
        """The summary ready for JSON; ``rows`` are those of the combinations."""
        records: dict[str, Any] = {name: [] for name in TABLES}
        records |= {name: frame.to_dict("records") for name, frame in self.tables.items()}
        return {
            "rules": self.manifest.rules.name,
            "policies": self.manifest.specs,
            "hands": self.hands,
            "rows": records.pop("combinations"),
            **records,
            "notes": list(self.notes),
        }


def summarise(run: Run | str | Path, level: float = 0.95) -> Summary:
    """The figures of a run, read once, part by part.

    Parameters
    ----------
    run
        A run or its directory; of an unfinished one, the finished parts.
    level
        Of the intervals.

    Raises
    ------
    RunError
        The directory is no run, a part is damaged, no part is finished, or the run was made with
        too few columns for any table.
    ValueError
        A level out of bounds.
    """
    check_level(level)
    run = open_run(run)
    manifest = run.manifest
    tables, notes = {}, []
    for name, table in TABLES.items():
        missing = [column for column in table.columns if column not in manifest.columns]
        if not missing:
            tables[name] = table
        elif manifest.rules.combinations or not table.of_combinations:
            notes.append(f"No {name}: the run was made without {', '.join(missing)}.")
    if not tables:
        raise RunError(
            f"nothing to sum up in a run with only {', '.join(manifest.columns)}: expected dealer, "
            "and the columns of scores, combinations, Pagat or Fool"
        )
    hands, counts = 0, dict[str, Counts]()
    for part in read(run, sorted({c for table in tables.values() for c in table.columns})):
        hands += len(part["dealer"])
        for name, table in tables.items():
            counts[name] = counts.get(name, 0) + table.count(part)
    if not hands:
        raise RunError("the run has no finished part: expected at least one")
    if hands < manifest.hands:
        notes.append(f"The run is unfinished: {hands:,} of {manifest.hands:,} hands.")
    return Summary(manifest, hands, level, counts, tuple(notes))


def _count_combinations(part: Part) -> Counts:
    """Hands by held or declared, role, and bits: shape (2, 4, _PATTERNS)."""
    return np.array(
        [
            [np.bincount(bits, minlength=_PATTERNS) for bits in by_role(part, what)]
            for what in ("held", "declared")
        ]
    )


def _combinations(counts: Counts, hands: int, level: float) -> Rows:
    bits = np.arange(_PATTERNS)[:, None] >> np.arange(len(KINDS)) & 1
    events = counts @ bits
    for kind, combination in enumerate(KINDS):
        for i, role in enumerate(ROLES):
            for j, what in enumerate(("held", "declared")):
                told = {"combination": combination, "role": role, "what": what}
                yield told, proportion(events[j, i, kind], hands, level)


def _count_scores(part: Part) -> Counts:
    """Hands by whose score and points, the middle being 0: shape (5, 2 · _LARGEST + 1)."""
    sides = np.stack([part["score0"], part["score1"]]).astype(np.int64)
    dealers, others = by_side(part, "score").astype(np.int64)
    return np.array(
        [
            np.bincount(score + _LARGEST, minlength=2 * _LARGEST + 1)
            for score in (*sides, dealers, others, dealers - others)
        ]
    )


def _scores(counts: Counts, hands: int, level: float) -> Rows:
    points = np.arange(-_LARGEST, _LARGEST + 1)
    if hands >= 2:
        for who, of in zip(SCORES, counts, strict=True):
            yield {"who": who}, mean_of(of @ points, of @ points**2, hands, level)


def _count_card(card: str, part: Part) -> Counts:
    """Hands by role that held the card, trick, whether its side kept it: (4, _MOST_TRICKS, 2)."""
    seat, trick, side = (part[f"{card}_{what}"] for what in ("seat", "trick", "side"))
    place = (role_of(seat, part["dealer"]), trick, (side == seat % 2).astype(np.uint8))
    shape = (len(ROLES), _MOST_TRICKS, 2)
    return np.bincount(np.ravel_multi_index(place, shape), minlength=np.prod(shape)).reshape(shape)


def _card(counts: Counts, hands: int, level: float) -> Rows:
    trick = np.arange(_MOST_TRICKS)
    for role, of in zip(ROLES, counts, strict=True):
        held, by_trick = of.sum(), of.sum(axis=1)
        yield {"role": role, "what": "held"}, proportion(held, hands, level)
        if held >= 1:
            yield {"role": role, "what": "kept"}, proportion(of[:, 1].sum(), held, level)
        if held >= 2:
            told = {"role": role, "what": "trick"}
            yield told, mean_of(by_trick @ trick, by_trick @ trick**2, held, level)


def _of_card(card: str) -> Table:
    columns = ("dealer", *(f"{card}_{what}" for what in ("seat", "trick", "side")))
    return Table(columns, partial(_count_card, card), _card)


TABLES = {
    "combinations": Table(
        ("dealer", *(f"{what}{seat}" for what in ("held", "declared") for seat in range(4))),
        _count_combinations,
        _combinations,
        of_combinations=True,
    ),
    "scores": Table(("dealer", "score0", "score1"), _count_scores, _scores),
    "pagat": _of_card("pagat"),
    "fool": _of_card("fool"),
}
