"""The command that plays whole games."""

from __future__ import annotations

import json
from pathlib import Path
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
from analysis.cli.runs import refuse_with_resume, run_folder, telling_how_to_go_on

if TYPE_CHECKING:
    from sim.game_runs import GamesRun


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
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A new directory for the run. [runs/…, named after it]"),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Complete the run in this directory instead."),
    ] = None,
    threads: Threads = None,
    level: Level = 0.95,
    chart: Chart = None,
    as_json: Json = False,
) -> None:
    """Play whole games, write them in Parquet, and sum them up.

    How long games are, where they end, who wins them. A finished run that is asked for again is
    only summed up.
    """
    if resume is not None:
        fixed = {"--rules": rules, "--games": games, "--seed": seed, "--keep": keep, "--out": out}
        refuse_with_resume(fixed)
        run = _resume(resume, policy, threads)
    else:
        run = _play(
            rules or "ottocento",
            100_000 if games is None else games,
            1 if seed is None else seed,
            policy or ["simple"],
            keep or "games",
            out,
            threads,
        )
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


def _play(
    rules_name: str,
    games: int,
    seed: int,
    policy: list[str],
    keep: str,
    out: Path | None,
    threads: int | None,
) -> GamesRun:
    from sim.game_runs import simulate_games
    from sim.policies.spec import parse_policies
    from sim.rules import load_rules

    rules = load_rules(rules_name)
    policies = parse_policies(policy)
    if out is None:
        specs = dict.fromkeys(policy.spec for policy in policies)
        kept = ["hands"] if keep == "hands" else []
        out = run_folder("games", rules.name, *specs, str(games), f"seed{seed}", *kept)
    with telling_how_to_go_on(out, policy, "games"):
        say_if_compiling()
        return simulate_games(
            rules,
            games,
            seed=seed,
            policies=policies,
            keep=keep,
            out=out,
            threads=threads,
            progress=True,
        )


def _resume(directory: Path, policy: list[str] | None, threads: int | None) -> GamesRun:
    from sim.game_runs import resume_games

    with telling_how_to_go_on(directory, policy or [], "games"):
        say_if_compiling()
        return resume_games(directory, policies=policy, threads=threads, progress=True)
