"""What sums up a distribution, on one that can be checked by hand."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from analysis.distributions import (
    Points,
    distribution_json,
    mean,
    probability_json,
    shares,
    value_json,
)

THREE = Points({0: F(1, 2), 10: F(1, 4), 60: F(1, 4)})


def test_shares_are_in_order_and_leave_out_what_cannot_be() -> None:
    found = shares({10: 3, 0: 5, 5: 0})
    assert list(found.items()) == [(0, F(5, 8)), (10, F(3, 8))]


def test_mean_and_variance() -> None:
    assert mean(THREE.distribution) == THREE.mean == F(35, 2)
    assert THREE.variance == F(100 + 3600, 4) - F(35, 2) ** 2


@pytest.mark.parametrize(
    ("share", "points"),
    [(F(1, 100), 0), (F(1, 2), 0), ("0.5001", 10), (0.75, 10), (0.76, 60), (1, 60)],
)
def test_quantile_is_the_fewest_points_not_exceeded(share: F | float | str, points: int) -> None:
    assert THREE.quantile(share) == points


@pytest.mark.parametrize("share", [0, -0.1, 1.01])
def test_a_wrong_quantile_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="expected a number above 0 and at most 1"):
        THREE.quantile(share)


def test_tail_includes_its_end() -> None:
    assert [THREE.tail(points) for points in (0, 1, 10, 11, 60, 61)] == [
        *(1, F(1, 2), F(1, 2), F(1, 4), F(1, 4), 0)
    ]


def test_json_has_the_number_and_the_fraction() -> None:
    assert probability_json(F(1, 4)) == {"probability": 0.25, "exact": "1/4"}
    assert probability_json(F(0)) == {"probability": 0.0, "exact": "0/1"}
    assert value_json(F(35, 2)) == {"value": 17.5, "exact": "35/2"}
    assert value_json(60) == {"value": 60.0, "exact": "60/1"}
    assert distribution_json({2: F(1)}) == {"2": {"probability": 1.0, "exact": "1/1"}}


def test_json_of_points() -> None:
    told = THREE.to_dict()
    assert list(told) == ["mean", "variance", "quantiles", "tail", "distribution"]
    assert told["quantiles"]["0.75"] == {"value": 10.0, "exact": "10/1"}
    assert told["tail"] == {"50": {"probability": 0.25, "exact": "1/4"}}
    assert list(told["distribution"]) == ["0", "10", "60"]
