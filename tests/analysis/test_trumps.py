"""Trumps counted, against every set of them scored one by one. RULES §4, Grande."""

from __future__ import annotations

from collections import Counter

import pytest

from analysis.situations import Situation, subsets
from analysis.trumps import trump_ways
from sim.cards import TAROCCHINO, parse_cards
from sim.combinations import score
from sim.kernels.combinations import CONTATORI
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, RuleSet

MOORS, HONOURS = TAROCCHINO.equal_trumps, TAROCCHINO.honours
MARKED = parse_cards("Angel T16 T7 M1 M2")
# What is open beside all that is held; the rest is gone.
OPEN = {
    "top": ("", "Angel World Sun Moon T16 T15 T14 M1 M2"),
    "middle": ("Angel World T16 M4 T11 T10", "Sun T15 T14 T13 T12 T9 T8 M1 M2"),
    "bottom": ("Angel World Moon T16 T15 T14 T13 T12 T11 T10 T9 M1", "T8 T7 T6 T5 M2 M3 M4"),
}


@pytest.mark.parametrize("rules", [OTTOCENTO, OTTOCENTO_DIGITAL], ids=lambda rules: rules.name)
@pytest.mark.parametrize("held", ["", "Fool", "Pagat", "Pagat Fool"])
@pytest.mark.parametrize("place", OPEN)
def test_every_set_of_the_open_trumps(rules: RuleSet, held: str, place: str) -> None:
    hold, free = (parse_cards(cards) for cards in OPEN[place])
    contatori = parse_cards(held)
    hold |= contatori
    gone = (TAROCCHINO.trumps | CONTATORI) & ~hold & ~free
    found: Counter[tuple[int, ...]] = Counter()
    for drawn in subsets(free):
        cards = hold | drawn
        grande = score(cards, rules).sequences.get("grande")
        numbers = ((drawn & MARKED), (cards & HONOURS), (cards & MOORS))
        marked, honours, moors = (number.bit_count() for number in numbers)
        found[drawn.bit_count(), marked, honours, grande.length if grande else 0, moors] += 1
    part = Situation(rules, 30, hold, gone)
    counted = trump_ways(part, contatori.bit_count(), MARKED)
    assert counted == found
    # With their number fixed: those of that number, none of them from the pool.
    fixed = Situation(
        rules, 30, hold, gone, (("trumps", (hold & TAROCCHINO.trumps).bit_count() + 4),)
    )
    expected: Counter[tuple[int, ...]] = Counter()
    for (used, *numbers), ways in found.items():
        if used == 4:
            expected[0, *numbers] += ways
    assert trump_ways(fixed, contatori.bit_count(), MARKED) == expected
