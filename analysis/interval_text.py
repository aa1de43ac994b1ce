"""Estimates with their intervals in words, of as many decimals as the intervals warrant."""

from __future__ import annotations

from math import floor, log10

from analysis.estimates import Estimate


def decimals(half_width: float, least: int = 2) -> int:
    """``least`` decimals, or as many as show a half-width as more than 0 (where it is)."""
    return max(least, -floor(log10(half_width))) if half_width > 0 else least


def with_half_width(found: Estimate, scale: int = 1, sign: str = "+") -> str:
    """As in ``+2.92 ± 0.41``, of a symmetric interval; ``scale`` 100 tells shares in percent.

    ``sign``: "+" before positive numbers too, or "".
    """
    mean, half = scale * found.mean, scale * (found.high - found.mean)
    n = decimals(half)
    return f"{mean:{sign}.{n}f} ± {half:.{n}f}"


def with_ends(
    mean: float, low: float, high: float, between: str = " to ", sign: str = "", least: int = 2
) -> str:
    """As in ``241.50 (240.10 to 242.90)``.

    ``between``: what stands between the ends, such as a dash where none is negative. ``sign``: "+"
    before positive numbers too, or "". ``least``: decimals at least.
    """
    n = decimals((high - low) / 2, least)
    return f"{mean:{sign}.{n}f} ({low:{sign}.{n}f}{between}{high:{sign}.{n}f})"


def percent_with_ends(mean: float, low: float, high: float, least: int = 2) -> str:
    """A share in percent, as in ``4.08 (4.05–4.12)``, of ``least`` decimals at least."""
    return with_ends(100 * mean, 100 * low, 100 * high, between="–", least=least)
