"""Discard as Pisarri teaches (Bologna 1754). STRATEGY C5-C10."""

from sim.kernels.bits import highest, popcount
from sim.kernels.combinations import ANGEL, NUMBERED, T5
from sim.policies import policy
from sim.policies.discard.choosing import (
    accompanied_queens,
    combined,
    lone_cards,
    must_go,
    two_card_suit,
    with_cheapest,
    with_court,
    with_pips,
)


@policy.helper
def gap_in_the_grande(view):
    """Two numbered trumps without which no other hand has much of a Grande; 0 if there are none.

    The highest two neighbours, since a contatore fills a gap of one only; else the highest two.
    Nothing from a hand that has the Angel itself. C9; RULES §4, Grande.
    """
    numbered = view.legal & NUMBERED << T5
    if not view.rules.combinations or view.hand & ANGEL or popcount(numbered) < 2:
        return 0
    neighbours = numbered & numbered >> 1
    if neighbours:
        return 0b11 << highest(neighbours)
    first = 1 << highest(numbered)
    return first | 1 << highest(numbered ^ first)


@policy.helper
def strength(view):
    """Trumps and Fool, and once more each Honour and King: about 8 in a dealer's hand."""
    rules = view.rules
    precious = rules.honours | rules.kings
    return popcount(view.hand & (rules.trumps | rules.fool)) + popcount(view.hand & precious)


@policy.discard(bad=5, good=12, keep_combined=1, keep_queens=1)
def pisarri(view, weights):
    """A void, else courts; a Queen only alone; a weak hand breaks the Grande, a strong one no suit.

    ``bad`` and ``good``: the strength up to which a hand is weak, and from which it is strong;
    ``keep_combined``, ``keep_queens``: 0 to let cards of combinations go, and Queens in company.
    """
    keep = combined(view) if weights.keep_combined else 0
    keep |= accompanied_queens(view) if weights.keep_queens else 0
    fine = view.legal & ~keep & ~view.rules.trumps
    discard = must_go(view)
    if not discard and strength(view) <= weights.bad:  # C9
        discard = gap_in_the_grande(view)
    if strength(view) >= weights.good:  # C10
        for _ in range(2):
            discard = with_court(view, discard, fine & ~lone_cards(view, view.hand & ~discard))
        discard = with_pips(view, discard)
    elif not discard:  # C5, C8
        discard = two_card_suit(view, fine)
        lone = lone_cards(view, view.hand) & fine
        for _ in range(2):
            discard = with_court(view, discard, lone)
        discard = with_cheapest(view, discard, lone)
    for _ in range(2):  # C6
        discard = with_court(view, discard, fine)
    discard = with_cheapest(view, discard, fine)
    discard = with_cheapest(view, discard, view.legal & ~keep)
    return with_cheapest(view, discard, view.legal)
