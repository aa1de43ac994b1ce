"""Under whom claims are measured, and how the parts of a measurement are played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.moments import Moments
from analysis.trial_estimates import Measured
from sim.parts import map_parts
from sim.players import compiled
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies
from sim.rows import Rows

PART = 4000  # hands


@dataclass(frozen=True)
class Players:
    """Under what a claim is measured: a policy by SPEC, and how many hands are played."""

    spec: str
    hands: int
    seed: int = 1
    threads: int | None = None
    progress: bool = False


# Of players, and of the number that the claim says is exceeded.
Measure = Callable[[Players, float], Measured]
T = TypeVar("T")


def played(play: Callable[[range], T], units: int, part: int, players: Players) -> list[T]:
    """What comes of each part of so many units, in order."""
    ranges = [range(i, min(i + part, units)) for i in range(0, units, part)]
    found = map_parts(play, ranges, threads=players.threads, progress=players.progress)
    return [each for _, each in found]


def seats_of(specs: str | Sequence[str]) -> tuple[Policy, ...]:
    """The policies at the seats, from SPECs, compiled here and not in several threads."""
    seats = parse_policies(specs)
    compiled(seats)
    return seats


def total(found: Sequence[Moments]) -> Moments:
    """Those of all parts together."""
    whole = found[0]
    for more in found[1:]:
        whole = whole + more
    return whole


def dealers_side(rows: Rows) -> NDArray[np.int64]:
    """1 where the dealer is of side 0, else -1."""
    return 1 - 2 * (rows.dealer.astype(np.int64) % 2)
