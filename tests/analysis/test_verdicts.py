"""What a test says of a claim, where many are tested at once."""

import numpy as np
import pytest

from analysis.verdicts import (
    DEPENDS,
    FAILS,
    HOLDS,
    NO_DIFFERENCE,
    UNDECIDED,
    holm,
    of_all_players,
    of_statements,
    verdict,
)


def test_holm_by_hand() -> None:  # 4, 3, 2 and 1 times the p-values in order, never falling
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.6]) == pytest.approx([1, 1])
    assert holm([0.02]) == pytest.approx([0.02])
    assert holm([]).shape == (0,)


def test_holm_errs_in_five_of_a_hundred_trials_at_most_where_nothing_is_so() -> None:
    p = np.random.default_rng(1).random((2000, 20))
    errors = np.mean([holm(each).min() < 0.05 for each in p])
    assert 0.03 < errors < 0.065
    assert np.mean(p.min(axis=1) < 0.05) > 0.5  # without it


@pytest.mark.parametrize(
    ("mean", "more_than", "p", "interval", "expected"),
    [
        (5, 0, 0.01, (2, 8), HOLDS),
        (-5, 0, 0.01, (-8, -2), FAILS),
        (5, 0, 0.05, (1, 9), UNDECIDED),
        (0.1, 0, 0.9, (-2, 2.2), UNDECIDED),
        (0.1, 0, 0.9, (-0.7, 0.9), NO_DIFFERENCE),
        # Sure, and small.
        (0.5, 0, 1e-9, (0.4, 0.6), NO_DIFFERENCE),
        (1.0, 0, 1e-9, (0.9, 1.1), HOLDS),
        # What is not in points may be small, and is held against its own number.
        (0.6, 0.5, 0.01, None, HOLDS),
        (0.4, 0.5, 0.01, None, FAILS),
        (5.5, 5, 0.01, (5.2, 5.8), NO_DIFFERENCE),
        # Too few hands to say anything.
        (np.nan, 0, 1.0, (-np.inf, np.inf), UNDECIDED),
    ],
)
def test_one_test(
    mean: float,
    more_than: float,
    p: float,
    interval: tuple[float, float] | None,
    expected: str,
) -> None:
    assert verdict(mean, more_than, p, interval) == expected


def test_a_claim_of_several_things_holds_if_all_do_and_fails_if_one_does() -> None:
    assert of_statements([HOLDS, HOLDS]) == HOLDS
    assert of_statements([HOLDS, UNDECIDED, FAILS]) == FAILS
    assert of_statements([HOLDS, NO_DIFFERENCE, UNDECIDED]) == UNDECIDED
    assert of_statements([HOLDS, NO_DIFFERENCE]) == NO_DIFFERENCE


def test_a_verdict_stands_that_is_the_same_under_all_players() -> None:
    for each in (HOLDS, FAILS, NO_DIFFERENCE, UNDECIDED):
        assert of_all_players([each, each]) == each
    assert of_all_players([HOLDS, FAILS]) == DEPENDS
    assert of_all_players([NO_DIFFERENCE, HOLDS]) == DEPENDS
    assert of_all_players([HOLDS, UNDECIDED]) == UNDECIDED
