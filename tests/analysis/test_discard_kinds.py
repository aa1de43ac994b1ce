"""Kinds of a dealer's hand."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.discard_kinds import KINDS_OF_HAND, SUITS, hand_kinds, hand_numbers
from sim.cards import parse_cards
from sim.rules import OTTOCENTO

TRUMPS = "M1 M2 M3 T5 T6 T7 T8 T9"


def test_the_numbers_of_a_hand() -> None:  # STRATEGY C5, C9, C10
    hands = np.array(
        [
            parse_cards("Pagat Fool T5 T8 T12 SK SQ S7 S6 BK B8 B7 CV C9 D10 DC DQ"),
            parse_cards("SK SQ BQ S7 S6 S8 S9 S10 CV C9 C8 D10 DC DQ DK DA T5"),
        ]
    )
    found = hand_numbers(hands, OTTOCENTO)
    assert found["strength"].tolist() == [9, 3]
    assert found["trumps"].tolist() == [4, 1]
    assert found["voids"].tolist() == [1, 1]  # CV C9; BQ
    assert KINDS_OF_HAND["strength"].names == ["0-5", "6-8", "9-11", "12+"]
    assert KINDS_OF_HAND["voids"].names == ["0", "1", "2+"]


@pytest.mark.parametrize(
    ("cards", "suits", "courts"),
    [
        ("S6 BV C10 C9 C8 D10 D9 D8", "1 and 1", 1),
        ("S6 BV BC C10 C9 C8 D10 D9 D8", "1 and 2", 2),
        ("S6 B6 B7 B8 C10 C9 C8 D10 D9 D8", "1", 0),
        ("S6 S7 BQ BV CK D10 D9 D8", "2 and 2", 2),
        ("S6 SK BQ BV CK D10 D9 D8", "2", 2),
        ("SK BK CK DK", "3+", 0),
        ("SV SC SQ BV BC BQ CV CC CQ", "3+", 7),  # nine of them; the fourth suit is void already
    ],
)
def test_hands_are_of_the_kind_that_their_names_say(cards: str, suits: str, courts: int) -> None:
    hand = np.array([parse_cards(f"{cards} {TRUMPS}")])
    kind, held = hand_kinds(hand, OTTOCENTO)[:, 0]
    assert (SUITS[kind], held) == (suits, courts)
