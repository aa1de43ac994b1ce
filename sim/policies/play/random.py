"""Play at random."""

from sim.policies import policy
from sim.policies.view import random_card


@policy.play(reasons=("any legal card",))
def random(view, weights):
    """A card at random among the legal ones."""
    return random_card(view, view.legal, 0), 0
