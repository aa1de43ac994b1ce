"""Hands of games: their random numbers, and what policies see of the game. RULES §5, §7."""

from pathlib import Path

import numpy as np
import pytest

from sim.games import play_games
from sim.kernels import streams
from sim.players import IllegalAnswer
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA
from tests.helpers import policy_file


def test_hands_of_games_are_others_than_those_of_runs() -> None:
    keys = {int(streams.game_hand_key(1, game, hand)) for game in range(60) for hand in range(60)}
    keys |= {int(streams.hand_key(1, hand)) for hand in range(3600)}
    assert len(keys) == 7200


SEES = """
@policy.declare
def behind(view, weights):
    own = view.seat & 1
    later = view.table.hand_number > 0
    return view.legal if later and view.table.score[own] < view.table.score[1 - own] else 0

behind_policy = policy.Policy.of(
    discard=random_discard, declare=behind, play=random_play, signal=silent
)
"""


def test_policies_see_the_score_and_the_number_of_the_hand(tmp_path: Path) -> None:
    path = policy_file(tmp_path, SEES)
    policies = parse_policies(f"{path}:behind_policy")
    _, hands = play_games(OTTOCENTO, policies, 4, 0, 30, keep_hands=True)
    assert len(hands) > 2
    declared = 0
    for hand in hands:
        for seat in range(4):
            own = seat % 2
            may = (hand.number > 0) & (hand.before[own] < hand.before[1 - own])
            expected = np.where(may, hand.rows.held[seat], 0)
            np.testing.assert_array_equal(hand.rows.declared[seat], expected)
            declared += int((expected > 0).sum())
    assert declared > 20


CHEATS = """
@policy.play
def cheat(view, weights):
    late = view.table.hand_number == 1 and view.table.trick == 2
    return (63 if late else lowest(view.legal)), 0

cheat_policy = policy.Policy.of(discard=random_discard, declare=all_, play=cheat, signal=silent)
"""


def test_an_illegal_answer_names_game_and_hand(tmp_path: Path) -> None:
    path = policy_file(tmp_path, CHEATS)
    with pytest.raises(IllegalAnswer, match=r"^game 8, hand 1, seat \d: the policy .* trick 2"):
        play_games(PARTITA, parse_policies(f"{path}:cheat_policy"), 4, 8, 3)
