"""Situations against their own hands, one by one, and against closed forms."""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest

from analysis.situations import POOL, Situation, choose, subsets
from sim.cards import TAROCCHINO, parse_cards
from sim.rules import OTTOCENTO
from tests.analysis.enumeration import all_hands

HOLD, GONE = parse_cards("Pagat SK S6 T5"), parse_cards("Angel CK C6 D6 Fool")
SITUATIONS = [
    Situation(OTTOCENTO, 3),
    Situation(OTTOCENTO, 7, HOLD, GONE),
    Situation(OTTOCENTO, 7, HOLD, GONE, (("trumps", 4),)),
    Situation(OTTOCENTO, 7, HOLD, GONE, (("cups", 0), ("swords", 3), ("trumps", 3))),
]


@pytest.mark.parametrize("situation", SITUATIONS, ids=range(len(SITUATIONS)))
@pytest.mark.parametrize("of", ["", "Fool", "Pagat", "SK BK CK DK", "S6 S7 T5 T6 T7 M1 C7 Pagat"])
def test_number_counts_the_hands(situation: Situation, of: str) -> None:
    hands, cards = all_hands(situation), parse_cards(of)
    found = Counter(np.bitwise_count(hands & np.uint64(cards)).tolist())
    assert situation.ways == len(hands) > 0
    assert situation.number(cards) == found
    assert [*situation.number(cards)] == sorted(found)


@pytest.mark.parametrize("situation", SITUATIONS, ids=range(len(SITUATIONS)))
def test_known_cards_add_up(situation: Situation) -> None:
    """With a card and without it are all the hands there are."""
    for card in range(TAROCCHINO.size):
        held, gone = situation.with_cards(1 << card), situation.with_cards(0, 1 << card)
        assert held.ways + gone.ways == situation.ways


def test_groups_are_disjoint_and_draw_what_is_open() -> None:
    situation = SITUATIONS[3]
    assert [*situation.groups] == ["cups", "swords", "trumps", POOL]
    assert [group.draw for group in situation.groups.values()] == [0, 1, 1, 1]
    assert sum(group.free for group in situation.groups.values()) == situation.free


def test_trumps_of_a_hand_are_hypergeometric() -> None:
    found = Situation(OTTOCENTO, 15).number(TAROCCHINO.trumps)
    assert found == {n: comb(21, n) * comb(41, 15 - n) for n in range(16)}


def test_nothing_can_be_chosen_below_none() -> None:
    assert [choose(4, k) for k in (-1, 0, 2, 4, 5)] == [0, 1, 6, 1, 0]


def test_subsets_are_all_there_are() -> None:
    assert sorted(subsets(0b10101)) == [0, 1, 4, 5, 16, 17, 20, 21]
    assert [*subsets(0)] == [0]
