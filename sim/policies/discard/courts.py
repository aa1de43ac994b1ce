"""Discard courts, which then are safe. STRATEGY C6, C7."""

from sim.policies import policy
from sim.policies.discard.choosing import accompanied_queens, must_go, with_cheapest, with_court


@policy.discard
def courts(view, weights):
    """Two courts, of different suits if possible: Valets first, a Queen only if she is alone."""
    fine = view.legal & ~accompanied_queens(view)
    discard = must_go(view)
    for _ in range(2):
        discard = with_court(view, discard, fine)
    return with_cheapest(view, with_cheapest(view, discard, fine), view.legal)
