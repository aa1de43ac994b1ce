"""Parts of a policy and how they are declared.

A part is a function that decides one thing from a ``View``, decorated with what it decides::

    @policy.play(reasons=("lead", "follow"), boldness=0.5)
    def cautious(view, weights):
        ...
        return card, reason

Keywords other than ``name``, ``version``, ``reasons`` and ``table`` are parameters with their
defaults, read as ``weights.boldness``. ``table`` is the path of a file of numbers that the part's
module has loaded: manifests record its hash. The decorator returns the compiled function, so that
parts may call each other.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sim.kernels.compiling import compiled_each_time, kernel
from sim.kernels.decisions import Decisions
from sim.kernels.state import ALL_WEIGHTS, MOST_PARAMETERS, WEIGHTS, records

KINDS = ("discard", "declare", "lead", "play", "signal")  # numbered as decisions are


class PolicyError(ValueError):
    """A policy SPEC, a part, a parameter or a policy file is not what it should be."""


@dataclass(frozen=True)
class Part:
    """One decision of a policy: a compiled function and what is known of it."""

    kind: str
    name: str
    version: int
    function: Callable[..., Any] = field(compare=False)
    description: str = field(compare=False)
    parameters: dict[str, float] = field(compare=False)
    reasons: tuple[str, ...] = field(compare=False)
    file: Path | None = None
    sha256: str = ""  # of the user's file as it was when loaded
    table: str = ""  # sha256 of the table that it was made with, if it has one

    def with_parameters(self, values: dict[str, float]) -> Part:
        """The same part with some parameters changed; unknown names are ignored."""
        changed = {k: values.get(k, default) for k, default in self.parameters.items()}
        return Part(**{**self.__dict__, "parameters": changed})

    @property
    def weights(self) -> np.dtype:
        """The record of its parameters, by name, that its function reads."""
        names = list(self.parameters)
        return np.dtype([(name, np.float64) for name in names]) if names else WEIGHTS

    def to_dict(self) -> dict[str, Any]:
        """Name, version, parameters and the hash of its table if it has one, for manifests."""
        told = {"name": self.name, "version": self.version, "parameters": self.parameters}
        return told | ({"table": self.table} if self.table else {})


_parts: dict[Any, Part] = {}


def shipped(module: str) -> bool:
    """Whether a module is part of this package rather than a user's file."""
    return module.split(".")[0] == "sim"


def _declare_part(kind: str, function: Callable[..., Any] | None, options: dict[str, Any]) -> Any:
    def decorate(function: Callable[..., Any]) -> Any:
        name = options.pop("name", function.__name__.strip("_"))
        version = options.pop("version", 1)
        reasons = tuple(options.pop("reasons", ()))
        table = options.pop("table", None)
        parameters = {key: float(value) for key, value in options.items()}
        if len(parameters) > MOST_PARAMETERS:
            raise PolicyError(
                f"{name}: {len(parameters)} parameters, expected {MOST_PARAMETERS} at most"
            )
        expected = "(view, card, weights)" if kind == "signal" else "(view, weights)"
        given = inspect.signature(function)
        if len(given.parameters) != expected.count(",") + 1:
            raise PolicyError(f"the {kind} part {name!r} takes {given}: expected {expected}")
        ours = shipped(function.__module__)
        compiled = kernel(function) if ours else compiled_each_time(function)
        lines = (function.__doc__ or "").strip().splitlines()
        file = None if ours else Path(function.__code__.co_filename)
        sha256 = "" if file is None else _file_hash(file, name)
        _parts[compiled] = Part(
            kind,
            name,
            version,
            compiled,
            lines[0] if lines else "",
            parameters,
            reasons,
            file,
            sha256,
            _file_hash(table, name) if table else "",
        )
        return compiled

    return decorate if function is None else decorate(function)


def _file_hash(path: Path, name: str) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        raise PolicyError(
            f"the part {name!r} is not defined in a file: expected one, so that runs can record it"
        ) from None


