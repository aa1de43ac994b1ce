"""Tables on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

from analysis.cli.tables import new_console, new_table
from analysis.estimates import proportion
from analysis.frequencies import Summary
from analysis.interval_text import percent_with_ends, with_ends
from sim.cards import format_cards
from sim.combinations import Score
from sim.conditions import ROLES


def _percent(row: Mapping[Any, Any]) -> str:
    return percent_with_ends(row["mean"], row["low"], row["high"])


def _points(row: Mapping[Any, Any]) -> str:
    return with_ends(row["mean"], row["low"], row["high"])


def show_summary(summary: Summary, directory: Path | None) -> None:
    """Print the tables of a summary: rules and policies first, then each table with intervals."""
    console = new_console()
    _show_head(summary, console)
    tables = summary.tables
    if "combinations" in tables:
        frequencies = tables["combinations"]
        declared = frequencies[frequencies.what == "declared"]
        console.print(_by_combination("Declared, % of hands", declared))
    if "scores" in tables and len(tables["scores"]):
        console.print(_scores(tables["scores"]))
    for name, card in (("pagat", "Pagat"), ("fool", "Fool")):
        if name in tables:
            console.print(_where_it_went(tables[name], card))
    _show_end(summary, directory, console)


def _show_head(summary: Summary, console: Console) -> None:
    manifest = summary.manifest
    specs = list(dict.fromkeys(manifest.specs))
    told = f"policy {specs[0]}"
    if len(specs) > 1:
        told = f"policies {', '.join(manifest.specs)} (seats 0 to 3)"
    console.print(f"{manifest.rules.name}: {summary.hands:,} hands, seed {manifest.seed}, {told}")
    if summary.conditions:
        console.print(f"{summary.conditions[0].upper()}{summary.conditions[1:]}.")
    level = f"{100 * summary.level:g} %"
    console.print(f"In brackets: {level} intervals, each on its own.")


def _show_end(summary: Summary, directory: Path | None, console: Console) -> None:
    for note in summary.notes:
        console.print(note)
    if directory is not None:
        console.print(f"Run: {directory}", soft_wrap=True)  # a path to copy


def show_frequencies(summary: Summary, directory: Path | None) -> None:
    """Print the tables of ``frequencies``: held, declared, captured, inside tricks, points."""
    console, tables = new_console(), summary.tables
    _show_head(summary, console)
    if "combinations" in tables:
        by_role, pooled = tables["combinations"], tables["pooled"]
        for what in ("held", "declared"):
            title = f"{what.capitalize()}, % of hands"
            console.print(_by_combination(title, by_role[by_role.what == what]))
        named = pooled.assign(role=pooled.what + ", " + pooled.role)
        console.print(_by_combination("Several seats together, % of their hands", named))
    if "by_policy" in tables:
        for policy, rows in tables["by_policy"].groupby("policy", sort=False):
            title = f"Declared by {policy}, % of its hands"
            console.print(_by_combination(title, rows[rows.what == "declared"]))
    if "declared_points" in tables:
        console.print(_declared_points(summary))
    if "captured" in tables:
        console.print(_by_combination("In the pile at the end, % of hands", tables["captured"]))
    in_tricks = [tables[name] for name in ("in_tricks", "any_in_tricks") if name in tables]
    if in_tricks:
        title = "Inside a trick the side won, % of hands"
        console.print(_by_combination(title, pd.concat(in_tricks)))
    _show_end(summary, directory, console)


def _by_combination(title: str, frequencies: pd.DataFrame) -> Table:
    roles = [*dict.fromkeys(frequencies.role)]
    table = new_table(title, "combination", *map(str, roles))
    for combination, rows in frequencies.groupby("combination", sort=False):
        by_role = rows.set_index("role").to_dict("index")
        table.add_row(str(combination), *(_percent(by_role[role]) for role in roles))
    return table


def _declared_points(summary: Summary) -> Table:
    """Mean, and the share of hands in steps of points."""
    table = new_table("Points declared: mean, and % of hands with so many", "", *ROLES)
    means = summary.tables["declared_mean"].to_dict("records")
    if means:
        ends = (with_ends(row["mean"], row["low"], row["high"], between="–") for row in means)
        table.add_row("mean", *ends)
    for least in (1, 20, 50, 100, 150, 200):
        events = summary.counts["declared_points"][:, least:].sum(axis=1)
        shares = (proportion(some, summary.hands, summary.level).to_dict() for some in events)
        table.add_row(f"{least} or more", *map(_percent, shares))
    return table


def _scores(scores: pd.DataFrame) -> Table:
    table = new_table("Score, points a hand", "side", "mean")
    names = {
        "dealers": "the dealer's side",
        "others": "the other side",
        "difference": "the dealer's side minus the other",
    }
    for row in scores.to_dict("records"):
        table.add_row(names.get(row["who"], row["who"]), _points(row))
    return table


def _where_it_went(card: pd.DataFrame, name: str) -> Table:
    table = new_table(
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
    console = new_console()
    console.print(format_cards(scored.cards, scored.rules.cards) or "no cards")
    if scored.rules.combinations:
        table = new_table(scored.rules.name, "combination", "cards", "points")
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
