"""The chart of habits: what each is worth, with its interval."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from analysis.charts import BLUE, caption, styled


@styled
def habits_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw a table of ``analysis.habits.habits`` on a figure of its own.

    ``told`` is the caption: policies, hands, rules, seed. Points that differ from 0 by their
    interval are filled. Returns the Axes; ``figure`` saves it.
    """
    figure = Figure(figsize=(8, 1.8 + 0.27 * len(table)), layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.subplots()
    mean, low, high = (table[name].to_numpy(float) for name in ("mean", "low", "high"))
    for y in range(len(table)):
        apart = low[y] > 0 or high[y] < 0
        ax.errorbar(
            mean[y],
            y,
            xerr=[[mean[y] - low[y]], [high[y] - mean[y]]],
            marker="o",
            markersize=5,
            markerfacecolor=BLUE if apart else "white",
            color=BLUE,
            elinewidth=1.5,
            capsize=3,
        )
        ax.annotate(
            f"{mean[y]:+.2f}",
            (high[y], y),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
        )
    ax.axvline(0, color="#888888", linewidth=1)
    ax.set_yticks(range(len(table)), table.habit)
    ax.set_ylim(len(table) - 0.5, -0.5)
    ax.margins(x=0.12)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    ax.set_xlabel("points a hand over the same policy without the habit")
    ax.set_title("What each habit is worth")
    caption(ax, told, width=84)
    return ax
