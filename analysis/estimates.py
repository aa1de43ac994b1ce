"""Estimates: a mean, its interval, and how both were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import log, sqrt
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtri, stdtrit

# With fewer events, or fewer non-events, a proportion gets the exact interval.
FEW = 10
# Draws for a simultaneous quantile: its third digit hardly moves.
DRAWS = 200_000
# A confidence sequence may be looked at from so many units on, and is narrowest, for its level, at
# so many.
SEQUENCE_STARTS, SEQUENCE_BEST = 200, 5_000


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval.

    Attributes
    ----------
    mean, low, high
        The estimate and the two ends of its interval: a probability, points, or whatever is asked.
    n
        Units sampled.
    unit
        What was sampled independently: ``deal``, ``block`` or ``game``.
    level
        Confidence that this one interval holds the true value, between 0 and 1.
    method
        ``wilson``, ``clopper-pearson``, either with `` n_eff`` behind it, or ``student-t``; of
        several means together ``max-t`` or ``confidence sequence``; ``exact`` with no width.
    """

    mean: float
    low: float
    high: float
    n: int
    unit: str
    level: float
    method: str

    def to_dict(self) -> dict[str, Any]:
        """The estimate as the JSON of every command has it."""
        return asdict(self)


def check_level(level: float) -> float:
    """The level itself. Raises ValueError unless it lies between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"level {level}: expected a number between 0 and 1, such as 0.95")
    return float(level)


def proportion(events: int, n: int, level: float = 0.95, unit: str = "deal") -> Estimate:
    """How often something happens, from how often it happened.

    Parameters
    ----------
    events, n
        Events among n independent units, 0 <= events <= n, n >= 1; whole numbers.
    level
        Of the two-sided interval.
    unit
        What n counts.

    Returns
    -------
    Estimate
        A probability. Its method is ``wilson``, or ``clopper-pearson`` when fewer than 10 units had
        the event or fewer than 10 had it not.

    Raises
    ------
    TypeError
        A count that is no whole number.
    ValueError
        A count or level out of bounds.

    Source: Wilson 1927; Clopper and Pearson 1934; Brown, Cai and DasGupta 2001.
    """
    events, n, level = index(events), index(n), check_level(level)
    if n < 1:
        raise ValueError(f"n = {n}: expected at least 1")
    if not 0 <= events <= n:
        raise ValueError(f"{events} events among {n}: expected 0 to {n}")
    return Estimate(events / n, *_interval(events, n, level), n, unit, level, _method(events, n))


def pooled_proportion(units: Sequence[int], level: float = 0.95, unit: str = "deal") -> Estimate:
    """How often something happens to members of a unit who are not independent of each other.

    Parameters
    ----------
    units
        Number of units in which it happened to 0, 1, … all of the members: whole numbers. The four
        hands of a deal: five numbers.
    level
        Of the two-sided interval.
    unit
        What the units are.

    Returns
    -------
    Estimate
        The probability for one member, n the number of units. The interval is Wilson's (with fewer
        than 10 events or non-events, Clopper and Pearson's) for n_eff = p (1 - p) / Var(p)
        trials, as many independent ones as tell as much: ``wilson n_eff`` or
        ``clopper-pearson n_eff``. Where all units are alike their variance tells nothing, and n_eff
        is their number.

    Raises
    ------
    TypeError
        A count that is no whole number.
    ValueError
        A count or level out of bounds.

    Source: HOUSE of this project; Korn and Graubard 1998.
    """
    counts, members, level = [index(count) for count in units], len(units) - 1, check_level(level)
    n = sum(counts)
    if members < 1 or n < 1 or min(counts) < 0:
        raise ValueError(f"units {counts}: expected counts for 0, 1, … members, at least one unit")
    events = sum(count * happened for happened, count in enumerate(counts))
    squares = sum(count * happened**2 for happened, count in enumerate(counts))
    p = events / (members * n)
    spread = n * squares - events * events  # n (n - 1) times the variance of the sum of a unit
    n_eff = float(n)
    if spread:
        n_eff = p * (1 - p) * n * n * (n - 1) * members**2 / spread
    low, high = _interval(p * n_eff, n_eff, level)
    return Estimate(p, low, high, n, unit, level, _method(p * n_eff, n_eff) + " n_eff")


def _method(events: float, n: float) -> str:
    return "clopper-pearson" if min(events, n - events) < FEW else "wilson"


def _interval(events: float, n: float, level: float) -> tuple[float, float]:
    """Both ends, for whole numbers or for what they are worth."""
    p, tail = events / n, (1 - level) / 2
    if _method(events, n) == "clopper-pearson":
        low = float(betaincinv(events, n - events + 1, tail)) if events else 0.0
        high = float(betaincinv(events + 1, n - events, 1 - tail)) if events < n else 1.0
        return low, high
    z = float(ndtri(1 - tail))
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(p * (1 - p) / n + (z / (2 * n)) ** 2) / (1 + z * z / n)
    return centre - half, centre + half


def mean_of(total: int, squares: int, n: int, level: float = 0.95, unit: str = "deal") -> Estimate:
    """The mean of a quantity, from whole sums, so that nothing is lost in rounding.

    Parameters
    ----------
    total, squares
        Sum of the values and of their squares over n independent units; whole numbers of any size.
    n
        Units, at least 2: one alone says nothing of the spread.
    level
        Of the two-sided interval.
    unit
        What n counts.

    Returns
    -------
    Estimate
        In the unit of the values, mean ± t · s / √n with n - 1 degrees of freedom, ``student-t``:
        exact for normal values, and for others as n grows.

    Raises
    ------
    TypeError
        A sum or count that is no whole number.
    ValueError
        n or level out of bounds, or a sum of squares smaller than any values with that total have.

    Source: Student 1908.
    """
    total, squares, n, level = index(total), index(squares), index(n), check_level(level)
    if n < 2:
        raise ValueError(f"n = {n}: expected at least 2")
    spread = n * squares - total * total  # n (n - 1) s², exactly
    if spread < 0:
        raise ValueError(f"sum of squares {squares}: expected at least {total}² / {n}")
    mean = total / n
    half = float(stdtrit(n - 1, (1 + level) / 2)) * sqrt(spread / (n - 1)) / n
    return Estimate(mean, mean - half, mean + half, n, unit, level, "student-t")


def mean_of_counts(
    counts: NDArray[np.int64], least: int = 0, level: float = 0.95, unit: str = "deal"
) -> Estimate:
    """The mean of a whole quantity, from how many units had each value.

    Parameters
    ----------
    counts
        Of units with the value ``least``, ``least + 1``, …: int64 (k,), at least 2 units in all.
    least, level, unit
        The first value; the others as for ``mean_of``, which is exact here too.

    Raises ValueError as ``mean_of``.
    """
    places = np.flatnonzero(counts).tolist()
    found = [(place + least, int(counts[place])) for place in places]
    total, squares = (sum(value**power * n for value, n in found) for power in (1, 2))
    return mean_of(total, squares, sum(n for _, n in found), level, unit)


def max_t_quantile(correlation: NDArray[np.float64], n: int, level: float) -> float:
    """How many standard errors to either side hold all of several means at once.

    The quantile of the largest of their |t|, under normal multipliers of the units: that is the
    Gaussian bootstrap, which needs no more of the units than their covariance. The multipliers'
    normal values are divided by one χ of n - 1 degrees of freedom, as in Student's t.

    Parameters
    ----------
    correlation
        Of the means, over the same units: float64 (m, m), m >= 1.
    n
        Units, at least 2.
    level
        That all intervals together hold their values.

    Returns
    -------
    float
        For one mean Student's quantile, exactly; for several right as n grows (within about a
        percent of coverage from 50 units on), and never more than Bonferroni's.

    Source: Hothorn, Bretz and Westfall 2008; Chernozhukov, Chetverikov and Kato 2013.
    """
    several = len(correlation)
    alone, bonferroni = (float(-stdtrit(n - 1, (1 - level) / 2 / m)) for m in (1, several))
    if several == 1:
        return alone
    values, vectors = np.linalg.eigh(correlation)
    root = vectors * np.sqrt(values.clip(0))
    rng = np.random.default_rng(0)
    largest = np.empty(DRAWS)
    for some in np.array_split(largest, 20):  # not all draws in memory at once
        draws = np.abs(rng.standard_normal((len(some), several)) @ root.T).max(axis=1)
        some[:] = draws / np.sqrt(rng.chisquare(n - 1, len(some)) / (n - 1))
    return float(np.clip(np.quantile(largest, level), alone, bonferroni))


def sequence_quantile(n: int, level: float, several: int = 1) -> float:
    """How many standard errors hold a mean at every n at once, so that one may look and stop.

    The normal-mixture asymptotic confidence sequence: it holds, as units grow in number, whatever
    rule says when to stop, from ``SEQUENCE_STARTS`` units on.

    Parameters
    ----------
    n
        Units so far.
    level
        That the whole sequence holds the value, and those of all ``several`` means (Bonferroni).

    Returns
    -------
    float
        √(2 (n ρ² + 1) / (n ρ²) · log(√(n ρ² + 1) / α)), with ρ such that it is about narrowest at
        ``SEQUENCE_BEST`` units.

    Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, Gaussian mixture.
    """
    alpha = (1 - level) / several
    rho2 = (-2 * log(alpha) + log(-2 * log(alpha)) + 1) / SEQUENCE_BEST
    spread = n * rho2 + 1
    return sqrt(2 * spread / (n * rho2) * log(sqrt(spread) / alpha))
