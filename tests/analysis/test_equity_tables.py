"""Tables of chances against exact toy games, and each other. RULES §5, §7."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from analysis.equity_tables import (
    GROUPS,
    Chances,
    Outcomes,
    hands_table,
    play_outcomes,
    target_table,
)
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA
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


def test_chances_after_a_hand_are_those_of_the_game() -> None:  # RULES §5
    played = outcomes(*HANDS)
    chances = Chances.of(played, OTTOCENTO.replace(target=TARGET), (4, 5))
    for dealer in range(2):
        found = chances.after(played.after[dealer] + np.array([[6], [10]]), dealer, 0)
        for k, hand in enumerate(HANDS):
            a, b, winner = end(6, 10, hand, dealer)
            level = a == b >= TARGET
            rest = exact(*((TARGET, TARGET) if level else (a, b)), 1 - dealer)
            assert found[k] == pytest.approx(float(rest) if winner is None else 1 - winner)
        assert found.mean() == pytest.approx(chances.before((6, 10), dealer, 0))


def test_chances_after_hands_of_partita() -> None:  # RULES §7
    coin = outcomes(*(((0, 0), (0, 0), (x, -x)) for x in (1, -1)))
    chances = Chances.of(coin, PARTITA)
    after = np.zeros((3, 2, 3), np.int64)
    after[2, 0] = 2, 0, -1
    assert [*chances.after(after, 0, 3)] == [1, 0.5, 0]  # the last hand
    assert [*chances.after(after, 0, 2)] == [0.75, 0.5, 0.5]  # a coin of ±2 is still to come
    assert chances.before((3, 0), 1, 3) == 1
