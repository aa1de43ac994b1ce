"""The Pagat exchanged with a card of each other hand: what that costs, part by part, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.exchanges import PAGAT, PARTNERS, Deals, deal_pack, exchanged, side_sign
from analysis.margins import points
from analysis.moments import Moments
from analysis.pagat_fate import Fate
from analysis.parts import PARTS, parts
from sim.combinations import score_sets
from sim.hands import play_deals
from sim.policies.declare.all import all_
from sim.policies.policy import Policy, part_of
from sim.rows import Rows
from sim.rules import RuleSet

HOLDERS = 16  # deals in which each role has the Pagat, whoever deals


@dataclass(frozen=True, eq=False)
class Price:
    """What the Pagat's exchanges with both opponents cost, and what became of it.

    ``moments`` has the static parts, by ``PARTS``, and then those of play; a deal's are the sums of
    its two exchanges.
    """

    moments: Moments
    fate: Fate

    def __add__(self, other: Price) -> Price:
        return Price(self.moments + other.moments, self.fate + other.fate)


def pagat_deals(rules: RuleSet, seed: int, deals: range) -> tuple[Deals, NDArray[np.int64]]:
    """Deals in which each role has the Pagat equally often, and that role: 0 is the dealer."""
    role = np.array(deals, np.int64) // 4 % 4
    return deal_pack(rules, seed, PAGAT, deals).with_first(role, rules.cards.pagat), role


def recounted(
    rows: Rows,
    rules: RuleSet,
    policies: Sequence[Policy],
    cards: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> Rows:
    """The rows with two cards of each hand, (n,) each, in each other's place, nothing replayed.

    The piles are counted again, and so are the declarations of policies that declare all they
    hold; what others declare, and tricks, stay as they were. Source: RULES §3, §4, §7.
    """
    both = np.int64(1) << cards[0] | np.int64(1) << cards[1]

    def swapped(sets: NDArray[Any]) -> NDArray[np.int64]:
        moves: NDArray[np.int64] = (sets >> cards[0] ^ sets >> cards[1]) & 1
        return sets ^ both * moves

    won0 = swapped(rows.won0)
    piles = [score_sets(pile.astype(np.uint64), rules) for pile in (won0, rules.cards.all ^ won0)]
    declared = rows.declared_points.copy()
    for seat, policy in enumerate(policies):
        if policy.declare == part_of(all_):
            held = score_sets(swapped(rows.hand[seat] & ~rows.discard).astype(np.uint64), rules)
            declared[seat] = held.cricche + held.sequences
    return rows._replace(
        won0=won0,
        declared_points=declared,
        cricche=np.stack([pile.cricche for pile in piles]),
        sequences=np.stack([pile.sequences for pile in piles]),
        card_points=np.stack([pile.card_points for pile in piles]).astype(np.int16),
    )


def play_pagat(rules: RuleSet, policies: Sequence[Policy], seed: int, deals: range) -> Price:
    """Play deals, and each again with the Pagat exchanged with a card of each other hand.

    Parameters as of ``sim.hands.play_deals``; ``deals`` are their numbers, at least one.
    """
    dealt, role = pagat_deals(rules, seed, deals)
    hands, each = dealt.hands, np.arange(len(deals))
    rows = play_deals(rules, policies, seed, deals.start, hands, log_plays=True)
    seat = (dealt.dealer + role) % 4
    sign, pagat = side_sign(seat), np.full(len(deals), rules.cards.pagat)
    before = np.stack([*parts(rows, 0, rules).values()])
    found = np.zeros((2 * len(PARTS), len(deals)), np.int64)
    of_partner = np.zeros(len(deals), np.int64)
    for shift in (1, 2, 3):
        cards = pagat, dealt.cards[(role + shift) % 4, 0, each]
        other = exchanged(hands, (seat, (seat + shift) % 4), cards)
        after = play_deals(rules, policies, seed, deals.start, other)
        if shift == PARTNERS:
            of_partner = sign * (points(rows, 0) - points(after, 0))
            continue
        recount = np.stack([*parts(recounted(rows, rules, policies, cards), 0, rules).values()])
        replayed = np.stack([*parts(after, 0, rules).values()])
        found += sign * np.concatenate([before - recount, recount - replayed])
    fate = Fate.of(rows, rules, found.sum(axis=0), of_partner)
    return Price(Moments.of(found), fate)
