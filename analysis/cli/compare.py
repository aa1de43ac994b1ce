"""The command that compares policies."""

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
    Signals,
    Threads,
    count,
    half_width,
    rules_with_signals,
    say_if_compiling,
    score_of_payoff,
)

# Hands a pair, and the most of them where a half-width says when to stop.
HANDS, MOST_HANDS = 100_000, 100_000_000


def compare(
    policies: Annotated[list[str], typer.Argument(metavar="SPEC", help="Policies, two or more.")],
    rules: Rules = "ottocento",
    hands: Annotated[
        int | None,
        typer.Option(
            parser=count,
            metavar="N",
            help="For each pair, in blocks of 8; with --until the most. [1e5; with --until 1e8]",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(parser=count, metavar="N", help="Of the random numbers.")
    ] = 1,
    payoff: Annotated[
        str,
        typer.Option(
            metavar="points|win|winner_takes",
            help="What is compared: points, won hands (with --score the chance of winning the "
            "game after the hand), or only the winner's points.",
        ),
    ] = "points",
    score: GameScore = None,
    deals: Deals = None,
    hand: HandNumber = None,
    until: Annotated[
        float | None,
        typer.Option(
            parser=half_width,
            metavar="HALFWIDTH",
            help="Stop when all intervals are this narrow: points a hand, a share of "
            "hands won, or a chance.",
        ),
    ] = None,
    signals: Signals = None,
    threads: Threads = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    chart: Chart = None,
    as_json: Json = False,
) -> None:
    """Policies against each other, on the same deals.

    Each pair plays every deal from both sides. The intervals of all pairs hold together. The best
    policy plays again on fresh deals, so that choosing it does not flatter it. At a score each
    policy plays one hand for us and for them; the first one named plays all hands after it.
    """
    from analysis.compare import compare as compare_policies

    rule_set = rules_with_signals(rules, signals)
    state = score_of_payoff(score, deals, hand, rule_set)
    if hands is None:
        hands = HANDS if until is None else MOST_HANDS
    say_if_compiling()
    found = compare_policies(
        policies,
        rule_set,
        hands,
        seed=seed,
        payoff=payoff,
        score=state,
        level=level,
        until=until,
        threads=threads,
        progress=True,
    )
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        from analysis.cli.show_compare import show_comparison

        show_comparison(found)
    if chart is not None:
        from analysis.compare_charts import comparison_chart

        save_chart(comparison_chart(found), chart, as_json)
