"""Figures and chart of whole games are counted from their rows. STRATEGY C4, C24."""

from pathlib import Path

import numpy as np
import pytest

from analysis.charts import axes
from analysis.game_charts import game_lengths
from analysis.games import summarise_games
from sim import manifests
from sim.game_runs import simulate_games
from sim.rules import OTTOCENTO, PARTITA


def test_figures_are_those_of_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "GAMES_PART", 100)
    run = simulate_games(OTTOCENTO, 250, policies=["simple", "random"], out=tmp_path)
    found, games = summarise_games(tmp_path), run.to_pandas()
    assert found.games == 250
    assert found.mean_length is not None
    assert found.mean_length.mean == pytest.approx(games.hands.mean())
    for hands, share in found.length_shares.items():
        assert share.mean == pytest.approx((games.hands == hands).mean())
    assert [*found.end_shares] == ["declarations", "tricks", "count"]
    for end, share in found.end_shares.items():
        assert share.mean == pytest.approx((games.ended == end).mean())
        assert share.unit == "game"
    wins = {who: share.mean for who, share in found.win_shares.items()}
    assert wins["side 0"] == pytest.approx((games.winner == 0).mean())
    assert wins["side 0"] > 0.6  # simple against random
    assert wins["first dealers"] == pytest.approx((games.winner == games.first_dealer % 2).mean())
    assert sum(wins[who] for who in ("first dealers", "others", "nobody")) == pytest.approx(1)
    assert found.to_dict()["ended"]["count"]["n"] == 250


def test_draws_are_nobodys() -> None:
    run = simulate_games(PARTITA, 400, policies="random")
    found, games = summarise_games(run), run.to_pandas()
    drawn = (games.score0 == games.score1).mean()
    assert found.win_shares["nobody"].mean == pytest.approx(drawn)
    assert drawn > 0
    assert [*found.end_shares] == ["hands"] and [*found.length_shares] == [4]


def test_the_chart_has_a_bar_for_each_length() -> None:
    found = summarise_games(simulate_games(OTTOCENTO, 300))
    ax = game_lengths(found, axes())
    bars = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in ax.patches}
    assert bars == {k: pytest.approx(100 * share.mean) for k, share in found.length_shares.items()}
    (caption,) = (text.get_text() for text in ax.texts)
    assert "300 games" in caption and "% end with declarations" in caption.replace("\n", " ")
    assert np.isfinite(ax.dataLim.bounds).all()
