"""What charts of odds show, and that all of it is on the page."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.text import Text

from analysis import odds_charts as charts
from analysis.charts import axes
from analysis.odds import odds, odds_of_seat
from sim.rules import OTTOCENTO_DIGITAL, PARTITA

MINE = "SK SQ S6 S7 BV B8 B10 C10 CA DK D9 Moon T10 M2 Fool"


def texts(ax: Axes) -> str:
    return " ".join(text.get_text() for text in ax.figure.findobj(Text)).replace("\n", " ")


def check_layout(ax: Axes) -> None:
    """All that is drawn is on the page, and the data have most of the room."""
    ax.figure.draw_without_rendering()
    page, drawn, inside = ax.figure.bbox, ax.get_tightbbox(), ax.get_window_extent()
    assert page.x0 <= drawn.x0 < drawn.x1 <= page.x1
    assert page.y0 <= drawn.y0 < drawn.y1 <= page.y1
    assert inside.width > 0.7 * page.width and inside.height > 0.6 * page.height


def test_points_are_drawn_in_steps_of_ten_that_add_up() -> None:
    curves = charts.by_contatori()
    ax = charts.points_distribution(curves, axes())
    check_layout(ax)
    assert ax.get_yscale() == "log"
    for (name, found), stairs in zip(curves.items(), ax.patches, strict=True):
        shares, edges, _ = stairs.get_data()
        assert shares.sum() == pytest.approx(100)
        np.testing.assert_array_equal(np.diff(edges), 10)
        assert shares[0] == pytest.approx(100 * float(found.nothing))
        assert shares[1] == pytest.approx(
            100 * float(found.points.tail(10) - found.points.tail(20))
        )
        assert f"{name}: mean {float(found.points.mean):.1f}" in texts(ax)


def test_hands_with_contatori_are_all_hands() -> None:
    curves = charts.by_contatori()
    both, any_hand = curves["both contatori"], curves["any hand"]
    p = any_hand.number("Pagat Fool")
    mean = p[2] * both.points.mean
    mean += p[1] * curves["only one"].points.mean + p[0] * curves["none"].points.mean
    assert mean == any_hand.points.mean


def test_a_situation_is_drawn_beside_any_hand() -> None:
    ax = charts.hand(odds(hold="Pagat"), axes())
    assert "in this situation: mean" in texts(ax) and "any 15 cards: mean 11.3" in texts(ax)
    assert len(charts.hand(odds(), axes()).patches) == 1


def test_partita_has_its_trumps_drawn() -> None:
    found = odds(PARTITA)
    ax = charts.hand(found, axes())
    check_layout(ax)
    heights = [bar.get_height() for bar in ax.patches]
    np.testing.assert_allclose(heights, [100 * float(p) for p in found.trumps.values()])


def test_odds_by_number_of_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "CARD_NUMBERS", (3, 15, 17))
    ax = charts.odds_by_cards(axes())
    check_layout(ax)
    lines = {line.get_label(): line for line in ax.lines}
    assert list(lines["Moors, or Aces"].get_xdata()) == [3, 15, 17]
    assert lines["Moors, or Aces"].get_ydata()[1] == pytest.approx(12.2391, abs=1e-4)
    assert lines["three cricche"].get_ydata()[2] == pytest.approx(
        100 * float(odds(n=17).three_cricche)
    )
    assert np.isnan(lines["three sequences"].get_ydata()[0])


def test_the_heat_map_has_every_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "MOST_TRUMPS", 3)
    ax = charts.odds_by_trumps_and_contatori(axes(), OTTOCENTO_DIGITAL)
    check_layout(ax)
    [image] = ax.images
    shares = image.get_array()
    assert shares.shape == (4, 3)
    assert np.isnan(np.ma.filled(shares, np.nan)).sum() == 2  # the Pagat is a trump
    found = odds(OTTOCENTO_DIGITAL, hold="Pagat Fool", where={"trumps": 2})
    assert shares[3, 2] == pytest.approx(100 * float(1 - found.nothing))
    told = [text.get_text() for text in ax.texts]
    assert told.count("–") == 2 and f"{shares[3, 2]:.0f}" in told


def test_what_partner_completes() -> None:
    ax = charts.completed_by_partner(MINE, axes())
    check_layout(ax)
    partner, together = (line.get_xdata() for line in ax.lines)
    found = odds_of_seat(MINE, "partner")
    for row, kind in enumerate(charts.SEQUENCES):
        assert partner[row] == pytest.approx(100 * float(found.probability(kind)))
    assert together[0] == 100  # King, Queen and Fool: mine already
    # a Valet and the Fool: the King of Batons is all that is missing
    assert together[1] == pytest.approx(100 * 15 / 47)
    assert (together >= partner).all()
    assert ax.get_yticklabels()[0].get_text() == "swords (mine)"
