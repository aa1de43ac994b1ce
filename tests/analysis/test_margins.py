"""Margins of pairs in blocks: the same deals from both sides, A against A, a planted bonus."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from analysis import margins
from analysis.margins import PAYOFFS, PLAYS, Margins, play_margins, points
from sim.hands import play_blocks
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies, parse_policy
from sim.rows import Rows
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import compiled_only

pytestmark = compiled_only
RANDOM, SIMPLE, PLAIN = map(parse_policy, ("random", "simple", "simple+declare:nothing"))
each_game = pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(margins, "PART", 20)


def played(
    *pairs: tuple[Policy, Policy], rules: RuleSet = OTTOCENTO, blocks: range = range(50), **options
) -> Margins:
    return play_margins(rules, pairs, 31, blocks, **{"payoff": points, **options})


def scores(*hands: tuple[int, int]) -> SimpleNamespace:
    return SimpleNamespace(score=np.array(hands, np.int16).T)


@pytest.mark.parametrize(
    ("kind", "first"),
    [("points", [70, -300, 0]), ("win", [1, -1, 0]), ("winner_takes", [100, -400, 0])],
)
def test_payoffs(kind: str, first: list[int]) -> None:  # STRATEGY C23
    rows = scores((100, 30), (100, 400), (50, 50))
    assert PAYOFFS[kind](rows, 0).tolist() == first
    assert PAYOFFS[kind](rows, 1).tolist() == [-margin for margin in first]


def test_large_scores_do_not_overflow() -> None:
    assert points(scores((32_000, -32_000)), 0).tolist() == [64_000]


@each_game
def test_a_block_is_four_hands_from_both_sides(rules: RuleSet) -> None:
    margins_of_a = []
    for side, seats in enumerate((["random", "simple"], ["simple", "random"])):
        rows = play_blocks(rules, parse_policies(seats), 31, 0, 50)
        score = rows.score.astype(int)
        margins_of_a.append((score[side] - score[1 - side]).reshape(50, 4))
    plays = np.concatenate(margins_of_a, axis=1)
    found = played((RANDOM, SIMPLE), rules=rules)
    assert plays.shape[1] == PLAYS
    assert found.moments.n == 50
    assert found.moments.sums.tolist() == [plays.sum()]
    assert found.moments.products.tolist() == [[(plays.sum(axis=1) ** 2).sum()]]
    assert found.squares.tolist() == [(plays**2).sum()]


@each_game
@pytest.mark.parametrize("policy", [RANDOM, SIMPLE], ids=lambda policy: policy.spec)
@pytest.mark.parametrize("payoff", PAYOFFS.values())
def test_a_policy_against_itself_is_zero_in_every_block(rules, policy, payoff) -> None:
    found = played((policy, policy), rules=rules, payoff=payoff)
    assert found.moments.products.tolist() == [[0]]
    assert found.squares[0] > 0  # though hands are won and lost


def with_bonus(rows: Rows, side: int) -> np.ndarray:
    """Three points more for the side where it is dealt the Angel."""
    angel = OTTOCENTO.cards.size - 2
    assert OTTOCENTO.cards.names[angel] == "Angel"
    dealt = (rows.hand[side] | rows.hand[side + 2]) >> angel & 1
    return points(rows, side) + 3 * dealt


def test_a_planted_bonus_is_a_point_and_a_half_in_every_block() -> None:
    found = played((SIMPLE, SIMPLE), payoff=with_bonus)
    block = 3 * PLAYS // 2
    assert found.moments.sums.tolist() == [50 * block]
    assert found.moments.products.tolist() == [[50 * block**2]]
    plain, more = (played((RANDOM, SIMPLE), payoff=each) for each in (points, with_bonus))
    assert (more.moments.sums - plain.moments.sums).tolist() == [50 * block]
    assert more.moments.variances == pytest.approx(plain.moments.variances)


def test_margins_change_sign_with_the_order() -> None:
    there, back = played((RANDOM, SIMPLE)), played((SIMPLE, RANDOM))
    assert there.moments.sums.tolist() == (-back.moments.sums).tolist()
    assert there.moments.products.tolist() == back.moments.products.tolist()
    assert there.squares.tolist() == back.squares.tolist()


def test_all_pairs_play_the_same_deals() -> None:
    """A pair's margins do not depend on which others play; two pairs alike agree in each block."""
    alone = played((SIMPLE, PLAIN))
    among = played((RANDOM, SIMPLE), (SIMPLE, PLAIN), (SIMPLE, PLAIN))
    assert among.moments.sums[1:].tolist() == 2 * alone.moments.sums.tolist()
    assert np.unique(among.moments.products[1:, 1:]).tolist() == alone.moments.products[0].tolist()


@pytest.mark.parametrize("enough", [None, lambda found: found.moments.n >= 47])
def test_threads_change_nothing(enough) -> None:
    first, *others = (
        played((RANDOM, SIMPLE), (RANDOM, PLAIN), blocks=range(5, 112), enough=enough, threads=n)
        for n in (1, 2, 5)
    )
    assert first.moments.n == (107 if enough is None else 60)
    for other in others:
        assert other.moments.sums.tolist() == first.moments.sums.tolist()
        assert other.moments.products.tolist() == first.moments.products.tolist()
        assert other.squares.tolist() == first.squares.tolist()


def test_it_is_asked_after_every_part_and_stops_at_once() -> None:
    asked = []
    played((SIMPLE, PLAIN), blocks=range(110), enough=lambda f: bool(asked.append(f.moments.n)))
    assert asked == [20, 40, 60, 80, 100, 110]
    found = played((SIMPLE, PLAIN), blocks=range(1000), enough=lambda found: True)
    assert found.moments.n == 20
    alone = played((SIMPLE, PLAIN), blocks=range(20))
    assert found.moments.sums.tolist() == alone.moments.sums.tolist()
