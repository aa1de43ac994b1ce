"""Moments add up exactly, and their intervals hold together as often as they say."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
from scipy import stats

from analysis import estimates
from analysis.moments import Moments


def values(n: int = 300) -> np.ndarray:
    rng = np.random.default_rng(n)
    return rng.integers(-1000, 1001, (3, n)) + rng.integers(-500, 501, n)


def test_parts_add_up_to_the_whole_in_any_order() -> None:
    whole, parts = values(), np.array_split(values(), 7, axis=1)
    for order in (parts, parts[::-1]):
        found = reduce(Moments.__add__, map(Moments.of, order))
        assert found.n == 300
        assert found.sums.tolist() == whole.sum(axis=1).tolist()
        assert found.products.tolist() == (whole @ whole.T).tolist()


def test_nothing_is_lost_in_very_many_units() -> None:
    """Past the 63 bits of an int64, and the 53 of a float."""
    big = Moments(1, np.array([10**6], object), np.array([[10**12]], object))
    for _ in range(40):
        big += big
    last = Moments(1, np.array([3], object), np.array([[9]], object))
    assert (big + last).products[0, 0] == 2**40 * 10**12 + 9


def test_variances_are_those_of_numpy() -> None:
    np.testing.assert_allclose(Moments.of(values()).variances, values().var(axis=1, ddof=1))


def test_combined_quantities_have_their_own_moments() -> None:
    weights = np.array([[1, 1, 0], [0, -1, 1]])
    found, expected = Moments.of(values()).combined(weights), Moments.of(weights @ values())
    assert found.sums.tolist() == expected.sums.tolist()
    assert found.products.tolist() == expected.products.tolist()


def test_one_quantity_has_students_interval() -> None:
    (found,) = Moments.of(values()[:1]).estimates(scale=8)
    expected = stats.t.interval(0.95, 299, values()[0].mean() / 8, stats.sem(values()[0]) / 8)
    assert (found.low, found.high) == pytest.approx(expected)
    assert (found.mean, found.n) == (pytest.approx(values()[0].mean() / 8), 300)
    assert (found.unit, found.method) == ("block", "student-t")


def test_several_have_wider_ones_in_proportion_to_their_errors() -> None:
    found = Moments.of(values()).estimates(scale=1, level=0.9)
    widths = [each.high - each.mean for each in found] / stats.sem(values(), axis=1)
    assert widths == pytest.approx([widths[0]] * 3)
    assert stats.t.ppf(0.95, 299) < widths[0] < stats.t.ppf(1 - 0.05 / 3, 299)
    assert {(each.method, each.level) for each in found} == {("max-t", 0.9)}


def test_what_never_changes_has_no_width_and_widens_no_other() -> None:
    constant = np.array([[12] * 300, values()[0]])
    still, other = Moments.of(constant).estimates(scale=8)
    assert (still.low, still.mean, still.high) == (1.5, 1.5, 1.5)
    assert other == Moments.of(values()[:1]).estimates(scale=8)[0]
    both = Moments.of(constant[[0, 0]]).estimates(scale=8, sequential=True)
    assert {(each.low, each.high) for each in both} == {(1.5, 1.5)}


def test_a_sequence_divides_its_level_among_all() -> None:
    together = Moments.of(values()).estimates(scale=1, level=0.97, sequential=True)
    alone = Moments.of(values()[:1]).estimates(scale=1, level=0.99, sequential=True)
    assert (together[0].low, together[0].high) == pytest.approx((alone[0].low, alone[0].high))
    assert together[0].method == "confidence sequence"


def test_one_unit_or_a_wrong_level_is_refused() -> None:
    with pytest.raises(ValueError, match="n = 1: expected at least 2"):
        Moments.of(values()[:, :1]).estimates(scale=8)
    with pytest.raises(ValueError, match="level 95: expected a number between 0 and 1"):
        Moments.of(values()).estimates(scale=8, level=95)


@pytest.mark.parametrize(("n", "level"), [(60, 0.9), (200, 0.95)])
def test_simultaneous_intervals_hold_together_as_often_as_they_say(
    monkeypatch: pytest.MonkeyPatch, n: int, level: float
) -> None:
    """Differences of four policies on common deals: dependent, of unlike spread."""
    monkeypatch.setattr(estimates, "DRAWS", 5_000)
    rng = np.random.default_rng(n)
    pairs = [(i, j) for i in range(4) for j in range(i)]
    means, spreads = np.array([0, 0, 20, 50]), np.array([100, 30, 300, 200])
    true = np.array([means[i] - means[j] for i, j in pairs])
    samples, together, each_alone = 1500, 0, 0
    for _ in range(samples):
        deal = 200 * rng.standard_normal(n)  # what a deal does to all of them cancels
        policies = deal + means[:, None] + spreads[:, None] * rng.laplace(size=(4, n))
        margins = np.array([policies[i] - policies[j] for i, j in pairs]).round().astype(np.int64)
        found = Moments.of(margins).estimates(scale=1, level=level)
        together += all(e.low <= m <= e.high for e, m in zip(found, true, strict=True))
        z = np.abs(margins.mean(axis=1) - true) / stats.sem(margins, axis=1)
        each_alone += bool((z <= stats.t.ppf((1 + level) / 2, n - 1)).all())
    assert together / samples == pytest.approx(level, abs=0.018)
    assert each_alone / samples < level - 0.05
