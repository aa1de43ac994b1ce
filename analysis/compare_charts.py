"""The chart of a comparison: the payoff matrix, and the interval of every pair."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from analysis.charts import (
    ORANGE,
    SKY,
    draw_interval,
    foot,
    name_rows,
    new_figure,
    styled,
    zero_line,
)
from analysis.compare import UNITS, Comparison
from analysis.win_payoff import told_at

# Loses, even, wins: told apart with every kind of colour blindness, light enough for black text.
COLOURS = LinearSegmentedColormap.from_list("payoff", [ORANGE, "white", SKY])
IN_PERCENT = {"win": "hands won, % of hands", "win_at_score": "chance of winning the game, %"}


@styled
def comparison_chart(found: Comparison) -> Axes:
    """Draw a comparison on a figure of its own: the matrix above the pairs' intervals.

    Returns the lower Axes, with a caption of what was played at the foot; ``figure`` saves both.
    """
    heights = 0.6 + 0.5 * len(found.policies), 0.4 + 0.4 * len(found.pairs)
    figure = new_figure((max(9, 3 + 1.5 * len(found.policies)), 2.6 + sum(heights)))
    upper, lower = figure.subplots(2, height_ratios=heights)
    payoff_matrix(found, upper)
    pair_intervals(found, lower)
    if found.until is None:
        method = "max-|t|" if len(found.pairs) > 1 else "Student's t"
    else:
        method = "confidence sequences"
    together = "all pairs together, " if len(found.pairs) > 1 else ""
    at = f" · {told_at(found.at_score)}" if found.at_score else ""
    foot(
        figure,
        f"Rules {found.rules.told} · policies {', '.join(found.specs)} · {found.blocks:,} blocks "
        f"({8 * found.blocks:,} hands) a pair, the same deals from both sides · seed {found.seed} "
        f"· intervals {100 * found.level:.4g} %, {together}{method}{at}",
    )
    return lower


@styled
def payoff_matrix(found: Comparison, ax: Axes) -> Axes:
    """Draw the payoff matrix, row policy less column policy, each cell with its half-width.

    Chances and won hands are in percent. Returns the Axes.
    """
    scale = _scale(found)
    mean = scale * np.array([[each.mean for each in row] for row in found.payoff])
    half = scale * np.array([[each.high - each.mean for each in row] for row in found.payoff])
    largest = np.abs(mean).max() or 1.0
    ax.imshow(mean, cmap=COLOURS, vmin=-largest, vmax=largest, aspect="auto")
    for i, j in np.ndindex(mean.shape):
        told = "–" if i == j else f"{mean[i, j]:+.2f}\n± {half[i, j]:.2f}"
        ax.text(j, i, told, ha="center", va="center", linespacing=1.3)
    numbers = range(len(found.specs))
    ax.set_xticks(numbers, [spec.replace("+", "\n+") for spec in found.specs])
    ax.set_yticks(numbers, [spec.replace("+", "\n+") for spec in found.specs])
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(f"Row policy less column policy, {_units(found)}", pad=12)
    return ax


@styled
def pair_intervals(found: Comparison, ax: Axes) -> Axes:
    """Draw the margin of each pair with its interval, the better policy first; 0 is even.

    Chances and won hands are in percent. Returns the Axes.
    """
    scale, names = _scale(found), []
    for y, ((row, column), each) in enumerate(zip(found.pairs, found.by_pair, strict=True)):
        better, worse = (row, column) if each.mean >= 0 else (column, row)
        names.append(f"{found.specs[better]}\nover {found.specs[worse]}")
        mean, half = scale * abs(each.mean), scale * (each.high - each.mean)
        draw_interval(ax, y, (mean, mean - half, mean + half))
    zero_line(ax)
    name_rows(ax, names)
    ax.set_xlabel(_units(found))
    return ax


def _units(found: Comparison) -> str:
    return (UNITS | IN_PERCENT).get(found.unit, found.unit)


def _scale(found: Comparison) -> int:
    return 100 if found.unit in IN_PERCENT else 1
