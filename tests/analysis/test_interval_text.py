"""Estimates in words: as many decimals as their intervals warrant."""

from __future__ import annotations

import pytest

from analysis.estimates import Estimate
from analysis.interval_text import decimals, percent_with_ends, with_ends, with_half_width


def estimate(mean: float, half: float) -> Estimate:
    return Estimate(mean, mean - half, mean + half, 100, "deal", 0.95, "student-t")


@pytest.mark.parametrize(
    ("half", "shown"), [(0, 2), (30, 2), (0.5, 2), (0.01, 2), (0.0099, 3), (0.00012, 4)]
)
def test_an_interval_is_never_shown_without_width(half: float, shown: int) -> None:
    assert decimals(half) == shown
    assert decimals(half, least=3) == max(3, shown)
    assert half == 0 or float(f"{half:.{decimals(half)}f}") > 0


def test_intervals_in_words() -> None:
    assert with_half_width(estimate(2.916, 0.408)) == "+2.92 ± 0.41"
    assert with_half_width(estimate(-0.2, 0.00213), 100) == "-20.00 ± 0.21"
    assert with_half_width(estimate(241.5, 0.002), sign="") == "241.500 ± 0.002"
    assert with_ends(-1.5, -3.5, 0.5, sign="+") == "-1.50 (-3.50 to +0.50)"
    assert with_ends(241.5, 241.498, 241.502) == "241.500 (241.498 to 241.502)"
    assert with_ends(1.5, 1.5, 1.5, least=3) == "1.500 (1.500 to 1.500)"
    assert percent_with_ends(0.0408, 0.0406, 0.041) == "4.08 (4.06–4.10)"
    assert percent_with_ends(0.0408, 0.040788, 0.040812) == "4.080 (4.079–4.081)"
    assert percent_with_ends(0.4624, 0.431, 0.493, least=1) == "46.2 (43.1–49.3)"
