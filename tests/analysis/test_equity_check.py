"""Chances of winning agree with simulated games, and would not if they were wrong. RULES §5, §7."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis import equity_check
from analysis.equity import Equity, Score, equity
from analysis.equity_check import beside_games, won_in_games
from analysis.results import read_provenance
from sim.games import DRAW, play_games
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import compiled_only

RESULTS = Path(__file__).parents[2] / "data" / "results"
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
    found = beside_games(states, rules, specs, 40_000, 4_000, seed=60, level=0.99)
    assert [*zip(found.us, found.them, strict=True)] == [state[:2] for state in states]
    assert (found.apart_low < 0).all() and (found.apart_high > 0).all()
    np.testing.assert_allclose(found.apart, found.chance - found.won)
    assert (found.apart_high - found.apart_low < 0.16).all()


@compiled_only
def test_a_wrong_chance_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_the_other_dealer(score: Score, *arguments: object, **options: object) -> Equity:
        return equity(score._replace(dealer=1 - score.dealer), *arguments, **options)  # type: ignore

    monkeypatch.setattr(equity_check, "equity", of_the_other_dealer)
    found = beside_games(STATES[:1], OTTOCENTO, "simple", 4_000, 4_000)
    assert found.apart_low[0] > 0


@pytest.mark.parametrize("score", [Score(3, 0, 0, 4), Score(-1, 0, 1, 3)])
def test_only_games_count_in_which_the_right_side_deals(score: Score) -> None:  # RULES §7
    seats, won = parse_policies("random"), []
    for game in range(40):
        played, hands = play_games(
            PARTITA, seats, 5, game, 1, score=score[:2], hand=score.hand - 1, keep_hands=True
        )
        if hands[0].rows.dealer[0] % 2 == score.dealer:
            winner = played.winner[0]
            won.append(0.5 if winner == DRAW else float(winner == 0))
    found = won_in_games(score, PARTITA, "random", 20, seed=5)
    assert (found.n, found.mean) == (20, pytest.approx(np.mean(won)))


@pytest.mark.parametrize("game", ["ottocento", "partita"])
def test_a_dozen_scores_agree_with_100_000_games_each(game: str) -> None:
    path = RESULTS / f"equity_{game}.csv"
    kept, made = pd.read_csv(path, comment="#"), read_provenance(path)
    assert len(kept) >= 12 and min(made["hands"], made["games"]) >= 100_000
    assert (kept.apart_low <= 0).all() and (kept.apart_high >= 0).all()
    assert (kept.apart_high - kept.apart_low < 0.02).all()
