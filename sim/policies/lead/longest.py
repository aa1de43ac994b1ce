"""Lead from the longest suit. STRATEGY C11."""

from sim.kernels.bits import highest
from sim.policies import policy
from sim.policies.view import cheapest, of_longest_suit

REASONS = (
    "leads low from the longest suit",
    "leads the highest trump, having no plain card",
)
LOW, TRUMP = range(len(REASONS))


@policy.helper
def without_plain_cards(view):
    """The highest trump of a hand that has no plain card; else the Fool."""
    trumps = view.hand & view.rules.trumps
    return highest(trumps if trumps else view.hand)


@policy.lead(reasons=REASONS)
def longest(view, weights):
    """Low from the longest plain suit; without plain cards the highest trump."""
    cards = of_longest_suit(view, view.hand, view.hand)
    if cards:
        return cheapest(view, cards), LOW
    return without_plain_cards(view), TRUMP
