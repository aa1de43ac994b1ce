"""Strategy charts drawn from their tables, each on a page of A4."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from analysis.charts import (
    A4,
    BLUE,
    GREEN,
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
from analysis.discard_kinds import MOST_COURTS, SUITS
from analysis.discard_strategies import MAIN_DISCARDS
from analysis.forced_cards import OPENINGS, SITUATIONS
from analysis.totals import FEW

LANDSCAPE = A4[::-1]
# Light enough for black text; of different greys, too.
DISCARD_COLOURS = dict(zip(MAIN_DISCARDS, (SKY, "#f6c667", "#bfe8d5"), strict=True))
NOT_SEPARATED = "#e4e4e4"
DISCARD_WORDS = {
    "void": "void: a suit of two cards, else the lowest of the shortest suits",
    "courts": "courts: two, Valets first, of different suits if possible",
    "pips": "pips: two, of the longest suits",
}
LEAD_WORDS = {
    "longest": "low from the longest suit",
    "short": "low from the shortest suit",
    "court": "a court that partner can use",
    "trump": "trumps, if it has many",
}
LOOKS = ((BLUE, "o"), (GREEN, "^"), (ORANGE, "s"), ("#CC79A7", "v"), (VERMILION, "D"))


@styled
def price_chart(table: pd.DataFrame, ax: Axes) -> Axes:
    """Draw the Pagat's price by trumps beside it, of ``pagat_prices``. Returns the Axes."""
    prices = table[table.what == "price"]
    _upright(ax, prices.beside, prices, BLUE, "o")
    ax.set_title("What the Pagat is worth")
    ax.set_xlabel("trumps dealt beside it")
    ax.set_ylabel("points a hand, rather than in an opponent's hand")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    return ax


def _upright(
    ax: Axes, x: Any, table: pd.DataFrame, colour: str, marker: str, label: str = ""
) -> None:
    """Means with upright intervals, and where they are 0."""
    ax.errorbar(
        *(x, table["mean"]),
        yerr=[table["mean"] - table.low, table.high - table["mean"]],
        color=colour,
        marker=marker,
        markersize=6,
        markerfacecolor="white",
        elinewidth=1.5,
        capsize=3,
        label=label,
    )
    ax.axhline(0, color="#888888", linewidth=1)
    ax.grid(axis="y")


@styled
def discards_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw the best discard by kind of hand, cells grey where it is not separated."""
    figure = new_figure(LANDSCAPE)
    ax = figure.subplots()
    digits = 0 if table["mean"].max() >= 20 else 1  # games without combinations score less
    for row in table.to_dict("records"):
        x, y = int(row["courts"].rstrip("+")), SUITS.index(row["suits"])
        best, half = row["best"], row["high"] - row["mean"]
        ax.add_patch(_cell(x, y, DISCARD_COLOURS[best], row["separated"]))
        words = f"{best}\n{row['mean']:+.{digits}f} ± {half:.{digits}f}"
        words += "" if row["separated"] else f"\n(or {row['second']})"
        ax.text(x, y, words, ha="center", va="center", fontsize=10, linespacing=1.3)
    ax.set_xlim(-0.5, MOST_COURTS + 0.5)
    ax.set_ylim(len(SUITS) - 0.5, -0.5)
    ax.set_xticks(range(MOST_COURTS + 1), [*map(str, range(MOST_COURTS)), f"{MOST_COURTS}+"])
    ax.set_yticks(range(len(SUITS)), SUITS)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    kinds = [Patch(color=DISCARD_COLOURS[name], label=word) for name, word in DISCARD_WORDS.items()]
    grey = "grey: not separated from the second best, in brackets"
    kinds.append(Patch(color=NOT_SEPARATED, label=grey))
    ax.legend(handles=kinds, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.3)
    ax.set_title("What to discard, and what it wins over the second best, points", pad=50)
    ax.set_xlabel("Queens, Cavaliers and Valets dealt to the dealer")
    ax.set_ylabel("lengths of the two shortest suits without King (3+: none shorter)")
    foot(figure, f"No cell: fewer than {FEW} deals. {told}")
    return ax


def _cell(x: int, y: int, colour: str, separated: bool) -> Rectangle:
    return Rectangle(
        (x - 0.48, y - 0.48),
        *(0.96, 0.96),
        facecolor=colour if separated else NOT_SEPARATED,
        edgecolor=colour,
        linewidth=2,
    )


@styled
def choices_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw by trick what playing the Pagat wins or costs, a panel for each situation."""
    figure = new_figure(LANDSCAPE)
    panels = figure.subplots(2, 3, sharex=True, sharey="row")
    for ax, situation, (colour, marker) in zip(panels.flat, SITUATIONS, LOOKS, strict=False):
        some = table[table.situation == situation]
        _upright(ax, some.trick, some, colour, marker)
        ax.set_title(situation, fontsize=11.5)
        ax.tick_params(labelbottom=True)
        ax.set_xlabel("trick")
        if some.empty:
            ax.text(0.5, 0.6, "too few deals", transform=ax.transAxes, ha="center")
            ax.update_datalim([(1, -1), (1, 1)])  # a scale for a row of such panels
    first = panels[0, 0]
    first.set_xlim(0.5, max(table.trick, default=15) + 0.5)
    first.xaxis.set_major_locator(MaxNLocator(integer=True))
    words = panels[1, 2]
    words.set_axis_off()
    words.text(
        *(0.05, 0.95),
        "above 0: play it\nbelow 0: keep it\nthe bar reaches 0: not known\n\n"
        "first to trump: a plain suit was led,\nand no trump lies on it\n\n"
        f"tricks of fewer than {FEW} chances\nare left out",
        transform=words.transAxes,
        va="top",
        linespacing=1.4,
    )
    figure.supylabel("points a hand: the Pagat played now less kept")
    _headline(figure, "To play the Pagat or to keep it")
    foot(figure, told)
    return first


