"""Discard low cards towards a void."""

from sim.policies import policy
from sim.policies.view import cheapest, of_shortest_suit


@policy.discard
def low(view, weights):
    """The lowest cards of the shortest suits, so that a void comes near."""
    discard = 0
    for _ in range(2):
        left = view.hand & ~discard
        allowed = view.legal & left
        plain = of_shortest_suit(view, left, allowed)
        discard |= 1 << cheapest(view, plain if plain else allowed)
    return discard
