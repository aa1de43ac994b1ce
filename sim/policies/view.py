"""What a policy can ask of its view, beyond the plain fields of ``View`` and its table.

Compiled helpers: each takes the view and answers from it alone.
"""

from __future__ import annotations

from sim.kernels.bits import highest, lowest, nth, popcount
from sim.kernels.streams import draw_below
from sim.kernels.tricks import _winning_position
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
    """The seat whose card wins the trick as it stands."""
    return (view.table.leader + _winning_position(view.table, view.rules)) & 3


@helper
def beats(view, cards):
    """Those of ``cards`` (legal ones) that would win the trick as it stands. RULES §2."""
    table, rules = view.table, view.rules
    trumps = table.on_table & rules.trumps
    if trumps:
        best = highest(trumps)
        higher = rules.trumps & ~((2 << best) - 1)
        if 1 << best & rules.equal_trumps:
            higher |= rules.equal_trumps
        return cards & higher
    followed = table.on_table & table.led
    if not followed:
        return cards & ~rules.fool
    return cards & (rules.trumps | (table.led & ~((2 << highest(followed)) - 1)))


@helper
def cannot_be_beaten(view, card):
    """Whether no card that others may still hold beats this one, voids in its suit aside."""
    rules = view.rules
    higher = rules.suit_of[card] & ~((2 << card) - 1)
    if 1 << card & rules.equal_trumps:
        higher |= rules.equal_trumps
    return not unseen(view) & higher


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
