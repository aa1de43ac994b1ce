"""Runs: parts made by threads, progress, interruption and resuming; and ``simulate``."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa
from filelock import FileLock, Timeout
from tqdm import tqdm

from sim.columns import rows_table
from sim.conditions import read_conditions
from sim.hands import LARGEST_SEED, compiled, play_hands
from sim.kernels.conditional_deal import Dealing
from sim.kernels.state import rules_record
from sim.policies.policy import Policy, PolicyError
from sim.policies.spec import parse_policies
from sim.records import (
    LARGEST_RUN,
    PROGRAM,
    Manifest,
    RunError,
    check_part,
    choose_columns,
    part_file,
    read_manifest,
    read_part,
    write_manifest,
    write_part,
)
from sim.rules import OTTOCENTO, RuleSet

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_parts(
    task: Callable[[range], T],
    ranges: Iterable[range],
    *,
    threads: int | None = None,
    progress: bool = False,
    unit: str = "hands",
) -> Iterator[tuple[range, T]]:
    """Do a task for each range of numbers, several at a time, and yield results in order.

    Parameters
    ----------
    task
        Called with a range in a worker thread; it should spend its time without the GIL.
    ranges
        The parts; they are taken one by one, so that memory does not grow with their number.
    threads
        How many at a time; None: one for each core this process may use.
    progress
        Whether to show a bar with rate and time left, if standard error is a terminal.
    unit
        What the numbers count.

    Yields
    ------
    (range, result)
        In the order of ``ranges``. When a task fails, or the user interrupts, parts already begun
        are finished and yielded before the exception goes on.
    """
    ranges = list(ranges)
    threads = threads or _cores()
    bar = tqdm(
        total=sum(len(part) for part in ranges),
        unit=f" {unit}",
        unit_scale=True,
        disable=None if progress else True,
        leave=False,
    )
    running: deque[tuple[range, Future[T]]] = deque()
    waiting = iter(ranges)
    with bar, ThreadPoolExecutor(threads) as pool:

        def begin(n: int) -> None:
            running.extend((part, pool.submit(task, part)) for part in islice(waiting, n))

        begin(2 * threads)
        try:
            while running:
                part, future = running[0]
                result = future.result()
                running.popleft()
                begin(1)
                bar.update(len(part))
                yield part, result
        except GeneratorExit:
            raise
        except BaseException:
            for _, future in running:
                future.cancel()
            for part, future in running:
                if not future.cancelled() and future.exception() is None:
                    yield part, future.result()
            raise
        finally:
            for _, future in running:
                future.cancel()


@dataclass(frozen=True)
class Run:
    """A run of independent hands: on disk, or in memory if ``directory`` is None.

    Any program reads a directory's ``hands/``; ``to_pandas`` and ``to_arrow`` hold it in memory.
    """

    manifest: Manifest
    directory: Path | None
    tables: tuple[pa.Table, ...] = ()

    @classmethod
    def open(cls, directory: str | Path) -> Run:
        """A run directory, its finished parts checked as far as their footers tell.

        Raises RunError if it is none, or a part is missing or damaged.
        """
        directory = Path(directory)
        manifest = manifest_of(directory, "hand")
        for part in manifest.parts:
            check_part(directory, manifest, part)
        return cls(manifest, directory)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """The run part by part, in order, with the columns asked for (all), in that order.

        Raises RunError if there is no such column, or a part cannot be read to its end.
        """
        columns = list(columns) if columns is not None else None
        for name in columns or ():
            if name not in self.manifest.columns:
                known = ", ".join(self.manifest.columns)
                raise RunError(f"the run has no column {name!r}: expected one of {known}")
        return self._batches(columns)

    def _batches(self, columns: list[str] | None) -> Iterator[pa.Table]:
        for table in self.tables:
            yield table if columns is None else table.select(columns)
        if self.directory is not None:
            for part in self.manifest.parts:
                yield read_part(self.directory, self.manifest, part, columns)

    def to_arrow(self, columns: Sequence[str] | None = None) -> pa.Table:
        """The whole run as one Arrow table. Raises RunError as ``batches``."""
        return pa.concat_tables(self.batches(columns))

    def to_pandas(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The whole run as a DataFrame, one row a hand. Raises RunError as ``batches``."""
        return self.to_arrow(columns).to_pandas()


