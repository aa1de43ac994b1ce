"""Discard what is worth nothing."""

from sim.policies import policy
from sim.policies.discard.choosing import combined, must_go, with_cheapest, with_pips


@policy.discard
def pips(view, weights):
    """Two pips of the longest suits, so that no void comes near and no combination is broken."""
    discard = with_pips(view, must_go(view))
    discard = with_cheapest(view, discard, view.legal & ~combined(view))
    return with_cheapest(view, discard, view.legal)
