"""Intervals against printed tables, against scipy, at their edges, and by their coverage."""

import json
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from scipy import stats

from analysis.estimates import (
    SEQUENCE_STARTS,
    Estimate,
    max_t_quantile,
    mean_of,
    mean_of_counts,
    pooled_proportion,
    proportion,
    sequence_quantile,
)

# Newcombe 1998, Statistics in Medicine 17, table I: methods 3 (Wilson) and 5 (Clopper-Pearson).
NEWCOMBE = [
    (81, 263, "wilson", 0.2553, 0.3662),
    (15, 148, "wilson", 0.0624, 0.1605),
    (0, 20, "clopper-pearson", 0.0000, 0.1684),
    (1, 29, "clopper-pearson", 0.0009, 0.1776),
]
# Student 1908: hours of sleep gained by the second drug over the first, in tenths.
SLEEP = [12, 24, 13, 13, 0, 10, 18, 8, 46, 14]


def mean_of_values(values: np.ndarray, level: float = 0.95) -> Estimate:
    return mean_of(int(values.sum()), int((values.astype(object) ** 2).sum()), len(values), level)


@pytest.mark.parametrize(("events", "n", "method", "low", "high"), NEWCOMBE)
def test_proportion_gives_the_printed_intervals(events, n, method, low, high):
    estimate = proportion(events, n)
    assert estimate.method == method
    assert (estimate.mean, estimate.n, estimate.unit) == (events / n, n, "deal")
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (low, high)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(
    ("events", "n"),
    [
        (0, 1),
        (1, 1),
        (3, 10),
        (9, 10**6),
        (10, 20),
        (500, 999),
        (10**6 - 3, 10**6),
        (4 * 10**8, 10**9),
    ],
)
def test_proportion_agrees_with_scipy(events, n, level):
    estimate = proportion(events, n, level)
    method = {"wilson": "wilson", "clopper-pearson": "exact"}[estimate.method]
    expected = stats.binomtest(events, n).proportion_ci(level, method)  # by root finding
    np.testing.assert_allclose((estimate.low, estimate.high), expected, rtol=1e-6, atol=1e-15)


@pytest.mark.parametrize(
    ("events", "method"),
    [(0, "exact"), (9, "exact"), (10, "wilson"), (90, "wilson"), (91, "exact"), (100, "exact")],
)
def test_the_interval_is_exact_under_ten_events_or_non_events(events, method):
    assert (proportion(events, 100).method == "clopper-pearson") == (method == "exact")


def test_nothing_seen_and_always_seen_have_one_sided_room():
    never, always = proportion(0, 50), proportion(50, 50)
    assert (never.mean, never.low, always.mean, always.high) == (0, 0, 1, 1)
    # the bound p with p^50 = 0.025, exactly
    assert never.high == pytest.approx(1 - 0.025 ** (1 / 50), rel=1e-12)
    assert always.low == pytest.approx(0.025 ** (1 / 50), rel=1e-12)


def test_mean_of_gives_students_interval():
    estimate = mean_of_values(np.array(SLEEP))
    assert (estimate.mean, estimate.method, estimate.n) == (15.8, "student-t", 10)
    assert (round(estimate.low, 3), round(estimate.high, 3)) == (7.001, 24.599)


def test_mean_of_agrees_with_scipy():
    values = np.random.default_rng(1).integers(-40, 41, 500)
    estimate = mean_of_values(values, 0.9)
    expected = stats.t.interval(0.9, 499, values.mean(), stats.sem(values))
    np.testing.assert_allclose((estimate.low, estimate.high), expected, rtol=1e-12)


def test_mean_of_loses_nothing_where_floats_would():
    """Values that differ in their 13th digit: the squares have 25."""
    small = mean_of_values(np.array([0, 1, 2, 3]))
    large = mean_of_values(np.array([0, 1, 2, 3]) + 10**12)
    assert large.high - large.mean == pytest.approx(small.high - small.mean, rel=1e-3)


def test_the_mean_of_counts_is_that_of_the_values():
    values = np.array([-3, -3, 0, 5, 5, 5])
    counts = np.bincount(values + 4, minlength=20)
    assert mean_of_counts(counts, -4, 0.9, "game") == mean_of(9, 93, 6, 0.9, "game")
    # Counts whose squares are past int64.
    huge = mean_of_counts(np.array([0, 0, 10**17]), 10**9)
    assert (huge.low, huge.mean, huge.high) == (10**9 + 2,) * 3
    with pytest.raises(ValueError, match="expected at least 2"):
        mean_of_counts(np.array([0, 1]))


def test_equal_values_leave_no_room():
    estimate = mean_of_values(np.full(7, 3))
    assert (estimate.low, estimate.mean, estimate.high) == (3, 3, 3)


