"""The chart of chances of winning shows the table, and the score asked about."""

import numpy as np
import pytest

from analysis.charts import axes
from analysis.equity import Score, equity
from analysis.equity_charts import equity_chart
from sim.rules import OTTOCENTO, PARTITA
from tests.helpers import compiled_only


def test_a_map_over_both_scores() -> None:
    found = equity(Score(20, 35, 1), OTTOCENTO.replace(target=60), hands=400)
    ax = equity_chart(found, axes())
    (image,) = ax.images
    np.testing.assert_allclose(image.get_array(), 100 * found.table[1].T)
    assert [*ax.lines[0].get_xydata()[0]] == [20, 35]
    assert ax.get_title(loc="left") + ax.get_title() == "Chance of winning, the deal with them"
    mean, low, high = (100 * end for end in (found.win.mean, found.win.low, found.win.high))
    told = f"{mean:.1f} %\n({low:.1f} to {high:.1f})"
    assert any(text.get_text() == told for text in ax.texts)


@compiled_only
def test_lines_of_the_map_are_named_where_they_are_apart() -> None:
    found = equity(Score(640, 710, 0), hands=4_000)
    ax = equity_chart(found, axes())
    told = {text.get_text(): text.get_position() for text in ax.texts}
    for level in range(10, 100, 10):
        x, y = told[f"{level} %"]
        assert 100 * found.table[0, round(x), round(y)] == pytest.approx(level, abs=1)
        assert x + y == pytest.approx(700, abs=30)  # across the map, not in its crowded corner


@pytest.mark.parametrize("score", [(0, 0), (0, 59), (59, 0), (59, 59), (30, 30)])
def test_the_chance_stands_within_the_chart(score: tuple[int, int]) -> None:
    found = equity(Score(*score, 0), OTTOCENTO.replace(target=60), hands=400)
    ax = equity_chart(found, axes())
    ax.figure.draw_without_rendering()
    (told,) = (text for text in ax.texts if "\n" in text.get_text() and " to " in text.get_text())
    box, frame = told.get_window_extent(), ax.get_window_extent()
    assert frame.x0 <= box.x0 < box.x1 <= frame.x1
    assert frame.y0 - 5 <= box.y0 < box.y1 <= frame.y1 + 5


def test_a_line_for_each_hand_of_partita() -> None:
    found = equity(Score(-12, 0, 0, 3), PARTITA, hands=400)
    ax = equity_chart(found, axes())
    assert len({line.get_linestyle() for line in ax.lines[:4]}) == 4  # apart without colour
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == [f"before hand {hand}" for hand in (1, 2, 3, 4)]
    ahead, chance = ax.lines[2].get_data()
    assert chance[list(ahead).index(-12)] == pytest.approx(100 * found.win.mean)
    assert ax.lines[4].get_xydata()[0] == pytest.approx((-12, 100 * found.win.mean))
