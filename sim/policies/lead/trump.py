"""Lead trumps, to draw the others'."""

from sim.kernels.bits import highest, lowest, popcount
from sim.policies import policy
from sim.policies.lead.longest import REASONS as OTHERWISE
from sim.policies.lead.longest import longest
from sim.policies.view import cannot_be_beaten, cheapest

REASONS = ("draws trumps with one that none can beat", "draws trumps with a low one", *OTHERWISE)
SURE, LOW, ELSE = range(3)


@policy.lead(reasons=REASONS, enough=6, opening=0)
def trump(view, weights):
    """Draw trumps from many, with the highest if it is sure, else a low one; else as longest does.

    ``enough``: the number of trumps but the Pagat from which on he draws. Not where both opponents
    have shown that they have none. ``opening``: 1 to draw in the first trick only.
    """
    rules, table, voids = view.rules, view.table, view.table.voids
    trumps = view.hand & rules.trumps & ~rules.pagat
    out = voids[view.right] & voids[view.left] & rules.trumps
    later = weights.opening and table.trick
    if trumps and popcount(trumps) >= weights.enough and not out and not later:
        if cannot_be_beaten(view, highest(trumps)):
            return highest(trumps), SURE
        # Where they make a sequence, the equal trumps are worth more than the next ones.
        return cheapest(view, trumps) if rules.combinations else lowest(trumps), LOW
    card, reason = longest(view, weights)
    return card, ELSE + reason
