"""Exact distributions, every probability a fraction: what sums them up, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

Distribution = dict[int, Fraction]

QUANTILES = ("0.05", "0.25", "0.5", "0.75", "0.95", "0.99")
TAIL_STEP = 50


def shares(hands: Mapping[int, int]) -> Distribution:
    """Probability of each number that can come about, from the lowest.

    ``hands``: how many hands, all equally likely, have the number; at least one hand in all.
    """
    total = sum(hands.values())
    return {number: Fraction(hands[number], total) for number in sorted(hands) if hands[number]}


def mean(distribution: Distribution) -> Fraction:
    """Expected value of a number."""
    return sum((number * p for number, p in distribution.items()), Fraction(0))


@dataclass(frozen=True)
class Points:
    """How the points of all combinations of a hand are distributed, doublings included.

    ``distribution`` has the probability of each number of points that can come about, from the
    lowest.
    """

    distribution: Distribution

    @property
    def mean(self) -> Fraction:
        """Expected points."""
        return mean(self.distribution)

    @property
    def variance(self) -> Fraction:
        """Variance, in points squared."""
        return mean({points**2: p for points, p in self.distribution.items()}) - self.mean**2

    def quantile(self, share: Fraction | float | str) -> int:
        """The fewest points that at least this share of hands do not exceed.

        Raises ValueError unless 0 < share <= 1.
        """
        if not 0 < (wanted := Fraction(share)) <= 1:
            raise ValueError(f"quantile {share}: expected a number above 0 and at most 1")
        not_above = zip(self.distribution, accumulate(self.distribution.values()), strict=True)
        return next(points for points, p in not_above if p >= wanted)

    def tail(self, points: int) -> Fraction:
        """Probability of at least so many points."""
        return sum((p for n, p in self.distribution.items() if n >= points), Fraction(0))

    def to_dict(self) -> dict[str, Any]:
        """The distribution and what sums it up, ready for JSON."""
        steps = range(TAIL_STEP, max(self.distribution) + 1, TAIL_STEP)
        return {
            "mean": value_json(self.mean),
            "variance": value_json(self.variance),
            "quantiles": {share: value_json(self.quantile(share)) for share in QUANTILES},
            "tail": {str(points): probability_json(self.tail(points)) for points in steps},
            "distribution": distribution_json(self.distribution),
        }


def probability_json(probability: Fraction) -> dict[str, Any]:
    """A probability as the JSON of every command has it."""
    return {"probability": float(probability), "exact": _exact(probability)}


def value_json(value: Fraction | int) -> dict[str, Any]:
    """Any other exact value as the JSON of every command has it."""
    return {"value": float(value), "exact": _exact(value)}


def distribution_json(distribution: Distribution) -> dict[str, Any]:
    """A probability for each number, the numbers as text."""
    return {str(number): probability_json(p) for number, p in distribution.items()}


def _exact(value: Fraction | int) -> str:
    return f"{value.numerator}/{value.denominator}"
