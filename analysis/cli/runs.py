"""Commands that make and read runs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from analysis.cli.options import Chart, Interrupted, Json, Level, Policies, Rules, Threads, count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sim.run import Run

Directory = Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")]


def simulate(
    rules: Rules = None,
    hands: Annotated[
        int | None, typer.Option(parser=count, metavar="N", help="Hands. [1_000_000]")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=count, metavar="N", help="Of the random numbers. [1]")
    ] = None,
    policy: Policies = None,
    out: Annotated[
        Path | None, typer.Option(help="A new directory for the run. [runs/…, named after it]")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Complete the run in this directory instead.")
    ] = None,
    log_plays: Annotated[bool, typer.Option("--log-plays", help="Keep every card played.")] = False,
    columns: Annotated[
        str | None, typer.Option(metavar="a,b,…", help="Columns to keep beside hand_id. [all]")
    ] = None,
    threads: Threads = None,
    level: Level = 0.95,
    chart: Chart = None,
    as_json: Json = False,
) -> None:
    """Deal and play hands, write a row for each in Parquet, and print a summary.

    A finished run that is asked for again is only summed up.
    """
    from analysis.estimates import check_level

    check_level(level)
    if resume is not None:
        fixed = {"--rules": rules, "--hands": hands, "--seed": seed, "--out": out}
        fixed |= {"--columns": columns, "--log-plays": log_plays or None}
        for flag, value in fixed.items():
            if value is not None:
                raise typer.BadParameter(f"{flag} goes not with --resume: the run has its own")
        run = _resume(resume, policy, threads)
    else:
        run = _simulate(
            rules or "ottocento",
            1_000_000 if hands is None else hands,
            1 if seed is None else seed,
            policy or ["simple"],
            out,
            columns.split(",") if columns is not None else None,
            log_plays,
            threads,
        )
    _sum_up(run, level, chart, as_json)


def _simulate(
    rules_name: str,
    hands: int,
    seed: int,
    policy: list[str],
    out: Path | None,
    columns: list[str] | None,
    log_plays: bool,
    threads: int | None,
) -> Run:
    from sim.policies.spec import parse_policies
    from sim.rules import load_rules
    from sim.run import simulate as run_hands

    rules = load_rules(rules_name)
    policies = parse_policies(policy)
    if out is None:
        specs = list(dict.fromkeys(policy.spec for policy in policies))
        name = "-".join([rules.name, *specs, str(hands), f"seed{seed}"])
        out = Path("runs") / re.sub(r"[^\w.=-]+", "-", name)
    with _telling_how_to_go_on(out):
        _say_if_compiling()
        return run_hands(
            rules,
            hands,
            seed=seed,
            policies=policies,
            out=out,
            columns=columns,
            log_plays=log_plays,
            threads=threads,
            progress=True,
        )


def _resume(directory: Path, policy: list[str] | None, threads: int | None) -> Run:
    from sim.run import resume

    with _telling_how_to_go_on(directory):
        _say_if_compiling()
        return resume(directory, policies=policy, threads=threads, progress=True)


@contextmanager
def _telling_how_to_go_on(directory: Path) -> Iterator[None]:
    """Within it, an interrupt and an illegal answer say what to do next."""
    from sim.hands import IllegalAnswer

    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted: go on with tarocchino simulate --resume {directory}"
        ) from None
    except IllegalAnswer as error:
        raise RuntimeError(
            f"{error}; tarocchino replay {directory} {error.hand} shows it"
        ) from None


def _say_if_compiling() -> None:
    from sim.kernels.compiling import is_compiled

    if not is_compiled():
        print("Compiling the engine, once: about ten seconds.", file=sys.stderr, flush=True)


def _sum_up(run: Run, level: float, chart: Path | None, as_json: bool) -> None:
    """Print the summary of a run, and save its chart where asked."""
    from analysis.frequencies import summarise

    summary = summarise(run, level)
    saved = []
    if chart is not None:
        from analysis.charts import axes, declaration_frequencies, save, score_distribution

        of_declarations = "combinations" in summary.tables
        draw = declaration_frequencies if of_declarations else score_distribution
        chart.parent.mkdir(parents=True, exist_ok=True)
        figure = draw(summary, axes()).figure
        saved = save(cast("Figure", figure), chart)
    if as_json:
        print(json.dumps(summary.to_dict()))
        return
    from analysis.cli.show import show_summary

    show_summary(summary, run.directory, saved)


def summary(
    run: Directory, level: Level = 0.95, chart: Chart = None, as_json: Json = False
) -> None:
    """The figures of a run: how often combinations are declared, scores, where the Pagat went."""
    from sim.run import Run

    _sum_up(Run.open(run), level, chart, as_json)


def replay(
    run: Directory,
    hand: Annotated[int, typer.Argument(parser=count, metavar="HAND", help="Its number, from 0.")],
    policy: Policies = None,
    as_json: Json = False,
) -> None:
    """A hand of a run played again, as text a player can follow.

    ``--policy`` says where policy files are, if the run's are not in the current folder.
    """
    from sim.records import RunError
    from sim.replays import check_against
    from sim.replays import replay as play_again
    from sim.run import Run, recorded_policies

    opened = Run.open(run)
    manifest = opened.manifest
    if not 0 <= hand < manifest.hands:
        raise RunError(f"hand {hand} is not in {run}: expected 0 to {manifest.hands - 1}")
    policies = recorded_policies(manifest, policy)
    _say_if_compiling()
    played = play_again(manifest.rules, policies, manifest.seed, hand)
    check_against(opened, hand, played)
    if as_json:
        print(json.dumps(played.to_dict()))
    else:
        from sim.text import format_replay

        print(format_replay(played), end="")
    if played.error:
        raise played.error
