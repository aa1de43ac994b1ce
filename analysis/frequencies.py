"""How often things happen in a run: combinations, scores, and where Pagat and Fool went.

Each table is made from whole counts (``sim.summaries``) that add up over the parts of a run, so a
run of any size is read once, whether it keeps rows or sums. A new table is an entry in ``TABLES``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.combination_tables import CAPTORS, COMBINATIONS, Counts, by_captor, frequency_tables
from analysis.estimates import check_level, mean_of_counts, proportion
from analysis.reader import count, open_run
from analysis.tables import Rows, Table
from sim.conditions import ROLES
from sim.manifests import Manifest, RunError
from sim.run import Run
from sim.summaries import DIFFERENCE, SCORE, statistics

# Whose score: the sides by number, by who deals, and the dealer's side minus the other.
SCORES = ("side 0", "side 1", "dealers", "others", "difference")

# Tables of combinations: their rows stand together in JSON.
OF_COMBINATIONS = (
    *("combinations", "pooled", "by_policy", "captured", "any_in_tricks", "in_tricks"),
)


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
    definitions
        The tables that were asked for.
    counts
        Whole numbers of hands, by the name of their statistic in ``sim.summaries``.
    notes
        Sentences on what is missing.
    """

    manifest: Manifest
    hands: int
    level: float
    definitions: dict[str, Table]
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
        return {
            name: self._frame(table)
            for name, table in self.definitions.items()
            if set(table.statistics) <= set(self.counts)
        }

    def _frame(self, table: Table) -> pd.DataFrame:
        counts = (self.counts[name] for name in table.statistics)
        rows = table.estimate(*counts, self.hands, self.level)
        return pd.DataFrame([{**told, **estimate.to_dict()} for told, estimate in rows])

    def score_counts(self, who: str) -> tuple[Counts, Counts]:
        """How many hands had each score: points in rising order, and hands, both int64 (k,).

        ``who`` is one of ``SCORES``. Raises RunError if the run has no scores.
        """
        if "score" not in self.counts:
            raise RunError("the run has no scores: expected the columns dealer, score0 and score1")
        least, hands = _by_score(self.counts["score"], self.counts["difference"])[who]
        found = np.flatnonzero(hands)
        return found + least, hands[found]

    @property
    def conditions(self) -> str:
        """Which deals the run has, and their share of all; empty if it has all."""
        manifest, share = self.manifest, self.manifest.condition_probability
        if share is None:
            return ""
        told = "; ".join(text for text in (manifest.deal, manifest.where) if text is not None)
        percent = 100 * (share["probability"] if "probability" in share else share["mean"])
        return f"only deals with {told} ({percent:.3g} % of all)"

    def to_dict(self) -> dict[str, Any]:
        """The summary ready for JSON; ``rows`` are those of all tables of combinations.

        Of a run under conditions, also ``deal``, ``where`` and ``condition_probability``.
        """
        records: dict[str, Any] = {name: [] for name in self.definitions}
        records |= {name: frame.to_dict("records") for name, frame in self.tables.items()}
        rows = [row for name in OF_COMBINATIONS for row in records.pop(name, [])]
        names = ("deal", "where", "condition_probability") if self.conditions else ()
        return {
            "rules": self.manifest.rules.name,
            "policies": self.manifest.specs,
            "hands": self.hands,
            **{name: getattr(self.manifest, name) for name in names},
            "rows": rows,
            **records,
            "notes": list(self.notes),
        }


def summarise(run: Run | str | Path, level: float = 0.95) -> Summary:
    """The figures of a run, read once, part by part.

    Tables for which the run was made with too few columns are left out, and noted.

    Parameters
    ----------
    run
        A run or its directory; of an unfinished one, the finished parts.
    level
        Of the intervals.

    Returns
    -------
    Summary
        With the tables of its ``tables``.

    Raises
    ------
    RunError
        The directory is no run, a part is damaged, or no part is finished.
    ValueError
        A level out of bounds.
    """
    check_level(level)
    run = open_run(run)
    return _counted(run, TABLES, level)


