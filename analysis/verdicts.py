"""What a test says of a claim, where many claims are tested at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

HOLDS, FAILS, NO_DIFFERENCE = "holds", "fails", "makes no difference"
UNDECIDED, DEPENDS = "undecided", "depends on the players"

# Together they may err so often; what is within so many points is no difference, by such an
# interval.
ERROR, POINTS, LEVEL = 0.05, 1.0, 0.90


def holm(p: Sequence[float]) -> NDArray[np.float64]:
    """p-values, float64 (m,), such that those up to α reject with an error of α over all of them.

    Source: Holm 1979.
    """
    values = np.asarray(p, float)
    order = values.argsort(kind="stable")
    raised = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    adjusted = np.empty_like(values)
    adjusted[order] = raised.clip(max=1)
    return adjusted


def verdict(
    mean: float, more_than: float, p: float, interval: tuple[float, float] | None = None
) -> str:
    """What one test says of the claim that a value is more than some number.

    Parameters
    ----------
    mean, more_than
        The estimate, and that number.
    p
        Of no difference between the two: two-sided, corrected for all tests.
    interval
        The 90 % interval of the value, if it is in points.

    Returns
    -------
    str
        ``makes no difference`` where the interval lies inside ±1 point of the number, however sure
        it is that there is a smaller difference; else ``holds``, ``fails`` or ``undecided``.

    Source: HOUSE of this project, numbers.
    """
    if interval is not None:
        low, high = (end - more_than for end in interval)
        if low > -POINTS and high < POINTS:
            return NO_DIFFERENCE
    if p >= ERROR:
        return UNDECIDED
    return HOLDS if mean > more_than else FAILS


def of_statements(statements: Sequence[str]) -> str:
    """The verdict on a claim that says several things, from those on each, at least one.

    It fails if one of them does, and holds if all do; until then it is undecided, or, where each is
    decided, makes no difference.
    """
    for worst in (FAILS, UNDECIDED, NO_DIFFERENCE):
        if worst in statements:
            return worst
    return HOLDS


def of_all_players(policies: Sequence[str]) -> str:
    """The verdict that stands under several policies, from those under each, at least one.

    Where they differ it depends on the players, or is undecided as long as one of them is.
    """
    if len(set(policies)) == 1:
        return policies[0]
    return UNDECIDED if UNDECIDED in policies else DEPENDS