@pytest.mark.parametrize("call", [proportion, lambda *a, **k: mean_of(5, *a, **k)])
@pytest.mark.parametrize("level", [0, 1, -0.5, 95, float("nan")])
def test_a_level_out_of_bounds_is_refused(call, level):
    with pytest.raises(ValueError, match="expected a number between 0 and 1"):
        call(5, 10, level=level)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: proportion(0, 0), "n = 0: expected at least 1"),
        (lambda: proportion(-1, 5), "-1 events among 5: expected 0 to 5"),
        (lambda: proportion(6, 5), "6 events among 5: expected 0 to 5"),
        (lambda: mean_of(3, 9, 1), "n = 1: expected at least 2"),
        (lambda: mean_of(10, 49, 2), "sum of squares 49"),
    ],
)
def test_impossible_counts_are_refused(call, told):
    with pytest.raises(ValueError, match=told):
        call()


@pytest.mark.parametrize("call", [lambda: proportion(0.5, 5), lambda: mean_of(1.5, 3, 2)])
def test_a_count_must_be_whole(call):
    with pytest.raises(TypeError):
        call()


def test_an_estimate_is_json_with_the_keys_of_every_command():
    numpys = proportion(np.int64(3), np.int64(12), unit="block")
    assert json.loads(json.dumps(numpys.to_dict())) == {
        "mean": 0.25,
        "low": numpys.low,
        "high": numpys.high,
        "n": 12,
        "unit": "block",
        "level": 0.95,
        "method": "clopper-pearson",
    }


def covered(low: float, high: float, n: int, level: float) -> float:
    """Share of simulated samples whose interval holds their p, drawn between low and high."""
    ends = cache(lambda events: proportion(events, n, level))
    rng = np.random.default_rng(n)
    p = rng.uniform(low, high, 40_000)
    estimates = [ends(int(events)) for events in rng.binomial(n, p)]
    return float(np.mean([e.low <= of <= e.high for e, of in zip(estimates, p, strict=True)]))


# For one p alone the coverage of any interval of counts swings about the level, so over some.
@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize(
    ("low", "high", "n"), [(0.04, 0.06, 1000), (0.1, 0.2, 300), (0.4, 0.6, 100), (0.94, 0.97, 2000)]
)
def test_wilson_covers_as_often_as_it_says(low, high, n, level):
    assert covered(low, high, n, level) == pytest.approx(level, abs=0.006)


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize(("p", "n"), [(0.001, 1000), (0.002, 1000), (0.9, 18), (0.3, 9)])
def test_clopper_pearson_covers_at_least_as_often_as_it_says(p, n, level):
    noise = 0.004
    assert covered(p, p, n, level) >= level - noise


@pytest.mark.parametrize(("n", "level"), [(2, 0.9), (5, 0.95), (40, 0.8)])
def test_student_covers_as_often_as_it_says(n, level):
    values = np.random.default_rng(n).normal(30, 1000, (20_000, n)).round().astype(np.int64)
    hits = 0
    for total, squares in zip(values.sum(1), (values**2).sum(1), strict=True):
        estimate = mean_of(total, squares, n, level)
        hits += estimate.low <= 30 <= estimate.high
    assert hits / len(values) == pytest.approx(level, abs=0.01)


# ---- members of a unit taken together -------------------------------------------------------


def test_members_that_always_agree_tell_no_more_than_one():
    """Then n_eff is n, but for the divisor n - 1 of a variance."""
    pooled, alone = pooled_proportion([700, 0, 0, 0, 300]), proportion(300, 1000)
    assert (pooled.mean, pooled.n, pooled.method) == (0.3, 1000, "wilson n_eff")
    assert (pooled.low, pooled.high) == pytest.approx((alone.low, alone.high), abs=2e-5)


def test_independent_members_tell_as_much_as_so_many_units():
    deals = 4000 * stats.binom.pmf(range(5), 4, 0.5)  # 250, 1000, 1500, 1000, 250
    pooled, apart = pooled_proportion(deals.round().astype(int)), proportion(8000, 16000)
    assert (pooled.low, pooled.high) == pytest.approx((apart.low, apart.high), abs=1e-5)


def test_units_that_are_all_alike_are_counted_once():
    for units, events, n in (([50, 0, 0], 0, 50), ([0, 0, 50], 50, 50), ([1, 0], 0, 1)):
        pooled, plain = pooled_proportion(units), proportion(events, n)
        assert (pooled.low, pooled.high) == (plain.low, plain.high)
        assert pooled.method == "clopper-pearson n_eff"
    [low, high] = (getattr(pooled_proportion([0, 90, 0]), end) for end in ("low", "high"))
    assert low < 0.5 < high


@pytest.mark.parametrize("units", [[], [5], [0, 0], [3, -1, 2]])
def test_impossible_units_are_refused(units):
    with pytest.raises(ValueError, match="expected counts for 0, 1"):
        pooled_proportion(units)


