"""The command that plays whole games."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated

import typer

from analysis.cli.charts import save_chart
from analysis.cli.making import made, refuse_with_resume, resumed
from analysis.cli.options import (
    Chart,
    Cluster,
    Json,
    Level,
    Out,
    Policies,
    Resume,
    Rules,
    Signals,
    Threads,
    count,
)


def games(
    rules: Rules = None,
    games: Annotated[
        int | None, typer.Option(parser=count, metavar="N", help="Games. [100_000]")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=count, metavar="N", help="Of the random numbers. [1]")
    ] = None,
    policy: Policies = None,
    keep: Annotated[
        str | None,
        typer.Option(metavar="games|hands", help="A row for each game, or for its hands too."),
    ] = None,
    out: Out = None,
    resume: Resume = None,
    signals: Signals = None,
    threads: Threads = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    chart: Chart = None,
    as_json: Json = False,
) -> None:
    """Play whole games, write them in Parquet, and sum them up.

    How long games are, where they end, who wins them. A finished run that is asked for again is
    only summed up.
    """
    from sim.game_runs import resume_games, simulate_games

    if resume is not None:
        fixed = {"--rules": rules, "--games": games, "--seed": seed, "--keep": keep, "--out": out}
        refuse_with_resume(fixed | {"--signals": signals})
        run = resumed(resume_games, resume, policy, threads, "games")
    else:
        games = 100_000 if games is None else games
        seed = 1 if seed is None else seed
        keep = keep or "games"
        make = partial(simulate_games, games=games, seed=seed, keep=keep, threads=threads)
        named = [str(games), f"seed{seed}", *(["hands"] if keep == "hands" else [])]
        run = made(make, rules, policy, out, named, "games", signals)
    from analysis.games import summarise_games

    summary = summarise_games(run, level)
    if as_json:
        print(json.dumps(summary.to_dict()))
    else:
        from analysis.cli.show_games import show_games

        show_games(summary, run.directory)
    if chart is not None:
        from analysis.charts import axes
        from analysis.game_charts import game_lengths

        save_chart(game_lengths(summary, axes()), chart, as_json)
