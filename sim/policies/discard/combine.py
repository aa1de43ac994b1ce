"""Discard what no combination needs."""

from sim.kernels.bits import lowest, popcount
from sim.kernels.combinations import (
    ACES,
    ANGEL,
    COURTS,
    CRICCA_CARDS,
    KINGS,
    MOORS,
    NUMBERED,
    T5,
    UPPER,
    _combinations,
)
from sim.policies import policy
from sim.policies.discard.choosing import must_go


@policy.helper
def chances(hand, card, rules):
    """How many combinations a card may help to win, together with others of the hand. RULES §4."""
    bit, n = 1 << card, 0
    if bit & (COURTS | ACES) and rules.suit_of[card] & KINGS & hand:
        n += 1
    for alike in (*CRICCA_CARDS, MOORS, ACES):
        if bit & alike and popcount(hand & alike) >= 2:
            n += 1
    if bit & (UPPER | NUMBERED << T5) and hand & ANGEL:
        n += 1
    return n


@policy.helper
def cost(hand, card, rules, weights):
    """What a hand loses with a card: in points, roughly."""
    total = weights.length * popcount(hand & rules.suit_of[card])
    for i in range(8):  # as ``cheapest`` ranks them
        total += i if rules.worth[i] >> card & 1 else 0
    if rules.combinations:
        _, cricche, sequences = _combinations(hand, rules)
        _, cricche_left, sequences_left = _combinations(hand & ~(1 << card), rules)
        total += weights.held * (cricche + sequences - cricche_left - sequences_left)
        total += weights.chance * chances(hand, card, rules)
    return total


@policy.discard(held=1, chance=5, length=0.1)
def combine(view, weights):
    """Cards of no combination in hand or that may be won, the cheapest first, of short suits."""
    discard = must_go(view)
    while popcount(discard) < 2:
        hand = view.hand & ~discard
        left = view.legal & hand
        chosen, least = lowest(left), cost(hand, lowest(left), view.rules, weights)
        while left:
            card = lowest(left)
            left ^= 1 << card
            costs = cost(hand, card, view.rules, weights)
            if costs < least:
                chosen, least = card, costs
        discard |= 1 << chosen
    return discard
