"""What the parts of a long computation add up to, and sums kept apart by kind of hand."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import reduce
from operator import add
from typing import Protocol, Self, TypeVar

from analysis.moments import Moments
from sim.parts import map_parts

FEW = 100  # deals from which a kind of hand says enough to be shown


class Sum(Protocol):
    """What parts add up to."""

    def __add__(self, other: Self, /) -> Self:
        """Those of both."""


S = TypeVar("S", bound=Sum)
K = TypeVar("K", bound=Hashable)


class ByKind(dict[K, Moments]):
    """Moments by kind of hand; two add up kind by kind, whatever kinds each has."""

    def __add__(self, other: ByKind[K]) -> ByKind[K]:
        both = {kind: self[kind] + each if kind in self else each for kind, each in other.items()}
        return ByKind(self | both)


def total(
    play: Callable[[range], S],
    deals: int,
    part: int,
    *,
    threads: int | None = None,
    progress: bool = False,
) -> S:
    """Play deals in parts, several at a time, and add up what comes of them, in order.

    Parameters
    ----------
    play
        Called with the numbers of each part's deals, in a worker thread.
    deals, part
        How many, one at least, and how many to a part.
    threads, progress
        As in ``sim.run.map_parts``; the sum does not depend on the threads.
    """
    ranges = [range(i, min(i + part, deals)) for i in range(0, deals, part)]
    played = map_parts(play, ranges, threads=threads, progress=progress, unit="deals")
    return reduce(add, (found for _, found in played))
