"""What a policy can ask of its view, beyond the plain fields of ``View`` and its table.

Compiled helpers: each takes the view and answers from it alone.
"""

from __future__ import annotations

from sim.kernels.bits import lowest, nth, popcount
from sim.kernels.streams import draw_below
from sim.policies.policy import helper


@helper
def random_card(view, cards, number):
    """A uniform card of a set that is not empty; ``number`` tells draws of one decision apart."""
    return nth(cards, draw_below(view.key, number, popcount(cards)))


@helper
def seen(view):
    """The cards whose place the player knows: his own, his discard, those played or exposed."""
    played = view.table.played
    known = played[0] | played[1] | played[2] | played[3]
    return known | view.hand | view.discard | view.table.exposed


@helper
def unseen(view):
    """The cards that other players may still hold."""
    return view.rules.whole_pack & ~seen(view)


@helper
def winning_seat(view):
    """The seat whose card wins the trick as it stands; the leader's if only the Fool is there."""
    return view.table.best & 3


@helper
def beats(view, cards):
    """Those of ``cards`` (legal ones) that would win the trick as it stands. RULES §2."""
    table, rules = view.table, view.rules
    if table.best < 0:
        return cards & ~rules.fool
    return cards & (table.led | rules.trumps) & -(1 << (table.best >> 2))


@helper
def cannot_be_beaten(view, card):
    """Whether no card that others may still hold beats this one in its suit (trumps aside)."""
    rules = view.rules
    return not unseen(view) & rules.suit_of[card] & -(1 << rules.rank[card])


@helper
def partner_is_sure(view):
    """Whether partner's card wins, and only an unexpected void can change that."""
    table = view.table
    if winning_seat(view) != view.partner:
        return False
    if table.position == 3:
        return True
    return cannot_be_beaten(view, table.best >> 2) and not table.voids[view.right] & table.led


@helper
def cheapest(view, cards):
    """The card of a set that is not empty that one parts with most easily.

    Pips, then plain trumps, Aces and equal trumps, Valets, Cavaliers, Queens, Kings and Honours,
    the Pagat, and the Fool last; the lowest of its class.
    """
    best = cards
    for i in range(7, -1, -1):
        of_class = cards & view.rules.worth[i]
        best = of_class if of_class else best
    return lowest(best)


@helper
def dearest(view, cards):
    """The card of a set that is not empty that one likes best in one's own pile.

    The classes of ``cheapest`` from the Pagat down, and the Fool last; the lowest of its class.
    """
    best = cards
    for i in range(8):
        of_class = cards & view.rules.worth[i]
        best = of_class if of_class else best
    return lowest(best)


@helper
def of_longest_suit(view, held, cards):
    """Those of ``cards`` in the plain suit, of those they have, of which ``held`` has most."""
    chosen, most = 0, 0
    for suit in range(4):
        found, length = cards & view.rules.suits[suit], popcount(held & view.rules.suits[suit])
        if found and length > most:
            chosen, most = found, length
    return chosen


@helper
def of_shortest_suit(view, held, cards):
    """Those of ``cards`` in the plain suit, of those they have, of which ``held`` has least."""
    chosen, least = 0, 99
    for suit in range(4):
        found, length = cards & view.rules.suits[suit], popcount(held & view.rules.suits[suit])
        if found and length < least:
            chosen, least = found, length
    return chosen
