"""Keep only suits with a sure card, as the partner of the strong hand. STRATEGY C13."""

from sim.kernels.bits import highest
from sim.kernels.state import View
from sim.policies import policy
from sim.policies.play.expert import expert
from sim.policies.play.simple import simple
from sim.policies.policy import part_of
from sim.policies.view import cannot_be_beaten


@policy.helper
def without_sure_suits(view, drawn):
    """The legal cards; where one throws them away, those of suits without a sure card if any.

    One throws where one can neither follow nor trump, while partner may have trumps: his is the
    strong hand. With ``drawn`` only where both opponents have shown that they have none.
    """
    table, rules = view.table, view.rules
    follows = table.position == 0 or table.led == 0 or view.hand & (table.led | rules.trumps)
    out = table.voids[view.right] & table.voids[view.left] & rules.trumps
    if follows or table.voids[view.partner] & rules.trumps or (drawn and not out):
        return view.legal
    sure = 0
    for i in range(4):
        held = view.hand & rules.suits[i]
        if held and cannot_be_beaten(view, highest(held)):
            sure |= held
    thrown = view.legal & ~sure
    return thrown if thrown & ~rules.fool else view.legal


@policy.play(reasons=part_of(simple).reasons, drawn=0)
def simple_sure(view, weights):
    """As simple, but throws no card of a suit in which one is sure, while partner may have trumps.

    ``drawn``: 1 to do so only once both opponents have shown that they have no trumps.
    """
    legal = without_sure_suits(view, weights.drawn)
    seats = view.seat, view.right, view.partner, view.left
    return simple(
        View(*seats, view.hand, legal, view.discard, view.key, view.table, view.rules), weights
    )


@policy.play(reasons=part_of(expert).reasons, drawn=0, **part_of(expert).parameters)
def expert_sure(view, weights):
    """As expert, but throws no card of a suit in which one is sure, while partner may have trumps.

    ``drawn``: 1 to do so only once both opponents have shown that they have no trumps.
    """
    legal = without_sure_suits(view, weights.drawn)
    seats = view.seat, view.right, view.partner, view.left
    return expert(
        View(*seats, view.hand, legal, view.discard, view.key, view.table, view.rules), weights
    )
