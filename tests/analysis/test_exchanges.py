"""Exchange values: what adds up, what is fair, and values known beforehand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from analysis import exchanges
from analysis.exchanges import (
    ROUND,
    Exchanges,
    card_groups,
    deal_pack,
    exchanged,
    play_exchanges,
    side_sign,
)
from analysis.margins import points
from sim.cards import format_cards
from sim.hands import play_deals, play_hands
from sim.policies.spec import parse_policies
from sim.rows import Rows
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import compiled_only

pytestmark = compiled_only
SIMPLE, RANDOM, EXPERT = map(parse_policies, ("simple", "random", "expert"))
each_game = pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
COLUMNS = "opponents", "dealer", "eldest"


def played(rules: RuleSet, rounds: int = 4, policies: Any = SIMPLE, seed: int = 3) -> Exchanges:
    return play_exchanges(rules, policies, seed, range(rounds * ROUND))[0]


# ---- deals --------------------------------------------------------------------------------


@each_game
def test_a_shuffled_pack_is_a_deal(rules: RuleSet) -> None:  # RULES §3, §7
    hands = deal_pack(rules, 1, 0, range(8, 50)).hands
    dealer = np.arange(8, 50) % 4
    sizes = np.where(np.arange(4)[:, None] == dealer, 2, 0) + rules.tricks
    np.testing.assert_array_equal(np.bitwise_count(hands), sizes)
    assert (np.bitwise_or.reduce(hands, axis=0) == rules.cards.all).all()


def uneven(counts: np.ndarray) -> float:
    """Probability of counts as uneven as these, if all cells are equally likely."""
    expected = counts.sum() / counts.size
    return float(chi2.sf(((counts - expected) ** 2 / expected).sum(), counts.size - 1))


@each_game
def test_every_card_is_equally_likely_in_every_place(rules: RuleSet) -> None:
    order = deal_pack(rules, 5, 0, range(20_000)).order
    for place in (0, rules.tricks, rules.cards.size - 1):
        assert uneven(np.bincount(order[place], minlength=rules.cards.size)) > 1e-4


@each_game
def test_every_two_cards_are_exchanged_equally_often(rules: RuleSet) -> None:
    size = rules.cards.size
    cards = deal_pack(rules, 5, 0, range(8000)).cards
    pairs = np.zeros((size, size), int)
    for one, other in ((0, 1), (2, 3)):
        np.add.at(pairs, (cards[one], cards[other]), 1)
    assert uneven(pairs[~np.eye(size, dtype=bool)]) > 1e-4


@each_game
def test_a_card_given_to_a_role_leaves_the_others_uniform(rules: RuleSet) -> None:
    pack, each = rules.cards, np.arange(20_000)
    deals = deal_pack(rules, 5, 0, range(20_000)).with_first(each % 4, pack.pagat)
    assert (deals.cards[each % 4, 0, each] == pack.pagat).all()
    np.testing.assert_array_equal(
        np.sort(deals.order, axis=0), np.sort(each[: pack.size])[:, None] + 0 * each
    )
    others = np.bincount(deals.cards[(each + 1) % 4, 0, each], minlength=pack.size)
    assert others[pack.pagat] == 0
    assert uneven(np.delete(others, pack.pagat)) > 1e-4


def test_cards_change_hands() -> None:
    hands = deal_pack(PARTITA, 1, 0, range(1)).hands
    one, other = (np.array([int(hands[seat, 0]).bit_length() - 1]) for seat in (0, 3))
    after = exchanged(hands, (np.array([0]), np.array([3])), (one, other))
    assert after[0, 0] == hands[0, 0] - (1 << one[0]) + (1 << other[0])
    assert after[3, 0] == hands[3, 0] + (1 << one[0]) - (1 << other[0])
    np.testing.assert_array_equal(after[1:3], hands[1:3])


# ---- values -------------------------------------------------------------------------------


@each_game
@pytest.mark.parametrize("of", COLUMNS)
def test_values_of_the_pack_add_up_to_0_in_every_deal(rules: RuleSet, of: str) -> None:
    moments = getattr(played(rules), of)
    size = rules.cards.size
    assert moments.sums.any()
    assert moments.combined(np.ones((1, size), np.int64)).products[0, 0] == 0  # not only in sum
    assert sum(found.mean for found in played(rules).values(of)) == pytest.approx(0, abs=1e-9)


@each_game
@pytest.mark.parametrize("policies", [SIMPLE, RANDOM, EXPERT], ids=["simple", "random", "expert"])
def test_an_exchange_made_and_undone_is_antisymmetric(rules: RuleSet, policies: Any) -> None:
    dealt = deal_pack(rules, 2, 0, range(40))
    seats = dealt.dealer, (dealt.dealer + 1) % 4
    cards = dealt.cards[0, 0], dealt.cards[1, 0]
    there = exchanged(dealt.hands, seats, cards)
    score, after, again = (
        side_sign(seats[0]) * points(play_deals(rules, policies, 2, 0, hands), 0)
        for hands in (dealt.hands, there, exchanged(there, seats, cards[::-1]))
    )
    assert (score != after).any()
    np.testing.assert_array_equal(score - after, -(after - again))


@each_game
@pytest.mark.parametrize("policies", [SIMPLE, RANDOM], ids=["simple", "random"])
def test_equal_trumps_exchanged_change_nothing(rules: RuleSet, policies: Any) -> None:
    one, other = (rules.cards.index[name.lower()] for name in rules.cards.equal_trump_names[:2])
    each = np.arange(400)  # RULES §2: of equal trumps the last one played beats the others
    dealt = deal_pack(rules, 1, 0, range(400)).with_first(np.zeros(400, int), one)
    eldest = (dealt.dealer + 1) % 4
    hands = dealt.hands
    has = each[hands[eldest, each] >> other & 1 == 1]
    both = np.full((2, 400), [[one], [other]])
    there = exchanged(hands, (dealt.dealer, eldest), (both[0], both[1]))
    before, after = (points(play_deals(rules, policies, 1, 0, of), 0) for of in (
        hands, np.where(np.isin(each, has), there, hands)
    ))  # fmt: skip
    assert len(has) > 50
    np.testing.assert_array_equal(before, after)


def test_a_planted_bonus_is_recovered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the Angel counts, 3 to the side that is dealt it: 6 to have it rather than not."""
    angel = OTTOCENTO.cards.index["angel"]

    def bonus(rows: Rows, side: int) -> np.ndarray:
        holder = (rows.hand >> angel & 1).argmax(axis=0)
        return np.where(holder % 2 == side, 3, -3)

    monkeypatch.setattr(exchanges, "points", bonus)
    found = played(OTTOCENTO, rounds=80)
    values = found.values(level=0.99)
    assert values[angel].low <= 6 <= values[angel].high
    assert values[angel].high - values[angel].mean < 0.2
    others = np.delete([value.mean for value in values], angel)
    assert others.mean() == pytest.approx(-values[angel].mean / 61)
    times = -others * found.opponents.n * 60 / 62 / 6  # it went for the Angel
    np.testing.assert_allclose(times, times.round(), atol=1e-6)
    assert uneven(times) > 1e-4
    for of in ("dealer", "eldest"):
        assert all(value.mean == value.high == 0 for value in found.values(of))


