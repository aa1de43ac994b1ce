"""Hands summed up in whole counts that add up exactly, in any order: what analysis works from.

A statistic is a table of counts: how many hands were so and so. It is counted from the columns of a
run, or kept in their place (``--keep summary``), as a table with the columns of ``SUMMARY_SCHEMA``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sim.columns import SUMMARY_SCHEMA
from sim.combinations import KINDS, score_sets
from sim.conditions import ROLES
from sim.kernels import counting
from sim.kernels.rules_record import rules_record
from sim.manifests import RunError
from sim.rules import RuleSet

Counts = dict[str, NDArray[np.int64]]
Columns = Mapping[str, NDArray]

# Seats taken together: the three who have 15 cards of those dealt, and all four.
POOLS = {"non-dealers": 3, "all": 4}
MOST_TRICKS = 15
# Columns of small numbers, and how many these can be; points are never below 0 but in a score.
_BOUNDS = {
    **dict.fromkeys(("dealer", "first_trick_leader", "pagat_seat", "fool_seat"), 4),
    **dict.fromkeys(("pagat_trick", "fool_trick"), MOST_TRICKS),
    **dict.fromkeys(("pagat_side", "fool_side"), 2),
}


class Axis(NamedTuple):
    """What hands are told apart by: numbers from ``least`` up, or names."""

    name: str
    size: int
    least: int = 0
    names: tuple[str, ...] = ()


_ROLE = Axis("role", len(ROLES), names=ROLES)
_SEAT, _SIDE, _DEALS = Axis("seat", 4), Axis("side", 2), Axis("deals", 2)
_POOL, _SEATS = Axis("pool", len(POOLS), names=tuple(POOLS)), Axis("seats", 5)
_KIND = Axis("combination", len(KINDS), names=KINDS)
_BITS = Axis("combinations", counting.PATTERNS)
_POINTS, SCORE = Axis("points", 1 << 15), Axis("points", 1 << 16, -1 << 15)
DIFFERENCE = Axis("points", (1 << 17) - 1, 1 - (1 << 16))
_TRICK, _KEPT = Axis("trick", MOST_TRICKS), Axis("kept", 2)


@dataclass(frozen=True)
class Statistic:
    """How many hands were so and so.

    ``count`` adds the hands of some columns, in the order of ``columns``, to an array with the
    shape of ``axes``.
    """

    columns: tuple[str, ...]
    axes: tuple[Axis, ...]
    count: Callable[..., None]

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the counts."""
        return tuple(axis.size for axis in self.axes)


def statistics(rules: RuleSet) -> dict[str, Statistic]:
    """What the hands of a game are counted by.

    ``held``, ``declared``
        By seat, its role and the combinations, a bit each, that it held or declared.
    ``held_together``, ``declared_together``
        By combination and how many seats of a pool (``POOLS``) had it in the same deal.
    ``declared_points``
        By role and points declared.
    ``captured``, ``in_tricks``
        By side, whether it deals, and the combinations in its pile, or inside any of its tricks.
    ``trick_points``, ``cricche``, ``sequences``, ``card_points``, ``score``
        By side, whether it deals, and points.
    ``difference``
        By the side that deals and its score less the other's.
    ``pagat``, ``fool``
        By role of the card's holder at the first lead, the trick in which it was played, the first
        being 0, and whether his side has it in the end.

    Source: RULES §3, §4.
    """
    found: dict[str, Statistic] = {}
    if rules.combinations:
        bits, together, by_role = (
            partial(_of_seats, kernel)
            for kernel in (counting._count_bits, counting._count_together, counting._count_by_role)
        )
        for what in ("held", "declared"):
            columns = ("dealer", *(f"{what}{seat}" for seat in range(4)))
            found[what] = Statistic(columns, (_SEAT, _ROLE, _BITS), bits)
            found[f"{what}_together"] = Statistic(columns, (_POOL, _KIND, _SEATS), together)
        columns = ("dealer", *(f"declared_points{seat}" for seat in range(4)))
        found["declared_points"] = Statistic(columns, (_ROLE, _POINTS), by_role)
        by_side = (_SIDE, _DEALS, _BITS)
        found["captured"] = Statistic(("dealer", "won0"), by_side, partial(_captured, rules))
        if rules.trick_combinations:
            columns = ("dealer", "first_trick_leader", "plays")
            found["in_tricks"] = Statistic(columns, by_side, partial(_in_tricks, rules))
            found["trick_points"] = _of_points("trick_points")
        found |= {name: _of_points(name) for name in ("cricche", "sequences")}
    found["card_points"] = _of_points("card_points")
    found["score"] = _of_points("score", SCORE)
    difference = partial(_of_sides, counting._count_difference, DIFFERENCE.least)
    found["difference"] = Statistic(found["score"].columns, (_SIDE, DIFFERENCE), difference)
    for card in ("pagat", "fool"):
        columns = ("dealer", *(f"{card}_{what}" for what in ("seat", "trick", "side")))
        found[card] = Statistic(columns, (_ROLE, _TRICK, _KEPT), counting._count_fates)
    return found


def statistics_from(rules: RuleSet, columns: Collection[str]) -> dict[str, Statistic]:
    """Those of ``statistics`` that can be counted from these columns."""
    known = statistics(rules).items()
    return {name: of for name, of in known if set(of.columns) <= set(columns)}


def _of_points(name: str, points: Axis = _POINTS) -> Statistic:
    columns = ("dealer", *(f"{name}{side}" for side in range(2)))
    count = partial(_of_sides, counting._count_by_side, points.least)
    return Statistic(columns, (_SIDE, _DEALS, points), count)


