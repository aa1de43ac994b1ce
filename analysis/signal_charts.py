"""The chart of signals: what each is worth in points, and what it tells in bits."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from analysis.charts import (
    BLUE,
    GREEN,
    ORANGE,
    draw_interval,
    foot,
    name_rows,
    new_figure,
    styled,
    zero_line,
)

# What is measured in points: column of the table, colour, marker, place in the row, legend.
POINTS = (
    ("alone", BLUE, "o", -0.17, "this signal alone"),
    ("left_out", ORANGE, "s", 0.17, "all signals, less all but this one"),
)


@styled
def signals_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw a table of ``analysis.signal_worth.SignalWorth.table`` on a figure of its own.

    ``told`` is the caption. Points whose interval excludes 0 are filled; what tells nothing that
    can be counted has no bits. Returns the Axes of the points; ``figure`` saves both.
    """
    figure = new_figure((9, 2 + 0.32 * len(table)))
    ax, bits = figure.subplots(1, 2, sharey=True, width_ratios=(5, 3))
    for y, (_, row) in enumerate(table.iterrows()):
        if y % 2:
            for each in (ax, bits):
                each.axhspan(y - 0.5, y + 0.5, color="#f4f4f4", zorder=0)
        for name, colour, marker, shift, _ in POINTS:
            _interval(ax, row, name, y + shift, colour, marker)
        _interval(bits, row, "bits", y, GREEN, "D")
    for _, colour, marker, _, legend in POINTS:
        ax.plot([], [], color=colour, marker=marker, label=legend)
    for each in (ax, bits):
        zero_line(each)
        name_rows(each, list(table.signal))
    ax.set_xlabel("points a hand gained by a side")
    bits.set_xlabel("bits told partner by each use")
    ax.set_title("What each signal is worth", loc="left")
    bits.set_title("What it tells", loc="left")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper left", ncols=2, frameon=False)
    foot(figure, told)
    return ax


def _interval(ax: Axes, row: pd.Series, name: str, y: float, colour: str, marker: str) -> None:
    """A mean with its interval, hollow if that has 0 within; nothing where there is none."""
    mean, low, high = (float(row[column]) for column in (name, f"{name}_low", f"{name}_high"))
    if not pd.isna(mean):
        apart = low > 0 or high < 0
        draw_interval(ax, y, (mean, low, high), colour, marker=marker, filled=apart)
