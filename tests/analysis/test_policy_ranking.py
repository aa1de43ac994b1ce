"""Rankings of policies whose strengths are known."""

from itertools import combinations

import numpy as np

from analysis.compare import Comparison
from analysis.margins import Margins
from analysis.moments import Moments
from sim.policies.spec import parse_policy
from sim.rules import OTTOCENTO

A, B, C = range(3)


def made(strengths: list[float], noise: float = 1.0, n: int = 400) -> Comparison:
    """A comparison of policies of known strength, which never played."""
    rng = np.random.default_rng(len(strengths))
    scores = 100 * (np.array(strengths)[:, None] + noise * rng.standard_normal((len(strengths), n)))
    pairs = list(combinations(range(len(strengths)), 2))
    values = np.array([scores[i] - scores[j] for i, j in pairs]).round().astype(np.int64)
    found = Margins(Moments.of(values), (values**2).sum(axis=1).astype(object))
    policies = tuple(
        parse_policy("simple" + "+declare:all" * number) for number in range(len(strengths))
    )
    return Comparison(OTTOCENTO, policies, 1, "points", None, 0.95, None, found, found)


def test_clear_differences_give_places() -> None:
    ranking = made([1, 5, 3]).ranking
    assert [place.place for place in ranking] == [1, 2, 3]
    strengths = [place.policy.count("+") for place in ranking]
    assert strengths == [B, C, A]
    assert not any(place.tied for place in ranking)


def test_policies_that_are_not_separated_share_a_place() -> None:
    found = made([0, 5, 5.01, 0.02])
    first, second, third, last = found.ranking
    assert (first.place, second.place, third.place, last.place) == (1, 1, 3, 3)
    assert first.tied == [second.policy] and second.tied == [first.policy]
    assert third.tied == [last.policy]


def test_a_middle_one_may_be_tied_with_both() -> None:
    found = made([0.2, 0.1, 0], noise=0.8)
    best, middle, worst = found.ranking
    assert [best.place, middle.place, worst.place] == [1, 1, 2]
    assert set(middle.tied) == {best.policy, worst.policy}
