"""The chart of chances of winning: a map over both scores, or a line for each hand."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from analysis.charts import BLUE, GREEN, ORANGE, VERMILION, caption, styled
from analysis.compare_charts import COLOURS
from analysis.equity import Equity

# Lines on the map, in percent.
LEVELS = (10, 20, 30, 40, 50, 60, 70, 80, 90)
LINES = ((BLUE, "solid"), (ORANGE, "dashed"), (GREEN, "dashdot"), (VERMILION, "dotted"))


@styled
def equity_chart(found: Equity, ax: Axes) -> Axes:
    """Draw the chance of winning from every score, in percent, with the one asked about.

    In a game to a target a map over both scores for the side that deals; in one over hands a line
    for each hand still to come, by the difference of scores. Returns the same Axes, with a caption
    of what was played.
    """
    dealers = "them" if found.score.dealer else "us"
    if found.rules.target is not None:
        _map(found, ax)
    else:
        _lines(found, ax)
    ax.set_title(f"Chance of winning, the deal with {dealers}", pad=10)
    specs = ", ".join(dict.fromkeys(policy.spec for policy in found.policies))
    caption(
        ax,
        f"Rules {found.rules.told} · policies {specs}, which play alike at any score · "
        f"{found.hands:,} hands · seed {found.seed} · by backward recursion; at the dot the "
        f"interval of {100 * found.level:.4g} %, jackknife",
    )
    return ax


def _map(found: Equity, ax: Axes) -> None:
    percent = 100 * found.table[found.score.dealer].T  # their score upwards
    ax.imshow(percent, origin="lower", cmap=COLOURS, vmin=0, vmax=100)
    lines = ax.contour(percent, levels=LEVELS, colors="#555555", linewidths=0.8)
    ax.clabel(lines, fmt="%g %%", fontsize=9, manual=_across(percent))
    ax.plot(found.score.us, found.score.them, marker="o", color=VERMILION, clip_on=False)
    _tell(found, ax, found.score.us, found.score.them)
    ax.set_xlabel("our score")
    ax.set_ylabel("their score")


def _across(percent: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Where each line of the map meets a diagonal across them all, from their lead to ours."""
    ours = np.arange(len(percent) * 7 // 8)
    theirs = ours[::-1]
    met = np.searchsorted(percent[theirs, ours], LEVELS)
    return [(int(ours[k]), int(theirs[k])) for k in met if 0 < k < len(ours)]


def _lines(found: Equity, ax: Axes) -> None:
    table = found.table[:, found.score.dealer]
    games = len(table) - 1
    reach = table.shape[1] // 2
    ahead = np.arange(-reach, reach + 1)
    for hand in range(1, games + 1):
        percent = 100 * table[games + 1 - hand]
        colour, line = LINES[hand - 1]
        ax.plot(ahead, percent, color=colour, linestyle=line, label=f"before hand {hand}")
    ahead_now, win = found.score.us - found.score.them, 100 * found.win.mean
    ax.plot(ahead_now, win, marker="o", color="black", clip_on=False)
    undecided = np.flatnonzero((table[games] > 0.001) & (table[games] < 0.999))
    ax.set_xlim(min(ahead[undecided[0]], ahead_now), max(ahead[undecided[-1]], ahead_now))
    _tell(found, ax, ahead_now, win)
    ax.yaxis.set_major_formatter("{x:g} %")
    ax.set_xlabel("our score less theirs")
    ax.set_ylabel("chance of winning, half of a draw added")
    ax.grid()
    if games > 1:
        ax.legend()


def _tell(found: Equity, ax: Axes, x: float, y: float) -> None:
    """The chance asked about, beside its dot, where there is room."""
    mean, low, high = (100 * end for end in (found.win.mean, found.win.low, found.win.high))
    right, (bottom, top) = x <= np.mean(ax.get_xlim()), ax.get_ylim()
    height = (y - bottom) / (top - bottom)
    ax.annotate(
        f"{mean:.1f} %\n({low:.1f} to {high:.1f})",
        (x, y),
        xytext=(9 if right else -9, 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="bottom" if height < 0.1 else "top" if height > 0.9 else "center",
        fontweight="bold",
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1},
    )
