"""Strategy charts drawn from their tables, each on a page of A4."""

from __future__ import annotations

import textwrap
from typing import Any, cast

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis import strategy_tables
from analysis.charts import BLUE, GREEN, ORANGE, SKY, VERMILION, styled
from analysis.forced_cards import OPENINGS, SITUATIONS
from analysis.strategy_tables import DISCARDS, MOST_COURTS, SUITS

A4 = 8.27, 11.69
DISCARD_COLOURS = dict(zip(DISCARDS, (SKY, ORANGE, "#8fd3b6"), strict=True))
LOOKS = dict(
    zip(SITUATIONS, ((BLUE, "o"), (VERMILION, "D"), (GREEN, "^"), (ORANGE, "s")), strict=True)
)


@styled
def price_chart(table: pd.DataFrame, ax: Axes) -> Axes:
    """Draw the Pagat's price by trumps beside it, of ``pagat_prices``. Returns the Axes."""
    prices = table[table.what == "price"]
    _errors(ax, prices.beside, prices, BLUE, "o", "")
    ax.axhline(0, color="#888888", linewidth=1)
    ax.grid(axis="y")
    ax.set_title("What the Pagat is worth")
    ax.set_xlabel("trumps dealt beside it")
    ax.set_ylabel("points a hand, rather than in an opponent's hand")
    return ax


def _errors(ax: Axes, x: Any, table: pd.DataFrame, colour: str, marker: str, label: str) -> None:
    """Means with intervals, upright."""
    ax.errorbar(x, table["mean"], yerr=[table["mean"] - table.low, table.high - table["mean"]],
                color=colour, marker=marker, markersize=6, markerfacecolor="white",
                elinewidth=1.5, capsize=3, label=label)  # fmt: skip


@styled
def landscape() -> tuple[Figure, Axes]:
    """An empty page of A4 on its side, and its Axes."""
    figure = Figure(figsize=A4[::-1], layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots()


def foot(figure: Figure, told: str) -> None:
    """A caption at the foot of a page."""
    figure.supxlabel(
        textwrap.fill(told, 165), x=0.01, ha="left", fontsize=9, color="#555555", parse_math=False
    )


@styled
def discards_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw the best discard by kind of hand, cells hatched where it is not separated."""
    figure, ax = landscape()
    digits = 0 if table["mean"].max() >= 20 else 1  # games without combinations score less
    for row in table.itertuples():
        x, y = int(str(row.courts).rstrip("+")), SUITS.index(str(row.suits))
        ax.add_patch(_cell(x, y, DISCARD_COLOURS[str(row.best)], bool(row.separated)))
        words = f"{row.best}\n{row.mean:+.{digits}f} ± {row.high - row.mean:.{digits}f}"  # type: ignore[operator]
        words += "" if row.separated else f"\n(or {row.second})"
        ax.text(x, y, words, ha="center", va="center", fontsize=10, linespacing=1.3)
    ax.set_xlim(-0.5, MOST_COURTS + 0.5)
    ax.set_ylim(len(SUITS) - 0.5, -0.5)
    ax.set_xticks(range(MOST_COURTS + 1), [*map(str, range(MOST_COURTS)), f"{MOST_COURTS}+"])
    ax.set_yticks(range(len(SUITS)), SUITS)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title("What to discard, and what it wins over the second best, points")
    ax.set_xlabel("Queens, Cavaliers and Valets dealt to the dealer")
    ax.set_ylabel("lengths of the two shortest suits without King (3+: none shorter)")
    foot(
        figure,
        "Grey, and in brackets the second best: not separated. No cell: fewer than "
        f"{strategy_tables.FEW} deals. {told}",
    )
    return ax


def _cell(x: int, y: int, colour: str, separated: bool) -> Rectangle:
    return Rectangle(
        (x - 0.48, y - 0.48), 0.96, 0.96, facecolor=colour if separated else "#e4e4e4",
        edgecolor=colour, linewidth=2,
    )  # fmt: skip


@styled
def choices_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw by trick what playing the Pagat wins or costs, a panel for each situation."""
    figure = Figure(figsize=A4[::-1], layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for ax, situation in zip(panels.flat, SITUATIONS, strict=True):
        some = table[table.situation == situation]
        colour, marker = LOOKS[situation]
        _errors(ax, some.trick, some, colour, marker, situation)
        ax.axhline(0, color="#888888", linewidth=1)
        ax.grid(axis="y")
        ax.set_title(situation)
        if some.empty:
            ax.text(0.5, 0.6, "too few deals", transform=ax.transAxes, ha="center")
    for ax in panels[1]:
        ax.set_xlabel("trick")
    figure.supylabel("points a hand: the Pagat played now less kept (below 0: keep it)")
    figure.suptitle("To play the Pagat or to keep it", weight="bold", size=15)
    foot(figure, told)
    return cast("Axes", panels[1, 0])


@styled
def leads_chart(openings: pd.DataFrame, leads: pd.DataFrame, told: str) -> Axes:
    """Draw what kinds of the first lead, and ways to lead always, win or cost. Returns an Axes."""
    figure = Figure(figsize=A4[::-1], layout="constrained")
    FigureCanvasAgg(figure)
    upper, lower = figure.subplots(2, height_ratios=(len(OPENINGS), len(leads)))
    _bars(upper, openings.opening.tolist(), openings)
    _bars(lower, [f"lead:{name}" for name in leads.part], leads)
    upper.set_title("The first lead, another than the policy's own")
    lower.set_title("Every lead of a side by another rule")
    lower.set_xlabel("points a hand over the policy as it is (filled: not 0)")
    foot(figure, told)
    return lower


@styled
def hiding_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw what a side wins or loses by hiding its combinations. Returns the Axes."""
    figure, ax = landscape()
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
        ax.errorbar(row["mean"], y, xerr=[[row["mean"] - row["low"]], [row["high"] - row["mean"]]],
                    color=BLUE, marker="o", markersize=7, elinewidth=1.8, capsize=4,
                    markerfacecolor=BLUE if row["separated"] else "white")  # fmt: skip
        ax.annotate(
            f"{row['mean']:+.2f} ± {row['high'] - row['mean']:.2f}",
            (row["mean"], y),
            xytext=(0, 9),
            textcoords="offset points",
            ha="center",
            fontsize=9.5,
        )
    ax.axvline(0, color="#888888", linewidth=1)
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    ax.margins(x=0.12)


@styled
def trumps_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw what each numbered trump breaks, makes, and is worth exchanged. Returns an Axes."""
    figure = Figure(figsize=A4[::-1], layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    looks = {
        "breaking": (VERMILION, "D", "taken from the other side's Grande"),
        "making": (BLUE, "o", "added to one's own Grande"),
    }
    for what, (colour, marker, label) in looks.items():
        some = table[table.what == what]
        _errors(left, some.card, some, colour, marker, label)
    some = table[table.what == "exchanged"]
    _errors(right, some.card, some, GREEN, "s", "")
    left.legend()
    for ax, title in ((left, "In the pile, nothing replayed"),
                      (right, "In hand, exchanged and replayed")):  # fmt: skip
        ax.axhline(0, color="#888888", linewidth=1)
        ax.grid(axis="y")
        ax.set_title(title)
        ax.set_ylabel("points a hand")
    foot(figure, told)
    return left
