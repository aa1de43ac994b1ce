"""Lead from the shortest suit, towards a void. STRATEGY C11."""

from sim.policies import policy
from sim.policies.lead.longest import REASONS as OTHERWISE
from sim.policies.lead.longest import longest
from sim.policies.view import cheapest, of_shortest_suit

REASONS = ("leads low from the shortest suit", *OTHERWISE)
LOW, ELSE = range(2)


@policy.lead(reasons=REASONS, opening=0)
def short(view, weights):
    """Low from the shortest plain suit, towards a void; without plain cards as longest does.

    ``opening``: 1 to lead so to the first trick only, and then as longest does.
    """
    cards = of_shortest_suit(view, view.hand, view.hand)
    if cards and not (weights.opening and view.table.trick):
        return cheapest(view, cards), LOW
    card, reason = longest(view, weights)
    return card, ELSE + reason
