"""Charts of what cards are worth, and of the Pagat: functions that draw on an Axes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from analysis.charts import (
    BLUE,
    GREEN,
    LOOKS,
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
from analysis.estimates import Estimate
from analysis.interval_text import with_half_width
from analysis.pagat import Pagat
from analysis.pagat_fate import FOOL_AT, Cell, cells
from analysis.totals import FEW
from sim.conditions import ROLES

A3 = 11.69, 16.54  # inches
GREY = "#bbbbbb"
LOST = "////"  # on bars, for prints without colour
# The least shown is white, the most light enough for black text.
COLOURS = LinearSegmentedColormap.from_list("worth", ["white", SKY])


@styled
def pagat_chart(found: Pagat) -> Axes:
    """Draw all charts on one page of A3, with a caption of what was played at its foot.

    Returns the last Axes; ``figure`` saves the page.
    """
    figure = new_figure(A3)
    grid = figure.add_gridspec(5, 2, height_ratios=(8, 5.5, 7.5, 2.8, 2.8))
    card_values(found, figure.add_subplot(grid[0, 0]))
    moved_values(found, figure.add_subplot(grid[0, 1]))
    price_parts(found, figure.add_subplot(grid[1, 0]))
    survival(found, figure.add_subplot(grid[1, 1]))
    kept_by_trumps(found, figure.add_subplot(grid[2, 0]))
    fates(found, figure.add_subplot(grid[2, 1]))
    price_map(found, figure.add_subplot(grid[3, :]))
    last = kept_map(found, figure.add_subplot(grid[4, :]))
    specs = list(dict.fromkeys(found.specs))
    policies = f"policy {specs[0]}" if len(specs) == 1 else f"policies {', '.join(found.specs)}"
    foot(
        figure,
        f"Rules {found.rules.name} · {policies} · {found.exchanges.opponents.n:,} deals for cards "
        f"exchanged, {found.moved.effects.n:,} for cards moved, {found.price.fate.hands:,} for "
        f"the Pagat · seed {found.seed} · intervals {100 * found.level:.4g} %: of cards, and of "
        "parts, all together (max-|t|), others each on its own",
    )
    return last


@styled
def card_values(found: Pagat, ax: Axes) -> Axes:
    """Draw the exchange value of each group of cards with its interval. Returns the Axes."""
    values = {name: of["opponents"] for name, of in found.group_values.items()}
    _by_card(ax, values)
    ax.set_title("What a card is worth, exchanged and replayed")
    ax.set_xlabel("points a hand, in one's own hand rather than an opponent's")
    return ax


@styled
def moved_values(found: Pagat, ax: Axes) -> Axes:
    """Draw what each group's cards cost, moved at the end with nothing replayed.

    Returns the Axes.
    """
    _by_card(ax, {name: of["moved"] for name, of in found.group_values.items()})
    ax.set_title("In the pile, nothing replayed")
    ax.set_xlabel("points a hand, had it ended with the other side")
    return ax


def _by_card(ax: Axes, values: dict[str, Estimate]) -> None:
    """A row for each group of cards, the Pagat's stands out."""
    for y, (name, value) in enumerate(values.items()):
        colour = VERMILION if name == "Pagat" else BLUE
        ax.barh(y, value.mean, color=colour, alpha=0.35, height=0.7)
        draw_interval(ax, y, (value.mean, value.low, value.high), colour)
    zero_line(ax)
    name_rows(ax, list(values))


@styled
def price_parts(found: Pagat, ax: Axes) -> Axes:
    """Draw the parts of the Pagat's price as steps that add up to it. Returns the Axes."""
    parts = {name: of for name, of in found.parts.items() if of["value"].mean or of["value"].high}
    whole = parts.pop("all")
    looks: dict[str, dict[str, Any]] = {
        "static": {"color": SKY},
        "play": {"color": ORANGE, "hatch": "....", "edgecolor": "white", "linewidth": 0},
    }
    at, names = 0.0, []
    for y, (name, of) in enumerate(parts.items()):
        for kind, look in looks.items():
            ax.barh(y, of[kind].mean, left=at, height=0.7, **look)
            at += of[kind].mean
        _end(ax, at, y, of["value"])
        ax.plot([at, at], [y, y + 1], color="#888888", linewidth=0.8, linestyle="dotted")
        names.append(name.replace("_", " "))
    left = 0.0
    for kind, label in (("static", "counted again"), ("play", "by other play")):
        ax.barh(len(parts), whole[kind].mean, left=left, height=0.7, label=label, **looks[kind])
        left += whole[kind].mean
    _end(ax, at, len(parts), whole["value"])
    name_rows(ax, [*names, "all"])
    ax.margins(x=0.22)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.3)
    ax.set_title("Where the Pagat's price comes from", pad=30)
    ax.set_xlabel("points a hand; each part starts where the one above it ends")
    return ax


def _end(ax: Axes, at: float, y: int, value: Estimate) -> None:
    """The interval at the end of a bar, and the part's points in words."""
    half = value.high - value.mean
    ax.errorbar(at, y, xerr=half, color="black", elinewidth=1.2, capsize=3)
    ax.annotate(
        with_half_width(value),
        (at + half, y),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        fontsize=9,
    )


