"""Lead trumps, to draw the others'."""

from sim.kernels.bits import highest, lowest
from sim.policies import policy
from sim.policies.lead.longest import REASONS as OTHERWISE
from sim.policies.lead.longest import longest
from sim.policies.view import cannot_be_beaten

REASONS = ("draws trumps with one that none can beat", "draws trumps with a low one", *OTHERWISE)
SURE, LOW, ELSE = range(3)


@policy.lead(reasons=REASONS)
def trump(view, weights):
    """Draw trumps, with the highest if it is sure, else with a low one; else as longest does.

    Never with the Pagat, nor where both opponents have shown that they have none.
    """
    rules, voids = view.rules, view.table.voids
    trumps = view.hand & rules.trumps & ~rules.pagat
    if trumps and not voids[view.right] & voids[view.left] & rules.trumps:
        if cannot_be_beaten(view, highest(trumps)):
            return highest(trumps), SURE
        return lowest(trumps), LOW
    card, reason = longest(view, weights)
    return card, ELSE + reason
