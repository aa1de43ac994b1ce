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
    Signals,
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
Hand = Annotated[
    int, typer.Argument(parser=count, metavar="HAND", help="Its number, counted from 0.")
]


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
    signals: Signals = None,
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
        fixed |= {"--deal": deal, "--where": where, "--signals": signals, "--keep": keep}
        refuse_with_resume(fixed)
        run = resumed(resume_run, resume, policy, threads)
    else:
        if log_plays and keep == "summary":
            raise typer.BadParameter("--log-plays with --keep summary: expected --keep rows")
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
        named = [*asked, str(hands), f"seed{seed}", *kept]
        run = made(make, rules, policy, out, named, signals=signals)
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
        from analysis.charts import axes
        from analysis.summary_charts import declaration_frequencies, score_distribution

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
        from analysis.charts import axes
        from analysis.summary_charts import captured_frequencies

        save_chart(captured_frequencies(found, axes()), chart, as_json)


def replay(
    run: Directory,
    number: Annotated[
        int,
        typer.Argument(
            parser=count, metavar="NUMBER", help="Of the hand, or game, counted from 0."
        ),
    ],
    hand_in_game: Annotated[
        int | None,
        typer.Option(
            "--hand",
            parser=count,
            metavar="N",
            help="A hand of the game, counted from 0 (equity counts from 1).",
        ),
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
        raise typer.BadParameter(
            f"--hand without games: {run} is a run of hands, expected one of games"
        )
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
    from sim.manifests import RunError
    from sim.run_directory import recorded_policies

    opened = GamesRun.open(run)
    manifest = opened.manifest
    if not 0 <= game < manifest.games:
        raise RunError(
            f"game {game} is not in {run}: expected 0 to {manifest.games - 1}, counted from 0"
        )
    policies = recorded_policies(run, manifest, policy)
    say_if_compiling()
    hands = replay_game(manifest.rules, policies, manifest.seed, game)
    check_game_against(opened, game, hands)
    if number is not None and not 0 <= number < len(hands):
        raise RunError(
            f"hand {number} is not in game {game}: expected 0 to {len(hands) - 1}, counted from 0"
        )
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
    from sim.manifests import RunError
    from sim.replaying import check_against
    from sim.replaying import replay as play_again
    from sim.run import Run
    from sim.run_directory import recorded_policies

    opened = Run.open(run)
    manifest = opened.manifest
    if not 0 <= hand < manifest.hands:
        raise RunError(
            f"hand {hand} is not in {run}: expected 0 to {manifest.hands - 1}, counted from 0"
        )
    policies = recorded_policies(run, manifest, policy)
    say_if_compiling()
    dealing = read_conditions(manifest.rules, manifest.deal, manifest.where).dealing
    played = play_again(manifest.rules, policies, manifest.seed, hand, dealing)
    check_against(opened, hand, played)
    return played, policies
