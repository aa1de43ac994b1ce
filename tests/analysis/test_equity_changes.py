"""What hiding and other discards change in the chance of winning. RULES §4, §5; STRATEGY C20."""

import numpy as np
import pytest

from analysis.equity import Score, equity
from analysis.equity_changes import changes
from analysis.win_payoff import MILLION, win_payoff
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA
from tests.helpers import compiled_only

pytestmark = compiled_only


def test_changes_are_differences_on_the_same_deals() -> None:
    state = Score(640, 700, 1)
    found = equity(state, OTTOCENTO, ["simple", "random"], 4_000, seed=3)
    made = changes(found, 2_000)
    assert [each.part for each in made] == ["declare:nothing", "declare:hide"]  # they deal
    payoff = win_payoff(state, OTTOCENTO, ["simple", "random"], 4_000, seed=3)
    chances = []
    for spec in ("simple", "simple+declare:nothing"):
        rows = play_hands(OTTOCENTO, parse_policies([spec, "random"]), 3, 0, 2_000)
        chances.append(payoff.chance(rows)[rows.dealer % 2 == 1])
    expected = np.subtract(*chances[::-1]).mean() / MILLION
    assert made[0].worth.mean == pytest.approx(expected, rel=1e-12)
    assert made[0].worth.n == 1_000 and made[0].worth.high < 0  # hiding costs


def test_the_dealers_side_may_discard_otherwise() -> None:
    found = equity(Score(0, 0, 0, 4), PARTITA, "simple", 400)
    assert {each.part for each in changes(found, 400)} == {
        *(f"discard:{name}" for name in ("void", "courts", "pips", "combine", "pisarri"))
    }
    assert changes(equity(Score(0, 0, 1, 4), PARTITA, "simple", 400), 400) == []


def test_who_hides_already_has_nothing_to_hide() -> None:
    found = equity(Score(700, 700, 1), OTTOCENTO, "simple+declare:nothing", 400)
    assert [each.part for each in changes(found, 400)] == ["declare:hide"]