def _headline(figure: Figure, told: str) -> None:
    figure.suptitle(told, weight="bold", size=15, x=0.01, ha="left")


@styled
def leads_chart(openings: pd.DataFrame, leads: pd.DataFrame, told: str) -> Axes:
    """Draw what kinds of the first lead, and ways to lead always, win or cost. Returns an Axes."""
    figure = new_figure(LANDSCAPE)
    upper, lower = figure.subplots(2, height_ratios=(len(OPENINGS), len(leads)))
    _bars(upper, openings.opening.tolist(), openings)
    _bars(lower, [LEAD_WORDS.get(name, name) for name in leads.part], leads)
    upper.set_title("The first lead: a card of this kind rather than the policy's own choice")
    lower.set_title("Every lead of a side by one rule rather than the policy's own choice")
    lower.set_xlabel("points a hand (filled: not 0)")
    foot(figure, told)
    return lower


@styled
def hiding_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw what a side wins or loses by hiding its combinations. Returns the Axes."""
    figure = new_figure(LANDSCAPE)
    ax = figure.subplots()
    names = [
        f"declares nothing under {part[len('hide(threshold=') : -1]} points"
        if part != "nothing"
        else "never declares"
        for part in table.part.tolist()
    ]
    _bars(ax, names, table)
    ax.set_title("To declare or to hide")
    ax.set_xlabel("points a hand over the policy as it declares (filled: not 0)")
    foot(figure, told)
    return ax


def _bars(ax: Axes, names: list[str], table: pd.DataFrame) -> None:
    """A row for each name: mean, interval, number; filled where 0 is left out."""
    for y, row in enumerate(table.to_dict("records")):
        mean, low, high = row["mean"], row["low"], row["high"]
        draw_interval(ax, y, (mean, low, high), filled=row["separated"])
        ax.annotate(
            f"{mean:+.2f} ± {high - mean:.2f}",
            (mean, y),
            xytext=(0, 9),
            textcoords="offset points",
            ha="center",
            fontsize=9.5,
        )
    zero_line(ax)
    name_rows(ax, names)
    ax.margins(x=0.12)


@styled
def trumps_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw what each numbered trump breaks, makes, and is worth exchanged. Returns an Axes."""
    figure = new_figure(LANDSCAPE)
    left, right = figure.subplots(1, 2)
    looks = {
        "breaking": (VERMILION, "D", "taken from the other side's Grande"),
        "making": (BLUE, "o", "added to one's own Grande"),
    }
    for what, look in looks.items():
        some = table[table.what == what]
        _upright(left, some.card, some, *look)
    some = table[table.what == "exchanged"]
    _upright(right, some.card, some, GREEN, "s")
    left.legend()
    left.set_title("In the pile, nothing replayed")
    left.set_ylabel("points a hand")
    right.set_title("In hand, exchanged and replayed")
    right.set_ylabel("points a hand, rather than in an opponent's hand")
    _headline(figure, "What the middle trumps are worth, to break a Grande and otherwise")
    foot(figure, told)
    return left
