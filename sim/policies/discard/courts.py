"""Discard courts, which then are safe. STRATEGY C6, C7."""

from sim.policies import policy
from sim.policies.discard.choosing import (
    accompanied_queens,
    courts_of_a_suit,
    must_go,
    with_cheapest,
    with_court,
)


@policy.discard(same_suit=0)
def courts(view, weights):
    """Two courts, of different suits if possible: Valets first, a Queen only if she is alone.

    ``same_suit``: 1 for two of one suit, if possible.
    """
    fine = view.legal & ~accompanied_queens(view)
    discard = must_go(view)
    if weights.same_suit and not discard:
        discard = courts_of_a_suit(view, fine)
    for _ in range(2):
        discard = with_court(view, discard, fine)
    return with_cheapest(view, with_cheapest(view, discard, fine), view.legal)