def dependent_units(p: float, units: int, samples: int) -> np.ndarray:
    """Counts for 0 to 4 events, (samples, 5): in three units of ten all members agree."""
    rng = np.random.default_rng(samples)
    shared = rng.random((samples, units)) < 0.3
    alike = rng.random((samples, units)) < p
    apart = rng.binomial(4, p, (samples, units))
    events = np.where(shared, 4 * alike, apart)
    return np.array([(events == number).sum(axis=1) for number in range(5)]).T


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("p", [0.04, 0.3])
def test_the_pooled_interval_covers_as_often_as_it_says(p, level):
    samples = dependent_units(p, units=1000, samples=3000)
    estimates = [pooled_proportion(counts, level) for counts in samples]
    hits = np.mean([estimate.low <= p <= estimate.high for estimate in estimates])
    assert hits == pytest.approx(level, abs=0.015)
    # Taking the members for independent would not.
    members = [proportion(int(counts @ np.arange(5)), 4000, level) for counts in samples]
    assert np.mean([each.low <= p <= each.high for each in members]) < level - 0.03


# ---- several means, and looking while they grow ---------------------------------------------


@pytest.mark.parametrize(("n", "level"), [(2, 0.9), (30, 0.95), (10**6, 0.99)])
def test_for_one_mean_the_quantile_is_students(n, level):
    expected = stats.t.ppf((1 + level) / 2, n - 1)
    assert max_t_quantile(np.eye(1), n, level) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_for_independent_means_it_is_sidaks(level):
    several, n = 6, 10**6
    expected = stats.norm.ppf((1 + level ** (1 / several)) / 2)
    assert max_t_quantile(np.eye(several), n, level) == pytest.approx(expected, abs=0.015)


def test_means_that_go_together_cost_no_more_than_one():
    alone = stats.t.ppf(0.975, 99)
    for signs in ([1, 1, 1], [1, -1, 1]):
        quantile = max_t_quantile(np.outer(signs, signs), 100, 0.95)
        assert quantile == pytest.approx(alone, abs=0.02)


def test_the_quantile_agrees_with_tukeys_for_all_pairs_of_equal_means():
    """The correlations of the six differences of four means: the studentised range."""
    differences = np.array([np.eye(4)[i] - np.eye(4)[j] for i in range(4) for j in range(i)])
    expected = stats.studentized_range.ppf(0.95, 4, 40) / np.sqrt(2)
    found = max_t_quantile(differences @ differences.T / 2, 41, 0.95)
    assert found == pytest.approx(expected, abs=0.015)


def test_far_out_the_quantile_stays_between_one_and_bonferroni():
    quantile = max_t_quantile(np.eye(3), 50, 1 - 1e-9)
    one, three = (stats.t.isf(0.5e-9 / m, 49) for m in (1, 3))
    assert one * (1 - 1e-6) <= quantile <= three * (1 + 1e-6)


def test_a_sequence_costs_more_than_one_look_and_ever_less_than_twice():
    looks = np.array([sequence_quantile(n, 0.95) for n in (200, 1000, 5000, 10**5, 10**8)])
    assert (looks > stats.norm.ppf(0.975)).all()
    assert looks[2] == looks.min() < 1.6 * stats.norm.ppf(0.975)
    assert sequence_quantile(5000, 0.95, several=10) == sequence_quantile(5000, 0.995)


# Waudby-Smith and others 2024: the half-width, with their ρ for the narrowest at 5000.
def test_a_sequence_is_the_one_of_the_paper():
    n, alpha = 777, 0.1
    rho = np.sqrt((-2 * np.log(alpha) + np.log(-2 * np.log(alpha)) + 1) / 5000)
    half = np.sqrt(2 * (n * rho**2 + 1) / (n**2 * rho**2) * np.log(np.sqrt(n * rho**2 + 1) / alpha))
    assert sequence_quantile(n, 0.9) / np.sqrt(n) == pytest.approx(half, rel=1e-12)


def ever_missed(level: float, factor: Callable[[int], float]) -> float:
    """Share of skewed samples whose interval misses the mean at any look up to 4000 units."""
    values = np.random.default_rng(8).exponential(100, (2000, 4000)) - 100
    looks = np.arange(SEQUENCE_STARTS, 4001, 20)
    sums, squares = (values**power for power in (1, 2))
    totals, squares = (np.cumsum(each, axis=1)[:, looks - 1] for each in (sums, squares))
    errors = np.sqrt((squares / looks - (totals / looks) ** 2) / (looks - 1))
    factors = np.array([factor(int(n)) for n in looks])
    return float((np.abs(totals / looks) > factors * errors).any(axis=1).mean())


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_a_sequence_holds_however_often_one_looks(level):
    noise = 0.012
    assert ever_missed(level, lambda n: sequence_quantile(n, level)) < 1 - level + noise
    # An interval made for one look does not.
    once = stats.norm.ppf((1 + level) / 2)
    assert ever_missed(level, lambda n: once) > 2 * (1 - level)