def discard(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Declare a discard part: ``(view, weights) -> set of two cards``."""
    return _declare_part("discard", function, options)


def declare(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Declare a declare part: ``(view, weights) -> combination bits`` out of ``view.legal``.

    Bit 12 (Pagat) and 13 (Fool) withhold that card where the rules let one choose.
    """
    return _declare_part("declare", function, options)


def lead(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Declare a lead part, asked in place of the play part: ``(view, weights)`` as there."""
    return _declare_part("lead", function, options)


def play(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Declare a play part: ``(view, weights) -> (card of view.legal, reason code)``."""
    return _declare_part("play", function, options)


def signal(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Declare a signal part: ``(view, card, weights) -> bits``, card NONE before partner leads."""
    return _declare_part("signal", function, options)


def helper(function: Callable[..., Any]) -> Any:
    """Compile a function that parts call."""
    return kernel(function) if shipped(function.__module__) else compiled_each_time(function)


def part_of(function: Any) -> Part:
    """The part that a decorated function is. Raises PolicyError if it is none."""
    try:
        return _parts[function]
    except (KeyError, TypeError):
        raise PolicyError(
            f"{getattr(function, '__name__', function)!r} is no policy part: "
            "decorate it with @policy.discard, declare, lead, play or signal"
        ) from None


def declared_part(kind: str, name: str, file: Path | None) -> Part:
    """The part of this kind and name that a user's file, or the engine, declared last.

    Raises PolicyError if there is none.
    """
    for part in reversed(list(_parts.values())):
        if (part.kind, part.name, part.file) == (kind, name, file):
            return part
    raise PolicyError(f"unknown {kind} part {name!r}")


@dataclass(frozen=True)
class Policy:
    """A complete strategy: one part of each kind.

    Parameters
    ----------
    spec
        The SPEC that names it; ``""`` in a policy file, where the file's name gives it.
    discard, declare, lead, play, signal
        Decorated functions (or Parts).
    named_in
        sha256 of the user's file that the SPEC names, by its base name; empty if it names none.
    """

    spec: str
    discard: Part
    declare: Part
    lead: Part
    play: Part
    signal: Part
    named_in: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, spec: str = "", *, discard: Any, declare: Any, play: Any, signal: Any, lead: Any = None
    ) -> Policy:
        """A policy from decorated functions; without a lead part, the play part leads.

        Raises PolicyError if one is of another kind.
        """
        from sim.policies.lead.own import own  # a part, which needs this module

        parts: dict[str, Any] = {}
        lead = own if lead is None else lead
        for kind, function in zip(KINDS, (discard, declare, lead, play, signal), strict=True):
            part = function if isinstance(function, Part) else part_of(function)
            if part.kind != kind:
                raise PolicyError(f"{part.name!r} is a {part.kind} part: expected a {kind} part")
            parts[kind] = part
        return cls(spec, **parts)

    @property
    def parts(self) -> dict[str, Part]:
        """The parts by kind."""
        return {kind: getattr(self, kind) for kind in KINDS}

    def with_part(self, part: Part) -> Policy:
        """The same policy with a part exchanged; its SPEC stays."""
        changed: dict[str, Any] = {part.kind: part}
        return replace(self, **changed)

    @cached_property
    def silenced(self) -> Policy:
        """The same policy without signals; kept, since a bundle is looked up by identity."""
        from sim.policies.signal.silent import silent  # a part, which needs this module

        part = part_of(silent)
        return self if self.signal == part else self.with_part(part)

    @property
    def files(self) -> tuple[Path, ...]:
        """The users' files that its parts come from."""
        return tuple(sorted({part.file for part in self.parts.values() if part.file is not None}))

    @property
    def file_hashes(self) -> dict[str, str]:
        """sha256 of each user's file as it was when loaded, by its base name."""
        return self.named_in | {
            part.file.name: part.sha256 for part in self.parts.values() if part.file is not None
        }

    def to_dict(self) -> dict[str, Any]:
        """What a manifest records: SPEC, files by base name and sha256, parts with parameters."""
        return {
            "spec": self.spec,
            "files": self.file_hashes,
            "parts": {kind: part.to_dict() for kind, part in self.parts.items()},
        }

    @cached_property
    def decisions(self) -> Decisions:
        """The compiled bundle for the hand loop; parameters are not part of it."""
        told = [f"{kind}:{part.name}" for kind, part in self.parts.items()]
        told += [f"{name}@{digest}" for name, digest in self.file_hashes.items()]
        return Decisions(
            digest=",".join(told),
            discard=self.discard.function,
            declare=self.declare.function,
            lead=self.lead.function,
            play=self.play.function,
            signal=self.signal.function,
            weights=tuple(part.weights for part in self.parts.values()),
            leads_by_play=self.lead.name == "own" and self.lead.file is None,
            silent=self.signal.name == "silent" and self.signal.file is None,
            shipped=not self.files,
        )


def weights_of(seats: tuple[Policy, ...]) -> np.record:
    """Parameter values of the parts at each seat: an ALL_WEIGHTS record (seat, kind, parameter)."""
    weights = records(ALL_WEIGHTS, 1)[0]
    for seat, policy in enumerate(seats):
        for kind, part in enumerate(policy.parts.values()):
            weights.values[seat, kind, : len(part.parameters)] = list(part.parameters.values())
    return weights
