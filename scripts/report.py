"""The benchmark's figures as a JSON file, a chart, and the table of the README."""

from __future__ import annotations

import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from peers import ABSENT, IN_C, PEERS

from analysis import charts
from sim.records import replace_file

ROOT = Path(__file__).parents[1]
PUBLISHED = Path("data/results/bench.json")  # whose figures the README shows
OPENS, CLOSES = "<!-- Written by scripts/bench. -->\n", "<!-- End. -->\n"
# Our figures that are shown: whole hands, then deals.
PLAYING = {
    "ottocento: random": "tarocchino: `random`",
    "ottocento: simple": "tarocchino: `simple`",
    "deal and play": "tarocchino: `random`, no combinations",
}
DEALING = {"deal": "tarocchino: deals only"}
# By policy.
DISK = {policy: f"ottocento: {policy}, to Parquet" for policy in ("random", "simple")}
OURS, YARDSTICK, THEIRS = "tarocchino", "yardstick in C", "other programs"
LOOKS = {
    OURS: (charts.BLUE, "o"),
    YARDSTICK: (charts.GREEN, "^"),
    THEIRS: (charts.VERMILION, "s"),
}


def write(results: dict[str, Any], path: Path) -> None:
    """Write the figures to a JSON file, a chart beside it, and, if published, the README's table.

    Raises OSError if a file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_text(path, json.dumps(results, indent=1) + "\n")
    charts.save(chart(results), path.with_suffix(""))
    if path.resolve() == ROOT / PUBLISHED:
        readme = ROOT / "README.md"
        _write_text(readme, in_readme(readme.read_text("utf-8"), results))


def _write_text(path: Path, text: str) -> None:
    replace_file(path, lambda temporary: temporary.write_text(text, "utf-8"))


def in_readme(text: str, results: dict[str, Any]) -> str:
    """The README's text with these figures between its two marks."""
    marked = re.compile(re.escape(OPENS) + ".*" + re.escape(CLOSES), re.DOTALL)
    return marked.sub(lambda _: OPENS + table(results) + CLOSES, text)


def groups(results: dict[str, Any]) -> list[list[tuple[str, str, str]]]:
    """Whole hands, then deals, the fastest first: of each, figure, label, and whose it is."""
    found = []
    for ours in (PLAYING, DEALING):
        rows = [(name, label, OURS) for name, label in ours.items()]
        for name, compared in results["compared"].items():
            if compared["with"] in ours:
                rows.append((name, name, YARDSTICK if name == IN_C else THEIRS))
        found.append(sorted(rows, key=lambda row: results["figures"][row[0]]["ns"]))
    return found


def table(results: dict[str, Any]) -> str:
    """The figures in Markdown: ratios, the machine, all cores, and a hand by stage."""
    figures, compared, versions = (results[key] for key in ("figures", "compared", "versions"))
    lines = ["| on one core | hands/s | our speed ÷ theirs |", "|---|---:|---:|"]
    for name, label, whose in chain(*groups(results)):
        speed = _short(figures[name]["hands_per_second"])
        if whose == OURS:
            lines.append(f"| **{label}** | **{speed}** | |")
        else:
            lines.append(f"| {label} | {speed} | {_short(compared[name]['times'], 2)} |")
    present = ["python", "numba", *(p for p in PEERS if versions.get(p, ABSENT) != ABSENT)]
    absent = [package for package in PEERS if versions.get(package) == ABSENT]
    machine = results["machine"]
    lines += [
        "",
        f"Measured on {machine['cores']} cores of type {machine['processor']}, medians of "
        f"{results['rounds']} rounds, with "
        + ", ".join(f"{name} {versions[name]}" for name in present)
        + "."
        + (f" Not installed there: {', '.join(absent)}." if absent else ""),
        "",
        "| ns a hand, by stage | " + " | ".join(results["profile"]["random"]) + " |",
        "|---" * (1 + len(results["profile"]["random"])) + "|",
    ]
    for policy, stages in results["profile"].items():
        lines.append(f"| `{policy}` | " + " | ".join(f"{ns:.0f}" for ns in stages.values()) + " |")
    to_disk = [
        f"{_short(figures[name]['hands_per_second'])} with `{policy}`"
        for policy, name in DISK.items()
    ]
    threads = figures[DISK["random"]]["threads"]
    lines += [
        "",
        f"From the deal to all columns on disk, hands a second on {threads} threads: "
        f"{', '.join(to_disk)}.",
    ]
    return "\n".join(lines) + "\n"


def _short(number: float, digits: int = 3) -> str:
    """A number to so many significant digits, thousands set off."""
    rounded = float(f"{number:.{digits}g}")
    return f"{int(rounded):,}" if rounded.is_integer() else f"{rounded:g}"


@charts.styled
def chart(results: dict[str, Any]) -> Figure:
    """Hands a second on one core, ours and the peers', with the range of the rounds."""
    ax = charts.axes()
    figure = ax.get_figure(root=True)
    assert figure is not None
    playing, dealing = groups(results)
    rows = playing + dealing
    y = np.arange(len(rows)) + 0.7 * (np.arange(len(rows)) >= len(playing))
    ns = np.array([results["figures"][name]["ns"] for name, _, _ in rows])
    ns_range = np.array([results["figures"][name]["ns_range"] for name, _, _ in rows])
    speed, fastest, slowest = 1e9 / ns, 1e9 / ns_range[:, 0], 1e9 / ns_range[:, 1]
    for whose, (colour, marker) in LOOKS.items():
        of = np.array([row[2] == whose for row in rows])
        if of.any():
            ax.errorbar(
                speed[of],
                y[of],
                xerr=[(speed - slowest)[of], (fastest - speed)[of]],
                linestyle="none",
                color=colour,
                marker=marker,
                markersize=8,
                markerfacecolor="white",
                markeredgewidth=1.5,
                elinewidth=1,
                capsize=2.5,
                capthick=1,
                barsabove=True,  # the range may be narrower than the marker
                label=whose,
            )
    for each, right, at in zip(speed, fastest, y, strict=True):
        ax.annotate(
            _short(each), (right, at), xytext=(10, -1), textcoords="offset points", va="center"
        )
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_xlim(slowest.min() / 1.5, fastest.max() * 5)
    ax.set_ylim(y[-1] + 0.6, -0.6)
    ax.set_yticks(y, [label.replace("`", "") for _, label, _ in rows])
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    ax.set_title("Hands a second on one core", pad=30)
    ax.set_xlabel(
        f"log scale; marker: median of {results['rounds']} rounds; bar: slowest to fastest round"
    )
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(LOOKS), borderaxespad=0.3)
    return figure
