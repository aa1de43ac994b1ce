"""The chart of chances of winning shows the table, and the score asked about."""

import numpy as np
import pytest

from analysis.charts import axes
from analysis.equity import Score, equity
from analysis.equity_charts import equity_chart
from sim.rules import OTTOCENTO, PARTITA


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


def test_a_line_for_each_hand_of_partita() -> None:
    found = equity(Score(-12, 0, 0, 3), PARTITA, hands=400)
    ax = equity_chart(found, axes())
    assert len({line.get_linestyle() for line in ax.lines[:4]}) == 4  # apart without colour
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == [f"before hand {hand}" for hand in (1, 2, 3, 4)]
    ahead, chance = ax.lines[2].get_data()
    assert chance[list(ahead).index(-12)] == pytest.approx(100 * found.win.mean)
    assert ax.lines[4].get_xydata()[0] == pytest.approx((-12, 100 * found.win.mean))
