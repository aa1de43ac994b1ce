"""Whole games against their naive twin, golden games. RULES §5, §7."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from sim.game_hands import play_game_hands
from sim.games import DRAW, ENDS, Games, GamesError, HandOfGames, decide, format_game, play_games
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import each_preset, naive_row, naive_rules, row_dicts
from tests.naive import games as naive

GOLDEN = Path(__file__).parent / "golden" / "games"
# A target that every game reaches at once, or in many hands.
NEAR, FAR = OTTOCENTO.replace(target=60), OTTOCENTO.replace(target=3000)


def told(games: Games, i: int) -> naive.Game:
    """A game as its twin tells it."""
    score = (int(games.score[0, i]), int(games.score[1, i]))
    winner = None if games.winner[i] == DRAW else int(games.winner[i])
    return naive.Game(int(games.hands[i]), ENDS[games.ended[i]], score, winner)


# ---- against the twin -----------------------------------------------------------------------


def play_naively(rules: RuleSet, policies: str, seed: int, game: int) -> naive.Game:
    """A game with every hand dealt and decided by the engine, and played and scored by the twin."""

    def play_hand(hand: int, dealer: int, before: tuple[int, int]) -> dict[str, Any]:
        rows = play_game_hands(
            rules,
            parse_policies(policies),
            seed,
            np.array([game]),
            hand,
            np.array(before)[:, None],
            log_plays=True,
        )
        (row,) = row_dicts(rules, rows)
        assert row["dealer"] == dealer
        return naive_row(rules, row)

    return naive.play_game(naive_rules(rules), game % 4, play_hand)


@pytest.mark.parametrize("spec", ["random", "simple"])
@each_preset
def test_games_equal_their_twin(rules: RuleSet, spec: str) -> None:
    games, _ = play_games(rules, parse_policies(spec), 7, 3, 12)
    for i in range(12):
        assert told(games, i) == play_naively(rules, spec, 7, 3 + i)


@pytest.mark.parametrize("rules", [NEAR, FAR], ids=["near", "far"])
def test_games_to_other_targets_equal_their_twin(rules: RuleSet) -> None:
    games, _ = play_games(rules, parse_policies("simple"), 7, 0, 12)
    assert {ENDS[end] for end in games.ended} >= {"count"}
    for i in range(12):
        assert told(games, i) == play_naively(rules, "simple", 7, i)


# ---- RULES §5 -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "ended", "winner"),
    [
        # Sides after the declarations, the last trick, the count.
        ([(800, 0), (800, 810), (900, 990)], "declarations", 0),  # not played on
        ([(800, 801), (820, 801), (820, 801)], "declarations", 1),  # both there: the higher
        ([(800, 800), (800, 810), (990, 820)], "tricks", 1),  # equal: played on
        ([(700, 799), (800, 799), (810, 990)], "tricks", 0),
        ([(700, 700), (799, 799), (801, 800)], "count", 0),
        ([(800, 800), (810, 810), (850, 850)], None, None),  # another hand is played
        ([(0, 0), (0, 0), (799, 799)], None, None),
    ],
)
def test_the_three_tests(  # RULES §5
    after: list[tuple[int, int]], ended: str | None, winner: int | None
) -> None:
    stage, end, won = decide(OTTOCENTO, np.array(after)[:, :, None], hand=3)
    assert (ENDS[end[0]] if end[0] >= 0 else None) == ended
    assert ENDS[stage[0]] == (ended or "count")
    assert won[0] == (DRAW if winner is None else winner)


def test_four_hands_of_partita_decide(  # RULES §7
) -> None:
    games, hands = play_games(PARTITA, parse_policies("random"), 5, 0, 400, keep_hands=True)
    assert [hand.number for hand in hands] == [0, 1, 2, 3]
    np.testing.assert_array_equal(games.score, sum(hand.rows.score for hand in hands))
    np.testing.assert_array_equal(games.score[0] + games.score[1], 0)
    ours, theirs = games.score
    np.testing.assert_array_equal(games.winner == DRAW, ours == theirs)
    np.testing.assert_array_equal(games.winner == 1, theirs > ours)
    assert (games.winner == DRAW).any()


def test_the_deal_passes_to_the_right_from_game_to_game() -> None:  # RULES §5, §7
    _, hands = play_games(PARTITA, parse_policies("random"), 5, 6, 40, keep_hands=True)
    for hand in hands:
        np.testing.assert_array_equal(hand.rows.dealer, (hand.game + hand.number) % 4)
    first, last = hands[0].rows.dealer.astype(int), hands[-1].rows.dealer.astype(int)
    np.testing.assert_array_equal(first[1:], (last[:-1] + 2) % 4)  # the last dealer's partner


# ---- what a game depends on ------------------------------------------------------------------


def same_game(found: Games, i: int, other: Games, j: int) -> bool:
    return found.game[i] == other.game[j] and told(found, i) == told(other, j)


def test_a_game_does_not_depend_on_those_played_with_it() -> None:
    policies = parse_policies("simple")
    many, _ = play_games(OTTOCENTO, policies, 9, 0, 60)
    few, _ = play_games(OTTOCENTO, policies, 9, 37, 5)
    assert all(same_game(few, j, many, 37 + j) for j in range(5))
    others, _ = play_games(OTTOCENTO, policies, 10, 37, 5)
    assert not any(told(others, j) == told(few, j) for j in range(5))


def test_a_game_that_is_never_decided_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.games.MOST_HANDS_OF_GAME", 2)
    with pytest.raises(GamesError, match="game 5 is not decided after 2 hands"):
        play_games(FAR, parse_policies("random"), 4, 5, 3)


def test_a_game_goes_on_from_any_score() -> None:
    policies = parse_policies("simple")
    games, hands = play_games(OTTOCENTO, policies, 4, 0, 50, keep_hands=True)
    second = hands[1]
    i = 0
    before = (int(second.before[0, i]), int(second.before[1, i]))
    again, _ = play_games(OTTOCENTO, policies, 4, int(second.game[i]), 1, score=before, hand=1)
    assert same_game(again, 0, games, int(second.game[i]))


# ---- golden games ---------------------------------------------------------------------------


class Golden(NamedTuple):
    rules: RuleSet
    game: int
    shows: Callable[[Games, list[HandOfGames]], bool]  # what it is there for


def ends(stage: str) -> Callable[[Games, list[HandOfGames]], bool]:
    return lambda games, _: ENDS[games.ended[0]] == stage


def was_level(games: Games, hands: list[HandOfGames]) -> bool:
    """Equal at or above 800, and another hand was played."""
    ours, theirs = hands[-1].before[:, 0]
    return bool(ours == theirs >= 800)


GAMES = {
    "ottocento-declarations": Golden(OTTOCENTO, 2, ends("declarations")),
    "ottocento-tricks": Golden(OTTOCENTO, 108, ends("tricks")),
    "ottocento-count": Golden(OTTOCENTO, 0, ends("count")),
    "ottocento-level": Golden(OTTOCENTO, 4316, was_level),
    "partita-draw": Golden(PARTITA, 27, lambda games, _: games.winner[0] == DRAW),
}


@pytest.mark.parametrize("name", GAMES)
def test_golden_game(name: str) -> None:
    golden, policies = GAMES[name], parse_policies("simple")
    text = format_game(golden.rules, policies, 1, golden.game)
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("TAROCCHINO_REWRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
    games, hands = play_games(golden.rules, policies, 1, golden.game, 1, keep_hands=True)
    assert golden.shows(games, hands), f"game {golden.game} is no longer what {name} is there for"


def test_every_golden_game_has_its_test() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(GAMES)
