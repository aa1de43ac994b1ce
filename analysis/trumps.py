"""Trumps counted by what combinations need of them: cards, Honours, the Grande, Moors. RULES §4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from math import comb

from analysis.situations import Situation, subsets
from sim.kernels.combinations import ANGEL, HONOURS, MOORS, NUMBERED, T5, UPPER, WORLD

HIGHEST = NUMBERED.bit_length() - 1  # the place of the 16 among the numbered trumps, the 5 at 0


def trump_ways(part: Situation, wild: int, of: int = 0) -> dict[tuple[int, ...], int]:
    """Ways to draw trumps once it is fixed which contatori the hand has.

    Parameters
    ----------
    part
        A situation with combinations in which Pagat and Fool are each held or gone.
    wild
        How many of the two are held.
    of
        A set of cards to count.

    Returns
    -------
    dict
        Ways by (cards drawn from the pool, cards drawn out of ``of``, Honours in the hand,
        length of the Grande or 0, Moors in the hand). Where the number of trumps is fixed: the ways
        to draw so many, none of them from the pool.

    Source: RULES §4.
    """
    found: Counter[tuple[int, ...]] = Counter()
    group = part.groups.get("trumps")
    down_from = _runs(part, of)
    moors_held = (part.hold & MOORS).bit_count()
    for drawn in subsets(part.free & (ANGEL | UPPER)):
        cards = drawn | part.hold & (ANGEL | UPPER)
        upper, honours = (cards & UPPER).bit_count(), (cards & HONOURS).bit_count() + wild
        grande = bool(cards & ANGEL) and (upper >= 2 or (upper == 1 and wild >= 1))
        if not grande:
            table = _any(part.free & NUMBERED << T5, of)
        elif upper > 1:
            table = down_from(HIGHEST, wild, True)
        else:  # a contatore stands in the third place
            beside = part.rules.grande_wild_before_16 or not cards & WORLD
            table = down_from(HIGHEST, wild - 1, bool(beside))
        moors = _any(part.free & MOORS, of)
        for (run, ways), (few, more) in product(table.items(), moors.items()):
            used = drawn.bit_count() + run[0] + few[0]
            marked = (drawn & of).bit_count() + run[1] + few[1]
            in_hand = moors_held + few[0]
            length = 1 + upper + wild + run[2] + run[3] * in_hand if grande else 0
            if group is None:
                found[used, marked, honours, length, in_hand] += ways * more
            elif used == group.draw:
                found[0, marked, honours, length, in_hand] += ways * more
    return found


# Ways by (cards drawn, out of those counted, numbered trumps in the Grande, 1 if it passes the 5).
_Run = dict[tuple[int, int, int, int], int]


def _any(cards: int, of: int) -> _Run:
    """Ways to draw some, none or all of ``cards``, which the Grande does not reach."""
    inside, outside = (cards & of).bit_count(), (cards & ~of).bit_count()
    return {
        (i + j, i, 0, 0): comb(inside, i) * comb(outside, j)
        for i, j in product(range(inside + 1), range(outside + 1))
    }


def _sum(*tables: _Run) -> _Run:
    total: Counter[tuple[int, int, int, int]] = Counter()
    for table in tables:
        total.update(table)
    return total


def _runs(part: Situation, of: int) -> Callable[[int, int, bool], _Run]:
    """What the Grande finds from a numbered trump down: a function of the trump's place, of the
    contatori unused, and of whether one may stand in that place.
    """
    free, hold = part.free, part.hold

    @cache
    def down_from(place: int, spare: int, may_fill: bool = True) -> _Run:
        if place < 0:
            return {(0, 0, 0, 1): 1}
        return _sum(present(place, spare), missing(place, spare, may_fill))

    def present(place: int, spare: int) -> _Run:
        card = 1 << T5 + place
        drawn, marked = bool(card & free), bool(card & free & of)
        if not card & (free | hold):
            return {}
        return {
            (used + drawn, counted + marked, length + 1, passes): ways
            for (used, counted, length, passes), ways in down_from(place - 1, spare).items()
        }

    def missing(place: int, spare: int, may_fill: bool) -> _Run:
        if 1 << T5 + place & hold:
            return {}
        if not (spare and may_fill):
            return _any(free & NUMBERED << T5 & (1 << T5 + place) - 1, of)
        if place == 0:
            return {(0, 0, 0, 1): 1}
        # Filled above a trump that is there; two in a row are too many.
        return _sum(present(place - 1, spare - 1), missing(place - 1, 0, False))

    return down_from
