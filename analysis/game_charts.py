"""The chart of a run of games: how long they are, and where they end."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from analysis.charts import SKY, VERMILION, caption, styled
from analysis.games import GamesSummary

# Where games end, as a title tells it.
ENDINGS = {
    "declarations": "end with declarations",
    "tricks": "with the last trick",
    "count": "with the count",
    "hands": "end with their last hand",
}


@styled
def game_lengths(summary: GamesSummary, ax: Axes) -> Axes:
    """Draw how many hands games take, in percent of games, with the intervals.

    Returns the same Axes, with a caption that tells the run and the share that
    ends at each stage.
    """
    shares = summary.length_shares
    hands = np.array([*shares])
    mean, low, high = (
        100 * np.array([getattr(share, end) for share in shares.values()])
        for end in ("mean", "low", "high")
    )
    ax.bar(hands, mean, width=0.7, color=SKY)
    ax.errorbar(
        hands, mean, yerr=[mean - low, high - mean], linestyle="none", color=VERMILION, capsize=4
    )
    ax.set_xticks(range(hands.min(), hands.max() + 1))
    ax.set_xlim(hands.min() - 1, hands.max() + 1)
    ax.set_xlabel("hands to a game")
    ax.set_ylabel("share of games")
    ax.yaxis.set_major_formatter("{x:g} %")
    ax.grid(axis="y")
    ax.set_title("How many hands a game takes", pad=10)
    manifest = summary.manifest
    ends = ", ".join(
        f"{100 * share.mean:.1f} % {ENDINGS[end]}" for end, share in summary.end_shares.items()
    )
    specs = ", ".join(dict.fromkeys(manifest.specs))
    caption(
        ax,
        f"Rules {manifest.rules.told} · policies {specs} · {summary.games:,} games · seed "
        f"{manifest.seed} · {ends} · intervals {100 * summary.level:.4g} %, Wilson or "
        "Clopper–Pearson",
    )
    return ax
