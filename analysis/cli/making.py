"""How the commands that make runs open them, go on with them, and tell what stops them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TypeVar

import typer

from analysis.cli.options import Interrupted, rules_with_signals, say_if_compiling

R = TypeVar("R")


def made(
    make: Callable[..., R],
    rules: str | None,
    policy: list[str] | None,
    out: Path | None,
    named: Sequence[str],
    command: str = "simulate",
    signals: str | None = None,
) -> R:
    """A run made by ``make(rules, policies=…, out=…, progress=True)``.

    Without ``out``, its directory is named after rules, policies, signals and ``named``.
    """
    from sim.policies.spec import parse_policies
    from sim.signals import SILENCE

    rule_set = rules_with_signals(rules, signals)
    specs = policy or ["simple"]
    policies = parse_policies(specs)
    if out is None:
        kind = [] if command == "simulate" else [command]
        told = dict.fromkeys(policy.spec for policy in policies)
        heard = [] if rule_set.signals == SILENCE else [f"signals {Path(signals or '').stem}"]
        name = "-".join([*kind, rule_set.name, *told, *heard, *named])
        out = Path("runs") / re.sub(r"[^\w.=-]+", "-", name)
    with _telling_how_to_go_on(out, specs, command):
        say_if_compiling()
        return make(rule_set, policies=policies, out=out, progress=True)


def resumed(
    resume: Callable[..., R],
    directory: Path,
    policy: list[str] | None,
    threads: int | None,
    command: str = "simulate",
) -> R:
    """A run completed by ``resume(directory, policies=…, threads=…, progress=True)``."""
    with _telling_how_to_go_on(directory, policy or [], command):
        say_if_compiling()
        return resume(directory, policies=policy, threads=threads, progress=True)


def refuse_with_resume(fixed: Mapping[str, object]) -> None:
    """Raise BadParameter if an option was given that a run to be resumed has already fixed."""
    for flag, value in fixed.items():
        if value is not None:
            raise typer.BadParameter(
                f"{flag} does not go with --resume: expected none, since the run has its own"
            )


@contextmanager
def _telling_how_to_go_on(directory: Path, policy: list[str], command: str) -> Iterator[None]:
    """Within it, what stops a run is told with the command to go on with, or that shows it."""
    from sim.cluster import ClusterFailure
    from sim.players import IllegalAnswer
    from sim.stores import StoreError

    # A run records only the base names of policy files.
    files = policy if any(".py:" in spec for spec in policy) else []
    policies = "".join(f" --policy {quote(spec)}" for spec in files)
    to_resume = f"go on with tarocchino {command} --resume {quote(str(directory))}{policies}"
    try:
        yield
    except KeyboardInterrupt:
        told = to_resume if _begun(directory) else "nothing was written"
        raise Interrupted(f"interrupted: {told}") from None
    except IllegalAnswer as error:
        number = error.hand if error.game is None else f"{error.game} --hand {error.hand}"
        to_replay = f"tarocchino replay {quote(str(directory))} {number}{policies}"
        raise RuntimeError(f"{error}; {to_replay} shows it") from None
    except (ClusterFailure, StoreError) as error:
        raise type(error)(f"{error}; {to_resume}") from None
    except MemoryError:
        raise MemoryError(f"the memory is not enough; {to_resume}") from None
    except OSError as error:
        if error.errno is None or not _begun(directory):
            raise
        why = os.strerror(error.errno)
        raise OSError(error.errno, f"{directory} cannot be written: {why}; {to_resume}") from None


def _begun(directory: Path) -> bool:
    """Whether there is a run to go on with; taken for granted if an object store does not say."""
    from sim.stores import StoreError, told_by_store

    try:
        with told_by_store(directory):
            return (directory / "manifest.json").exists()
    except StoreError:
        return True
