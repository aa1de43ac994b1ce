"""Discard so as to make a void. STRATEGY C5, C8."""

from sim.policies import policy
from sim.policies.discard.choosing import two_card_suit
from sim.policies.discard.low import low


@policy.discard
def void(view, weights):
    """A whole suit of two cards; else single cards, and the lowest of the shortest suits."""
    suit = two_card_suit(view, view.legal)
    return suit if suit else low(view, weights)