def frequencies(run: Run | str | Path, level: float = 0.95) -> Summary:
    """How often combinations are held, declared, captured in piles and scored inside tricks.

    Parameters
    ----------
    run, level
        As for ``summarise``.

    Returns
    -------
    Summary
        Its ``tables``, each row a share of hands unless said otherwise:

        ``combinations``
            As in a summary: by ``role``.
        ``pooled``
            The same of several seats together, the mean over the seats of a deal: ``role`` is
            ``non-dealers`` or ``all``.
        ``by_policy``
            If the seats play differently: by ``role`` and ``policy``, of the hands in which that
            policy has that role.
        ``declared_mean``, ``declared_points``
            Mean points declared by ``role``, and the share of hands with each number of ``points``.
        ``captured``
            Combinations in a side's pile at the end; ``role`` is ``dealers`` (the dealer's side),
            ``others``, ``side 0`` or ``side 1``.
        ``any_in_tricks``, ``in_tricks``
            By the same: how often a side scores any combination, and each of the 12, inside a trick
            it wins. Only if the rules count them; each of the 12 only with the column ``plays``.

    Raises
    ------
    RunError
        As for ``summarise``; or the game has no combinations.
    ValueError
        A level out of bounds.

    Source: RULES §4.
    """
    check_level(level)
    run = open_run(run)
    if not run.manifest.rules.combinations:
        raise RunError(f"{run.manifest.rules.name} has no combinations: expected a game with them")
    return _counted(run, frequency_tables(run.manifest), level)


def _of_conditions(manifest: Manifest) -> list[str]:
    """That a run has only some deals, and how many of all deals these are."""
    asked = [text for text in (manifest.deal, manifest.where) if text is not None]
    if manifest.condition_probability is None:
        return []
    told = manifest.condition_probability
    share = told["probability"] if "exact" in told else told["mean"]
    return [f"Only deals with {' and '.join(asked)}: {share:.4g} of all deals."]


def _counted(run: Run, definitions: dict[str, Table], level: float) -> Summary:
    """Read a run once for the tables that its columns allow."""
    manifest, known = run.manifest, statistics(run.manifest.rules)
    wanted, notes = dict[str, None](), _of_conditions(run.manifest)
    for name, table in definitions.items():
        if not set(table.statistics) <= set(known):
            continue  # this game has no such thing
        columns = dict.fromkeys(c for each in table.statistics for c in known[each].columns)
        missing = [column for column in columns if column not in manifest.columns]
        if missing:
            notes.append(f"No {name}: the run was made without {', '.join(missing)}.")
        else:
            wanted |= dict.fromkeys(table.statistics)
    hands, counts = count(run, {name: known[name] for name in wanted})
    if not hands:
        raise RunError("the run has no finished part: expected at least one")
    if hands < manifest.hands:
        notes.append(f"The run is unfinished: {hands:,} of {manifest.hands:,} hands.")
    return Summary(manifest, hands, level, definitions, counts, tuple(notes))


def _by_score(score: Counts, difference: Counts) -> dict[str, tuple[int, Counts]]:
    """For each of ``SCORES`` the first number of points, and hands with that many and so on."""
    by_who = dict(zip(CAPTORS, by_captor(score), strict=True))
    found = {who: (SCORE.least, by_who[who]) for who in SCORES if who in by_who}
    return found | {"difference": (DIFFERENCE.least, difference.sum(axis=0))}


def _scores(score: Counts, difference: Counts, hands: int, level: float) -> Rows:
    if hands >= 2:
        for who, (least, of) in _by_score(score, difference).items():
            yield {"who": who}, mean_of_counts(of, least, level)


def _card(counts: Counts, hands: int, level: float) -> Rows:
    for role, of in zip(ROLES, counts, strict=True):
        held = of.sum()
        yield {"role": role, "what": "held"}, proportion(held, hands, level)
        if held >= 1:
            yield {"role": role, "what": "kept"}, proportion(of[:, 1].sum(), held, level)
        if held >= 2:
            yield {"role": role, "what": "trick"}, mean_of_counts(of.sum(axis=1), level=level)


TABLES = {
    "combinations": COMBINATIONS,
    "scores": Table(("score", "difference"), _scores),
    "pagat": Table(("pagat",), _card),
    "fool": Table(("fool",), _card),
}
