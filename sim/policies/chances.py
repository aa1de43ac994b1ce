"""How likely a trick is won, by what a player can know of the others' hands.

A card that several players may hold is taken to be with each of them with equal chance,
independently of other cards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.kernels.bits import popcount
from sim.policies.policy import helper
from sim.policies.view import seen

# Chance that a player has none of n cards (second index) of which k players may hold each (first).
_PLAYERS, _CARDS = np.arange(4)[:, None], np.arange(32)[None, :]
NONE_OF = np.where(_PLAYERS == 0, 1.0, (1 - 1 / np.maximum(_PLAYERS, 1)) ** _CARDS)


class Outlook(NamedTuple):
    """Sets: the cards not seen, those each player may hold, those he has shown and still holds.

    The Fool, which neither follows nor wins, is left out.
    """

    unseen: int
    right: int
    partner: int
    left: int
    right_shown: int
    partner_shown: int
    left_shown: int
    trump_holders: int  # players who may hold trumps


@helper
def _holders(right, partner, left, cards):
    """How many of the others may hold one of some cards."""
    # Not a sum of comparisons: uncompiled, NumPy would add them as truth values.
    right, partner, left = right & cards, partner & cards, left & cards
    return (1 if right else 0) + (1 if partner else 0) + (1 if left else 0)


@helper
def outlook(view, weights):
    """What a player knows of the others' hands.

    ``weights`` has ``count_cards``, ``use_declared`` and ``infer_voids`` (0 or 1): whether he
    remembers the tricks gone by, the cards shown in declarations, and the voids shown.
    """
    table, rules = view.table, view.rules
    known = view.hand | view.discard | table.on_table | table.exposed
    if weights.count_cards:
        known = seen(view)
    unseen = rules.whole_pack & ~(known | rules.fool)
    right = partner = left = unseen
    right_shown = partner_shown = left_shown = 0
    if weights.use_declared:
        right_shown = table.shown[view.right] & unseen
        partner_shown = table.shown[view.partner] & unseen
        left_shown = table.shown[view.left] & unseen
        right &= ~(partner_shown | left_shown)
        partner &= ~(right_shown | left_shown)
        left &= ~(right_shown | partner_shown)
    if weights.infer_voids:
        right &= ~table.voids[view.right]
        partner &= ~table.voids[view.partner]
        left &= ~table.voids[view.left]
    return Outlook(
        *(unseen, right, partner, left),
        *(right_shown, partner_shown, left_shown),
        _holders(right, partner, left, rules.trumps),
    )


@helper
def corrected(others, told, rules):
    """The outlook of a player who believes what was signalled (``sim.policies.heard``)."""
    right_shown = (others.right_shown | told.right_holds) & others.unseen
    partner_shown = (others.partner_shown | told.partner_holds) & others.unseen
    left_shown = (others.left_shown | told.left_holds) & others.unseen
    right = others.right & ~(told.right_lacks | partner_shown | left_shown)
    partner = others.partner & ~(told.partner_lacks | right_shown | left_shown)
    left = others.left & ~(told.left_lacks | right_shown | partner_shown)
    right_shown |= _least(right, told.right_follows, rules)
    partner_shown |= _least(partner, told.partner_follows, rules)
    left_shown |= _least(left, told.left_follows, rules)
    return Outlook(
        *(others.unseen, right, partner, left),
        *(right_shown, partner_shown, left_shown),
        _holders(right, partner, left, rules.trumps),
    )


@helper
def _least(may, follows, rules):
    """For suits of which a player surely has a card, which is not known: the least it may be.

    Reckoned as shown, it says what is known and no more: that he follows, and that he beats what
    every card that he may hold beats. The Pagat only if there is no other trump.
    """
    found = 0
    for suit in rules.suits:
        cards = may & suit & follows
        if cards & ~rules.pagat:
            cards &= ~rules.pagat
        found |= cards & -cards
    return found


@helper
def _has(may, shown, cards, holders):
    """Chance that a player has one of some cards."""
    return 1.0 if shown & cards else 1.0 - NONE_OF[holders, popcount(may & cards)]


@helper
def _beats(may, shown, rank, led, rules, led_holders, trump_holders):
    """Chance that a player can beat a card of this rank: in the suit led, or by a trump."""
    above = -(2 << rank)
    if (1 << rank) & rules.equal_trumps:
        above |= rules.equal_trumps
    if led & rules.trumps:
        return _has(may, shown, led & above, trump_holders)
    void = 1.0 - _has(may, shown, led, led_holders)
    trumped = void * _has(may, shown, rules.trumps & above, trump_holders)
    if (1 << rank) & rules.trumps:
        return trumped
    return trumped + _has(may, shown, led & above, led_holders)


@helper
def side_wins(position, others, rank, ours, led, rules, weights):
    """Chance that one's side wins a trick in which a card of this rank, ours or not, is the best.

    One's own card has just been played, or is reckoned as played. ``weights`` has ``contest`` (how
    often an opponent who can beat it does), ``rebeat`` and ``help`` (how often partner can mend a
    trick that an opponent wins, by a card higher still, and where one has left it to him).
    """
    if position == 3:
        return 1.0 if ours else 0.0
    of_led = _holders(others.right, others.partner, others.left, led)
    of_trumps = others.trump_holders
    right = weights.contest * _beats(
        others.right, others.right_shown, rank, led, rules, of_led, of_trumps
    )
    if position == 2:
        return 1.0 - right if ours else 0.0
    partner = _beats(others.partner, others.partner_shown, rank, led, rules, of_led, of_trumps)
    if position == 1:
        return 1.0 - right * (1.0 - weights.rebeat * partner) if ours else weights.help * partner
    left = weights.contest * _beats(
        others.left, others.left_shown, rank, led, rules, of_led, of_trumps
    )
    holds = (1.0 - right) * (1.0 - left)
    return holds + (1.0 - holds) * weights.rebeat * partner


@helper
def pagat_falls(others, rules):
    """Chance that an opponent has the Pagat and no other trump, so that a trump led draws it."""
    pagat, rest = rules.pagat, rules.trumps & ~rules.pagat
    may_have = _holders(others.right, others.partner, others.left, pagat)
    at_right = _has(others.right, others.right_shown, pagat, may_have)
    at_left = _has(others.left, others.left_shown, pagat, may_have)
    holders = others.trump_holders
    return at_right * (1.0 - _has(others.right, others.right_shown, rest, holders)) + at_left * (
        1.0 - _has(others.left, others.left_shown, rest, holders)
    )
