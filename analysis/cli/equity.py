"""The command for chances of winning the game."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

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
    Policies,
    Rules,
    Signals,
    Threads,
    count,
    game_state,
    rules_with_signals,
    say_if_compiling,
)
from analysis.interval_text import with_ends

if TYPE_CHECKING:
    from analysis.equity import Equity
    from analysis.equity_changes import Change
    from analysis.estimates import Estimate


def equity(
    score: GameScore = None,
    deals: Deals = None,
    hand: HandNumber = None,
    rules: Rules = "ottocento",
    policy: Policies = None,
    hands: Annotated[
        int, typer.Option(parser=count, metavar="N", help="Hands to make the chances from.")
    ] = 200_000,
    seed: Annotated[
        int, typer.Option(parser=count, metavar="N", help="Of the random numbers.")
    ] = 1,
    signals: Signals = None,
    threads: Threads = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    chart: Chart = None,
    as_json: Json = False,
) -> None:
    """The chance of winning the game from a score.

    And what declaring, hiding and other discards change there, under policies that play alike at
    any score: --policy once for all seats, twice for us and them.
    """
    from analysis.equity import equity as find_equity
    from analysis.equity_changes import changes

    rule_set = rules_with_signals(rules, signals)
    state = game_state(score or "0-0", deals, hand, rule_set)
    say_if_compiling()
    found = find_equity(
        state,
        rule_set,
        policy or ["simple"],
        hands,
        seed=seed,
        level=level,
        threads=threads,
        progress=True,
    )
    changed = changes(found, threads=threads, progress=True)
    if as_json:
        told = [{**each._asdict(), "worth": each.worth.to_dict()} for each in changed]
        print(json.dumps({**found.to_dict(), "changes": told}))
    else:
        _show(found, changed)
    if chart is not None:
        from analysis.charts import axes
        from analysis.equity_charts import equity_chart

        save_chart(equity_chart(found, axes()), chart, as_json)


def _show(found: Equity, changed: list[Change]) -> None:
    """Print the chance, by how much points raise it, and what playing otherwise does to it."""
    from analysis.cli.tables import new_console, new_table
    from sim.games import HANDS_OF_GAME

    console, win, score = new_console(), found.win, found.score
    specs = " and ".join(dict.fromkeys(policy.spec for policy in found.policies))
    console.print(f"{found.rules.told}: {found.hands:,} hands, seed {found.seed}, policy {specs}")
    at = f"At {score.us} to {score.them}"
    if found.rules.target is None:
        at += f" before hand {score.hand} of {HANDS_OF_GAME[found.rules.game]}"
    dealers = "them" if score.dealer else "us"
    console.print(f"{at}, the deal with {dealers}, the chance of winning is")
    of_draws = ", half of a draw added" if found.rules.target is None else ""
    console.print(f"{100 * win.mean:.2f} % ({100 * win.low:.2f}–{100 * win.high:.2f}){of_draws}.")
    what = "declared points" if found.rules.combinations else "points"
    table = new_table(f"What {what} are worth", "points", "chance of winning, %")
    for points, worth in found.worth.items():
        table.add_row(str(points), _change(worth))
    console.print(table)
    if found.rules.combinations:
        console.print(
            "So much is a declaration of these points worth, and so much hiding it costs,"
        )
        console.print("unless the others then play otherwise.")
    if changed:
        table = new_table("What it changes in this hand", "instead", "part", "chance of winning, %")
        for each in changed:
            table.add_row(each.what, each.part, _change(each.worth))
        console.print(table)
        console.print(
            f"Against {found.policies[0].spec} as it is, on the same {changed[0].worth.n:,} deals; "
            "these intervals hold together."
        )
    console.print(f"In brackets: {100 * found.level:g} % intervals, else each on its own.")


def _change(worth: Estimate) -> str:
    return with_ends(100 * worth.mean, 100 * worth.low, 100 * worth.high, sign="+")