def _of_seats(kernel: Callable[..., None], dealer: NDArray, *others: NDArray) -> None:
    *columns, counts = others
    kernel(dealer, np.stack(columns), counts)


def _of_sides(kernel: Callable[..., None], least: int, dealer: NDArray, *others: NDArray) -> None:
    *columns, counts = others
    kernel(dealer, np.stack(columns), least, counts)


def _captured(rules: RuleSet, dealer: NDArray, pile0: NDArray, counts: NDArray) -> None:
    piles = pile0, pile0 ^ np.uint64(rules.cards.all)
    kinds = np.stack([score_sets(pile, rules).kinds for pile in piles])
    counting._count_by_side(dealer, kinds, 0, counts)


def _in_tricks(
    rules: RuleSet, dealer: NDArray, leader: NDArray, plays: NDArray, counts: NDArray
) -> None:
    kinds = np.zeros((2, len(dealer)), np.uint16)
    counting._note_kinds_in_tricks(plays, leader, rules_record(rules), kinds)
    counting._count_by_side(dealer, kinds, 0, counts)


def columns_of(statistics: Iterable[Statistic]) -> list[str]:
    """The columns that statistics are counted from, each once."""
    return sorted({column for statistic in statistics for column in statistic.columns})


def no_hands(statistics: Mapping[str, Statistic]) -> Counts:
    """Counts of no hands yet, int64 with the shape of each statistic."""
    return {name: np.zeros(statistic.shape, np.int64) for name, statistic in statistics.items()}


def add_hands(
    counts: Counts, statistics: Mapping[str, Statistic], hands: Columns, rules: RuleSet
) -> None:
    """Add hands to counts.

    Parameters
    ----------
    counts
        As ``no_hands`` began them for these statistics; changed.
    statistics
        Of these rules, by name.
    hands
        The columns that they are counted from, each (n,) with the column's own type.
    rules
        The game.

    Raises RunError for a column with what no hand has, CardError if it is a pile.
    """
    for name in columns_of(statistics.values()):
        _check_bounds(name, hands[name], rules)
    for name, statistic in statistics.items():
        statistic.count(*(hands[column] for column in statistic.columns), counts[name])


def _check_bounds(name: str, values: NDArray, rules: RuleSet) -> None:
    """Raise RunError for a value that would be counted in no place: kernels do not look."""
    bound = rules.cards.size if name == "plays" else _BOUNDS.get(name)
    if values.dtype.kind not in "iu":
        raise RunError(f"the column {name} has empty places: expected a number for each hand")
    if bound is not None and values.max(initial=0) >= bound:
        raise RunError(f"the column {name} has {values.max()}: expected 0 to {bound - 1}")
    of_points = values.dtype == np.int16 and not name.startswith("score")
    if of_points and values.min(initial=0) < 0:
        raise RunError(f"the column {name} has {values.min()}: expected no points below 0")


def add_summary(counts: Counts, statistics: Mapping[str, Statistic], summary: pa.Table) -> None:
    """Add the hands of a summary, as ``summary_table`` made it, to counts.

    Parameters
    ----------
    counts, statistics
        As for ``add_hands``; other statistics of the summary are left aside.
    summary
        With the columns of ``SUMMARY_SCHEMA``.

    Raises RunError for a name or number that no hand has.
    """
    for name, statistic in statistics.items():
        rows = summary.filter(pc.equal(summary["statistic"], name))
        places = tuple(_places(rows[axis.name], axis) for axis in statistic.axes)
        np.add.at(counts[name], places, _whole(rows["hands"], "hands"))


def _places(column: pa.ChunkedArray, axis: Axis) -> NDArray:
    """The places on an axis of its names, or of its numbers."""
    if axis.names:
        column = pc.index_in(column, value_set=pa.array(axis.names))
    places = _whole(column, axis.name).astype(np.int64) - axis.least
    if len(places) and not 0 <= places.min() <= places.max() < axis.size:
        raise RunError(f"the summary has a number that is no {axis.name}")
    return places


def _whole(column: pa.ChunkedArray, name: str) -> NDArray:
    if column.null_count:
        raise RunError(f"the summary has a row of hands without {name}")
    return column.to_numpy()


def summary_table(counts: Counts, statistics: Mapping[str, Statistic]) -> pa.Table:
    """Counts as a table with the columns of ``SUMMARY_SCHEMA``: a row for each that is not 0."""
    parts = (_rows(name, statistics[name].axes, of) for name, of in counts.items())
    return pa.concat_tables([SUMMARY_SCHEMA.empty_table(), *parts]).combine_chunks()


def merged(summaries: Iterable[pa.Table], statistics: Mapping[str, Statistic]) -> pa.Table:
    """One summary of several: the same in whatever order they come. Raises as ``add_summary``."""
    counts = no_hands(statistics)
    for summary in summaries:
        add_summary(counts, statistics, summary)
    return summary_table(counts, statistics)


def _rows(name: str, axes: Sequence[Axis], counts: NDArray[np.int64]) -> pa.Table:
    found = np.flatnonzero(counts)
    places, n = np.unravel_index(found, counts.shape), len(found)
    arrays = {"statistic": pa.repeat(name, n), "hands": pa.array(counts.ravel()[found])}
    for axis, at in zip(axes, places, strict=True):
        numbers = pa.array(at + axis.least, pa.int32())
        arrays[axis.name] = pa.array(axis.names).take(numbers) if axis.names else numbers
    columns = [arrays.get(field.name, pa.nulls(n, field.type)) for field in SUMMARY_SCHEMA]
    return pa.table(columns, schema=SUMMARY_SCHEMA)
