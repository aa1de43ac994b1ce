"""Discard low cards towards a void."""

from sim.kernels.bits import popcount
from sim.policies import policy
from sim.policies.view import cheapest


@policy.discard
def low(view, weights):
    """The lowest cards of the shortest suits, so that a void comes near."""
    rules = view.rules
    discard = 0
    for _ in range(2):
        left = view.hand & ~discard
        allowed = view.legal & left & ~rules.trumps
        chosen, shortest = view.legal & left, 99
        for suit in range(4):
            length = popcount(left & rules.suits[suit])
            if allowed & rules.suits[suit] and length < shortest:
                chosen, shortest = allowed & rules.suits[suit], length
        discard |= 1 << cheapest(view, chosen)
    return discard
