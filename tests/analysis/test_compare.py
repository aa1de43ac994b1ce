"""Comparisons: the matrix, the ranking, fresh deals, and stopping when narrow."""

from __future__ import annotations

import json

import numpy as np
import pytest

from analysis import margins
from analysis.compare import CompareError, Comparison, compare
from analysis.margins import PAYOFFS
from sim.hands import play_blocks
from sim.policies.policy import PolicyError
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA
from tests.helpers import compiled_only

pytestmark = compiled_only
THREE = ["random", "simple", "simple+declare:nothing"]


@pytest.fixture(scope="module")
def three() -> Comparison:
    return compare(THREE, hands=2000, seed=3)


# ---- the matrix -----------------------------------------------------------------------------


def test_the_matrix_has_each_margin_and_its_mirror(three: Comparison) -> None:
    matrix = three.payoff
    for i, j in np.ndindex(3, 3):
        there, back = matrix[i][j], matrix[j][i]
        assert (there.mean, there.low, there.high) == (-back.mean, -back.high, -back.low)
        assert (there.n, there.unit, there.level) == (250, "block", 0.95)
        assert there.method == ("exact" if i == j else "max-t")
        assert there.low <= there.mean <= there.high
    assert matrix[1][0].low > 50  # simple beats random
    assert matrix[1][2].low > 0


def test_the_mean_is_a_hands(three: Comparison) -> None:
    total = 0
    for side, sides in enumerate((THREE[:2], THREE[1::-1])):
        score = play_blocks(OTTOCENTO, parse_policies(sides), 3, 0, 250).score.astype(int)
        total += (score[side] - score[1 - side]).sum()
    assert three.payoff[0][1].mean == pytest.approx(total / 2000, rel=1e-12)


def test_the_order_of_policies_does_not_matter(three: Comparison) -> None:
    turned = compare(THREE[::-1], hands=2000, seed=3)
    for i, j in np.ndindex(3, 3):
        there, here = three.payoff[i][j], turned.payoff[2 - i][2 - j]
        assert there.mean == here.mean
        assert (there.low, there.high) == pytest.approx((here.low, here.high), abs=0.3)


def test_a_policy_against_itself_is_exactly_zero() -> None:
    found = compare(["simple", "random", "simple"], PARTITA, 800)
    for i, j in ((0, 0), (0, 2), (2, 0)):
        each = found.payoff[i][j]
        assert (each.mean, each.low, each.high) == (0, 0, 0)
        assert not np.signbit([each.mean, each.low, each.high]).any()
    assert found.payoff[0][1] == found.payoff[2][1]
    assert found.variance_removed[1] == 1


@pytest.mark.parametrize(("hands", "blocks"), [(16, 2), (17, 3), (24, 3)])
def test_hands_are_rounded_up_to_whole_blocks(hands: int, blocks: int) -> None:
    found = compare(["random", "simple"], PARTITA, hands)
    assert (found.blocks, found.to_dict()["hands"]) == (blocks, 8 * blocks)


@pytest.mark.parametrize("kind", PAYOFFS)
def test_what_is_compared_is_chosen(kind: str) -> None:
    named, given = (
        compare(["random", "simple"], hands=400, payoff=payoff) for payoff in (kind, PAYOFFS[kind])
    )
    assert named.payoff_kind == given.payoff_kind == kind
    assert named.payoff == given.payoff
    if kind == "win":
        assert -1 < named.payoff[0][1].mean < 0


def test_variance_removed_is_that_of_a_block_against_eight_hands() -> None:
    found = compare(["random", "simple"], PARTITA, 1600)
    plays = []
    for side, sides in enumerate((["random", "simple"], ["simple", "random"])):
        score = play_blocks(PARTITA, parse_policies(sides), 1, 0, 200).score.astype(int)
        plays.append((score[side] - score[1 - side]).reshape(200, 4))
    by_block = np.concatenate(plays, axis=1)
    paired, apart = by_block.mean(axis=1).var(ddof=1), by_block.var(ddof=1) / 8
    assert found.variance_removed == pytest.approx([1 - paired / apart])
    assert 0.2 < found.variance_removed[0] < 0.9


# ---- ranking and the winner -----------------------------------------------------------------


def test_means_against_all_others_are_those_of_the_rows(three: Comparison) -> None:
    for place in three.ranking:
        row = three.payoff[THREE.index(place.policy)]
        expected = sum(each.mean for each in row) / 2
        assert place.mean.mean == pytest.approx(expected, rel=1e-12)
        assert place.mean.low < expected < place.mean.high
        assert place.mean.method == "max-t"
    assert [place.policy for place in three.ranking] == ["simple", THREE[2], "random"]


