"""How likely a deal is that meets conditions: counted, or else estimated by dealing."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.compositions import Plan
from sim.kernels.conditional_deal import Dealing, _count_deals
from sim.kernels.rules_record import rules_record
from sim.kernels.state import HIDDEN, records
from sim.rules import RuleSet

# Deals looked at where the probability cannot be counted, and how many a hand may take on average.
PILOT_DEALS = 1_000_000
MOST_DEALS_A_HAND = 1_000
LEVEL = 0.95


class ConditionError(ValueError):
    """A condition cannot be read or met, or is too rare; the message says what was expected."""


def probability_of(rules: RuleSet, plans: Sequence[Plan], dealing: Dealing) -> dict[str, Any]:
    """The probability of a deal that meets all, as a manifest has it.

    Parameters
    ----------
    rules
        The pack, and what combinations there are.
    plans
        How to deal, by dealer.
    dealing
        The same for the kernels.

    Returns
    -------
    dict
        ``{"probability", "exact"}``, or an estimate from ``PILOT_DEALS`` deals if terms are left
        to dealing again; the mean over the four dealers, with ``by_dealer`` if they differ.

    Raises
    ------
    ConditionError
        Too rare to deal again for, or not met at all.
    """
    exact = [each.probability for each in plans]
    alike = len({*map(id, plans)}) == 1
    if not any(each.left for each in plans):
        mean = sum(exact, Fraction(0)) / 4
        told = {"probability": float(mean), "exact": f"{mean.numerator}/{mean.denominator}"}
        return told if alike else {**told, "by_dealer": [float(each) for each in exact]}
    met = np.zeros(4, np.int64)
    _count_deals(met, PILOT_DEALS, *dealing, records(HIDDEN, 1)[0], rules_record(rules))
    if alike:
        met = met.sum(keepdims=True)
    weights = np.array([float(each) for each in exact])[: len(met)]
    tried = PILOT_DEALS // len(met)
    told = _estimate(met, tried, weights / len(met))
    if met.min() * MOST_DEALS_A_HAND < tried:
        raise ConditionError(
            f"the conditions are too rare: their probability is about {told['mean']:.2g} "
            f"({told['low']:.2g} to {told['high']:.2g}), and {met.min()} of {tried:,} deals"
            f"{'' if alike else f' by seat {met.argmin()}'} meet them; expected at least one in "
            f"{MOST_DEALS_A_HAND:,}"
        )
    return told if alike else {**told, "by_dealer": (weights * met / tried).tolist()}


def _estimate(met: NDArray[np.int64], n: int, weights: NDArray[np.float64]) -> dict[str, Any]:
    """A weighted sum of shares, each ``met`` out of n deals, with its interval.

    That of a single share is Clopper and Pearson's (1934); of several, put together from theirs
    (MOVER; Zou and Donner 2008).
    """
    from scipy.special import betaincinv

    share, tail = met / n, (1 - LEVEL) / 2
    low = np.where(met > 0, betaincinv(met, n - met + 1, tail), 0)
    high = np.where(met < n, betaincinv(met + 1, n - met, 1 - tail), 1)
    mean = float(weights @ share)
    return {
        "mean": mean,
        "low": mean - float(np.sqrt(((weights * (share - low)) ** 2).sum())),
        "high": mean + float(np.sqrt(((weights * (high - share)) ** 2).sum())),
        "n": n * len(met),
        "unit": "deal",
        "level": LEVEL,
        "method": "clopper-pearson" if len(met) == 1 else "mover",
    }
