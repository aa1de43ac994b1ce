"""Charts of exact odds: functions that draw on an Axes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from analysis.charts import BLUE, GREEN, ORANGE, SKY, VERMILION, caption, name_rows, styled
from analysis.odds import Odds, odds, odds_of_seat, read_cards
from sim.cards import format_cards
from sim.combinations import KINDS, score
from sim.kernels.combinations import CRICCHE
from sim.rules import OTTOCENTO, RuleSet

COLOURS = (BLUE, VERMILION, GREEN, ORANGE)
STYLES = ("solid", "dashed", "dashdot", "dotted")
POINTS_TO_A_STEP = 10
RAREST = 1e-7  # percent: what is rarer is left off a logarithmic scale
SEQUENCES = KINDS[CRICCHE:]
CARD_NUMBERS = (3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 30)
CONTATORI = {"none": ("", "Pagat Fool"), "Fool": ("Fool", "Pagat"), "Pagat": ("Pagat", "Fool")}
CONTATORI["both"] = ("Pagat Fool", "")
MOST_TRUMPS = 11


@styled
def hand(found: Odds, ax: Axes) -> Axes:
    """Draw what a hand may be worth, beside any hand of as many cards; in Partita, its trumps.

    ``found``: exact odds of any situation. Returns the Axes.
    """
    situation = found.situation
    if not situation.rules.combinations:
        return trumps(found, ax)
    any_hand = odds(situation.rules, situation.n)
    curves = {"in this situation": found, f"any {situation.n} cards": any_hand}
    if situation == any_hand.situation:
        curves = {f"any {situation.n} cards": found}
    return points_distribution(curves, ax)


def by_contatori(rules: RuleSet = OTTOCENTO) -> dict[str, Odds]:
    """Odds of a hand as dealt: of any, and of those with both contatori, with one, with none."""
    return {
        "any hand": odds(rules),
        "both contatori": odds(rules, hold="Pagat Fool"),
        "only one": odds(rules, hold="Pagat", gone="Fool"),
        "none": odds(rules, gone="Pagat Fool"),
    }


@styled
def points_distribution(curves: Mapping[str, Odds], ax: Axes) -> Axes:
    """Draw how the points of all combinations of a hand are distributed, on a log scale.

    Parameters
    ----------
    curves
        One to four situations, each with its name in the legend.
    ax
        Where to draw.

    Returns
    -------
    Axes
        The same: percent of hands for every ten points, and each mean.

    Source: RULES §4.
    """
    highest = 0.0
    for (name, found), colour, line in zip(curves.items(), COLOURS, STYLES, strict=False):
        steps: dict[int, float] = {}
        for points, p in found.points.distribution.items():
            step = points // POINTS_TO_A_STEP
            steps[step] = steps.get(step, 0.0) + 100 * float(p)
        shares = np.array([steps.get(step, 0.0) for step in range(max(steps) + 1)])
        edges = POINTS_TO_A_STEP * np.arange(len(shares) + 1)
        label = f"{name}: mean {float(found.points.mean):.1f}"
        ax.stairs(shares, edges, color=colour, linestyle=line, linewidth=1.8, label=label)
        highest = max(
            highest, *(edge for edge, p in zip(edges[1:], shares, strict=True) if p > RAREST)
        )
    ax.set_yscale("log")
    ax.set_ylim(RAREST, 100)
    ax.set_xlim(0, highest)
    ax.yaxis.set_major_formatter(FuncFormatter(_percent))
    ax.grid()
    ax.set_title("Points of all combinations in a hand", pad=10)
    ax.set_xlabel(f"points, {POINTS_TO_A_STEP} to a step (the first: nothing to declare)")
    ax.set_ylabel("share of hands (log scale)")
    ax.legend(loc="upper right")
    rules = next(iter(curves.values())).situation.rules
    caption(ax, f"Rules {rules.name} · exact, doublings included · what is rarer is left off")
    return ax


def _percent(value: float, _: object = None) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".") + " %"


@styled
def trumps(found: Odds, ax: Axes) -> Axes:
    """Draw how many trumps a hand has, in percent of hands. Returns the Axes."""
    numbers = [*found.trumps]
    ax.bar(numbers, [100 * float(p) for p in found.trumps.values()], color=SKY)
    ax.set_xticks(numbers)
    ax.yaxis.set_major_formatter("{x:g} %")
    ax.grid(axis="y")
    ax.set_title("Trumps in a hand", pad=10)
    ax.set_xlabel("trumps, the Fool not counted")
    ax.set_ylabel("share of hands")
    caption(ax, f"Rules {found.situation.rules.name} · {found.situation.n} cards · exact")
    return ax


@styled
def odds_by_cards(ax: Axes, rules: RuleSet = OTTOCENTO) -> Axes:
    """Draw how likely combinations are as the hand grows from 3 cards to 30.

    Parameters
    ----------
    ax
        Where to draw.
    rules
        Of a game with combinations.

    Returns
    -------
    Axes
        The same, with marks at the cards of a hand and of the dealer.

    Source: RULES §4.
    """
    found = [odds(rules, n) for n in CARD_NUMBERS]
    lines = {
        "something to declare": [1 - each.nothing for each in found],
        "Moors, or Aces": [each.probability("moors") for each in found],
        "a suit, or the Grande": [each.probability("swords") for each in found],
        "a cricca, whichever": [each.probability("kings") for each in found],
        "three sequences": [each.three_sequences for each in found],
        "three cricche": [each.three_cricche for each in found],
    }
    colours = (BLUE, VERMILION, GREEN, ORANGE, SKY, "#CC79A7")
    for (label, shares), colour, marker in zip(lines.items(), colours, "os^Dvx", strict=True):
        ax.plot(
            CARD_NUMBERS,
            [100 * float(p) if p else np.nan for p in shares],
            color=colour,
            marker=marker,
            markersize=4.5,
            linewidth=1.5,
            label=label,
        )
    dealt = rules.cards.hand_size
    for n, who in ((dealt, "a hand"), (dealt + rules.discards, "dealer")):
        ax.axvline(n, color="#888888", linestyle="dotted", linewidth=1)
        ax.annotate(f" {who}: {n}", (n, 2e-4), fontsize=9, color="#555555", rotation=90)
    ax.set_yscale("log")
    ax.set_ylim(1e-4, 130)
    ax.yaxis.set_major_formatter(FuncFormatter(_percent))
    ax.grid()
    ax.set_title("How likely combinations are, by number of cards", pad=10)
    ax.set_xlabel("cards drawn from the whole pack")
    ax.set_ylabel("share of hands (log scale)")
    ax.legend(loc="lower right")
    caption(ax, f"Rules {rules.name} · exact")
    return ax


@styled
def odds_by_trumps_and_contatori(ax: Axes, rules: RuleSet = OTTOCENTO) -> Axes:
    """Draw how likely a hand has something to declare, by its trumps and contatori, as a heat map.

    ``ax``: where to draw; ``rules``: of a game with combinations. Returns the Axes.

    Source: RULES §4.
    """
    shares = np.full((len(CONTATORI), MOST_TRUMPS), np.nan)
    for row, (hold, gone) in enumerate(CONTATORI.values()):
        for number in range("Pagat" in hold, MOST_TRUMPS):
            found = odds(rules, hold=hold, gone=gone, where={"trumps": number})
            shares[row, number] = 100 * float(1 - found.nothing)
    ax.imshow(shares, cmap="cividis", vmin=0, vmax=100, aspect="auto")
    for (row, number), share in np.ndenumerate(shares):
        told, colour = f"{share:.0f}", "black" if share > 60 else "white"
        if np.isnan(share):
            told, colour = "–", "black"
        ax.text(number, row, told, ha="center", va="center", color=colour)
    ax.set_xticks(range(MOST_TRUMPS))
    ax.set_yticks(range(len(CONTATORI)), [*CONTATORI])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title("How often there is something to declare, in %", pad=10)
    ax.set_xlabel("trumps in the hand, the Pagat among them, the Fool not")
    ax.set_ylabel("contatori in the hand")
    caption(ax, f"Rules {rules.name} · {rules.cards.hand_size} cards · exact")
    return ax


@styled
def completed_by_partner(mine: str | int, ax: Axes, rules: RuleSet = OTTOCENTO) -> Axes:
    """Draw how likely partner was dealt what makes a sequence, alone or with one's own cards.

    Parameters
    ----------
    mine
        One's own hand: 15 cards, or 17 as dealer.
    ax
        Where to draw.
    rules
        Of a game with combinations.

    Returns
    -------
    Axes
        The same: for each sequence, the odds that partner's cards have it, and that both hands
        together do, as one pile would. Exact.

    Raises
    ------
    CardError, OddsError
        As ``odds_of_seat``.

    Source: RULES §4.
    """
    partner, own = odds_of_seat(mine, "partner", rules), read_cards(mine, rules)
    together = odds(rules, own.bit_count() + rules.cards.hand_size, hold=own)
    rows, held = np.arange(len(SEQUENCES)), score(own, rules).sequences
    for label, found, colour, marker, shift in (
        ("in partner's hand", partner, BLUE, "o", -0.15),
        ("in both hands together", together, VERMILION, "D", 0.15),
    ):
        shares = [100 * float(found.probability(kind)) for kind in SEQUENCES]
        ax.plot(shares, rows + shift, linestyle="none", color=colour, marker=marker, label=label)
        ax.hlines(rows + shift, 0, shares, color=colour, linewidth=1)
        for row, share in zip(rows + shift, shares, strict=True):
            ax.annotate(f"  {share:.1f}", (share, row), va="center", fontsize=9.5)
    name_rows(ax, [f"{kind} (mine)" if kind in held else kind for kind in SEQUENCES])
    ax.set_xlim(0, 108)
    ax.set_xticks(range(0, 101, 20))
    ax.xaxis.set_major_formatter("{x:g} %")
    ax.set_title("What partner's cards complete", pad=30)
    ax.set_xlabel("odds that the sequence is there")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.3)
    cards = format_cards(own, rules.cards)
    caption(ax, f"My hand: {cards} · rules {rules.name} · exact, of the cards dealt")
    return ax