def test_the_winner_plays_again_on_other_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks: dict[tuple[str, ...], list[int]] = {}

    def watched(rules, policies, seed, first, n):
        specs = tuple(policy.spec for policy in policies[:2])
        blocks.setdefault(specs, []).extend(range(first, first + n))
        return play_blocks(rules, policies, seed, first, n)

    monkeypatch.setattr(margins, "play_blocks", watched)
    found = compare(THREE, hands=1600, threads=1)
    assert found.specs[found.winner] == "simple"
    for specs, numbers in blocks.items():
        assert numbers == [*range(400 if "simple" in specs else 200)]
    alone = margins.play_margins(
        OTTOCENTO, [(found.policies[1], found.policies[0])], 1, range(200, 400), PAYOFFS["points"]
    )
    assert found.fresh.moments.sums[0] == alone.moments.sums[0]
    fresh = found.fresh_mean
    assert (fresh.n, fresh.method) == (200, "student-t")
    assert fresh.mean == pytest.approx(found.fresh.moments.sums.sum() / 200 / 16)


# ---- until ----------------------------------------------------------------------------------


def test_until_stops_at_the_first_look_that_is_narrow_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(margins, "PART", 200)
    found = compare(["random", "simple"], hands=100_000, until=9)
    (width,) = (each.high - each.mean for each in found.by_pair)
    assert width <= 9 and found.is_narrow
    assert found.blocks % 200 == 0 and 200 < found.blocks < 12_500
    assert found.by_pair[0].method == "confidence sequence"
    assert {place.mean.method for place in found.ranking} == {"confidence sequence"}
    before = compare(["random", "simple"], hands=8 * (found.blocks - 200), until=9)
    assert not before.is_narrow
    assert found.fresh.moments.n == found.blocks
    again = compare(["random", "simple"], hands=100_000, until=9, threads=1)
    assert again.to_dict() == found.to_dict()


def test_until_is_not_reached_in_too_few_hands() -> None:
    found = compare(["random", "simple"], PARTITA, 1600, until=0.01)
    assert (found.blocks, found.is_narrow) == (200, False)


def test_until_is_reached_at_once_where_nothing_varies() -> None:
    found = compare(["simple", "simple"], PARTITA, 8_000_000, until=0.01)
    assert (found.blocks, found.is_narrow) == (margins.PART, True)


# ---- the rest -------------------------------------------------------------------------------


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(margins, "PART", 30)
    first, *others = (
        compare(THREE, hands=1000, threads=threads).to_dict() for threads in (1, 2, 4)
    )
    assert others == [first, first]


def test_the_json_has_what_others_rely_on(three: Comparison) -> None:
    told = json.loads(json.dumps(three.to_dict()))
    assert told["rules"] == "ottocento" and told["policies"] == THREE
    assert told["blocks"] == 250 and told["seed"] == 3
    assert np.shape(told["payoff"]) == (3, 3)
    assert set(told["payoff"][0][1]) == {"mean", "low", "high", "n", "unit", "level", "method"}
    assert told["variance_removed"][0][0] is None
    assert told["variance_removed"][0][1] == told["variance_removed"][1][0] > 0
    assert told["ranking"][0]["place"] == 1 and told["winner"]["policy"] == "simple"
    assert told["policy_parts"][2]["parts"]["declare"]["name"] == "nothing"


@pytest.mark.parametrize(
    ("policies", "options", "told"),
    [
        (["simple"], {}, "1 to compare: expected two policies or more"),
        (THREE, {"hands": 15}, "15 hands a pair: expected 16 to"),
        (THREE, {"hands": 1599, "until": 1}, "1599 hands a pair: expected 1600 to"),
        (THREE, {"hands": 10**12}, "expected 16 to"),
        (THREE, {"seed": -1}, "seed -1: expected 0 to"),
        (THREE, {"until": 0}, "a half-width of 0: expected more than 0"),
        (THREE, {"until": float("nan")}, "a half-width of nan: expected more than 0"),
        (THREE, {"payoff": "money"}, "'money': expected points, win, winner_takes"),
        (THREE, {"level": 2}, "level 2: expected a number between 0 and 1"),
    ],
)
def test_what_cannot_be_compared_is_refused(policies, options, told) -> None:
    with pytest.raises(ValueError, match=told) as error:
        compare(policies, **options)
    assert isinstance(error.value, CompareError) or "level" in options


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(PolicyError, match="unknown policy 'genius'"):
        compare(["simple", "genius"])
