"""Signal as a good club player does: what is true, and what partner can use."""

from sim.kernels.bits import highest, lowest, popcount
from sim.kernels.signals import BEFORE_LEAD, LEADING_TRUMP, REQUEST, _truthful
from sim.kernels.state import NONE
from sim.policies import policy
from sim.policies.view import unseen

ALL = 2**32 - 1
KNOCK, DRAG, PICCOLO, GRANDE = 0, 2, 21, 22  # RULES §6, §7


@policy.signal(signals=1, use=ALL, knock_with=3, drag_with=4)
def club(view, card, weights):
    """Every true statement; knock from a long suit without its top, drag from many trumps."""
    if not weights.signals:
        return 0
    rules, said = view.rules, 0
    may = _truthful(view, card) & int(weights.use)
    while may:
        bit = lowest(may)
        may ^= 1 << bit
        if rules.statements[bit] != REQUEST or _wanted(view, card, bit, weights):
            said |= 1 << bit
    return said


@policy.helper
def _wanted(view, card, bit, weights):
    """Whether one makes a request that one may make."""
    rules = view.rules
    trumps = popcount(view.hand & rules.trumps)
    if not rules.combinations:
        if rules.moments[bit] != BEFORE_LEAD:
            return False
        return bit == PICCOLO and trumps >= weights.drag_with
    if card == NONE:
        return False
    if rules.moments[bit] == LEADING_TRUMP:
        return bit == DRAG and trumps + 1 >= weights.drag_with
    # Partner is to play high what one cannot win oneself.
    suit = rules.suit_of[card]
    mine, out = view.hand & suit, unseen(view) & suit
    return (
        bit == KNOCK
        and popcount(mine) >= weights.knock_with
        and out != 0
        and highest(out) > highest(mine | 1 << card)
    )
