"""Tables on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from analysis.frequencies import Summary
from analysis.reader import ROLES
from sim.cards import format_cards
from sim.combinations import Score

# Wide enough for the tables where the output is no terminal.
WIDTH = 100


def _console() -> Console:
    console = Console(highlight=False, markup=False)
    return console if console.is_terminal else Console(width=WIDTH, highlight=False, markup=False)


def _table(title: str, *columns: str) -> Table:
    table = Table(
        title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i else "left")
    return table


def _percent(row: Mapping[Any, Any]) -> str:
    return f"{100 * row['mean']:.2f} ({100 * row['low']:.2f}–{100 * row['high']:.2f})"


def _points(row: Mapping[Any, Any]) -> str:
    return f"{row['mean']:.2f} ({row['low']:.2f} to {row['high']:.2f})"


def show_summary(summary: Summary, directory: Path | None, charts: list[Path]) -> None:
    """Print the tables of a summary: rules and policies first, then each table with intervals."""
    console, manifest = _console(), summary.manifest
    specs = list(dict.fromkeys(manifest.specs))
    told = specs[0] if len(specs) == 1 else ", ".join(manifest.specs) + " (seats 0 to 3)"
    console.print(
        f"{manifest.rules.name}: {summary.hands:,} hands, seed {manifest.seed}, policy {told}"
    )
    level = f"{100 * summary.level:g} %"
    console.print(f"In brackets: {level} intervals, each on its own.")
    tables = summary.tables
    if "combinations" in tables:
        console.print(_declarations(tables["combinations"]))
    if "scores" in tables and len(tables["scores"]):
        console.print(_scores(tables["scores"]))
    for name, card in (("pagat", "Pagat"), ("fool", "Fool")):
        if name in tables:
            console.print(_where_it_went(tables[name], card))
    for note in summary.notes:
        console.print(note)
    if directory is not None:
        console.print(f"Run: {directory}")
    for chart in charts:
        console.print(f"Chart: {chart}")


def _declarations(frequencies: pd.DataFrame) -> Table:
    table = _table("Declared, % of hands", "combination", *ROLES)
    declared = frequencies[frequencies.what == "declared"]
    for combination, rows in declared.groupby("combination", sort=False):
        by_role = rows.set_index("role").to_dict("index")
        table.add_row(str(combination), *(_percent(by_role[role]) for role in ROLES))
    return table


def _scores(scores: pd.DataFrame) -> Table:
    table = _table("Score, points a hand", "side", "mean")
    names = {
        "dealers": "the dealer's side",
        "others": "the other side",
        "difference": "the dealer's side minus the other",
    }
    for row in scores.to_dict("records"):
        table.add_row(names.get(row["who"], row["who"]), _points(row))
    return table


def _where_it_went(card: pd.DataFrame, name: str) -> Table:
    table = _table(
        f"Where the {name} went", "held by", "% of hands", "kept by his side, %", "trick (from 0)"
    )
    for role, rows in card.groupby("role", sort=False):
        by_what = rows.set_index("what").to_dict("index")
        show = {"held": _percent, "kept": _percent, "trick": _points}
        cells = (show[what](by_what[what]) if what in by_what else "–" for what in show)
        table.add_row(str(role), *cells)
    return table


def show_score(scored: Score) -> None:
    """Print the combinations and card points of a set of cards."""
    console = _console()
    console.print(format_cards(scored.cards, scored.rules.cards) or "no cards")
    if scored.rules.combinations:
        table = _table(scored.rules.name, "combination", "cards", "points")
        for kind, cricca in scored.cricche.items():
            table.add_row(kind, str(cricca.cards), str(cricca.points))
        if scored.cricche:
            table.add_row(_sum("cricche", len(scored.cricche)), "", str(scored.cricche_points))
        for kind, sequence in scored.sequences.items():
            table.add_row(kind, str(sequence.length), str(sequence.points))
        if scored.sequences:
            table.add_row(_sum("sequences", len(scored.sequences)), "", str(scored.sequence_points))
        table.add_section()
        table.add_row("total", "", str(scored.cricche_points + scored.sequence_points))
        console.print(table)
    console.print(f"card points: {scored.card_points:g}")


def _sum(what: str, n: int) -> str:
    return f"{what}, doubled" if n >= 3 else what