def simulate(
    rules: RuleSet = OTTOCENTO,
    hands: int = 1_000_000,
    *,
    seed: int = 1,
    policies: str | Policy | Sequence[str | Policy] = "simple",
    deal: str | None = None,
    where: str | None = None,
    out: str | Path | None = None,
    columns: Sequence[str] | None = None,
    log_plays: bool = False,
    threads: int | None = None,
    progress: bool = False,
) -> Run:
    """Deal and play hands, and keep a row for each.

    Parameters
    ----------
    rules
        The game.
    hands
        How many; the dealer rotates.
    seed
        0 to 2^64 - 1. The same seed gives the same deals under any policies.
    policies
        One SPEC or Policy for all seats, two for sides 0 and 1, or four for seats 0 to 3.
    deal, where
        Cards fixed to hands, as in ``"dealer: Pagat Fool; eldest: SK"``, and conditions on what was
        dealt, as in ``"dealer.trumps >= 6"``: the grammar is that of ``sim.conditions``. The
        manifest has their probability; without them all deals are alike.
    out
        A new directory to write the run to; None keeps it in memory. If it holds this very run,
        finished, nothing is done again.
    columns
        Those to keep beside ``hand_id``; None for all.
    log_plays
        Whether to keep every card played (column ``plays``).
    threads, progress
        As in ``map_parts``.

    Raises
    ------
    RunError
        A wrong argument, or a directory that holds something else.
    CardError, ConditionError
        A condition that cannot be read or met, or that is too rare.
    PolicyError
        A policy that cannot be had.
    IllegalAnswer
        A policy answered what the rules forbid.
    OSError
        The disk is full or cannot be written; whole parts stay.

    Source: RULES §2-4, 7, 8.
    """
    if not 1 <= hands <= LARGEST_RUN:
        raise RunError(f"{hands} hands: expected 1 to {LARGEST_RUN}")
    if not 0 <= seed <= LARGEST_SEED:
        raise RunError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    chosen, chosen_columns = parse_policies(policies), choose_columns(rules, columns, log_plays)
    conditions = read_conditions(rules, deal, where)
    manifest = Manifest(
        rules=rules,
        seed=seed,
        hands=hands,
        policies=[policy.to_dict() for policy in chosen],
        columns=chosen_columns,
        deal=conditions.deal,
        where=conditions.where,
        condition_probability=conditions.probability,
    )
    dealing = conditions.dealing
    make = partial(_make_part, manifest, chosen, dealing)
    tables = make_run(manifest, chosen, make, out, threads, progress)
    if out is not None:
        return Run.open(out)
    return Run(manifest, None, tuple(part["hands"] for part in tables))


