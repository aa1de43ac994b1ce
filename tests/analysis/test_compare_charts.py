"""What the chart of a comparison shows, and that all of it is on the page."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.text import Text

from analysis.charts import save
from analysis.compare import Comparison, compare
from analysis.compare_charts import comparison_chart
from sim.rules import PARTITA
from tests.helpers import compiled_only

pytestmark = compiled_only
LONG = "simple+discard:random+declare:nothing"
SPECS = ["random", "simple", LONG]


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare(SPECS, PARTITA, 400, seed=5)


def texts(ax: Axes) -> str:
    return " ".join(text.get_text() for text in ax.figure.findobj(Text)).replace("\n", " ")


def check_layout(lower: Axes) -> None:
    """All that is drawn is on the page, and no two texts collide."""
    figure = lower.figure
    figure.draw_without_rendering()
    page = figure.bbox
    for ax in figure.axes:
        drawn = ax.get_tightbbox()
        assert page.x0 <= drawn.x0 < drawn.x1 <= page.x1
        assert page.y0 <= drawn.y0 < drawn.y1 <= page.y1
        for axis in (ax.xaxis, ax.yaxis):
            boxes = [label.get_window_extent() for label in axis.get_ticklabels()]
            assert not any(
                one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i]
            )


def test_every_cell_has_its_number_and_half_width(found: Comparison) -> None:
    lower = comparison_chart(found)
    upper = lower.figure.axes[0]
    cells = {text.get_position(): text.get_text() for text in upper.texts}
    for i, j in np.ndindex(3, 3):
        each = found.payoff[i][j]
        expected = "–" if i == j else f"{each.mean:+.2f}\n± {each.high - each.mean:.2f}"
        assert cells[j, i] == expected
    drawn = upper.images[0].get_array()
    np.testing.assert_allclose(drawn, [[each.mean for each in row] for row in found.payoff])
    low, high = upper.images[0].get_clim()
    assert high == -low == np.abs(drawn).max()  # white is even


def test_every_pair_has_its_interval_the_better_policy_first(found: Comparison) -> None:
    lower = comparison_chart(found)
    names = [label.get_text().replace("\n", " ") for label in lower.get_yticklabels()]
    for y, (name, (i, j), bar) in enumerate(zip(names, found.pairs, lower.containers, strict=True)):
        better, worse = (i, j) if found.payoff[i][j].mean >= 0 else (j, i)
        each = found.payoff[better][worse]
        assert name == f"{SPECS[better]} over {SPECS[worse]}"
        ((ends,),) = (lines.get_segments() for lines in bar.lines[2])
        np.testing.assert_allclose(ends, [[each.low, y], [each.high, y]])
        assert bar.lines[0].get_xdata()[0] == pytest.approx(each.mean)


def test_the_caption_tells_what_was_played(found: Comparison) -> None:
    told = texts(comparison_chart(found))
    assert f"Rules partita · policies {', '.join(SPECS)} · 50 blocks (400 hands) a pair" in told
    assert "seed 5 · intervals 95 %, all pairs together, max-|t|" in told
    assert "Row policy less column policy, points a hand" in told


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"payoff": "win", "hands": 160}, ["hands won, % of hands", "Student's t"]),
        ({"until": 1e-3, "hands": 1600}, ["confidence sequences"]),
        ({"payoff": "winner_takes", "hands": 160}, ["only the winner's"]),
    ],
)
def test_two_policies_and_other_payoffs(options: dict, told: list[str]) -> None:
    two = compare(["simple", "random"], PARTITA, **options)
    lower = comparison_chart(two)
    check_layout(lower)
    assert all(text in texts(lower) for text in told)
    if options.get("payoff") == "win":
        assert f"{100 * two.payoff[0][1].mean:+.2f}" in texts(lower)


@pytest.mark.parametrize("specs", [SPECS, [LONG] * 6], ids=["three", "six long names"])
def test_all_of_it_is_on_the_page(specs: list[str]) -> None:
    check_layout(comparison_chart(compare(specs, PARTITA, 16)))


def test_the_same_comparison_gives_the_same_bytes(found: Comparison, tmp_path) -> None:
    with mpl.rc_context({"axes.facecolor": "black"}):
        one = save(comparison_chart(found).figure, tmp_path / "one.png")[0].read_bytes()
    assert save(comparison_chart(found).figure, tmp_path / "two.png")[0].read_bytes() == one
