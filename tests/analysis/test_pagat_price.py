"""The Pagat exchanged: parts that add up hand by hand, and cards counted again in new places."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.exchanges import exchanged, side_sign
from analysis.margins import points
from analysis.pagat_price import HOLDERS, pagat_deals, play_pagat, recounted
from analysis.parts import PARTS
from sim.combinations import score
from sim.hands import play_deals
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import compiled_only, each_preset

pytestmark = compiled_only
DEALS = range(10 * HOLDERS)
EACH = np.arange(len(DEALS))
SIMPLE = parse_policies("simple")


@each_preset
def test_each_role_holds_the_pagat_equally_often_whoever_deals(rules: RuleSet) -> None:
    deals, role = pagat_deals(rules, 1, DEALS)
    seat = (deals.dealer + role) % 4
    assert (deals.hands[seat, EACH] >> rules.cards.pagat & 1 == 1).all()
    assert np.bincount(4 * deals.dealer + role).tolist() == [10] * 16


@each_preset
@pytest.mark.parametrize("spec", ["simple", "random", "simple+declare:hide"])
def test_static_and_play_add_up_to_the_whole_hand_by_hand(rules: RuleSet, spec: str) -> None:
    policies = parse_policies(spec)
    found = play_pagat(rules, policies, 4, DEALS)
    deals, role = pagat_deals(rules, 4, DEALS)
    seat = (deals.dealer + role) % 4
    before = points(play_deals(rules, policies, 4, 0, deals.hands), 0)
    whole = np.zeros(len(DEALS), int)
    for shift in (1, 3):
        cards = np.full(len(DEALS), rules.cards.pagat), deals.cards[(role + shift) % 4, 0, EACH]
        there = exchanged(deals.hands, (seat, (seat + shift) % 4), cards)
        whole += side_sign(seat) * (before - points(play_deals(rules, policies, 4, 0, there), 0))
    total = found.moments.combined(np.ones((1, 2 * len(PARTS)), np.int64))
    assert total.sums[0] == whole.sum()
    assert total.products[0, 0] == (whole**2).sum()  # so it is hand by hand
    assert found.fate.by_role[2].sum() == whole.sum()
    assert found.fate.by_role[3].sum() == (whole**2).sum()


@each_preset
def test_recounted_piles_and_declarations_are_those_counted_one_by_one(rules: RuleSet) -> None:
    deals, role = pagat_deals(rules, 4, range(64))
    rows = play_deals(rules, SIMPLE, 4, 0, deals.hands)
    pagat, theirs = rules.cards.pagat, deals.cards[(role + 1) % 4, 0, EACH[:64]]
    found = recounted(rows, rules, SIMPLE, (np.full(64, pagat), theirs))
    changed = 0
    for i, other in enumerate(map(int, theirs)):

        def swapped(cards: int, other: int = other) -> int:
            names = {pagat: other, other: pagat}
            return sum(1 << names.get(c, c) for c in range(64) if cards >> c & 1)

        pile = swapped(int(rows.won0[i]))
        assert found.won0[i] == pile
        for side, of in enumerate((pile, rules.cards.all ^ pile)):
            held = score(of, rules)
            assert found.cricche[side, i] == held.cricche_points
            assert found.sequences[side, i] == held.sequence_points
            assert found.card_points[side, i] == held.card_points
        for seat in range(4):
            hand = swapped(int(rows.hand[seat, i] & ~rows.discard[i]))
            assert found.declared_points[seat, i] == score(hand, rules).total
        changed += bool((found.declared_points[:, i] != rows.declared_points[:, i]).any())
    assert changed > 10 or not rules.combinations
    np.testing.assert_array_equal(found.trick_points, rows.trick_points)


@pytest.mark.parametrize("spec", ["simple", "simple+declare:nothing"])
def test_cards_that_stay_change_nothing(spec: str) -> None:
    deals, _ = pagat_deals(OTTOCENTO, 4, DEALS)
    policies, card = parse_policies(spec), deals.cards[1, 0]
    rows = play_deals(OTTOCENTO, policies, 4, 0, deals.hands)
    found = recounted(rows, OTTOCENTO, policies, (card, card))
    for before, after in zip(rows, found, strict=True):
        np.testing.assert_array_equal(before, after)


def test_partita_has_card_points_only() -> None:  # RULES §7
    sums = play_pagat(PARTITA, SIMPLE, 4, DEALS).moments.sums.reshape(2, -1)
    assert [name for name, of in zip(PARTS, sums.T, strict=True) if of.any()] == ["card_points"]


def test_a_partner_s_price_is_antisymmetric_by_role() -> None:
    """Who has it rather than his partner gains what the partner loses by the same exchange."""
    partner = play_pagat(OTTOCENTO, SIMPLE, 4, range(3200)).fate.by_partner.astype(float)
    n, _, total, squares = partner  # roles: eldest, second, third, dealer
    mean, error = total / n, np.sqrt(squares) / n
    for one, other in ((0, 2), (1, 3)):
        spread = np.hypot(error[one], error[other])
        assert abs(mean[one] + mean[other]) < 4 * spread
    assert mean[3] > 3 * error[3]  # under simple the dealer keeps it better
