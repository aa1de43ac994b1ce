"""The command for chances of winning the game."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.charts import save_chart
from analysis.cli.options import (
    Chart,
    Json,
    Level,
    Policies,
    Rules,
    Threads,
    count,
    say_if_compiling,
)

if TYPE_CHECKING:
    from analysis.equity import Equity

SCORE = re.compile(r"([+-]?\d{1,6})(?:-([+-]?\d{1,6}))?")


def read_score(text: str) -> tuple[int, int]:
    """Our score and theirs, from ``640-710``; ``-12`` is 12 behind. Raises BadParameter."""
    found = SCORE.fullmatch(text.strip())
    if not found:
        raise typer.BadParameter(
            f"{text!r} is no score: expected ours and theirs such as 640-710, or the difference"
        )
    return int(found[1]), int(found[2] or 0)


def equity(
    score: Annotated[
        str,
        typer.Option(
            metavar="US-THEM",
            help="Our score and theirs, such as 640-710; where hands are fixed in number, the "
            "difference alone will do: -12.",
        ),
    ] = "0-0",
    deals: Annotated[
        str, typer.Option(metavar="us|them", help="The side that deals the next hand.")
    ] = "us",
    hand: Annotated[
        int | None,
        typer.Option(metavar="1…4", help="The next hand's number, in Partita. [1]"),
    ] = None,
    rules: Rules = "ottocento",
    policy: Policies = None,
    hands: Annotated[
        int, typer.Option(parser=count, metavar="N", help="Hands to make the chances from.")
    ] = 200_000,
    seed: Annotated[
        int, typer.Option(parser=count, metavar="N", help="Of the random numbers.")
    ] = 1,
    threads: Threads = None,
    level: Level = 0.95,
    chart: Chart = None,
    as_json: Json = False,
) -> None:
    """The chance of winning the game from a score.

    And what points are worth there, under policies that play alike at any score: --policy once for
    all seats, twice for us and them.
    """
    from analysis.equity import EquityError, Score
    from analysis.equity import equity as find_equity
    from sim.rules import load_rules

    if deals not in ("us", "them"):
        raise EquityError(f"--deals {deals}: expected us or them")
    say_if_compiling()
    found = find_equity(
        Score(*read_score(score), dealer=int(deals == "them"), hand=1 if hand is None else hand),
        load_rules(rules or "ottocento"),
        policy or ["simple"],
        hands,
        seed=seed,
        level=level,
        threads=threads,
        progress=True,
    )
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        _show(found)
    if chart is not None:
        from analysis.charts import axes
        from analysis.equity_charts import equity_chart

        save_chart(equity_chart(found, axes()), chart, as_json)


def _show(found: Equity) -> None:
    """Print the chance, and by how much points raise it."""
    from analysis.cli.tables import new_console, new_table

    console, win, score = new_console(), found.win, found.score
    specs = " and ".join(dict.fromkeys(policy.spec for policy in found.policies))
    console.print(f"{found.rules.name}: {found.hands:,} hands, seed {found.seed}, policy {specs}")
    at = f"At {score.us} to {score.them}"
    if found.rules.target is None:
        at += f" before hand {score.hand}"
    dealers = "them" if score.dealer else "us"
    console.print(f"{at}, the deal with {dealers}, the chance of winning is")
    of_draws = ", half of a draw added" if found.rules.target is None else ""
    console.print(f"{100 * win.mean:.2f} % ({100 * win.low:.2f}–{100 * win.high:.2f}){of_draws}.")
    table = new_table("What points are worth here", "points more", "chance of winning, %")
    for points, worth in found.worth.items():
        ends = f"{100 * worth.low:+.2f} to {100 * worth.high:+.2f}"
        table.add_row(str(points), f"{100 * worth.mean:+.2f} ({ends})")
    console.print(table)
    console.print("So much is a declaration of these points worth, and so much hiding it costs.")
    console.print(f"In brackets: {100 * found.level:g} % intervals, each on its own.")
