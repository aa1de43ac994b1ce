"""The command that prices the Pagat, and every other card."""

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
    Policies,
    Rules,
    Threads,
    count,
    say_if_compiling,
)


def pagat(
    policy: Policies = None,
    rules: Rules = "ottocento",
    hands: Annotated[
        int,
        typer.Option(
            parser=count,
            metavar="N",
            help="For the cards, as many for the Pagat, and as many for its habits.",
        ),
    ] = 1_000_000,
    seed: Annotated[
        int, typer.Option(parser=count, metavar="N", help="Of the random numbers.")
    ] = 1,
    threads: Threads = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    chart: Chart = None,
    as_json: Json = False,
) -> None:
    """What the Pagat is worth, and every other card.

    A card is exchanged with one of another hand and the deal played again. The Pagat's price comes
    in parts, by who holds it and beside how many trumps; and what becomes of it is counted.
    """
    from analysis.pagat import price_cards
    from sim.rules import load_rules

    rule_set = load_rules(rules or "ottocento")
    say_if_compiling()
    found = price_cards(
        policy or "simple",
        rule_set,
        hands,
        seed=seed,
        level=level,
        threads=threads,
        progress=True,
    )
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        from analysis.cli.show_pagat import show_pagat

        show_pagat(found)
    if chart is not None:
        from analysis.pagat_charts import pagat_chart

        save_chart(pagat_chart(found), chart, as_json)