def resume(
    directory: str | Path,
    *,
    policies: Sequence[str | Policy] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Run:
    """Make the parts that a run lacks, to the same bytes as if it had never stopped.

    Parameters
    ----------
    directory
        A run directory.
    policies
        As for ``simulate``; needed where a policy's file is not in the current folder.
    threads, progress
        As in ``map_parts``.

    Raises RunError if the directory is no run of this program, PolicyError if a policy file has
    changed or is not found, and as ``simulate``.
    """
    manifest, chosen = run_to_resume(directory, policies, "hand")
    dealing = read_conditions(manifest.rules, manifest.deal, manifest.where).dealing
    make = partial(_make_part, manifest, chosen, dealing)
    complete_run(Path(directory), manifest, make, threads, progress)
    return Run.open(directory)


# What a part of a run is made of: a table for each folder.
Tables = dict[str, pa.Table]
Make = Callable[[range], Tables]


def make_run(
    manifest: Manifest,
    policies: Sequence[Policy],
    make: Make,
    out: str | Path | None,
    threads: int | None,
    progress: bool,
) -> list[Tables]:
    """Make a run in a new directory, or in memory: then its parts are returned.

    A directory that holds this very run, finished, is left as it is.

    Raises RunError if it holds anything else, PolicyError if a policy cannot be compiled, and what
    ``make`` raises.
    """
    if out is None:
        parts = map_parts(
            make, manifest.ranges, threads=threads, progress=progress, unit=f"{manifest.unit}s"
        )
        return [tables for _, tables in parts]
    compiled(policies)  # what cannot be compiled is refused before anything is written
    rules_record(manifest.rules)
    directory = Path(out)
    if _holds(directory, manifest):
        return []
    with _only_writer(directory):
        if not _holds(directory, manifest):  # another process may have made it meanwhile
            write_manifest(directory, manifest)
            _complete(directory, manifest, make, threads, progress)
    return []


def manifest_of(directory: str | Path, unit: str) -> Manifest:
    """The manifest of a run of hands (``hand``) or of games (``game``).

    Raises RunError if the directory is no run, or one of the other unit.
    """
    manifest = read_manifest(Path(directory))
    if manifest.unit != unit:
        command = "games" if manifest.games else "simulate"
        raise RunError(
            f"{directory} is a run of {manifest.unit}s (tarocchino {command}): "
            f"expected one of {unit}s"
        )
    return manifest


def run_to_resume(
    directory: str | Path, policies: Sequence[str | Policy] | None, unit: str
) -> tuple[Manifest, tuple[Policy, ...]]:
    """Manifest and policies of a run that this program can go on with.

    Raises RunError as ``manifest_of``, or if another program made it; PolicyError as
    ``recorded_policies``.
    """
    manifest = manifest_of(directory, unit)
    if manifest.program != PROGRAM:
        raise RunError(f"{directory} was made by {manifest.program}: expected {PROGRAM}")
    return manifest, recorded_policies(manifest, policies)


def complete_run(
    directory: Path, manifest: Manifest, make: Make, threads: int | None, progress: bool
) -> None:
    """Make the parts that a run lacks, those that cannot be read among them.

    Raises RunError if another process writes it, and what ``make`` raises.
    """
    with _only_writer(directory):
        sound = []
        for part in manifest.parts:
            try:
                for folder in manifest.schemas:
                    read_part(directory, manifest, part, folder=folder)
            except RunError:
                continue
            sound.append(part)
        manifest.parts = sound
        _complete(directory, manifest, make, threads, progress)


def recorded_policies(
    manifest: Manifest, given: str | Policy | Sequence[str | Policy] | None = None
) -> tuple[Policy, ...]:
    """The policies of a run's seats, found again by SPEC and checked against what was recorded.

    ``given`` says where policy files are, as SPECs with paths. Raises PolicyError if a policy is
    not found or differs.
    """
    policies = parse_policies(manifest.specs if given is None else given)
    for policy, recorded in zip(policies, manifest.policies, strict=True):
        now = policy.to_dict()
        if now["files"] != recorded["files"]:
            names = ", ".join(recorded["files"]) or "no file"
            raise PolicyError(
                f"the policy {recorded['spec']} was made with {names} and has changed since: "
                "expected the file with the sha256 that the manifest records"
            )
        if now != recorded:
            raise PolicyError(
                f"the policy {now['spec']} is not the one recorded, {recorded['spec']}: "
                "expected the same SPEC, versions and parameters"
            )
    return policies


def _make_part(
    manifest: Manifest, policies: Sequence[Policy], dealing: Dealing | None, part: range
) -> Tables:
    rows = play_hands(
        manifest.rules,
        policies,
        manifest.seed,
        part[0],
        len(part),
        "plays" in manifest.columns,
        dealing=dealing,
    )
    return {"hands": rows_table(rows, part[0], manifest.columns)}


def _complete(
    directory: Path, manifest: Manifest, make: Make, threads: int | None, progress: bool
) -> None:
    """Make and write the parts that are not there, keeping the manifest up to date."""
    for folder in manifest.schemas:
        (directory / folder).mkdir(exist_ok=True)
    for stray in directory.glob("**/.*.tmp"):
        stray.unlink()
    key = manifest.range_key
    there = {part[key][0] for part in manifest.parts}
    missing = [part for part in manifest.ranges if part[0] not in there]
    index = {part[0]: i for i, part in enumerate(manifest.ranges)}

    def write(part: range) -> dict[str, int]:
        """The number of hands of a part of games, where they are kept."""
        tables = make(part)
        for folder, table in tables.items():
            write_part(directory, index[part[0]], table, manifest, folder)
        return {"hands": len(tables["hands"])} if manifest.games and "hands" in tables else {}

    written = map_parts(
        write, missing, threads=threads, progress=progress, unit=f"{manifest.unit}s"
    )
    for part, hands in written:
        entry: dict[str, Any] = {
            "file": part_file(index[part[0]]),
            key: [part[0], part[-1]],
            **hands,
        }
        manifest.parts = sorted([*manifest.parts, entry], key=lambda p: p[key][0])
        write_manifest(directory, manifest)


def _holds(directory: Path, manifest: Manifest) -> bool:
    """Whether a directory already holds this run, finished; False if it may be written to.

    Raises RunError if it holds anything else.
    """
    if directory.exists() and not directory.is_dir():
        raise RunError(f"{directory} is no directory: expected a new or empty one")
    if not directory.is_dir() or all(path.name[0] == "." for path in directory.iterdir()):
        return False
    if not (directory / "manifest.json").exists():
        raise RunError(f"{directory} holds other files: expected a new or empty directory")
    found = read_manifest(directory)
    for key in manifest.identity | found.identity:
        if key in ("pyarrow", "condition_probability"):  # the rows are the same
            continue
        value = manifest.identity.get(key)
        if found.identity.get(key) != value:
            short = key in ("seed", "hands", "games") and found.identity.get(key)
            told = f"{key} {found.identity[key]}" if short else f"other {key}"
            raise RunError(f"{directory} holds another run ({told}): give another --out")
    if not found.finished:
        raise RunError(f"{directory} holds this run unfinished: go on with --resume {directory}")
    return True


@contextmanager
def _only_writer(directory: Path) -> Iterator[None]:
    """Hold a run directory, made if need be, against other writers."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lock = FileLock(directory / ".lock")
        lock.acquire(timeout=0)
    except Timeout:
        raise RunError(f"{directory} is being written by another run: expected it free") from None
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise RunError(f"{directory} cannot be written: {error.strerror}") from None
    try:
        yield
    finally:
        lock.release()
