"""The table of ``to_win`` and what the part gains. RULES §5."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis import to_win_table
from analysis.equity_tables import Chances, play_outcomes
from analysis.results import read_provenance
from analysis.to_win_table import after_declarations, cost_of_telling, gain_in_games, write_table
from sim.games import decide, play_games
from sim.policies.declare.to_win import SCORES, TABLE
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO
from tests.helpers import compiled_only

pytestmark = compiled_only


def test_chances_after_the_declarations(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = play_outcomes(OTTOCENTO, parse_policies("random"), 400, seed=1)
    found = after_declarations(outcomes, 30)
    chances = Chances.of(outcomes, OTTOCENTO)
    ours, theirs = SCORES[45], SCORES[44]
    total = 0.0
    for k in range(30):
        hand = outcomes.after[0][..., k]
        after = np.array([[ours], [theirs]]) + (hand - hand[0])[..., None]
        _, ended, winner = decide(OTTOCENTO, after, 0)
        if ended[0] >= 0:
            total += winner[0] == 0
        else:
            total += chances.before(tuple(after[2, :, 0]), 1, 1)
    assert found[45, 44] == pytest.approx(total / 30)


def test_the_table_is_written_with_its_provenance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(to_win_table, "TRIED", 5)
    monkeypatch.setattr(to_win_table, "after_declarations", lambda _: np.full((48, 48), 0.25))
    write_table(tmp_path / "table.csv", "random", 400)
    table = pd.read_csv(tmp_path / "table.csv", comment="#")
    assert [*table.columns] == [str(score) for score in SCORES]
    assert (table == 2500).all(axis=None)
    assert read_provenance(tmp_path / "table.csv")["hands"] == 400
    assert read_provenance(TABLE)["policies"][0]["spec"] == "expert"


def test_a_policy_gains_nothing_over_itself() -> None:
    found = gain_in_games("simple", "simple", games=40)
    assert (found.mean, found.low, found.high, found.unit) == (0, 0, 0, "game")


def test_the_gain_is_that_of_games_won_by_either_side() -> None:
    found = gain_in_games("simple", "random", games=100, score=(300, 200), seed=3)
    won = 0
    for side in range(2):
        start = (300, 200) if side == 0 else (200, 300)
        for spec, sign in (("simple", 1), ("random", -1)):
            sides = [spec, "random"] if side == 0 else ["random", spec]
            games, _ = play_games(OTTOCENTO, parse_policies(sides), 3, 0, 100, score=start)
            won += sign * int((games.winner == side).sum())
    assert found.mean == pytest.approx(won / 200) and found.low > 0


def test_telling_costs_nothing_where_nobody_looks() -> None:
    lose, give = cost_of_telling("simple", 4_000)
    assert (lose.mean, give.mean, lose.high) == (0, 0, 0)
    lose, _ = cost_of_telling("expert", 4_000)
    assert lose.low < lose.mean < lose.high
