"""Policies ranked by their margins over all others, in pairs that played the same blocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from analysis.estimates import Estimate
from analysis.moments import Moments


class Place(NamedTuple):
    """A policy in the ranking.

    ``place`` is 1 and as many more as there are policies that it loses to by an interval without
    0; ``tied`` are those from which it is not separated; ``mean`` is its payoff against all others.
    """

    place: int
    policy: str
    mean: Estimate
    tied: list[str]


def pairs_of(n: int) -> list[tuple[int, int]]:
    """All pairs of n policies by number, the lower first, in the order of their margins."""
    return list(combinations(range(n), 2))


def against_others(margins: Moments, n: int) -> Moments:
    """Of each of n policies, the sum of its margins over all others.

    ``margins`` has those of the first policy of each pair over the second.
    """
    signs = np.zeros((n, n * (n - 1) // 2), np.int64)
    for i, (row, column) in enumerate(pairs_of(n)):
        signs[row, i], signs[column, i] = 1, -1
    return margins.combined(signs)


def winner_of(margins: Moments, n: int) -> int:
    """The number of the policy with the best mean against all others, of ``against_others``."""
    return int(np.argmax(against_others(margins, n).sums))


def ranked(
    specs: Sequence[str], payoff: Sequence[Sequence[Estimate]], means: Sequence[Estimate]
) -> list[Place]:
    """The policies, best first; those that are not separated share a place.

    Parameters
    ----------
    specs
        The policies.
    payoff
        The matrix: row policy's side less column policy's.
    means
        Of each policy against all others.
    """
    places = []
    for i, mean in enumerate(means):
        others = [j for j in range(len(specs)) if j != i]
        tied = [specs[j] for j in others if payoff[i][j].low <= 0 <= payoff[i][j].high]
        lost = sum(payoff[i][j].high < 0 for j in others)
        places.append(Place(1 + lost, specs[i], mean, tied))
    return sorted(places, key=lambda place: (place.place, -place.mean.mean))
