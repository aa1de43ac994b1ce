"""Counted combinations against all hands of small situations, and against random hands."""

from __future__ import annotations

import random
from collections import Counter
from math import comb

import numpy as np
import pytest
from scipy import stats

from analysis.counting import declarable, lengths
from analysis.situations import Situation, blocks_of
from sim.cards import TAROCCHINO, indices
from sim.combinations import KINDS
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RuleSet
from tests.analysis.enumeration import (
    all_hands,
    counted_declarable,
    counted_lengths,
    random_hands,
)

VARIANTS = [
    OTTOCENTO.replace(suit_second_wild=second, grande_wild_before_16=before_16)
    for second in (True, False)
    for before_16 in (True, False)
]
COMBINING = TAROCCHINO.all & ~TAROCCHINO.pips
COURTS = sum(TAROCCHINO.rank(letter) for letter in "VCQK")
# Where combinations come about: hands drawn mostly from one of these have many of them.
REGIONS = (
    COMBINING,
    TAROCCHINO.trumps,
    COURTS | TAROCCHINO.rank("A"),
    TAROCCHINO.mask("Angel World T16 T15 T14 T13 T7 T6 T5 M1 M2".split()),
    TAROCCHINO.mask("Angel Sun Moon T16 T14 T13 T12 T11 T10 T9 T8 T7 T6 T5 M1 M3".split()),
)


def random_situation(seed: int) -> tuple[Situation, int]:
    """A hand with all but two or three cards known, conditions that it meets, and marked cards."""
    coin = random.Random(seed)
    region = REGIONS[seed % len(REGIONS)] | TAROCCHINO.honours
    order = [card for card in indices(region) if coin.random() < 0.8]
    coin.shuffle(order)
    order += [card for card in coin.sample(range(62), 62) if card not in order]
    n = coin.randint(3, 20)
    hand = sum(1 << card for card in order[:n])
    hold = sum(1 << card for card in order[: n - coin.choice((2, 2, 3))])
    gone = sum(1 << card for card in coin.sample(order[n:], coin.randint(0, 25)))
    names = coin.sample([*blocks_of(TAROCCHINO)], coin.choice((0, 0, 1, 2)))
    where = tuple((name, (hand & blocks_of(TAROCCHINO)[name]).bit_count()) for name in names)
    marked = sum(1 << card for card in coin.sample([*indices(COMBINING)], coin.randint(0, 42)))
    return Situation(coin.choice(VARIANTS), n, hold, gone, where), marked


@pytest.mark.parametrize("seed", range(30))
def test_all_hands_with_two_or_three_open_cards(seed: int) -> None:
    """Every length, every number of points, every marked card, under every variant. RULES §4"""
    situation, marked = random_situation(seed)
    hands = all_hands(situation)
    assert situation.ways == len(hands) > 0
    assert declarable(situation, marked) == counted_declarable(hands, situation, marked)
    found = {kind: by for kind, by in lengths(situation).items() if by}
    assert found == counted_lengths(hands[:6000], situation) or len(hands) > 6000
