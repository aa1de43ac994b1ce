"""How likely a trick is won, where the answer is plain."""

import numpy as np
import pytest

from sim.cards import TAROCCHINO
from sim.kernels.rules_record import rules_record
from sim.policies.chances import Outlook, corrected, pagat_falls, side_wins
from sim.policies.heard import Heard
from sim.policies.spec import parse_policy
from sim.rules import OTTOCENTO

RULES = rules_record(OTTOCENTO)
SWORDS, TRUMPS = TAROCCHINO.suits[0], TAROCCHINO.trumps
QUEEN, T7 = (TAROCCHINO.mask([name]).bit_length() - 1 for name in ("SQ", "T7"))


def known(right: str, partner: str, left: str, shown: str) -> Outlook:
    """What others may hold, and what the right player surely does."""
    may = [TAROCCHINO.mask(cards.split()) for cards in (right, partner, left)]
    holders = sum(1 for cards in may if cards & TRUMPS)
    sure = TAROCCHINO.mask(shown.split())
    return Outlook(may[0] | may[1] | may[2], *may, sure, 0, 0, holders)


def wins(
    position: int, *, right: str = "", partner: str = "", left: str = "", shown: str = "",
    follows: int = 0, card: int = QUEEN, ours: bool = True, led: int = SWORDS, **changed: float,
) -> float:  # fmt: skip
    """Chance for a card while others may hold so much; ``shown`` is held by the right player."""
    parameters = {"contest": 1, "rebeat": 0, "help": 1, **changed}
    part = parse_policy("expert").play.with_parameters(parameters)
    weights = np.zeros(1, part.weights).view(np.recarray)[0]
    for name, value in part.parameters.items():
        weights[name] = value
    others = known(right, partner, left, shown)
    if follows:
        others = corrected(others, Heard(0, 0, 0, follows, 0, 0, 0, 0, 0), RULES)
    return float(side_wins(position, others, int(RULES.rank[card]), ours, led, RULES, weights))


def test_the_last_player_knows_who_wins() -> None:
    assert wins(3, right="SK") == 1
    assert wins(3, right="SK", ours=False) == 0


def test_nobody_beats_the_highest_card_where_no_trumps_are_left() -> None:  # RULES §2
    for position in range(4):
        assert wins(position, right="S7 S6", partner="B7", left="SV") == 1


def test_a_king_shown_beats_the_queen() -> None:
    assert wins(2, right="SK S7", partner="S7", shown="SK") == 0
    assert wins(2, right="SK S7", partner="S7", shown="SK", contest=0.9) == pytest.approx(0.1)


def test_a_king_that_any_of_three_may_hold_is_with_each_alike() -> None:
    chance = wins(2, right="SK S7", partner="SK S7", left="SK S7")
    assert chance == pytest.approx(2 / 3)


def test_who_lacks_the_suit_may_trump() -> None:  # RULES §2
    assert wins(2, right="T7") == 0
    assert wins(2, right="T7 T9", partner="T7 T9") == pytest.approx(1 / 4)
    assert wins(2, right="S7 T7", partner="S7 T7") == pytest.approx(1 - 1 / 2 * 1 / 2)


def test_who_has_a_card_of_the_suit_left_does_not_trump() -> None:  # RULES §7, one_more
    assert wins(2, right="S7 T7", partner="S7 T7") == pytest.approx(3 / 4)
    assert wins(2, right="S7 T7", partner="S7 T7", follows=SWORDS) == 1
    # He beats the Queen only by the King, which partner may hold as well.
    assert wins(2, right="SK S7", partner="SK S7", follows=SWORDS) == pytest.approx(1 / 2)
    assert wins(2, right="SK", partner="SK S7", follows=SWORDS) == 0
    # Who has a trump need not have the Pagat, if it may be another.
    others = known("Pagat T7", "Pagat", "S7", "")
    told = Heard(0, 0, 0, TRUMPS, 0, 0, 0, 0, 0)
    assert pagat_falls(corrected(others, told, RULES), RULES) == 0


def test_a_trump_on_a_plain_lead_is_beaten_by_higher_ones_only() -> None:
    assert wins(2, card=T7, right="T6 SK") == 1
    assert wins(2, card=T7, right="T8") == 0
    assert wins(2, card=T7, right="SK T8") == 1  # he follows


def test_a_later_moor_beats_a_moor() -> None:  # RULES §2, equal trumps
    moor = TAROCCHINO.mask(["M4"]).bit_length() - 1
    assert wins(2, card=moor, led=TRUMPS, right="M1") == 0
    assert wins(2, card=moor, led=TRUMPS, right="Pagat") == 1


def test_partner_mends_what_an_opponent_wins() -> None:
    cards = {"right": "SK", "partner": "T9"}
    assert wins(1, **cards, shown="SK") == 0
    assert wins(1, **cards, shown="SK", rebeat=1) == 1
    assert wins(1, partner="SK", ours=False) == 1
    assert wins(1, partner="SK", ours=False, help=0.8) == pytest.approx(0.8)
    assert wins(2, partner="SK", ours=False) == 0  # he has played


def test_both_opponents_are_to_be_feared_by_who_leads() -> None:
    alone = wins(0, right="SK S7", partner="SK S7")
    assert wins(0, right="SK S7", partner="SK S7", left="T9") == 0 < alone


@pytest.mark.parametrize(
    ("right", "partner", "left", "shown", "chance"),
    [
        ("S7 T7", "T7", "S7 T7", "", 0),  # the Pagat is not out
        ("Pagat", "S7", "S7", "", 1),
        ("Pagat", "Pagat", "Pagat", "", 2 / 3),
        ("Pagat", "Pagat T7", "S7", "", 1 / 2),
        ("Pagat T7", "Pagat T7", "Pagat T7", "", 2 / 3 * 2 / 3),
        ("Pagat T7", "T7", "T7", "Pagat", 2 / 3),
        ("Pagat T7", "S7", "S7", "Pagat T7", 0),
    ],
)
def test_the_pagat_falls_to_a_trump_if_an_opponent_has_it_alone(  # RULES §2
    right: str, partner: str, left: str, shown: str, chance: float
) -> None:
    assert pagat_falls(known(right, partner, left, shown), RULES) == pytest.approx(chance)
