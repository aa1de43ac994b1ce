"""The command that makes the charts a player would print."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from analysis.cli.options import Cluster, Level, Rules, Threads, count, say_if_compiling


def charts(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder: new, empty, or of such charts.")
    ],
    policy: Annotated[str, typer.Option(metavar="SPEC", help="Of all seats.")] = "expert",
    rules: Rules = "ottocento",
    hands: Annotated[
        int,
        typer.Option(parser=count, metavar="N", help="For each comparison of a chart, about."),
    ] = 100_000,
    seed: Annotated[
        int, typer.Option(parser=count, metavar="N", help="Of the random numbers.")
    ] = 1,
    threads: Threads = None,
    cluster: Cluster = None,
    level: Level = 0.95,
) -> None:
    """Strategy charts to print, with their tables.

    Each is PNG and SVG, its table CSV, and one PDF has them all.

    What to discard, the price of the Pagat and when to play it, what cards are worth, what to lead,
    whether to declare, which policies and habits win. Every chart has its intervals.
    """
    from analysis.chart_folder import check_folder, write_charts
    from analysis.strategy_pages import left_out, strategy_pages
    from sim.hands import LARGEST_SEED
    from sim.policies.spec import parse_policy
    from sim.rules import load_rules

    rule_set, base = load_rules(rules or "ottocento"), parse_policy(policy)
    if hands < 1000:
        raise typer.BadParameter(f"{hands} hands: expected 1000 or more")
    if not 0 <= seed <= LARGEST_SEED:
        raise typer.BadParameter(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    check_folder(out)
    say_if_compiling()
    pages = strategy_pages(
        base, rule_set, hands, seed=seed, level=level, threads=threads, progress=True
    )
    write_charts(out, pages)
    for told in left_out(base, rule_set):
        print(f"Left out: {told}.", file=sys.stdout)
