"""The declare part that looks at the score of the game. RULES §4, §5; STRATEGY C20."""

import hashlib

import numpy as np
import pytest

from sim.game_hands import play_game_hands
from sim.games import play_games
from sim.policies.declare.to_win import CHANCES, SCORES, TABLE, chance
from sim.policies.spec import parse_policies, parse_policy
from sim.rows import Rows
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL
from tests.helpers import compiled_only

GAMES = np.arange(400)


def hands(spec: str, before: tuple[int, int]) -> Rows:
    """The third hand of some games at a score."""
    scores = np.repeat(np.array(before)[:, None], len(GAMES), axis=1)
    return play_game_hands(OTTOCENTO, parse_policies(spec), 5, GAMES, 2, scores)


# ---- the table ------------------------------------------------------------------------------


def test_the_table_is_one_of_chances() -> None:
    assert CHANCES.shape == (len(SCORES), len(SCORES)) and SCORES[-1] == 799
    assert CHANCES.min() >= 0 and CHANCES.max() <= 1
    # More points are never worse, by more than what the hands tried leave to chance.
    assert (np.diff(CHANCES, axis=0) > -0.001).all() and (np.diff(CHANCES, axis=1) < 0.001).all()


def test_chances_at_and_between_entries() -> None:
    assert chance(17.0, 34.0, True) == CHANCES[1, 2]
    assert chance(34.0, 17.0, False) == pytest.approx(1 - CHANCES[1, 2])
    assert chance(799.0, 799.0, True) == CHANCES[-1, -1]
    assert chance(8.5, 0.0, True) == pytest.approx((CHANCES[0, 0] + CHANCES[1, 0]) / 2)
    assert chance(0.0, -3.0, True) == CHANCES[0, 0]


def test_who_has_800_with_the_declarations_has_won() -> None:  # RULES §5
    assert chance(800.0, 799.0, True) == chance(820.0, 810.0, False) == 1
    assert chance(0.0, 800.0, True) == chance(805.0, 810.0, False) == 0
    assert chance(810.0, 810.0, True) == 0.5


# ---- the part -------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("before", [(0, 0), (300, 250), (120, 430)])
def test_far_from_800_all_is_declared(before: tuple[int, int]) -> None:
    found, plain = (hands(f"simple+declare:{name}", before) for name in ("to_win", "all"))
    for of_it, of_all in zip(found, plain, strict=True):
        np.testing.assert_array_equal(of_it, of_all)


@compiled_only
def test_a_single_hand_has_no_score() -> None:  # RULES §5
    specs = ("simple+declare:to_win", "simple")
    one, two = (play_games(OTTOCENTO_DIGITAL, parse_policies(spec), 1, 0, 200)[0] for spec in specs)
    np.testing.assert_array_equal(one.score, two.score)


@compiled_only
@pytest.mark.parametrize("before", [(600, 780), (780, 600), (790, 790)])
def test_it_declares_what_the_table_says(before: tuple[int, int]) -> None:
    lose, give = 0.2, 1.5  # so much that hiding is often better
    found = hands(f"simple+declare:to_win(lose={lose},give={give})", before)
    points = hands("simple", before).declared_points  # of all that is held
    hidden = 0
    for i in range(len(GAMES)):
        score = np.array(before)
        dealer = int(found.dealer[i])
        for seat in ((dealer + turn) % 4 for turn in range(1, 5)):
            side, x = seat % 2, int(points[seat, i])
            ours, theirs = float(score[side]), float(score[1 - side])
            deal = dealer % 2 == side
            hides = chance(ours + lose * x, theirs - give * x, deal) > chance(
                ours + x, theirs, deal
            )
            assert found.declared[seat, i] == (0 if hides else found.held[seat, i])
            hidden += bool(hides and x)
            score[side] += 0 if hides else x
    assert hidden > 20


def test_manifests_record_the_table() -> None:
    told = parse_policy("expert+declare:to_win").to_dict()["parts"]["declare"]
    assert told["table"] == hashlib.sha256(TABLE.read_bytes()).hexdigest()
    assert "table" not in parse_policy("expert").to_dict()["parts"]["declare"]
