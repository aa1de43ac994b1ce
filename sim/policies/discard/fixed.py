"""Discard two given cards: for those who rank discards, not a part to be named in a SPEC."""

from sim.policies import policy


@policy.discard(first=0, second=0)
def fixed(view, weights):
    """The cards with the numbers first and second, whatever the hand."""
    return 1 << int(weights.first) | 1 << int(weights.second)
