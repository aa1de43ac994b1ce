"""Chances of winning against exact toy games, simulated games, and each other. RULES §5, §7."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy.special import ndtri, stdtrit

from analysis.equity import (
    GROUPS,
    Equity,
    EquityError,
    Outcomes,
    Score,
    equity,
    hands_table,
    play_outcomes,
    target_table,
)
from sim.games import DRAW, play_games
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RuleSet
from tests.helpers import compiled_only

# Points of the sides after each stage of a hand, some of them level, one where side 0 gets nothing.
HANDS = (
    ((0, 2), (3, 2), (5, 4)),
    ((3, 0), (3, 0), (4, 4)),
    ((0, 0), (0, 3), (0, 7)),
    ((1, 1), (1, 1), (6, 3)),
    ((2, 2), (2, 2), (3, 3)),
)
TARGET = 12


def outcomes(*hands: tuple[tuple[int, int], ...]) -> Outcomes:
    """Outcomes of hands that each side deals: the second side's, with the sides exchanged."""
    after = np.array(hands).transpose(1, 2, 0)
    group = np.arange(len(hands)) % GROUPS
    return Outcomes((after, after[:, ::-1]), (group, group))


def end(
    a: int, b: int, hand: tuple[tuple[int, int], ...], dealer: int
) -> tuple[int, int, int | None]:
    """The score after a hand, and who has won: the three tests, one by one."""
    for stage in hand:
        x, y = stage if dealer == 0 else stage[::-1]
        if max(a + x, b + y) >= TARGET and a + x != b + y:
            return a + x, b + y, 0 if a + x > b + y else 1
    return a + x, b + y, None


@cache
def exact(a: int, b: int, dealer: int, depth: int = 40) -> Fraction:
    """Side 0's chance, by plain recursion; a tie played on for so many hands, then a coin."""
    if depth == 0:
        return Fraction(1, 2)
    total = Fraction(0)
    for hand in HANDS:
        now_a, now_b, winner = end(a, b, hand, dealer)
        if winner is None:
            level = now_a == now_b >= TARGET
            now = (TARGET, TARGET) if level else (now_a, now_b)
            total += exact(*now, 1 - dealer, depth - level)
        else:
            total += 1 - winner
    return total / len(HANDS)


def test_a_small_game_is_solved_exactly() -> None:  # RULES §5
    found = target_table(outcomes(*HANDS), TARGET)
    for dealer, a, b in np.ndindex(found.shape):
        assert found[dealer, a, b] == pytest.approx(float(exact(a, b, dealer)), abs=1e-12)


def test_a_part_of_the_table_is_that_part() -> None:
    whole = target_table(outcomes(*HANDS), TARGET)
    part = target_table(outcomes(*HANDS), TARGET, (5, 3))
    np.testing.assert_allclose(part, whole[:, 5:, 3:], rtol=0, atol=1e-14)


def test_four_hands_of_a_coin() -> None:  # RULES §7
    hands = outcomes(*(((0, 0), (0, 0), (x, -x)) for x in (1, -1)))
    values = hands_table(hands, 4)
    middle = values.shape[2] // 2
    assert values[4, 0, middle] == values[1, 1, middle] == 0.5
    assert values[4, 0, middle + 2] == (1 + 4 + 6) / 16  # 2 ahead, and 8, 4 or 0 more
    assert values[4, 0, middle + 4] == (1 + 4 + 6 + 4 / 2) / 16  # 4 ahead: 4 less is a draw
    assert [*values[1, 0, middle + 1 : middle + 4]] == [0.5, 0.75, 1]


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    """Chances from 500 to 500 up, of ``simple`` against itself."""
    hands = play_outcomes(OTTOCENTO, parse_policies("simple"), 20_000, seed=2)
    return target_table(hands, 800, (500, 500))


@compiled_only
def test_more_points_are_never_worse(table: np.ndarray) -> None:
    assert (np.diff(table, axis=1) >= 0).all() and (np.diff(table, axis=2) <= 0).all()
    assert table.min() >= 0 and table.max() <= 1


