"""What all charts share: colours, empty figures, rows of intervals, captions, and saving.

Nothing here uses pyplot. The look is in ``style.mplstyle``, over matplotlib's own defaults,
whatever the settings of the user.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sim.records import replace_file

# Of Okabe and Ito: told apart with every kind of colour blindness.
BLUE, ORANGE, GREEN, VERMILION, SKY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9"
LOOKS = {
    "eldest": (BLUE, "o"),
    "second": (ORANGE, "s"),
    "third": (GREEN, "^"),
    "dealer": (VERMILION, "D"),
    "dealers": (VERMILION, "D"),
    "others": (BLUE, "o"),
}
A4 = 8.27, 11.69  # inches
# Nothing in a file may tell when it was made.
METADATA: dict[str, dict[str, None]] = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}

styled = style.context(["default", str(Path(__file__).with_name("style.mplstyle"))])


@styled
def new_figure(size: tuple[float, float] | None = None) -> Figure:
    """An empty figure, so many inches wide and high, in the style of all charts."""
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


@styled
def axes(size: tuple[float, float] | None = None) -> Axes:
    """Empty axes on a figure of their own, in the style of all charts."""
    return new_figure(size).subplots()


def name_rows(
    ax: Axes, names: Sequence[str], at: Sequence[float] | NDArray[np.float64] = ()
) -> None:
    """Name rows down the left, the first on top: at 0, 1, 2, … unless ``at`` says where."""
    rows = at if len(at) else range(len(names))
    ax.set_yticks(rows, names)
    ax.set_ylim(rows[-1] + 0.5, rows[0] - 0.5)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")


def draw_interval(
    ax: Axes,
    y: float,
    ends: tuple[float, float, float],
    colour: str = BLUE,
    *,
    marker: str = "o",
    filled: bool = False,
) -> None:
    """A mean and its interval along a row: ``ends`` are the mean, the low and the high end."""
    mean, low, high = ends
    ax.errorbar(
        mean,
        y,
        xerr=[[mean - low], [high - mean]],
        color=colour,
        marker=marker,
        markersize=6,
        markerfacecolor=colour if filled else "white",
        elinewidth=1.5,
        capsize=4,
        zorder=3,
    )


def zero_line(ax: Axes) -> None:
    """A line where the points along a row are 0."""
    ax.axvline(0, color="#888888", linewidth=1)


def foot(figure: Figure, told: str) -> None:
    """A caption at the foot of the whole page, as wide as the figure."""
    figure.supxlabel(
        textwrap.fill(told, int(12.5 * figure.get_figwidth())),
        x=0.01,
        ha="left",
        fontsize=9,
        color="#555555",
        parse_math=False,
    )


def caption(ax: Axes, told: str, width: int = 110) -> None:
    """A sentence under the chart, so many letters to a line."""
    ax.annotate(
        textwrap.fill(told, width),
        (0, 0),
        xycoords="axes fraction",
        xytext=(0, -44),
        textcoords="offset points",
        va="top",
        fontsize=9,
        color="#555555",
        parse_math=False,
    )


def chart_files(path: str | Path) -> list[Path]:
    """The files that ``save`` makes for a path. Raises ValueError for no name or another suffix."""
    path = Path(path)
    if not path.name:
        raise ValueError(f"the chart {str(path)!r} has no name: expected a file")
    if path.suffix and path.suffix.lower() not in METADATA:
        raise ValueError(
            f"the chart {path} has the suffix {path.suffix}: expected {', '.join(METADATA)} or none"
        )
    return [path] if path.suffix else [path.with_suffix(".png"), path.with_suffix(".svg")]


@styled
def save(figure: Figure, path: str | Path) -> list[Path]:
    """Save a figure; the same figure gives the same bytes.

    Parameters
    ----------
    figure
        For example ``ax.figure``.
    path
        Ends with ``.png``, ``.svg`` or ``.pdf``; without a suffix, a PNG and an SVG are made.

    Returns
    -------
    list of Path
        The files written, each whole or not at all.

    Raises
    ------
    ValueError
        Another suffix.
    OSError
        The file cannot be written; ``strerror`` says which and why.
    """
    paths = chart_files(path)
    _settle(figure)
    for each in paths:
        suffix = each.suffix.lower()
        try:
            replace_file(
                each, partial(figure.savefig, format=suffix[1:], metadata=METADATA[suffix])
            )
        except OSError as error:
            told = f"the chart {each} cannot be written: {error.strerror}"
            raise OSError(error.errno, told) from None
    return paths


def _settle(figure: Figure) -> None:
    """Lay out for good, in round numbers: the solver's last digits are not the same each time."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for ax in figure.axes:
        x, y, width, height = np.round(ax.get_position().bounds, 5).tolist()
        ax.set_position((x, y, width, height))
