"""Declare everything."""

from sim.policies import policy


@policy.declare
def all_(view, weights):
    """Every combination held."""
    return view.legal
