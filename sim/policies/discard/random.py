"""Discard at random."""

from sim.policies import policy
from sim.policies.view import random_card


@policy.discard
def random(view, weights):
    """Two cards at random among those that may go."""
    legal = view.legal
    forced = (
        legal & ~view.rules.trumps if view.rules.trumps_forced and legal & view.rules.trumps else 0
    )
    first = 1 << random_card(view, forced if forced else legal, 0)
    return first | 1 << random_card(view, legal & ~first, 1)
