"""The chart of a ranking of discards: how far each is behind the best, and where its points go."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from analysis.charts import (
    BLUE,
    ORANGE,
    SKY,
    VERMILION,
    draw_interval,
    foot,
    name_rows,
    new_figure,
    styled,
    zero_line,
)
from analysis.discard_ranking import Place, Ranking
from analysis.parts import HEADINGS, PARTS
from analysis.win_payoff import told_at
from sim.cards import format_cards

ROWS = 12
BEHIND = {
    "points": "points a hand",
    "win": "hands won less hands lost, %,",
    "winner_takes": "points a hand, only the winner's,",
    "win_at_score": "chance of winning the game, %,",
}
# Wins, even, loses: told apart with every kind of colour blindness, light enough for black text.
COLOURS = LinearSegmentedColormap.from_list("loss", [SKY, "white", ORANGE])


@styled
def discard_chart(found: Ranking) -> Axes:
    """Draw a ranking on a figure of its own: differences to the best beside the parts of each.

    The leaders, all that are not separated from the best, and twelve discards at least. Returns
    the left Axes, with a caption of what was played under both; ``figure`` saves both.
    """
    shown = found.shown(ROWS)
    figure = new_figure((12, 3.4 + 0.42 * len(shown)))
    if found.rules.combinations:
        left, right = figure.subplots(1, 2, width_ratios=(1, 1.3))
        lost_parts(found, shown, right)
    else:
        left = figure.subplots()
    differences(found, shown, left)
    own, other = (policy.spec for policy in found.policies)
    policies = f"policy {own}" if own == other else f"policies {own} (dealer's side), {other}"
    others = "" if found.of_others is None else f" (open markers: {found.of_others.n:,})"
    hand = format_cards(found.hand, found.rules.cards)
    at = f" · {told_at(found.at_score)}" if found.at_score else ""
    foot(
        figure,
        f"The dealer holds {hand} · rules {found.rules.name} · {policies} · {found.of_leaders.n:,} "
        f"completions of the other cards{others}, fresh after a search · seed {found.seed} · "
        f"intervals {100 * found.level:.4g} %, the leaders' all together (max-|t|){at}",
    )
    return left


@styled
def differences(found: Ranking, shown: list[Place], ax: Axes) -> Axes:
    """Draw how far discards are behind the best, with intervals, the best on top. Returns the Axes.

    Leaders are filled, others open; what is not separated from the best is a red diamond.
    """
    scale = 100 if found.payoff_kind == "win" else 1
    for y, place in enumerate(shown):
        each, colour, marker = place.behind, BLUE, "o"
        if not place.separated:
            colour, marker = VERMILION, "D"
        ends = scale * each.mean, scale * each.low, scale * each.high
        draw_interval(ax, y, ends, colour, marker=marker, filled=place.leader)
    zero_line(ax)
    name_rows(ax, [format_cards(place.cards, found.rules.cards) for place in shown])
    ax.set_xlabel(f"{BEHIND[found.unit]} behind the best (red diamonds: not separated from it)")
    ax.set_title(
        f"Discards: {format_cards(found.best, found.rules.cards)} is best",
        pad=38 if found.rules.combinations else 12,  # beside the names of parts
    )
    return ax


@styled
def lost_parts(found: Ranking, shown: list[Place], ax: Axes) -> Axes:
    """Draw where each discard loses its points against the best, part by part. Returns the Axes."""
    lost = np.array([[place.behind_parts[name].mean for name in PARTS] for place in shown])
    largest = np.abs(lost).max() or 1.0
    ax.imshow(lost, cmap=COLOURS, vmin=-largest, vmax=largest, aspect="auto")
    for y, x in np.ndindex(lost.shape):
        told = f"{lost[y, x]:.1f}".replace("-0.0", "0.0")
        ax.text(x, y, told, ha="center", va="center", fontsize=9)
    names = [HEADINGS[name].replace(" ", "\n") for name in PARTS]
    ax.set_xticks(range(len(PARTS)), names, fontsize=9)
    ax.set_yticks([])
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title("Points lost against the best", pad=12)
    return ax
