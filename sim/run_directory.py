"""Run directories: who may write one, and how its parts are made, interrupted and completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sim.kernels.rules_record import rules_record
from sim.locks import only_writer, place_asked
from sim.manifests import PROGRAM, Manifest, RunError
from sim.parts import map_parts
from sim.players import compiled
from sim.policies.policy import Policy, PolicyError
from sim.policies.spec import given_policies, parse_policies, policy_file
from sim.records import read_manifest, read_part, run_path, write_manifest, write_part
from sim.stores import StoreError, told_by_store
from sim.user_files import UserFileError, file_hash

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
) -> Iterator[Tables]:
    """Make a run in a new directory, or in memory: then its parts come as they are made.

    A directory that holds this very run, finished, is left as it is.

    Raises RunError if it holds anything else, PolicyError if a policy cannot be compiled, and what
    ``make`` raises.
    """
    if out is None:
        parts = map_parts(
            make,
            manifest.ranges,
            total=manifest.size,
            threads=threads,
            progress=progress,
            unit=f"{manifest.unit}s",
        )
        return (tables for _, tables in parts)
    compiled(policies)  # what cannot be compiled is refused before anything is written
    rules_record(manifest.rules)  # nor a table's own statements
    directory = run_path(out)
    if _holds(directory, manifest):
        return iter(())
    with only_writer(directory) as check:
        if not _holds(directory, manifest):  # another process may have made it meanwhile
            write_manifest(directory, manifest)
            _complete(directory, manifest, make, threads, progress, check)
    return iter(())


def manifest_of(directory: str | Path, unit: str) -> Manifest:
    """The manifest of a run of hands (``hand``) or of games (``game``).

    Raises RunError if the directory is no run, or one of the other unit.
    """
    manifest = read_manifest(run_path(directory))
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
    return manifest, recorded_policies(directory, manifest, policies)


def complete_run(
    directory: str | Path, manifest: Manifest, make: Make, threads: int | None, progress: bool
) -> None:
    """Make the parts that a run lacks, those that cannot be read among them.

    Parts that are whole on disk are kept, whether the manifest names them already or not.

    Raises RunError if another process writes it, and what ``make`` raises.
    """
    directory = run_path(directory)
    with only_writer(directory) as check:
        _complete(directory, manifest, make, threads, progress, check)


def recorded_policies(
    directory: str | Path,
    manifest: Manifest,
    given: str | Policy | Sequence[str | Policy] | None = None,
) -> tuple[Policy, ...]:
    """The policies of a run's seats, found again by SPEC and checked against what was recorded.

    A policy's file is run as code: one of the current folder, or where ``given`` says, as SPECs
    with paths. It is run only if it has the sha256 that was recorded, and never out of the run's
    own directory.

    Raises PolicyError if a policy is not found or differs, or a file lies in the run's directory.
    """
    specs = given_policies(manifest.specs if given is None else given)
    _check_files(run_path(directory), manifest, specs, recorded=given is None)
    policies = parse_policies(specs)
    for policy, recorded in zip(policies, manifest.policies, strict=True):
        now = policy.to_dict()
        if now["files"] != recorded["files"]:
            raise _changed(recorded)
        if now != recorded:
            raise PolicyError(
                f"the policy {now['spec']} is not the one recorded, {recorded['spec']}: "
                "expected the same SPEC, versions and parameters"
            )
    return policies


def _check_files(
    directory: Path, manifest: Manifest, specs: Sequence[str | Policy], recorded: bool
) -> None:
    """Raise PolicyError for a user's file that is not to be run, before any is.

    ``recorded``: whether the SPECs are the manifest's own, whose files are in the current folder.
    """

    def refuse_inside(path: Path) -> None:
        if isinstance(directory, Path) and path.resolve().is_relative_to(directory.resolve()):
            raise PolicyError(
                f"{path.name} lies in the run's own directory, where nothing is run as code: "
                "expected it in another folder, and to be called from there"
            )

    for signal in manifest.rules.signals.own:
        if signal.predicate is not None:
            refuse_inside(signal.predicate.path)
    for seat, policy in enumerate(manifest.policies):
        spec = specs[seat % len(specs)]
        if isinstance(spec, Policy) or (path := policy_file(spec)) is None:
            continue
        if recorded and not spec.startswith(f"{path.name}:"):
            raise PolicyError(f"the policy {spec} is recorded with a folder: expected none")
        refuse_inside(path)
        try:
            digest = file_hash(path)
        except UserFileError as error:
            raise PolicyError(f"the policy file {error}") from None
        if policy["files"].get(path.name) != digest:
            raise _changed(policy)


def _changed(policy: dict[str, Any]) -> PolicyError:
    names = ", ".join(policy["files"]) or "no file"
    return PolicyError(
        f"the policy {policy['spec']} was made with {names} and has changed since: "
        "expected the file with the sha256 that the manifest records"
    )


def _complete(
    directory: Path,
    manifest: Manifest,
    make: Make,
    threads: int | None,
    progress: bool,
    check: Callable[[], None],
) -> None:
    """Make and write the parts that are not there whole, keeping the manifest up to date.

    ``check``: what raises RunError if the directory is no longer ours to write.
    """
    with told_by_store(directory):
        for folder in manifest.schemas:
            (directory / folder).mkdir(exist_ok=True)
    _sweep(directory)
    place = directory.absolute()  # a worker of a cluster is in another folder

    def write(part: range) -> dict[str, Any]:
        return _found(place, manifest, part) or _write(place, manifest, part, make(part))

    written = map_parts(
        write,
        manifest.ranges,
        total=manifest.size,
        threads=threads,
        progress=progress,
        unit=f"{manifest.unit}s",
    )
    key = manifest.range_key
    told = {part[key][0]: part for part in manifest.parts}

    def tell() -> None:
        parts = sorted(told.values(), key=lambda part: part[key][0])
        if parts != manifest.parts:
            check()
            manifest.parts = parts
            write_manifest(directory, manifest)

    due = monotonic() + 1
    try:
        for part, entry in written:
            told[part[0]] = entry
            # Not after each part, of which there may be a million: those of a killed run that
            # are not told yet are found again.
            if (began := monotonic()) >= due:
                tell()
                due = began + max(1, 20 * (monotonic() - began))
    except BaseException:
        with suppress(StoreError):  # what stopped the run is to be told
            tell()
        raise
    tell()
    _sweep(directory)  # what workers that died were writing


def _sweep(directory: Path) -> None:
    """Remove what is half written."""
    if isinstance(directory, Path):
        for stray in directory.glob("**/.*.tmp"):
            stray.unlink(missing_ok=True)


def _write(directory: Path, manifest: Manifest, part: range, tables: Tables) -> dict[str, Any]:
    """Write a part, and return what the manifest tells of it."""
    entry = manifest.entry(part)
    for folder, table in tables.items():
        write_part(directory, part, table, manifest, folder)
        if manifest.games and folder == "hands":
            entry["hands"] = len(table)
    return entry


def _found(directory: Path, manifest: Manifest, part: range) -> dict[str, Any] | None:
    """What the manifest tells of a part if it is there and can be read to its end, else None."""
    entry = manifest.entry(part)
    try:
        for folder in manifest.schemas:
            table = read_part(directory, manifest, entry, folder=folder)
            if folder == "games" and "hands" in manifest.schemas:
                entry["hands"] = pc.sum(table["hands"]).as_py()
    except RunError:
        return None
    return entry


def _holds(directory: Path, manifest: Manifest) -> bool:
    """Whether a directory already holds this run, finished; False if it may be written to.

    Raises RunError if it holds anything else.
    """
    with place_asked(directory):
        if directory.exists() and not directory.is_dir():
            raise RunError(f"{directory} is no directory: expected a new or empty one")
        if not directory.is_dir() or all(path.name[0] == "." for path in directory.iterdir()):
            return False
        if not (directory / "manifest.json").exists():
            raise RunError(f"{directory} holds other files: expected a new or empty directory")
    found = read_manifest(directory)
    for key in {**manifest.identity, **found.identity}:
        if key in ("pyarrow", "condition_probability"):  # the rows are the same
            continue
        if found.identity.get(key) != manifest.identity.get(key):
            short = getattr(found, key) if key in ("seed", "hands", "games", "keep") else ""
            told = f"{key} {short}" if short else f"other {key}"
            raise RunError(f"{directory} holds another run ({told}): give another --out")
    if not found.finished:
        raise RunError(f"{directory} holds this run unfinished: go on with --resume {directory}")
    return True