@styled
def kept_by_trumps(found: Pagat, ax: Axes) -> Axes:
    """Draw how often the Pagat is kept by trumps beside it and holder's role, with bands.

    Returns the Axes.
    """
    by_role = cells(found.price.fate.by_role, found.level)
    for i, role in enumerate(ROLES):
        told = {at[1]: cell.kept for at, cell in by_role.items() if at[0] == i and cell.n >= FEW}
        colour, marker = LOOKS[role]
        _band(ax, [*told], [*told.values()], colour, marker, role)
    ax.set_title("How often its holder's side keeps the Pagat")
    ax.set_xlabel(f"trumps dealt beside it (hands of {FEW} deals or more)")
    _percent_axis(ax)
    return ax


@styled
def survival(found: Pagat, ax: Axes) -> Axes:
    """Draw by trick how often the Pagat is in hand, and not caught so far. Returns the Axes."""
    both = found.price.fate.survival(found.level)
    tricks = range(1, len(both) + 1)
    _band(ax, tricks, [safe for _, safe in both], BLUE, "o", "not caught so far")
    _band(ax, tricks, [held for held, _ in both], GREEN, "^", "still in its holder's hand")
    ax.set_title("The Pagat after each trick")
    ax.set_xlabel("trick")
    _percent_axis(ax)
    return ax


def _band(
    ax: Axes, x: Sequence[int], values: list[Estimate], colour: str, marker: str, label: str
) -> None:
    """A line in percent with its intervals as a band."""
    mean, low, high = (
        [100 * getattr(value, end) for value in values] for end in ("mean", "low", "high")
    )
    ax.fill_between(x, low, high, color=colour, alpha=0.25, linewidth=0)
    ax.plot(x, mean, color=colour, marker=marker, markersize=5, label=label)


def _percent_axis(ax: Axes) -> None:
    ax.set_ylim(0, 102)
    ax.yaxis.set_major_formatter("{x:g} %")
    ax.set_ylabel("share of hands")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y")
    ax.legend(loc="best")


@styled
def fates(found: Pagat, ax: Axes) -> Axes:
    """Draw how the Pagat goes, kept or lost, with intervals. Returns the Axes."""
    shares = found.price.fate.shares(found.level)
    for y, (name, share) in enumerate(shares.items()):
        lost = "caught" in name or "changed" in name
        mean, low, high = (100 * end for end in (share.mean, share.low, share.high))
        ax.barh(
            *(y, mean),
            color=VERMILION if lost else SKY,
            hatch=LOST if lost else None,
            edgecolor="white",
            linewidth=0,
            height=0.7,
        )
        ax.errorbar(
            mean, y, xerr=[[mean - low], [high - mean]], color="black", elinewidth=1.2, capsize=3
        )
    name_rows(ax, [textwrap.fill(name, 24) for name in shares])
    ax.tick_params(axis="y", labelsize=9)
    ax.xaxis.set_major_formatter("{x:g} %")
    ax.set_title("How the Pagat goes")
    ax.set_xlabel("share of hands (hatched: lost)")
    return ax


@styled
def price_map(found: Pagat, ax: Axes) -> Axes:
    """Draw the Pagat's price by trumps beside it and who has the Fool. Returns the Axes.

    Cells of fewer hands than ``FEW`` are grey.
    """
    return _map(found, ax, "price", 1, "Price of the Pagat, points")


@styled
def kept_map(found: Pagat, ax: Axes) -> Axes:
    """Draw how often the Pagat is kept, as ``price_map``. Returns the Axes."""
    return _map(found, ax, "kept", 100, "Kept by its holder's side, %")


def _map(found: Pagat, ax: Axes, what: str, scale: int, title: str) -> Axes:
    told = cells(found.price.fate.by_fool, found.level)
    shown = {at: _ends(cell, what, scale) for at, cell in told.items() if cell.n >= FEW}
    columns = range(1 + max(beside for _, beside in told))
    means = [mean for mean, _ in shown.values()] or [0.0]
    least, spread = min(means), max(means) - min(means) or 1.0
    colours: NDArray[np.float64] = np.full((len(FOOL_AT), len(columns), 3), to_rgb(GREY))
    for at, (mean, half) in shown.items():
        colours[at] = COLOURS((mean - least) / spread)[:3]
        ax.text(
            at[1],
            at[0],
            f"{mean:.1f}\n± {half:.1f}",
            ha="center",
            va="center",
            fontsize=8.5,
        )
    ax.imshow(colours, aspect="auto")
    ax.set_xticks(columns)
    ax.set_yticks(range(len(FOOL_AT)), FOOL_AT)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_ylabel("who has the Fool")
    ax.set_xlabel(f"trumps dealt beside it (grey: fewer than {FEW} deals)")
    ax.set_title(title)
    return ax


def _ends(cell: Cell, what: str, scale: int) -> tuple[float, float]:
    """Mean and the longer half of the interval."""
    value: Estimate = getattr(cell, what)
    return scale * value.mean, scale * max(value.high - value.mean, value.mean - value.low)
