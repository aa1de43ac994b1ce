"""Strategy charts drawn from tables."""

from __future__ import annotations

import pandas as pd
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from analysis.forced_cards import SITUATIONS
from analysis.strategy_charts import (
    DISCARD_COLOURS,
    NOT_SEPARATED,
    choices_chart,
    discards_chart,
    hiding_chart,
)


def test_cells_are_grey_with_the_second_best_where_not_separated() -> None:
    rows = [
        ("1", "3", "void", "courts", 9.0, 4.0, 14.0, True),
        ("3+", "7+", "courts", "pips", 2.0, -4.0, 8.0, False),
    ]
    names = ["suits", "courts", "best", "second", "mean", "low", "high", "separated"]
    ax = discards_chart(pd.DataFrame(rows, columns=names), "told")
    faces = [to_hex(p.get_facecolor()) for p in ax.patches if isinstance(p, Rectangle)]
    assert faces == [DISCARD_COLOURS["void"].lower(), NOT_SEPARATED]
    assert [t.get_text() for t in ax.texts] == ["void\n+9.0 ± 5.0", "courts\n+2.0 ± 6.0\n(or pips)"]
    assert [t.get_position() for t in ax.texts] == [(3, 2), (7, 5)]


def test_ways_to_hide_are_told_in_words_and_filled_where_not_0() -> None:
    rows = [("hide(threshold=20)", -1.0, -3.0, 1.0, False), ("nothing", -9.0, -10.0, -8.0, True)]
    ax = hiding_chart(
        pd.DataFrame(rows, columns=["part", "mean", "low", "high", "separated"]), "told"
    )
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["declares nothing under 20 points", "never declares"]
    markers = [line for line in ax.lines if line.get_marker() == "o"]
    assert [line.get_markerfacecolor() == "white" for line in markers] == [True, False]


def test_each_situation_has_its_panel_with_its_intervals() -> None:
    rows = [(SITUATIONS[1], 3, 20.0, 5.0, 35.0), (SITUATIONS[1], 4, -2.0, -9.0, 5.0)]
    ax = choices_chart(
        pd.DataFrame(rows, columns=["situation", "trick", "mean", "low", "high"]), "told"
    )
    panels = ax.figure.axes
    assert [each.get_title() + each.get_title(loc="left") for each in panels] == [*SITUATIONS, ""]
    for panel, situation in zip(panels, SITUATIONS, strict=False):
        few = any(text.get_text() == "too few deals" for text in panel.texts)
        assert few == (situation != SITUATIONS[1])
    ends = [[*map(tuple, each)] for each in panels[1].containers[0].lines[2][0].get_segments()]
    assert ends == [[(3, 5), (3, 35)], [(4, -9), (4, 5)]]


def test_a_page_without_any_chance_is_drawn_all_the_same() -> None:
    none = pd.DataFrame(columns=["situation", "trick", "mean", "low", "high"], dtype=float)
    choices_chart(none, "told").figure.draw_without_rendering()
