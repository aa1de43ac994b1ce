"""A user's policy that raises: told with its line, and the hand in which it does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sim.failures import PolicyFailure, which_raises
from sim.game_hands import play_game_hand, play_game_hands
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA
from tests.helpers import policy_file

# Raises in the hands whose Pagat the player has and plays in the third trick.
RARELY = """
@policy.play
def rarely(view, weights):
    if view.table.trick == 2 and view.legal & view.rules.pagat:
        raise ValueError("lost my head")
    return highest(view.legal), 0
"""


@pytest.mark.parametrize("first", [0, 7])
def test_the_first_hand_that_raises_is_told(tmp_path: Path, first: int) -> None:
    policies = parse_policies(f"{policy_file(tmp_path, RARELY)}:rarely")
    with pytest.raises(PolicyFailure) as error:
        play_hands(OTTOCENTO, policies, 11, first, 300)
    hand, _, told = str(error.value).partition(": ")
    assert told == "mine.py, line 12: rarely raises ValueError: lost my head"
    number = int(hand.removeprefix("hand "))
    if number > first:
        play_hands(OTTOCENTO, policies, 11, first, number - first)
    with pytest.raises(PolicyFailure, match=f"hand {number}: "):
        play_hands(OTTOCENTO, policies, 11, number, 1)


def test_in_a_game_it_is_the_game_and_the_hand_in_it(tmp_path: Path) -> None:
    policies = parse_policies(f"{policy_file(tmp_path, RARELY)}:rarely")
    games = np.arange(40, 60)
    with pytest.raises(PolicyFailure, match=r"game \d+, hand 1: mine\.py, line 12") as error:
        play_game_hands(PARTITA, policies, 12, games, 1, np.zeros((2, 20), np.int64))
    game = int(str(error.value).split(",")[0].removeprefix("game "))
    with pytest.raises(PolicyFailure, match=f"game {game}, hand 1: mine"):
        play_game_hand(PARTITA, policies, 12, game, 1, (0, 0))


@pytest.mark.parametrize("wrong", range(13))
def test_each_of_some_hands_is_found(wrong: int) -> None:
    played = []

    def play(k: int) -> None:
        played.append(k)
        if k > wrong:
            raise ValueError

    assert which_raises(play, 13) == wrong
    assert played[-1] == wrong + 1 and len(played) <= 5


def test_what_shipped_policies_raise_is_no_failure_of_a_policy() -> None:
    from sim.failures import playing

    with pytest.raises(KeyError), playing(OTTOCENTO, parse_policies("simple")):
        raise KeyError
