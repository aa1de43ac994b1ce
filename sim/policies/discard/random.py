"""Discard at random."""

from sim.policies import policy
from sim.policies.discard.choosing import must_go
from sim.policies.view import random_card


@policy.discard
def random(view, weights):
    """Two cards at random among those that may go."""
    forced = must_go(view)
    first = 1 << random_card(view, forced if forced else view.legal, 0)
    return first | 1 << random_card(view, view.legal & ~first, 1)