@compiled_only
def test_sides_that_play_alike_share_the_chances(table: np.ndarray) -> None:
    np.testing.assert_allclose(table[0] + table[1].T, 1, atol=1e-12)


STATES = (Score(640, 710, 1), Score(799, 799, 0), Score(700, 760, 0), Score(560, 700, 1))
OF_PARTITA = (Score(-12, 0, 1, 2), Score(5, 0, 0, 4))


@compiled_only
@pytest.mark.parametrize(
    ("rules", "states"), [(OTTOCENTO, STATES), (PARTITA, OF_PARTITA)], ids=["ottocento", "partita"]
)
@pytest.mark.parametrize("specs", [["simple"], ["simple", "random"]], ids=["alike", "sides"])
def test_the_recursion_agrees_with_simulated_games(
    rules: RuleSet, states: tuple[Score, ...], specs: list[str]
) -> None:
    policies, widest = parse_policies(specs), -ndtri(0.005 / len(states))
    for number, state in enumerate(states):
        found = equity(state, rules, specs, 40_000, seed=5)
        first = state.hand - 1
        games, _ = play_games(
            rules, policies, 60 + number, 0, 8_000, score=(state.us, state.them), hand=first
        )
        asked = (games.game + first) % 2 == state.dealer  # the side that deals
        won = np.where(games.winner == DRAW, 0.5, games.winner == 0)[asked]
        error = np.hypot(_error(found), won.std() / np.sqrt(len(won)))
        assert abs(won.mean() - found.win.mean) < widest * error, state


def _error(found: Equity) -> float:
    return (found.win.high - found.win.mean) / float(stdtrit(GROUPS - 1, 0.975))


@compiled_only
def test_the_interval_is_as_wide_as_chances_vary() -> None:
    found = [equity(Score(740, 760, 0), hands=4_000, seed=seed) for seed in range(20)]
    spread = np.std([each.win.mean for each in found], ddof=1)
    told = np.mean([_error(each) for each in found])
    assert 0.6 < told / spread < 1.6
    assert {each.win.method for each in found} == {"jackknife"}


@compiled_only
def test_what_points_are_worth() -> None:
    here = equity(Score(750, 700, 0), hands=4_000)
    there = equity(Score(770, 700, 0), hands=4_000)
    assert here.worth[20].mean == pytest.approx(there.win.mean - here.win.mean)
    assert here.worth[50].mean == pytest.approx(1 - here.win.mean)  # the game is won at once
    assert here.worth[100].mean == here.worth[50].mean
    told = here.to_dict()
    assert told["win"]["unit"] == "deal" and told["win"]["n"] == 4_000
    assert (told["score"], told["deals"], told["hand"]) == ([750, 700], "us", None)


@pytest.mark.parametrize(
    ("score", "rules", "told"),
    [
        (Score(800, 0, 0), OTTOCENTO, "a score of 800: expected 0 to 799"),
        (Score(0, -1, 0), OTTOCENTO, "a score of -1"),
        (Score(0, 0, 2), OTTOCENTO, "side 2 deals: expected 0 or 1"),
        (Score(0, 0, 0, 2), OTTOCENTO, "no fixed number of hands"),
        (Score(0, 0, 0, 5), PARTITA, "hand 5: expected 1 to 4"),
        (Score(0, 0, 0, 2), OTTOCENTO_DIGITAL, "hand 2: expected 1"),
        (Score(0, 0, 0), PARTITA.replace(game="to_target", target=50), "scores may fall"),
        (Score(0, 0, 0), OTTOCENTO.replace(target=5000), "expected 2000 at most"),
    ],
)
def test_what_the_game_does_not_know_is_refused(score: Score, rules: RuleSet, told: str) -> None:
    with pytest.raises(EquityError, match=told):
        equity(score, rules)


def test_partners_that_differ_are_refused() -> None:
    with pytest.raises(EquityError, match="partners play different policies"):
        equity(Score(0, 0, 0), policies=["simple", "simple", "random", "simple"])
    with pytest.raises(EquityError, match="399 hands: expected 400"):
        equity(Score(0, 0, 0), hands=399)
