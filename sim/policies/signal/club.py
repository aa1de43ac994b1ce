"""Signal as a good club player does: what is true, and what partner can use."""

from sim.kernels.bits import highest, index, lowest, popcount
from sim.kernels.signals import LEADING_TRUMP, REQUEST, _truthful
from sim.kernels.state import NONE
from sim.policies import policy
from sim.policies.heard import (
    CHANGE_SUIT,
    DRAG,
    GRANDE,
    INFORM,
    KNOCK,
    NOT_HIGH_TRUMP,
    NOT_HIGHEST_TRUMP,
    NOT_THIS_SUIT,
    PICCOLO,
    TRUMP_CHEAPLY,
)
from sim.policies.view import unseen

ALL = 2**32 - 1


@policy.signal(signals=1, use=ALL, unasked=1, knock_with=3, drag_with=4)
def club(view, card, weights):
    """Every true statement (if unasked=0, once partner asks to be informed), useful requests."""
    if not weights.signals:
        return 0
    rules, said = view.rules, 0
    may = _truthful(view, card) & int(weights.use)
    tells = weights.unasked or _is_asked(view)
    while may:
        bit = lowest(may)
        may ^= 1 << bit
        if rules.statements[bit] != REQUEST:
            said |= 1 << bit if tells else 0
        elif rules.combinations:
            said |= 1 << bit if _wanted(view, card, bit, weights) else 0
        elif _wanted_in_partita(view, card, bit, weights):
            said |= 1 << bit
    return said


@policy.helper
def _is_asked(view):
    """Whether partner has asked to be informed."""
    table = view.table
    for k in range(4 * view.rules.hand_size):
        played = table.played[view.partner] >> table.plays[index(k)] & 1
        if table.signals[index(k)] >> INFORM & 1 and played:
            return True
    return False


@policy.helper
def _wanted(view, card, bit, weights):
    """Whether one makes a request of Ottocento that one may make."""
    rules = view.rules
    if rules.moments[bit] == LEADING_TRUMP:
        return bit == DRAG and popcount(view.hand & rules.trumps) + 1 >= weights.drag_with
    # Partner is to play high what one cannot win oneself.
    suit = rules.suit_of[card]
    mine, out = view.hand & suit, unseen(view) & suit
    return (
        bit == KNOCK
        and popcount(mine) >= weights.knock_with
        and out != 0
        and highest(out) > highest(mine | 1 << card)
    )


@policy.helper
def _wanted_in_partita(view, card, bit, weights):
    """Whether one makes a request of Partita that one may make."""
    rules, table = view.rules, view.table
    trumps = view.hand & rules.trumps
    if bit in (PICCOLO, GRANDE):  # a small trump to mine that wins, or one that wins itself
        if popcount(trumps) < weights.drag_with:
            return False
        out = unseen(view) & rules.trumps
        return (bit == PICCOLO) == (highest(trumps) > highest(out | 1))
    if card == NONE:
        return False
    if bit == INFORM:
        return table.trick == 0
    led, void = table.led, table.voids
    if bit in (TRUMP_CHEAPLY, NOT_HIGH_TRUMP, NOT_HIGHEST_TRUMP):
        if not void[view.partner] & led or void[view.partner] & rules.trumps:
            return False
        if not void[view.left] & led:  # who plays last is to follow suit
            return bit == TRUMP_CHEAPLY
        return bit == (NOT_HIGH_TRUMP if rules.pips >> card & 1 else NOT_HIGHEST_TRUMP)
    if bit == CHANGE_SUIT:  # an opponent trumps what partner leads
        opponents = void[view.right] | void[view.left]
        return table.leader == view.partner and led & ~rules.trumps & opponents != 0
    if bit == NOT_THIS_SUIT:  # a Queen or Cavalier of mine that a higher card would take
        mine = view.hand & rules.suit_of[card]
        out = unseen(view) & rules.suit_of[card]
        courts = mine & (rules.queens | rules.cavaliers)
        return courts != 0 and mine == 1 << lowest(mine) and out > mine
    return False
