"""The parts of a difference of score: that they add up to it, and what each of them is."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.parts import PARTS, parts
from sim.combinations import score
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import compiled_only, each_preset

HANDS = 300


def played(rules: RuleSet):
    return play_hands(rules, parse_policies("simple"), 5, 0, HANDS)


@compiled_only
@each_preset
@pytest.mark.parametrize("side", [0, 1])
def test_they_add_up_to_the_difference_of_score_hand_by_hand(rules: RuleSet, side: int) -> None:
    rows = played(rules)
    found = parts(rows, side, rules)
    assert tuple(found) == PARTS
    difference = rows.score[side].astype(int) - rows.score[1 - side]
    np.testing.assert_array_equal(sum(found.values()), difference)


@compiled_only
def test_piles_are_split_into_single_combinations_and_doubling() -> None:  # RULES §4
    rows = played(OTTOCENTO)
    found = parts(rows, 1, OTTOCENTO)
    single = np.zeros((2, HANDS), int)
    for hand in range(HANDS):
        for sign, pile in ((-1, rows.won0[hand]), (1, OTTOCENTO.cards.all ^ rows.won0[hand])):
            held = score(int(pile), OTTOCENTO)
            single[0, hand] += sign * sum(cricca.points for cricca in held.cricche.values())
            single[1, hand] += sign * sum(run.points for run in held.sequences.values())
    np.testing.assert_array_equal(found["cricche"], single[0])
    np.testing.assert_array_equal(found["sequences"], single[1])
    both = rows.cricche[1].astype(int) - rows.cricche[0]
    np.testing.assert_array_equal(found["cricche_doubling"], both - single[0])
    assert found["sequences_doubling"].any()


@compiled_only
def test_the_last_trick_counts_for_the_side_that_won_it() -> None:  # RULES §3
    rows = played(OTTOCENTO)
    expected = np.where(rows.last_trick == 0, 6, -6)
    np.testing.assert_array_equal(parts(rows, 0, OTTOCENTO)["last_trick"], expected)


@compiled_only
def test_partita_has_card_points_only() -> None:  # RULES §7
    found = parts(played(PARTITA), 0, PARTITA)
    assert [name for name in PARTS if found[name].any()] == ["card_points"]
