"""What a habit is worth: the policy against itself without it."""

from pathlib import Path

import pytest

from analysis.compare import CompareError, compare
from analysis.habits import habits, without
from sim.policies.spec import parse_policy
from sim.rules import OTTOCENTO, PARTITA
from tests.helpers import policy_file


def test_a_habit_is_worth_what_the_comparison_without_it_says() -> None:
    table = habits("expert", OTTOCENTO, 1600, seed=4).set_index("habit")
    against = compare(["expert", "expert(feed=0)"], OTTOCENTO, 1600, seed=4)
    assert table["mean"]["feed"] == against.payoff[0][1].mean
    assert table["n"]["feed"] == 200
    assert (table.low <= table["mean"]).all()
    assert (table["mean"] <= table.high).all()
    assert table["mean"].is_monotonic_decreasing


def test_a_habit_of_the_other_game_makes_no_difference_at_all() -> None:
    for rules, habit in ((OTTOCENTO, "partita"), (PARTITA, "sequences")):
        found = habits("expert", rules, 80, seed=4).set_index("habit").loc[habit]
        assert (found["mean"], found.low, found.high) == (0, 0, 0)


def test_every_part_is_looked_at_and_parameters_that_are_0_are_not() -> None:
    table = habits("expert(feed=0)+discard:pisarri+declare:hide", OTTOCENTO, 80)
    assert set(table.part) == {"discard:pisarri", "declare:hide", "play:expert"}
    assert "feed" not in set(table.habit)


def test_without_a_habit_the_rest_stays() -> None:
    policy = parse_policy("expert")
    bare = without(policy, "play", "deny")
    assert bare.play.parameters == {**policy.play.parameters, "deny": 0}
    assert bare.discard == policy.discard


def test_the_result_does_not_depend_on_the_threads() -> None:
    one, two = (habits("expert", PARTITA, 16_000, threads=threads) for threads in (1, 2))
    assert one.equals(two)


def test_a_policy_without_parameters_and_too_few_hands_are_refused() -> None:
    with pytest.raises(CompareError, match="random has no parameters: expected"):
        habits("random")
    with pytest.raises(CompareError, match="8 hands a habit: expected 16 or more"):
        habits("expert", hands=8)


def test_a_planted_habit_is_found(tmp_path: Path) -> None:
    path = policy_file(
        tmp_path,
        """
from sim.policies.play.simple import simple
@policy.play(sane=1)
def perhaps(view, weights):
    if weights.sane:
        return simple(view, weights)
    return highest(view.legal), 0
""",
    )
    found = habits(f"{path}:perhaps", PARTITA, 1600).iloc[0]
    assert found.habit == "sane"
    assert found.low > 1
