"""Values with the p of a claim about them."""

from fractions import Fraction

import numpy as np
import pytest

from analysis.estimates import mean_of, proportion
from analysis.moments import Moments
from analysis.trial_estimates import exact, mean, share, smooth


def test_a_mean_has_students_interval_and_p() -> None:
    values = np.random.default_rng(2).integers(-200, 260, (1, 50))
    found = mean(Moments.of(values), [1.0])
    expected = mean_of(int(values.sum()), int((values**2).sum()), 50, 0.9)
    told = found.estimate(0.9)
    assert (told.mean, told.low, told.high) == pytest.approx(
        (expected.mean, expected.low, expected.high)
    )
    assert (told.n, told.unit, told.level, told.method) == (50, "deal", 0.9, "student-t")
    # At the level 1 - p the interval just reaches the number that is claimed to be exceeded.
    assert found.estimate(1 - found.p).low == pytest.approx(0, abs=1e-6)
    against = mean(Moments.of(values), [1.0], more_than=100)
    assert against.estimate(1 - against.p).high == pytest.approx(100, abs=1e-6)


def test_a_weighted_sum_of_means_is_the_mean_of_weighted_sums() -> None:
    values = np.random.default_rng(3).integers(-9, 9, (2, 40))
    two = mean(Moments.of(values), [2.0, -1.0], unit="block")
    one = mean(Moments.of(2 * values[:1] - values[1:]), [1.0], unit="block")
    assert two.estimate(0.95).high == pytest.approx(one.estimate(0.95).high)
    assert two.p == pytest.approx(one.p)


def test_the_delta_method_covers_a_ratio() -> None:
    rng, inside = np.random.default_rng(4), 0
    for _ in range(400):
        below = rng.poisson(20, 200)
        values = np.stack([rng.poisson(3 * below), below]).astype(np.int64)
        above, under = values.mean(axis=1)
        ratio = above / under
        found = smooth(Moments.of(values), ratio, [1 / under, -ratio / under], 3.0)
        inside += found.estimate(0.95).low < 3 < found.estimate(0.95).high
    assert 0.92 < inside / 400 < 0.98


def test_less_than_two_units_say_nothing() -> None:
    for n in (0, 1):
        found = mean(Moments.of(np.ones((1, n), np.int64)), [1.0])
        told = found.estimate(0.95)
        assert found.p == 1
        assert np.isnan(told.mean)
        assert (told.low, told.high) == (-np.inf, np.inf)


def test_values_without_spread_are_sure() -> None:
    moments = Moments.of(np.full((1, 9), 3))
    assert mean(moments, [1.0]).p == 0
    assert mean(moments, [1.0], more_than=3).p == 1


def test_a_share_is_wilsons_and_its_p_agrees() -> None:
    found = share(70, 100, 0.6)
    assert found.estimate(0.95) == proportion(70, 100)
    assert found.estimate(1 - found.p).low == pytest.approx(0.6)


def test_what_is_counted_has_no_width() -> None:
    found = exact(Fraction(1, 4), 0.0)
    told = found.estimate(0.95)
    assert (told.mean, told.low, told.high, told.method) == (0.25, 0.25, 0.25, "exact")
    assert found.p == 0
    assert exact(0.25, 0.25).p == 1
