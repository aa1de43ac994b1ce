"""What charts show, that nothing in them collides, and how they are saved."""

from dataclasses import replace
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.text import Text

import sim
from analysis import summary_charts as charts
from analysis.charts import axes, save
from analysis.frequencies import Summary, frequencies, summarise
from analysis.odds import odds
from sim.conditions import ROLES
from sim.kernels.combinations import KINDS


@pytest.fixture(scope="module")
def ottocento() -> Summary:
    return summarise(sim.simulate(hands=300, seed=7, policies=("simple", "random")))


@pytest.fixture(scope="module")
def partita() -> Summary:
    return summarise(sim.simulate(sim.PARTITA, hands=5000))


@pytest.fixture(scope="module")
def declarations(ottocento) -> Axes:
    return charts.declaration_frequencies(ottocento, axes())


@pytest.fixture(scope="module")
def scores(partita) -> Axes:
    return charts.score_distribution(partita, axes())


@pytest.fixture(params=["declarations", "scores"])
def ax(request) -> Axes:
    return request.getfixturevalue(request.param)


def texts(ax: Axes) -> str:
    return " ".join(text.get_text() for text in ax.figure.findobj(Text)).replace("\n", " ")


def interval_ends(ax: Axes) -> list[np.ndarray]:
    """Low, high and height of every interval drawn, by series."""
    return [
        np.array([[x0, x1, y] for (x0, y), (x1, _) in container.lines[2][0].get_segments()])
        for container in ax.containers
        if hasattr(container, "has_xerr")
    ]


def test_every_declaration_stands_with_its_interval_in_percent(ottocento, declarations):
    table = ottocento.tables["combinations"]
    series = interval_ends(declarations)
    assert len(series) == len(ROLES)
    ticks = declarations.get_yticks()
    assert [label.get_text() for label in declarations.get_yticklabels()] == list(KINDS)
    markers = [line for line in declarations.lines if line.get_label() in ROLES]
    for role, ends, line in zip(ROLES, series, markers, strict=True):
        rows = table[(table.role == role) & (table.what == "declared")]
        np.testing.assert_allclose(ends[:, 0], 100 * rows.low, atol=1e-9)
        np.testing.assert_allclose(ends[:, 1], 100 * rows.high, atol=1e-9)
        np.testing.assert_allclose(line.get_xdata(), 100 * rows["mean"])
        assert line.get_label() == role
        # each in the row of its combination
        assert (abs(ends[:, 2] - ticks) < 0.5).all()
        np.testing.assert_array_equal(line.get_ydata(), ends[:, 2])


def test_roles_differ_in_colour_in_marker_and_in_place(declarations):
    lines = [line for line in declarations.lines if line.get_label() in ROLES]
    assert len({line.get_marker() for line in lines}) == 4
    assert len({line.get_markeredgecolor() for line in lines}) == 4
    # the markers of a row do not cover each other
    heights = [declarations.transData.transform((0, line.get_ydata()[0]))[1] for line in lines]
    size = lines[0].get_markersize() * declarations.figure.dpi / 72
    assert all(above - below >= size for above, below in pairwise(heights))


def test_the_distribution_has_every_hand_and_the_mean_with_its_interval(partita, scores):
    bars = [patch for patch in scores.patches if patch.get_height() > 0]
    assert sum(bar.get_height() for bar in bars) == pytest.approx(100)
    points, hands = partita.score_counts("dealers")
    middle = [bar.get_x() + bar.get_width() / 2 for bar in bars]
    np.testing.assert_allclose(middle, points)
    np.testing.assert_allclose([bar.get_height() for bar in bars], 100 * hands / 5000)
    row = partita.tables["scores"].set_index("who").loc["dealers"]
    [[[low, high, height]]] = interval_ends(scores)
    assert (low, high) == (pytest.approx(row.low), pytest.approx(row.high))
    assert height > max(bar.get_height() for bar in bars)
    assert f"mean {row['mean']:.2f} ({row.low:.2f} to {row.high:.2f}) points" in texts(scores)


def test_wide_scores_are_put_in_bars_of_equal_width(ottocento):
    ax = charts.score_distribution(ottocento, axes())
    bars = [patch for patch in ax.patches if patch.get_height() > 0]
    assert 10 < len(bars) < charts.MOST_BARS
    assert sum(bar.get_height() for bar in bars) == pytest.approx(100)
    points, hands = ottocento.score_counts("dealers")
    width = int(ax.get_xlabel().split()[1])
    for bar in bars:
        inside = abs(points - (bar.get_x() + bar.get_width() / 2)) < width / 2
        assert bar.get_height() == pytest.approx(100 * hands[inside].sum() / 300)


