"""Policies sent to other processes: parts by name, what is in users' files with its source.

Compiled functions do not travel: where they arrive, they are compiled, or found in the cache.
"""

from __future__ import annotations

import copyreg
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from sim.policies.policy import Part, Policy, PolicyError, declared_part
from sim.signals import Predicate
from sim.user_files import load


def _send_policy(policy: Policy) -> tuple[Any, ...]:
    return Policy, (policy.spec, *policy.parts.values(), policy.named_in)


def _send_part(part: Part) -> tuple[Any, ...]:
    known = part.kind, part.name, part.parameters
    if part.file is None:
        return _shipped_part, (part.function.__module__, *known)
    return _part_of_file, (part.file.name, _source(part.file, part.sha256), *known)


@cache
def _source(file: Path, digest: str) -> bytes:
    """The source of a user's file. Raises PolicyError if it has changed since it was loaded."""
    source = file.read_bytes() if file.exists() else b""
    if sha256(source).hexdigest() != digest:
        raise PolicyError(f"the policy file {file.name} has changed since it was loaded")
    return source


def _shipped_part(module: str, kind: str, name: str, parameters: dict[str, float]) -> Part:
    import_module(module)
    return declared_part(kind, name, None).with_parameters(parameters)


def _part_of_file(
    file: str, source: bytes, kind: str, name: str, parameters: dict[str, float]
) -> Part:
    path = _written(file, source)
    load(path)
    return declared_part(kind, name, path).with_parameters(parameters)


@cache
def _written(file: str, source: bytes) -> Path:
    """Where a user's file stands for this process, under its own name."""
    path = Path(mkdtemp(prefix="tarocchino-")).resolve() / file
    path.write_bytes(source)
    return path


def _send_predicate(predicate: Predicate) -> tuple[Any, ...]:
    source = _source(predicate.path, predicate.sha256)
    return _predicate_of_file, (predicate.spec, predicate.sha256, predicate.path.name, source)


def _predicate_of_file(spec: str, digest: str, file: str, source: bytes) -> Predicate:
    return Predicate(spec, digest, _written(file, source).parent)


copyreg.pickle(Policy, _send_policy)
copyreg.pickle(Predicate, _send_predicate)
copyreg.pickle(Part, _send_part)
