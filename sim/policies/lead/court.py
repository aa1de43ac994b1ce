"""Lead a court towards partner. STRATEGY C12."""

from sim.kernels.bits import highest
from sim.policies import policy
from sim.policies.lead.longest import REASONS as OTHERWISE
from sim.policies.lead.longest import longest
from sim.policies.view import cheapest, dearest, of_longest_suit, unseen

REASONS = (
    "leads a court to a partner who will trump it",
    "leads a court to a partner who has shown the best card of the suit",
    "leads a court to a partner who may have the King",
    *OTHERWISE,
)
TRUMPED, TAKEN, HOPED, ELSE = range(4)


@policy.helper
def will_trump(view, seat, suit):
    """Whether a player has shown that he lacks a suit, and not that he lacks trumps."""
    voids = view.table.voids[seat]
    return voids & suit != 0 and voids & view.rules.trumps == 0


@policy.lead(reasons=REASONS, unprompted=0, unprompted_queens=0)
def court(view, weights):
    """A court that partner can use, above all if he has shown a void; else as longest does.

    ``unprompted``, ``unprompted_queens``: 1 to lead Valets and Cavaliers, and Queens, without a
    sign from partner too, where he may have the King.
    """
    rules, table = view.rules, view.table
    courts = view.hand & (rules.valets | rules.cavaliers | rules.queens | rules.kings)
    trumped, taken, hoped = 0, 0, 0
    for i in range(4):
        suit = rules.suits[i]
        if will_trump(view, view.right, suit) or will_trump(view, view.left, suit):
            continue
        known = table.shown[view.partner] & ~table.played[view.partner] & suit
        others = unseen(view) & suit & ~known
        if will_trump(view, view.partner, suit):
            trumped |= courts & suit
        elif known and not others & -(1 << highest(known)):
            taken |= courts & suit & ~rules.kings
        elif others & rules.kings:
            hoped |= courts & suit & (rules.queens if weights.unprompted_queens else 0)
            hoped |= courts & suit & (~rules.queens if weights.unprompted else 0)
    if trumped:
        return dearest(view, trumped), TRUMPED
    if taken:
        return dearest(view, taken), TAKEN
    if hoped:
        return cheapest(view, of_longest_suit(view, view.hand, hoped)), HOPED
    card, reason = longest(view, weights)
    return card, ELSE + reason