@pytest.mark.parametrize("card", ["Angel", "Fool", "SK"])
def test_values_are_those_of_the_definition(card: str) -> None:
    """Against deals of the engine, one exchange each, with every seat weighed by hand."""
    rules, hands, each = PARTITA, 20_000, np.arange(20_000)
    index, rng = rules.cards.index[card.lower()], np.random.default_rng(8)
    rows = play_hands(rules, RANDOM, 17, 0, hands)
    seat = (rows.hand >> index & 1).argmax(axis=0)
    other = (seat + rng.choice([1, 3], hands)) % 4
    theirs = rows.hand[other, each][:, None] >> np.arange(rules.cards.size) & 1
    drawn = np.where(theirs, rng.random(theirs.shape), 0).argmax(axis=1)
    there = exchanged(rows.hand, (seat, other), (np.full(hands, index), drawn))
    after = play_deals(rules, RANDOM, 17, 0, there)
    lost = side_sign(seat) * (points(rows, 0) - points(after, 0))
    cell = (seat - rows.dealer) % 4 * 4 + (other - rows.dealer) % 4
    kinds = np.unique(cell)
    assert len(kinds) == 8
    mean = np.mean([lost[cell == kind].mean() for kind in kinds])
    error = np.sqrt(sum(lost[cell == k].var() / (cell == k).sum() for k in kinds)) / 8
    value = played(rules, 160, RANDOM).values(groups=[[index]], level=0.6827)[0]
    spread = np.hypot(error, value.high - value.mean)
    assert abs(value.mean - mean) < 3.5 * spread
    assert spread < 1 < abs(value.mean) + spread  # the test could fail


def test_groups_are_means_of_their_cards() -> None:
    found = played(OTTOCENTO)
    alone = found.values()
    groups = card_groups(OTTOCENTO)
    for name, value in zip(groups, found.values(groups=[*groups.values()]), strict=True):
        mean = np.mean([alone[card].mean for card in groups[name]])
        assert value.mean == pytest.approx(mean), name
        assert value.n == 8 * 4  # of every three deals partners exchange in one


@each_game
def test_every_card_is_in_one_group(rules: RuleSet) -> None:
    groups = card_groups(rules)
    assert sorted(card for group in groups.values() for card in group) == [*range(rules.cards.size)]
    assert [*groups][:4] == ["Pagat", "Fool", "Angel", "World"]
    kings = sum(1 << card for card in groups["Kings"])
    assert format_cards(kings, rules.cards) == "SK BK CK DK"


def test_parts_of_deals_are_those_of_the_whole() -> None:
    whole = played(OTTOCENTO)
    other = play_exchanges(OTTOCENTO, SIMPLE, 3, range(48, 96))[0]
    both = whole + other
    for of in COLUMNS:
        sums = getattr(whole, of).sums + getattr(other, of).sums
        assert (getattr(both, of).sums == sums).all()