def test_the_caption_tells_the_run(declarations, scores):
    assert (
        "Rules ottocento · policies simple (side 0), random (side 1) · 300 hands · seed 7 · "
        "intervals 95 %, wilson or clopper-pearson" in texts(declarations)
    )
    assert (
        "Rules partita · policy simple · 5,000 hands · seed 1 · intervals 95 %, student-t"
        in texts(scores)
    )


def test_four_policies_are_told_by_seat(ottocento):
    specs = ["simple", "random", "random", "simple"]
    manifest = replace(ottocento.manifest, policies=[{"spec": spec} for spec in specs])
    ax = charts.score_distribution(replace(ottocento, manifest=manifest), axes())
    assert "simple (seat 0), random (seat 1), random (seat 2), simple (seat 3)" in texts(ax)


def check_layout(ax: Axes) -> None:
    """All that is drawn is on the page, its texts apart, and the data have most of the room."""
    ax.figure.draw_without_rendering()
    page, inside, drawn = ax.figure.bbox, ax.get_window_extent(), ax.get_tightbbox()
    assert page.x0 <= drawn.x0 < drawn.x1 <= page.x1
    assert page.y0 <= drawn.y0 < drawn.y1 <= page.y1
    assert inside.width > 0.75 * page.width
    assert inside.height > 0.6 * page.height
    caption = next(text for text in ax.texts if text.get_text().startswith("Rules"))
    apart = [caption, ax.xaxis.label, ax.get_legend(), ax._left_title, ax]
    boxes = [artist.get_window_extent() for artist in apart if artist]
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])


def test_nothing_is_cut_off_and_the_legend_hides_no_data(ax):
    check_layout(ax)


def test_a_long_caption_is_wrapped(ottocento):
    long = "expert(protect_pagat=0,lead_trumps=0.25)+discard:void+declare:all"
    manifest = replace(ottocento.manifest, policies=[{"spec": f"{long}{s}"} for s in range(4)])
    summary = replace(ottocento, manifest=manifest)
    check_layout(charts.declaration_frequencies(summary, axes()))


def test_settings_of_the_user_neither_change_a_chart_nor_are_changed(partita, scores, tmp_path):
    with mpl.rc_context({"font.size": 30, "lines.linewidth": 9, "svg.hashsalt": "other"}):
        before = dict(mpl.rcParams)
        mine = charts.score_distribution(partita, axes())
        save(mine.figure, tmp_path / "mine.svg")
        assert dict(mpl.rcParams) == before
    save(scores.figure, tmp_path / "plain.svg")
    assert (tmp_path / "mine.svg").read_bytes() == (tmp_path / "plain.svg").read_bytes()


def test_a_game_without_combinations_has_no_declarations_to_draw(partita):
    with pytest.raises(sim.RunError, match="no declarations to draw in this run of partita"):
        charts.declaration_frequencies(partita, axes())


def test_one_hand_has_no_distribution_to_draw():
    with pytest.raises(sim.RunError, match="expected at least 2 hands"):
        charts.score_distribution(summarise(sim.simulate(hands=1)), axes())


def test_simulated_odds_stand_over_exact_ones() -> None:
    summary = frequencies(sim.simulate(hands=2000, seed=3))
    ax = charts.simulated_over_exact(summary, axes())
    check_layout(ax)
    [container] = ax.containers
    ends = np.array([[x0, x1] for (x0, _), (x1, _) in container.lines[2][0].get_segments()])
    assert len(ends) == 12
    assert (ends[:, 0] < 1).all() and (ends[:, 1] > 1).all()
    held = summary.tables["pooled"].query("role == 'non-dealers' and what == 'held'")
    exact = [float(odds().probability(kind)) for kind in KINDS]
    np.testing.assert_allclose(container.lines[0].get_xdata(), held["mean"] / exact)
    # wider than each interval on its own
    assert (ends[:, 1] > held.high / exact).all()
    assert "intervals 99.58 %" in texts(ax)


def test_a_summary_has_no_odds_to_stand_over() -> None:
    with pytest.raises(sim.RunError, match="expected the summary made by frequencies"):
        charts.simulated_over_exact(summarise(sim.simulate(hands=20)), axes())


def test_deals_under_conditions_are_not_laid_over_odds_of_all() -> None:
    summary = frequencies(sim.simulate(hands=20, deal="dealer: Pagat"))
    with pytest.raises(sim.RunError, match="expected a run of all deals"):
        charts.simulated_over_exact(summary, axes())
