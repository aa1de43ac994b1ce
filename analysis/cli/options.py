"""What several commands share: options, how their texts are read, what they say meanwhile."""

from __future__ import annotations

import os
import re
import sys
from decimal import Decimal
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from analysis.equity import Score
    from sim.rules import RuleSet

SCORE = re.compile(r"([+-]?\d{1,6})(?:-([+-]?\d{1,6}))?")
# Larger than anything that is counted; 1e999999999 would fill the memory.
LARGEST = Decimal("1e30")


class Interrupted(Exception):
    """The user interrupted a command; the message says how to go on."""


def say_if_compiling() -> None:
    """Say, on standard error, when the engine is used for the first time: that takes a while.

    Not before, so that what is refused is refused first.
    """
    from sim.kernels.compiling import call_before_compiling

    call_before_compiling(_say_that_it_compiles)


def _say_that_it_compiles() -> None:
    from tqdm import tqdm

    # Above a bar, if there is one.
    tqdm.write("Compiling the engine, once: about ten seconds.", file=sys.stderr)


def count(text: str) -> int:
    """A count such as ``1000``, ``1_000_000`` or ``1e6``. Raises BadParameter for anything else."""
    try:
        number = Decimal(text)
        if abs(number) < LARGEST and number == int(number):
            return int(number)
    except ArithmeticError:
        pass
    raise typer.BadParameter(f"{text!r} is no count: expected a whole number such as 1000 or 1e6")


def threads(text: str) -> int:
    """A count of at least 1. Raises BadParameter for anything else."""
    number = count(text)
    if number < 1:
        raise typer.BadParameter(f"{number} threads: expected at least 1")
    return number


def directory(text: str) -> Path:
    """A run directory by path or URL. Raises BadParameter for an URL of no known kind."""
    from sim.manifests import RunError
    from sim.records import run_path

    try:
        return run_path(text)
    except RunError as error:
        raise typer.BadParameter(str(error)) from None


_EITHER = "a cluster has its own threads: expected --threads or --cluster"


def _threads_alone(context: typer.Context, threads: int | None) -> int | None:
    """Raises BadParameter if there is a cluster too."""
    if threads is not None and context.params.get("cluster") is not None:
        raise typer.BadParameter(_EITHER)
    return threads


def _give_to_cluster(context: typer.Context, address: str | None) -> str | None:
    """Give the work to a cluster until the command ends.

    Raises ClusterError if there is none, BadParameter if threads are given too.
    """
    if address is not None:
        if context.params.get("threads") is not None:
            raise typer.BadParameter(_EITHER)
        from sim.cluster import on_cluster

        context.with_resource(on_cluster(address))
    return address


def level(text: str) -> float:
    """A confidence level. Raises BadParameter unless it lies between 0 and 1."""
    from analysis.estimates import check_level

    try:
        return check_level(float(text))
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is no level: expected a number between 0 and 1, such as 0.95"
        ) from None


def half_width(text: str) -> float:
    """The half-width of an interval. Raises BadParameter unless it is above 0."""
    return _above_0(text, "half-width")


def seconds(text: str) -> float:
    """A time. Raises BadParameter unless it is above 0."""
    return _above_0(text, "time in seconds")


def _above_0(text: str, what: str) -> float:
    try:
        number = float(text)
        if 0 < number < inf:
            return number
    except ValueError:
        pass
    raise typer.BadParameter(f"{text!r} is no {what}: expected a number above 0, such as 0.5")


def read_score(text: str, rules: RuleSet) -> tuple[int, int]:
    """Our score and theirs, from ``640-710``; ``-12`` is 12 behind, in a game without a target.

    Raises BadParameter.
    """
    found = SCORE.fullmatch(text.strip())
    if not found:
        raise typer.BadParameter(
            f"{text!r} is no score: expected ours and theirs such as 640-710, or the difference"
        )
    if found[2] is None and rules.target is not None:
        raise typer.BadParameter(
            f"a score of {text}: expected ours and theirs such as 640-710, since {rules.name} "
            f"is played to {rules.target}"
        )
    return int(found[1]), int(found[2] or 0)


def game_state(score: str, deals: str | None, hand: int | None, rules: RuleSet) -> Score:
    """The state of a game that --score, --deals and --hand name. Raises BadParameter."""
    from analysis.equity import Score

    if deals not in (None, "us", "them"):
        raise typer.BadParameter(f"--deals {deals}: expected us or them")
    us, them = read_score(score, rules)
    return Score(us, them, dealer=int(deals == "them"), hand=1 if hand is None else hand)


def score_of_payoff(
    score: str | None, deals: str | None, hand: int | None, rules: RuleSet
) -> Score | None:
    """The state in which a hand is valued by the chance of winning the game, None if none is named.

    Raises BadParameter as ``game_state``, or if --deals or --hand stand alone.
    """
    if score is None:
        for flag, given in (("--deals", deals), ("--hand", hand)):
            if given is not None:
                raise typer.BadParameter(f"{flag} without a score: expected --score US-THEM too")
        return None
    return game_state(score, deals, hand, rules)


def rules_with_signals(rules: str | None, signals: str | None) -> RuleSet:
    """The rule set that --rules names, with the conventions that --signals does.

    Raises RulesError and SignalError.
    """
    from sim.rules import load_rules
    from sim.signals import read_conventions

    found = load_rules(rules or "ottocento")
    return found.with_signals(read_conventions(signals or "none", found.pack))


def chart(text: str) -> Path:
    """The path of a chart. Raises BadParameter, before a long run, if none can be saved there."""
    from analysis.charts import chart_files

    try:
        folder = chart_files(text)[0].absolute().parent
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise typer.BadParameter(f"nothing can be written to {folder}: expected another folder")
    return Path(text)


Level = Annotated[
    float,
    typer.Option(
        parser=level, metavar="LEVEL", help="Confidence of the intervals, between 0 and 1."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
Chart = Annotated[
    Path | None,
    typer.Option(
        parser=chart,
        metavar="FILE",
        help="Save the chart: .png, .svg or .pdf; without a suffix, PNG and SVG.",
    ),
]
Policies = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="SPEC",
        help="Once: all seats; twice: sides 0 and 1; four times: seats 0 to 3. A PATH.py:NAME is "
        "a file of yours, which is run as code.",
    ),
]
Rules = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE.toml", help="ottocento, ottocento-digital, partita, or a file."
    ),
]
Signals = Annotated[
    str | None,
    typer.Option(
        metavar="none|all|a,b,…|FILE.toml",
        help="The signals in force at the table. A Python file that FILE.toml names is run as "
        "code. [none]",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        parser=threads,
        metavar="N",
        callback=_threads_alone,
        help="Threads; one for each core if not given.",
    ),
]
GameScore = Annotated[
    str | None,
    typer.Option(
        "--score",
        metavar="US-THEM",
        help="Our score and theirs before the hand, such as 640-710; where hands are fixed in "
        "number, the difference alone will do: -12.",
    ),
]
Deals = Annotated[
    str | None,
    typer.Option("--deals", metavar="us|them", help="The side that deals the next hand. [us]"),
]
HandNumber = Annotated[
    int | None,
    typer.Option(
        "--hand",
        metavar="1…4",
        help="The next hand's number in Partita, counted from 1 (replay counts from 0). [1]",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|local:N",
        callback=_give_to_cluster,
        help="Dask workers in place of threads: tcp://host:8786, or N processes here.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        parser=directory,
        metavar="DIR",
        help="A new directory for the run, or its URL. [runs/…, named after it]",
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        parser=directory, metavar="DIR", help="Complete the run in this directory instead."
    ),
]
