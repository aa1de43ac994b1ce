"""Whole games on the terminal."""

from __future__ import annotations

from pathlib import Path

from analysis.cli.tables import new_console, new_table
from analysis.estimates import Estimate
from analysis.games import GamesSummary
from analysis.interval_text import percent_with_ends, with_ends

# Where games end and who wins them, as the tables tell it.
STAGES = {
    "declarations": "with the declarations",
    "tricks": "with the last trick",
    "count": "with the count",
    "hands": "with the last hand",
}
SIDES = {"first dealers": "the side that dealt first", "others": "the other side"}


def show_games(summary: GamesSummary, directory: Path | None) -> None:
    """Print what a run of games is, how long they are, where they end, and who wins them."""
    console, manifest = new_console(), summary.manifest
    specs = manifest.specs
    alike = len(set(specs)) == 1
    policies = f"policy {specs[0]}" if alike else f"policies {', '.join(specs)} (seats 0 to 3)"
    console.print(
        f"{manifest.rules.told}: {summary.games:,} games, seed {manifest.seed}, {policies}"
    )
    if summary.games < manifest.games:
        console.print(f"The run is unfinished: {summary.games:,} of {manifest.games:,} games.")
    console.print(f"In brackets: {100 * summary.level:g} % intervals, each on its own.")
    mean = summary.mean_length
    if mean is not None:
        console.print(f"Hands to a game: {with_ends(mean.mean, mean.low, mean.high, least=3)}")
    table = new_table("Hands to a game", "hands", "% of games")
    for hands, share in summary.length_shares.items():
        table.add_row(str(hands), _percent(share))
    console.print(table)
    table = new_table("Where games end", "", "% of games")
    for end, share in summary.end_shares.items():
        table.add_row(STAGES[end], _percent(share))
    console.print(table)
    table = new_table("Who wins", "", "% of games")
    for who, share in summary.win_shares.items():
        table.add_row(SIDES.get(who, who), _percent(share))
    console.print(table)
    if directory is not None:
        console.print(f"Run: {directory}", soft_wrap=True)  # a path to copy


def _percent(share: Estimate) -> str:
    return percent_with_ends(share.mean, share.low, share.high)
