"""The command that ranks a dealer's discards."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from analysis.cli.charts import save_chart
from analysis.cli.options import (
    Chart,
    Cluster,
    Deals,
    GameScore,
    HandNumber,
    Json,
    Level,
    Rules,
    Threads,
    count,
    half_width,
    say_if_compiling,
    score_of_payoff,
    seconds,
)


def discard(
    cards: Annotated[
        str,
        typer.Argument(
            metavar="CARDS", help='The dealer\'s 17 cards (15 in Partita), as in "SK SQ Fool …".'
        ),
    ],
    rules: Rules = "ottocento",
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SPEC",
            help="Once: all seats; twice: the dealer's side, then the other. [expert]",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            parser=half_width,
            metavar="POINTS",
            help="Half-width of the differences among the leading discards. [2; 1 where all play "
            "as simple or random do; in Partita a tenth; with --payoff win 0.005]",
        ),
    ] = None,
    payoff: Annotated[
        str,
        typer.Option(
            metavar="points|win|winner_takes",
            help="What counts: points, won hands (with --score the chance of winning the game "
            "after the hand), or only the winner's points.",
        ),
    ] = "points",
    score: GameScore = None,
    deals: Deals = None,
    number: HandNumber = None,
    time: Annotated[
        float | None,
        typer.Option(
            parser=seconds, metavar="SECONDS", help="Stop then, whatever precision is reached."
        ),
    ] = None,
    level: Level = 0.95,
    seed: Annotated[
        int, typer.Option(parser=count, metavar="N", help="Of the random numbers.")
    ] = 1,
    threads: Threads = None,
    cluster: Cluster = None,
    chart: Chart = None,
    as_json: Json = False,
) -> None:
    """What the dealer should discard from a hand.

    Every legal pair is played out on the same deals of the other cards. Shown are the best
    discard, those not separated from it, and what each of the others costs, in points of the
    dealer's side less the other side's. At a score we are the dealer's side, and what counts is
    our chance of winning the game; the same policies play all hands after this one.
    """
    from analysis.discards import discards
    from sim.rules import load_rules

    rule_set = load_rules(rules or "ottocento")
    state = score_of_payoff(score, deals, number, rule_set)
    say_if_compiling()
    found = discards(
        cards,
        rule_set,
        policy or "expert",
        precision,
        payoff=payoff,
        score=state,
        level=level,
        time=time,
        seed=seed,
        threads=threads,
        progress=True,
    )
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        from analysis.cli.show_discards import show_discards

        show_discards(found)
    if chart is not None:
        from analysis.discard_charts import discard_chart

        save_chart(discard_chart(found), chart, as_json)
