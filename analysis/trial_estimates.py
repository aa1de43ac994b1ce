"""Values with the p of a claim about them: means, functions of means, shares, exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit

from analysis.estimates import Estimate, proportion
from analysis.moments import Moments


class Measured(NamedTuple):
    """A value: its estimate by level, and p, two-sided, of its being what the claim exceeds."""

    estimate: Callable[[float], Estimate]
    p: float


def exact(value: Fraction | float, more_than: float) -> Measured:
    """A number that was counted."""
    number = float(value)
    return Measured(
        lambda level: Estimate(number, number, number, 0, "", level, "exact"),
        float(number == more_than),
    )


def share(events: int, n: int, more_than: float, unit: str = "deal") -> Measured:
    """How often something happens in independent units; p by the score test, as Wilson's interval.

    ``more_than`` lies between 0 and 1. Source: Wilson 1927.
    """
    away = abs(events / n - more_than) / sqrt(more_than * (1 - more_than) / n)
    return Measured(lambda level: proportion(events, n, level, unit), float(2 * ndtr(-away)))


def mean(
    moments: Moments, weights: Sequence[float], more_than: float = 0.0, unit: str = "deal"
) -> Measured:
    """A weighted sum of the means of several quantities."""
    value = float(np.dot(weights, moments.sums.astype(float))) / max(moments.n, 1)
    return smooth(moments, value, weights, more_than, unit)


def smooth(
    moments: Moments, value: float, slopes: Sequence[float], more_than: float, unit: str = "deal"
) -> Measured:
    """A function of means: its value, and what it changes by with each of them (delta method).

    Student's t with n - 1 degrees of freedom. Fewer than 2 units say nothing.
    """
    n = moments.n
    if n < 2:
        return Measured(
            lambda level: Estimate(np.nan, -np.inf, np.inf, n, unit, level, "student-t"), 1.0
        )
    spread = n * moments.products - np.outer(moments.sums, moments.sums)
    slope = np.asarray(slopes, float)
    error = sqrt(max(float(slope @ spread.astype(float) @ slope), 0.0) / (n - 1)) / n

    def estimate(level: float) -> Estimate:
        half = float(stdtrit(n - 1, (1 + level) / 2)) * error
        return Estimate(value, value - half, value + half, n, unit, level, "student-t")

    away = abs(value - more_than)
    p = 2 * float(stdtr(n - 1, -away / error)) if error else float(away == 0)
    return Measured(estimate, p)
