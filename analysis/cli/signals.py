"""The command that says what signals are worth."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from analysis.cli.charts import save_chart
from analysis.cli.options import (
    Chart,
    Cluster,
    Json,
    Level,
    Rules,
    Threads,
    count,
    rules_with_signals,
    say_if_compiling,
)


def signals(
    rules: Rules = "ottocento",
    signals: Annotated[
        str,
        typer.Option(
            metavar="all|a,b,…|FILE.toml", help="The signals to judge, in force together."
        ),
    ] = "all",
    policy: Annotated[
        str, typer.Option(metavar="SPEC", help="A policy that makes and uses signals.")
    ] = "expert",
    hands: Annotated[
        int, typer.Option(parser=count, metavar="N", help="For each pair, in blocks of 8.")
    ] = 20_000,
    told: Annotated[
        int, typer.Option(parser=count, metavar="N", help="Hands whose statements are counted.")
    ] = 40,
    seed: Annotated[
        int, typer.Option(parser=count, metavar="N", help="Of the random numbers.")
    ] = 1,
    threads: Threads = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    chart: Chart = None,
    as_json: Json = False,
) -> None:
    """What signals are worth in points, and what they tell in bits.

    A side that signals plays the same deals against one that does not: with all signals, with each
    alone, with each left out. The intervals of all these points hold together.
    """
    from analysis.signal_worth import signal_worth

    rule_set = rules_with_signals(rules, signals)
    say_if_compiling()
    found = signal_worth(
        rule_set,
        policy,
        hands,
        told_hands=told,
        seed=seed,
        level=level,
        threads=threads,
        progress=True,
    )
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        from analysis.cli.show_signals import show_signals

        show_signals(found)
    if chart is not None:
        from analysis.signal_charts import signals_chart

        save_chart(signals_chart(found.table(), found.told), chart, as_json)
