"""Chances of winning, their intervals, and what is refused. RULES §5, §7."""

import numpy as np
import pytest
from scipy.special import stdtrit

from analysis.equity import (
    Equity,
    EquityError,
    Score,
    equity,
)
from analysis.equity_tables import GROUPS
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RuleSet
from tests.helpers import compiled_only


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
    here = equity(Score(640, 700, 0), hands=4_000)
    there = equity(Score(660, 700, 0), hands=4_000)
    assert here.worth[20].mean == pytest.approx(there.win.mean - here.win.mean)
    told = here.to_dict()
    assert told["win"]["unit"] == "deal" and told["win"]["n"] == 4_000
    assert (told["score"], told["deals"], told["hand"]) == ([640, 700], "us", None)


@compiled_only
def test_a_declaration_beyond_the_target_may_be_beaten_by_a_higher_one() -> None:  # RULES §5
    found = equity(Score(790, 790, 0), hands=4_000)
    ours, theirs = found.outcomes.after[0][0]
    after = 790 + np.array([ours + 50, theirs])
    won = after[0] > after[1]  # with 840 nothing is level: the declarations decide
    assert (after[0] != after[1]).mean() > 0.9
    level = after[0] == after[1]
    low, high = won.mean() - found.win.mean, (won | level).mean() - found.win.mean
    assert low <= found.worth[50].mean <= high < 1 - found.win.mean


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
    for hands in (399, 10_000_001):  # at 10⁹ the memory would be full
        with pytest.raises(EquityError, match=f"{hands} hands: expected 400 to 10000000"):
            equity(Score(0, 0, 0), hands=hands)
