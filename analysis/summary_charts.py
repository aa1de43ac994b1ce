"""Charts of a summary of hands: how often combinations come, also beside exact odds, and scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.charts import BLUE, LOOKS, SKY, VERMILION, caption, name_rows, styled
from analysis.frequencies import Summary
from analysis.interval_text import with_ends
from analysis.odds import odds
from sim.conditions import ROLES
from sim.kernels.combinations import CRICCHE, KINDS
from sim.manifests import RunError

# In legends, where a role is not called as it is in tables.
NAMES = {"dealers": "the dealer's side", "others": "the other side"}
# A distribution has fewer bars than this: the narrowest of these widths, in points, that does it.
MOST_BARS, WIDTHS = 100, (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
# A row for each combination, cricche above sequences.
ROWS = np.arange(len(KINDS)) + 0.5 * (np.arange(len(KINDS)) >= CRICCHE)


@styled
def declaration_frequencies(summary: Summary, ax: Axes) -> Axes:
    """Draw how often each role declares each of the 12 combinations, in percent of hands.

    Parameters
    ----------
    summary
        Of a game with combinations.
    ax
        Where to draw.

    Returns
    -------
    Axes
        The same, with every interval, and a caption that tells the run.

    Raises
    ------
    RunError
        The summary has no combinations.

    Source: RULES §4.
    """
    if "combinations" not in summary.tables:
        raise RunError(
            f"no declarations to draw in this run of {summary.manifest.rules.name}: expected a "
            "game with combinations, and the columns dealer, held0 to held3, declared0 to declared3"
        )
    table = summary.tables["combinations"].query("what == 'declared'")
    _by_combination(ax, table, ROLES)
    ax.set_title("How often each combination is declared, by role", pad=30)
    ax.set_xlabel("share of hands in which the player declares it")
    run_caption(ax, summary, table)
    return ax


@styled
def captured_frequencies(summary: Summary, ax: Axes) -> Axes:
    """Draw how often each of the 12 combinations ends in a side's pile, in percent of hands.

    Parameters
    ----------
    summary
        Made by ``analysis.frequencies.frequencies``.
    ax
        Where to draw.

    Returns
    -------
    Axes
        The same, the dealer's side beside the other, with every interval and a caption.

    Raises
    ------
    RunError
        The summary has no captured combinations.

    Source: RULES §4.
    """
    if "captured" not in summary.tables:
        raise RunError(
            "no captured combinations to draw: expected those of frequencies, and the columns "
            "dealer and won0"
        )
    table = summary.tables["captured"]
    _by_combination(ax, table, ("dealers", "others"))
    ax.set_title("How often each combination is captured", pad=30)
    ax.set_xlabel("share of hands in which the side has it in its pile at the end")
    run_caption(ax, summary, table)
    return ax


def _by_combination(ax: Axes, table: pd.DataFrame, roles: Sequence[str]) -> None:
    """A row for each combination; in it the roles one below the other."""
    for row in ROWS[::2]:
        ax.axhspan(row - 0.5, row + 0.5, color="#f4f4f4", zorder=0)
    for i, role in enumerate(roles):
        of_role = table[table.role == role].set_index("combination").loc[list(KINDS)]
        _intervals(ax, of_role, ROWS + 0.21 * (i - (len(roles) - 1) / 2), role)
    name_rows(ax, KINDS, ROWS)
    ax.set_xlim(left=0)
    ax.xaxis.set_major_formatter("{x:g} %")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(roles), borderaxespad=0.3)


def _intervals(ax: Axes, table: pd.DataFrame, y: np.ndarray, role: str) -> None:
    """Percentages as open markers, and over them the intervals, which may be narrower."""
    mean, low, high = (100 * table[end].to_numpy() for end in ("mean", "low", "high"))
    colour, marker = LOOKS[role]
    ax.plot(
        mean,
        y,
        linestyle="none",
        marker=marker,
        markersize=5,
        markerfacecolor="white",
        markeredgecolor=colour,
        markeredgewidth=1.2,
        clip_on=False,  # whole at 0 %
        label=NAMES.get(role, role),
    )
    ax.errorbar(
        mean,
        y,
        xerr=[mean - low, high - mean],
        linestyle="none",
        ecolor=colour,
        elinewidth=1,
        capsize=2.5,
        capthick=1,
        clip_on=False,
        zorder=3,
    )


@styled
def score_distribution(summary: Summary, ax: Axes) -> Axes:
    """Draw how the score of the dealer's side in a hand is distributed, with its mean.

    Parameters
    ----------
    summary
        Of any game, with at least 2 hands.
    ax
        Where to draw.

    Returns
    -------
    Axes
        The same: percent of hands by points, the mean and its interval, and a caption that tells
        the run.

    Raises
    ------
    RunError
        The summary has no scores, or of one hand only.
    """
    points, hands = summary.score_counts("dealers")
    if summary.hands < 2:
        raise RunError("no distribution to draw: expected at least 2 hands")
    table = summary.tables["scores"].query("who == 'dealers'")
    mean, low, high = table[["mean", "low", "high"]].to_numpy()[0]
    width = next(w for w in WIDTHS if points[-1] // w - points[0] // w < MOST_BARS)
    bars, which = np.unique(points // width, return_inverse=True)
    share = 100 * np.bincount(which, weights=hands) / summary.hands
    ax.bar(bars * width + (width - 1) / 2, share, width=0.85 * width, color=SKY)
    height = 1.08 * share.max()
    ax.vlines(mean, 0, height, color=VERMILION, linewidth=1, linestyle="dashed")
    ax.errorbar(
        mean,
        height,
        xerr=[[mean - low], [high - mean]],
        color=VERMILION,
        elinewidth=1.5,
        capsize=5,
        capthick=1.5,
    )
    ax.annotate(
        f"mean {with_ends(mean, low, high)} points",
        (high, height),
        xytext=(8, 0),
        textcoords="offset points",
        va="center",
    )
    ax.set_ylim(0, 1.15 * share.max())
    ax.yaxis.set_major_formatter("{x:g} %")
    ax.grid(axis="y")
    ax.set_title("Score of the dealer's side in a hand", pad=10)
    ax.set_xlabel("points" if width == 1 else f"points, {width} to a bar")
    ax.set_ylabel("share of hands")
    run_caption(ax, summary, table)
    return ax


@styled
def simulated_over_exact(summary: Summary, ax: Axes) -> Axes:
    """Draw how often the hands of a run held each combination, as a multiple of the exact odds.

    Parameters
    ----------
    summary
        Made by ``analysis.frequencies.frequencies``.
    ax
        Where to draw.

    Returns
    -------
    Axes
        The same: the three who do not deal, with simultaneous (Bonferroni) intervals.

    Raises
    ------
    RunError
        The summary has no frequencies of several seats together, or only deals under conditions.

    Source: RULES §4.
    """
    if "pooled" not in summary.tables:
        raise RunError("nothing to lay over exact odds: expected the summary made by frequencies")
    if summary.conditions:
        raise RunError("nothing to lay over exact odds: expected a run of all deals, no conditions")
    exact, several = odds(summary.manifest.rules), 1 - (1 - summary.level) / len(KINDS)
    simultaneous = replace(summary, level=several)
    table = simultaneous.tables["pooled"].query("role == 'non-dealers' and what == 'held'")
    of_kind = table.set_index("combination").loc[list(KINDS)]
    true = np.array([float(exact.probability(kind)) for kind in KINDS])
    mean, low, high = (of_kind[end].to_numpy() / true for end in ("mean", "low", "high"))
    ax.axvline(1, color=VERMILION, linewidth=1.2, label="exact odds")
    ax.errorbar(
        mean,
        ROWS,
        xerr=[mean - low, high - mean],
        linestyle="none",
        marker="o",
        markersize=5,
        markerfacecolor="white",
        color=BLUE,
        capsize=3,
        label="simulated",
    )
    named = zip(KINDS, true, strict=True)
    name_rows(ax, [f"{kind}  {100 * p:.2f} %" for kind, p in named], ROWS)
    ax.set_title("Simulated over exact odds", pad=30)
    ax.set_xlabel("share of hands that hold it, divided by the exact odds (at the left)")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.3)
    run_caption(ax, simultaneous, table)
    return ax


def run_caption(ax: Axes, summary: Summary, table: pd.DataFrame) -> None:
    """Under the chart: what was played, how much of it, and what the intervals are."""
    specs = summary.manifest.specs
    if len(set(specs)) == 1:
        policies = f"policy {specs[0]}"
    elif specs[:2] == specs[2:]:
        policies = f"policies {specs[0]} (side 0), {specs[1]} (side 1)"
    else:
        policies = "policies " + ", ".join(f"{spec} (seat {s})" for s, spec in enumerate(specs))
    if summary.conditions:
        policies += f" · {summary.conditions}"
    methods = " or ".join(sorted(set(table.method), reverse=True))
    caption(
        ax,
        f"Rules {summary.manifest.rules.name} · {policies} · {summary.hands:,} hands · "
        f"seed {summary.manifest.seed} · intervals {100 * summary.level:.4g} %, {methods}",
    )
