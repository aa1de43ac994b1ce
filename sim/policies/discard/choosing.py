"""What several discard parts ask of a hand. RULES §3, §7."""

from sim.kernels.bits import lowest, popcount
from sim.kernels.combinations import _combinations, _shown
from sim.policies.policy import helper
from sim.policies.view import cheapest, of_longest_suit


@helper
def must_go(view):
    """The one plain card that has to go where trumps are forced, as a set; else 0."""
    rules = view.rules
    return view.legal & ~rules.trumps if rules.trumps_forced and view.legal & rules.trumps else 0


@helper
def with_cheapest(view, discard, cards):
    """A discard with the cheapest of some cards added, those that may go, until there are two."""
    left = cards & view.legal & ~discard
    while left and popcount(discard) < 2:
        card = 1 << cheapest(view, left)
        discard |= card
        left ^= card
    return discard


@helper
def with_court(view, discard, cards):
    """A discard with the cheapest court of some cards added, of a suit not yet in it if possible.

    As it was if it has two cards already, or there is no court among them. STRATEGY C6.
    """
    rules = view.rules
    courts = cards & (rules.valets | rules.cavaliers | rules.queens) & ~discard
    if not courts or popcount(discard) == 2:
        return discard
    other = courts & ~rules.suit_of[lowest(discard)] if discard else courts
    return discard | 1 << cheapest(view, other if other else courts)


@helper
def courts_of_a_suit(view, cards):
    """The cheapest two courts, of some cards, that one suit has; 0 if none has two. STRATEGY C6."""
    rules = view.rules
    courts = cards & (rules.valets | rules.cavaliers | rules.queens)
    paired = 0
    for i in range(4):
        of_suit = courts & rules.suits[i]
        paired |= of_suit if popcount(of_suit) >= 2 else 0
    if not paired:
        return 0
    first = cheapest(view, paired)
    return with_cheapest(view, 1 << first, paired & rules.suit_of[first])


@helper
def with_pips(view, discard):
    """A discard with the lowest pips of the longest suits added, until there are two."""
    for _ in range(2 - popcount(discard)):
        left = view.hand & ~discard
        pips = of_longest_suit(view, left, view.legal & left & view.rules.pips)
        discard |= pips & -pips
    return discard


@helper
def lone_cards(view, held):
    """The plain cards of a set that are alone in their suits."""
    lone = 0
    for suit in range(4):
        cards = held & view.rules.suits[suit]
        lone |= cards if popcount(cards) == 1 else 0
    return lone


@helper
def accompanied_queens(view):
    """The Queens in hand that are not alone in their suits. STRATEGY C7."""
    return view.hand & view.rules.queens & ~lone_cards(view, view.hand)


@helper
def two_card_suit(view, cards):
    """The cards of a plain suit of which the hand has two, both in a set; 0 if there is none.

    Of several suits the one with most courts, which are safe in the discard. STRATEGY C6, C8.
    """
    rules = view.rules
    chosen, most = 0, -1
    for suit in range(4):
        held = view.hand & rules.suits[suit]
        courts = popcount(held & ~rules.pips & ~rules.aces)
        if popcount(held) == 2 and held & ~cards == 0 and courts > most:
            chosen, most = held, courts
    return chosen


@helper
def combined(view):
    """The cards of the combinations in the hand. RULES §4."""
    if not view.rules.combinations:
        return 0
    held, _, _ = _combinations(view.hand, view.rules)
    return _shown(view.hand, held, view.rules)
