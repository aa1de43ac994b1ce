"""Commands that make and read runs."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
    Threads,
    count,
    directory,
    say_if_compiling,
)

if TYPE_CHECKING:
    from sim.policies.policy import Policy
    from sim.replays import Replay
    from sim.run import Run

Directory = Annotated[
    Path, typer.Argument(parser=directory, metavar="RUN", help="A run directory.")
]
Hand = Annotated[int, typer.Argument(parser=count, metavar="HAND", help="Its number, from 0.")]


def simulate(
    rules: Rules = None,
    hands: Annotated[
        int | None, typer.Option(parser=count, metavar="N", help="Hands. [1_000_000]")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=count, metavar="N", help="Of the random numbers. [1]")
    ] = None,
    policy: Policies = None,
    deal: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help='Cards fixed to a seat or role: "dealer: Pagat Fool; eldest: SK".'
        ),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help='Conditions on what is dealt: "dealer.trumps >= 6 and eldest.kings = 0".',
        ),
    ] = None,
    out: Out = None,
    resume: Resume = None,
    log_plays: Annotated[bool, typer.Option("--log-plays", help="Keep every card played.")] = False,
    columns: Annotated[
        str | None, typer.Option(metavar="a,b,…", help="Columns to keep beside hand_id. [all]")
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(metavar="rows|summary", help="A row for each hand, or sums alone. [rows]"),
    ] = None,
    threads: Threads = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    chart: Chart = None,
    as_json: Json = False,
) -> None:
    """Deal and play hands, write them in Parquet, and sum them up.

    A finished run that is asked for again is only summed up.
    """
    from sim.run import resume as resume_run
    from sim.run import simulate as run_hands

    if resume is not None:
        fixed = {"--rules": rules, "--hands": hands, "--seed": seed, "--out": out}
        fixed |= {"--columns": columns, "--log-plays": log_plays or None}
        refuse_with_resume(fixed | {"--deal": deal, "--where": where, "--keep": keep})
        run = resumed(resume_run, resume, policy, threads)
    else:
        hands = 1_000_000 if hands is None else hands
        seed = 1 if seed is None else seed
        make = partial(
            run_hands,
            hands=hands,
            seed=seed,
            deal=deal,
            where=where,
            columns=None if columns is None else [name.strip() for name in columns.split(",")],
            log_plays=log_plays,
            keep=keep or "rows",
            threads=threads,
        )
        asked = [text for text in (deal, where) if text is not None]
        kept = [keep] if keep == "summary" else []
        run = made(make, rules, policy, out, [*asked, str(hands), f"seed{seed}", *kept])
    _sum_up(run, level, chart, as_json)


def _sum_up(run: Run, level: float, chart: Path | None, as_json: bool) -> None:
    """Print the summary of a run, and save its chart where asked."""
    from analysis.frequencies import summarise

    summary = summarise(run, level)
    if as_json:
        print(json.dumps(summary.to_dict()))
    else:
        from analysis.cli.show import show_summary

        show_summary(summary, run.directory)
    if chart is not None:
        from analysis.charts import axes, declaration_frequencies, score_distribution

        of_declarations = "combinations" in summary.tables
        draw = declaration_frequencies if of_declarations else score_distribution
        save_chart(draw(summary, axes()), chart, as_json)


def summary(
    run: Directory, level: Level = 0.95, chart: Chart = None, as_json: Json = False
) -> None:
    """Declaration frequencies, scores, where Pagat and Fool went."""
    from sim.run import Run

    _sum_up(Run.open(run), level, chart, as_json)


def frequencies(
    run: Directory, level: Level = 0.95, chart: Chart = None, as_json: Json = False
) -> None:
    """Combinations held, declared, captured and inside tricks.

    By role, and which side gets them.
    """
    from analysis.frequencies import frequencies as count_frequencies
    from sim.run import Run

    opened = Run.open(run)
    found = count_frequencies(opened, level)
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        from analysis.cli.show import show_frequencies

        show_frequencies(found, opened.directory)
    if chart is not None:
        from analysis.charts import axes, captured_frequencies

        save_chart(captured_frequencies(found, axes()), chart, as_json)


def replay(
    run: Directory,
    hand: Hand,
    policy: Policies = None,
    as_json: Json = False,
) -> None:
    """A hand of a run played again, as text a player can follow.

    --policy says where policy files are, if the run's are not in the current folder.
    """
    played, _ = played_again(run, hand, policy)
    if as_json:
        print(json.dumps(played.to_dict()))
    else:
        from sim.text import format_replay

        print(format_replay(played), end="")
    if played.error:
        raise played.error


def played_again(
    run: Path, hand: int, policy: list[str] | None
) -> tuple[Replay, tuple[Policy, ...]]:
    """A hand of a run played again and compared with it, and the policies of seats 0 to 3.

    ``policy``: SPECs that say where policy files are. Raises RunError if the run has no such hand
    or another one, PolicyError if a policy is not the one recorded.
    """
    from sim.conditions import read_conditions
    from sim.records import RunError
    from sim.replays import check_against
    from sim.replays import replay as play_again
    from sim.run import Run
    from sim.run_directory import recorded_policies

    opened = Run.open(run)
    manifest = opened.manifest
    if not 0 <= hand < manifest.hands:
        raise RunError(f"hand {hand} is not in {run}: expected 0 to {manifest.hands - 1}")
    policies = recorded_policies(manifest, policy)
    say_if_compiling()
    dealing = read_conditions(manifest.rules, manifest.deal, manifest.where).dealing
    played = play_again(manifest.rules, policies, manifest.seed, hand, dealing)
    check_against(opened, hand, played)
    return played, policies
