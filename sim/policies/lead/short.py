"""Lead from the shortest suit, towards a void."""

from sim.policies import policy
from sim.policies.lead.longest import without_plain_cards
from sim.policies.view import cheapest, of_shortest_suit

REASONS = (
    "leads low from the shortest suit",
    "leads the highest trump, having no plain card",
)
LOW, TRUMP = range(len(REASONS))


@policy.lead(reasons=REASONS)
def short(view, weights):
    """Low from the shortest plain suit, towards a void; without plain cards the highest trump."""
    cards = of_shortest_suit(view, view.hand, view.hand)
    if cards:
        return cheapest(view, cards), LOW
    return without_plain_cards(view), TRUMP
