"""Declare nothing."""

from sim.policies import policy


@policy.declare
def nothing(view, weights):
    """No combination, whatever is held."""
    return 0
