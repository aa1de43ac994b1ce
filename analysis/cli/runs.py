"""Commands that make and read runs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.charts import save_chart
from analysis.cli.options import (
    Chart,
    Interrupted,
    Json,
    Level,
    Policies,
    Rules,
    Threads,
    count,
    say_if_compiling,
)

if TYPE_CHECKING:
    from sim.policies.policy import Policy
    from sim.replays import Replay
    from sim.run import Run

Directory = Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")]
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
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A new directory for the run. [runs/…, named after it]"),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Complete the run in this directory instead."),
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
    """Deal and play hands, write them in Parquet, and sum them up.

    A finished run that is asked for again is only summed up.
    """
    if resume is not None:
        fixed = {"--rules": rules, "--hands": hands, "--seed": seed, "--out": out}
        fixed |= {"--columns": columns, "--log-plays": log_plays or None}
        refuse_with_resume(fixed | {"--deal": deal, "--where": where})
        run = _resume(resume, policy, threads)
    else:
        run = _simulate(
            rules or "ottocento",
            1_000_000 if hands is None else hands,
            1 if seed is None else seed,
            policy or ["simple"],
            deal,
            where,
            out,
            None if columns is None else [name.strip() for name in columns.split(",")],
            log_plays,
            threads,
        )
    _sum_up(run, level, chart, as_json)


def _simulate(
    rules_name: str,
    hands: int,
    seed: int,
    policy: list[str],
    deal: str | None,
    where: str | None,
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
        asked = [text for text in (deal, where) if text is not None]
        out = run_folder(rules.name, *specs, *asked, str(hands), f"seed{seed}")
    with telling_how_to_go_on(out, policy):
        say_if_compiling()
        return run_hands(
            rules,
            hands,
            seed=seed,
            policies=policies,
            deal=deal,
            where=where,
            out=out,
            columns=columns,
            log_plays=log_plays,
            threads=threads,
            progress=True,
        )


def run_folder(*told: str) -> Path:
    """Where a run goes that was given no directory: named after what it is."""
    return Path("runs") / re.sub(r"[^\w.=-]+", "-", "-".join(told))


def refuse_with_resume(fixed: Mapping[str, object]) -> None:
    """Raise BadParameter if an option was given that a run to be resumed has already fixed."""
    for flag, value in fixed.items():
        if value is not None:
            raise typer.BadParameter(f"{flag} does not go with --resume: the run has its own")


def _resume(directory: Path, policy: list[str] | None, threads: int | None) -> Run:
    from sim.run import resume

    with telling_how_to_go_on(directory, policy or []):
        say_if_compiling()
        return resume(directory, policies=policy, threads=threads, progress=True)


@contextmanager
def telling_how_to_go_on(
    directory: Path, policy: list[str], command: str = "simulate"
) -> Iterator[None]:
    """Within it, what stops a run is told with the command to go on with, or that shows it."""
    from sim.hands import IllegalAnswer

    # A run records only the base names of policy files.
    files = policy if any(".py:" in spec for spec in policy) else []
    policies = "".join(f" --policy {quote(spec)}" for spec in files)
    to_resume = f"go on with tarocchino {command} --resume {quote(str(directory))}{policies}"
    try:
        yield
    except KeyboardInterrupt:
        begun = (directory / "manifest.json").exists()
        told = to_resume if begun else "nothing was written"
        raise Interrupted(f"interrupted: {told}") from None
    except IllegalAnswer as error:
        number = error.hand if error.game is None else f"{error.game} --hand {error.hand}"
        to_replay = f"tarocchino replay {quote(str(directory))} {number}{policies}"
        raise RuntimeError(f"{error}; {to_replay} shows it") from None
    except OSError as error:
        if error.errno is None or not (directory / "manifest.json").exists():
            raise
        why = os.strerror(error.errno)
        raise OSError(error.errno, f"{directory} cannot be written: {why}; {to_resume}") from None


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
    number: Annotated[
        int, typer.Argument(parser=count, metavar="NUMBER", help="Of the hand, or game, from 0.")
    ],
    hand_in_game: Annotated[
        int | None,
        typer.Option("--hand", parser=count, metavar="N", help="A hand of the game, from 0."),
    ] = None,
    policy: Policies = None,
    as_json: Json = False,
) -> None:
    """A hand or a game played again, as a player can follow it.

    Of a run of hands a hand; of a run of games a game's score sheet, or with --hand one of its
    hands. --policy says where policy
    files are, if the run's are not in the current folder.
    """
    from sim.records import read_manifest

    if read_manifest(run).games:
        _replay_game(run, number, hand_in_game, policy, as_json)
    elif hand_in_game is not None:
        raise typer.BadParameter(f"--hand without games: {run} is a run of hands")
    else:
        _replay_hand(run, number, policy, as_json)


def _replay_hand(run: Path, hand: int, policy: list[str] | None, as_json: bool) -> None:
    played, _ = played_again(run, hand, policy)
    if as_json:
        print(json.dumps(played.to_dict()))
    else:
        from sim.text import format_replay

        print(format_replay(played), end="")
    if played.error:
        raise played.error


def _replay_game(
    run: Path, game: int, number: int | None, policy: list[str] | None, as_json: bool
) -> None:
    """Play a game of a run again, compare it with the run, and print it or one of its hands."""
    from sim.game_replays import check_game_against, format_game_hand, replay_game
    from sim.game_runs import GamesRun
    from sim.games import format_game
    from sim.records import RunError
    from sim.run import recorded_policies

    opened = GamesRun.open(run)
    manifest = opened.manifest
    if not 0 <= game < manifest.games:
        raise RunError(f"game {game} is not in {run}: expected 0 to {manifest.games - 1}")
    policies = recorded_policies(manifest, policy)
    say_if_compiling()
    hands = replay_game(manifest.rules, policies, manifest.seed, game)
    check_game_against(opened, game, hands)
    if number is not None and not 0 <= number < len(hands):
        raise RunError(f"hand {number} is not in game {game}: expected 0 to {len(hands) - 1}")
    broken = hands[-1].played.error
    if broken and number is None:
        number = len(hands) - 1
    if number is not None:
        hand = hands[number]
        print(json.dumps(hand.to_dict()) if as_json else format_game_hand(hand).rstrip())
        if hand.played.error:
            raise hand.played.error
    elif as_json:
        told = {"rules": manifest.rules.name, "policies": manifest.specs, "seed": manifest.seed}
        print(json.dumps({**told, "game": game, "hands": [hand.to_dict() for hand in hands]}))
    else:
        print(format_game(manifest.rules, policies, manifest.seed, game), end="")


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
    from sim.run import Run, recorded_policies

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
