"""The SPEC grammar: ``BASE[(k=v,…)][+part:NAME[(k=v,…)]]…``, and where its names are found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

from sim.policies.declare.all import all_
from sim.policies.declare.hide import hide
from sim.policies.declare.nothing import nothing
from sim.policies.declare.to_win import to_win
from sim.policies.discard.combine import combine
from sim.policies.discard.courts import courts
from sim.policies.discard.low import low
from sim.policies.discard.pips import pips
from sim.policies.discard.pisarri import pisarri
from sim.policies.discard.random import random as random_discard
from sim.policies.discard.sampled import sampled
from sim.policies.discard.void import void
from sim.policies.lead.court import court
from sim.policies.lead.longest import longest
from sim.policies.lead.own import own
from sim.policies.lead.short import short
from sim.policies.lead.trump import trump
from sim.policies.play.expert import expert
from sim.policies.play.random import random as random_play
from sim.policies.play.simple import simple
from sim.policies.play.sure import expert_sure, simple_sure
from sim.policies.policy import KINDS, Part, Policy, PolicyError, part_of
from sim.policies.signal.club import club
from sim.policies.signal.silent import silent
from sim.user_files import UserFileError, file_hash, named

POLICIES = {
    "random": Policy.of(
        "random", discard=random_discard, declare=all_, play=random_play, signal=silent
    ),
    "simple": Policy.of("simple", discard=low, declare=all_, play=simple, signal=silent),
    "expert": Policy.of("expert", discard=void, declare=all_, play=expert, signal=club),
}
PARTS: dict[str, dict[str, Part]] = {kind: {} for kind in KINDS}
for _function in (
    *(random_discard, low, void, courts, pips, combine, pisarri, sampled),
    *(all_, nothing, hide, to_win),
    *(own, longest, court, trump, short),
    *(random_play, simple, expert, simple_sure, expert_sure),
    *(silent, club),
):
    _part = part_of(_function)
    PARTS[_part.kind][_part.name] = _part

_FILE = re.compile(r"(.+\.py):(\w+)")
_GRAMMAR = "BASE[(k=v,...)][+part:NAME[(k=v,...)]]..."


def parse_policy(spec: str) -> Policy:
    """The policy that a SPEC names.

    Parameters
    ----------
    spec
        ``BASE`` is a policy's name or ``PATH.py:NAME``; a part is discard, declare, lead, play or
        signal. A user's file is run as Python code.

    Raises
    ------
    PolicyError
        The SPEC does not follow the grammar, or a name, parameter or file is unknown.

    Source: the SPEC grammar of the command line.
    """
    # A file's path may hold any character, so it is taken off first.
    file = _FILE.match(spec)
    base = file[0] if file else re.split(r"[(+]", spec, maxsplit=1)[0]
    rest = spec[len(base) :]
    policy = _from_file(file[1], file[2]) if file else _shipped(base)
    shown = f"{Path(file[1]).name}:{file[2]}" if file else base
    own = re.match(r"\(([^()]*)\)", rest)
    if own:
        values = _parameters(own[1], spec)
        known = {name for part in policy.parts.values() for name in part.parameters}
        _refuse_unknown(values, known, shown)
        for part in policy.parts.values():
            policy = policy.with_part(part.with_parameters(values))
        rest = rest[own.end() :]
    if rest and not rest.startswith("+"):
        raise PolicyError(f"the policy {spec!r} cannot be read: expected {_GRAMMAR}")
    for piece in rest.split("+")[1:]:
        policy = _with_part(policy, piece, spec)
    return replace(policy, spec=shown + spec[len(base) :])


def policy_file(spec: str) -> Path | None:
    """The user's file that a SPEC names, which ``parse_policy`` runs as code; None if none."""
    file = _FILE.match(spec)
    return Path(file[1]) if file else None


def parse_policies(specs: str | Policy | Sequence[str | Policy]) -> tuple[Policy, ...]:
    """The policies of seats 0 to 3: from one for all, two for sides 0 and 1, or four.

    Raises PolicyError for another number, or as ``parse_policy``.
    """
    given = given_policies(specs)
    policies = [item if isinstance(item, Policy) else parse_policy(item) for item in given]
    return tuple(policies[seat % len(policies)] for seat in range(4))


def given_policies(specs: str | Policy | Sequence[str | Policy]) -> list[str | Policy]:
    """What ``parse_policies`` takes, as a list. Raises PolicyError for another number."""
    given = [specs] if isinstance(specs, (str, Policy)) else list(specs)
    if len(given) not in (1, 2, 4):
        raise PolicyError(
            f"{len(given)} policies are given: expected one, two (sides) or four (seats)"
        )
    return given


def _shipped(name: str) -> Policy:
    if name not in POLICIES:
        known = ", ".join(POLICIES)
        raise PolicyError(f"unknown policy {name!r}: expected {known}, or PATH.py:NAME")
    return POLICIES[name]


def _from_file(path: str, name: str) -> Policy:
    """A policy defined in a user's file: a Policy, or a play part on the rest of ``simple``."""
    try:
        digest = file_hash(Path(path))
        found = named(Path(path), name)
    except UserFileError as error:
        if isinstance(error.__cause__, PolicyError):  # of a part that the file declares wrongly
            raise error.__cause__ from None
        raise PolicyError(f"the policy file {error}") from error.__cause__
    policy = found if isinstance(found, Policy) else POLICIES["simple"].with_part(part_of(found))
    return replace(policy, named_in={Path(path).name: digest})


def _with_part(policy: Policy, piece: str, spec: str) -> Policy:
    match = re.fullmatch(r"(\w+):([\w-]+)(?:\(([^()]*)\))?", piece)
    if not match:
        raise PolicyError(f"the policy {spec!r} cannot be read at {piece!r}: expected {_GRAMMAR}")
    kind, name, parameters = match.groups()
    if kind not in PARTS:
        raise PolicyError(f"unknown part {kind!r} in {spec!r}: expected one of {', '.join(PARTS)}")
    if name not in PARTS[kind]:
        known = ", ".join(PARTS[kind])
        raise PolicyError(f"unknown {kind} part {name!r} in {spec!r}: there is {known}")
    part = PARTS[kind][name]
    if parameters is not None:
        values = _parameters(parameters, spec)
        _refuse_unknown(values, set(part.parameters), f"{kind}:{name}")
        part = part.with_parameters(values)
    return policy.with_part(part)


def _parameters(text: str, spec: str) -> dict[str, float]:
    values = {}
    for item in filter(None, (item.strip() for item in text.split(","))):
        key, _, value = item.partition("=")
        try:
            values[key.strip()] = float(value)
            if not isfinite(values[key.strip()]):
                raise ValueError
        except ValueError:
            raise PolicyError(f"the parameter {item!r} in {spec!r}: expected name=number") from None
    return values


def _refuse_unknown(values: dict[str, Any], known: set[str], owner: str) -> None:
    for name in values:
        if name not in known:
            told = ", ".join(sorted(known)) or "none"
            raise PolicyError(f"{owner} has no parameter {name!r}: expected {told}")
