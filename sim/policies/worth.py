"""What it matters, in points, which side gets a card. RULES §3, §4, §7.

A combination is reckoned as if each of its cards whose side is not known yet went to either side
with equal chance. The tables below hold that expectation for every state of a combination: by how
much one card more raises what one's own side scores with it, and lowers what the others do.
"""

from __future__ import annotations

import numpy as np

from sim.kernels.bits import popcount
from sim.kernels.combinations import ACES, COURTS, FOOL, HONOURS, MOORS, PAGAT, T5, UPPER
from sim.policies.policy import helper

GAIN, DENIAL = 0, 1  # first index of the tables: what we score more, what they score less
T16 = T5 + 11


def _sequence(exists, length):
    return 5 * length - 5 if exists else 0


def _of_suit(valet, cavalier, queen, king, ace, pagat, fool):
    courts, wild = valet + cavalier + queen + king, pagat + fool
    exists = king and courts >= 2 and courts + wild >= 3
    return _sequence(exists, courts + ace + wild)


def _of_like_cards(one, two, three, four, pagat, fool):
    n, wild = one + two + three + four, pagat + fool
    return _sequence(n >= 2 and n + wild >= 3, n + wild)


def _of_cricca(one, two, three, four):
    return max(one + two + three + four - 2, 0)  # in units of the points of three


def _expected(points, cards):
    """What we score, and minus what they score, by where each card is: 0 unknown, 1 ours, 2 theirs.

    Shape (2, 3, 3, …), an axis for each of the ``cards`` that ``points`` takes.
    """
    known = np.empty((2, *(2,) * cards))
    for places in np.ndindex(*(2,) * cards):
        known[GAIN][places] = points(*(1 - place for place in places))
        known[DENIAL][places] = -points(*places)
    for axis in range(1, cards + 1):
        ours, theirs = np.take(known, 0, axis), np.take(known, 1, axis)
        known = np.stack([(ours + theirs) / 2, ours, theirs], axis)
    return known


def _difference(expected, axis):
    """Ours less theirs of the card along an axis, which is dropped."""
    return np.take(expected, 1, axis) - np.take(expected, 2, axis)


def _suit_table():
    """(2, 5, 3^5, 3^2): part, card V C Q K A, state of all five in base 3, of Pagat and Fool."""
    expected = _expected(_of_suit, 7)
    # State numbers grow with V, C, Q, K, A: the last axis of a reshaped array counts fastest.
    of_card = [
        np.repeat(np.expand_dims(_difference(expected, 1 + card), 1 + card), 3, 1 + card)
        for card in range(5)
    ]
    by_state = np.stack(of_card, 1).transpose(0, 1, 6, 5, 4, 3, 2, 7, 8)
    return by_state.reshape(2, 5, 3**5, 9).astype(np.float32)


def _counted(expected):
    """(2, 5, 5, …): part, cards of four that are ours, theirs; one of those unknown is at stake."""
    table = np.zeros((2, 5, 5, *expected.shape[5:]), np.float32)
    for ours in range(4):
        for theirs in range(4 - ours):
            places = (1,) * ours + (2,) * theirs + (0,) * (3 - ours - theirs)
            table[:, ours, theirs] = _difference(expected, 4)[(slice(None), *places)]
    return table


SUIT = _suit_table()
LIKE_CARDS = _counted(_expected(_of_like_cards, 6).reshape(2, 3, 3, 3, 3, 9))
CRICCA = _counted(_expected(_of_cricca, 4))
# The state in base 3 of five cards from a bit for each: once for ours, twice for theirs.
TERNARY = np.array([sum(3**i for i in range(5) if bits >> i & 1) for bits in range(32)])


@helper
def contatori(ours, theirs):
    """Where the Pagat and the Fool are, as the last index of the tables."""
    pagat = 1 if ours & PAGAT else 2 if theirs & PAGAT else 0
    fool = 1 if ours & FOOL else 2 if theirs & FOOL else 0
    return 3 * pagat + fool


@helper
def _suit_state(pile, card):
    """Bits of the Valet, Cavalier, Queen, King and Ace of a card's suit."""
    suit = card - card % 10
    ace = suit if suit < 20 else suit + 5
    return pile >> (suit + 6) & 15 | (pile >> ace & 1) << 4


@helper
def _in_suit(card, place, ours, theirs, wild, weights):
    """Worth of a court or Ace for the sequence of its suit."""
    state = TERNARY[_suit_state(ours, card)] + 2 * TERNARY[_suit_state(theirs, card)]
    return weights.sequences * (
        weights.complete * SUIT[GAIN, place, state, wild]
        + weights.deny * SUIT[DENIAL, place, state, wild]
    )


@helper
def _among_like(cards, ours, theirs, wild, weights):
    """Worth of a Moor or Ace for the sequence of its like."""
    n, m = popcount(cards & ours), popcount(cards & theirs)
    return weights.sequences * (
        weights.complete * LIKE_CARDS[GAIN, n, m, wild]
        + weights.deny * LIKE_CARDS[DENIAL, n, m, wild]
    )


@helper
def _in_cricca(cards, of_three, ours, theirs, weights):
    """Worth of a card for its cricca, which scores so much with three."""
    n, m = popcount(cards & ours), popcount(cards & theirs)
    return (weights.cricche * of_three) * (
        weights.complete * CRICCA[GAIN, n, m] + weights.deny * CRICCA[DENIAL, n, m]
    )


@helper
def _card_points(bit, rules):
    """Twice the card points of a card, half a point for the pair left out. RULES §3, §7."""
    points = 0 if rules.pair_counting else 1
    if bit & rules.pips:
        return points
    if bit & (rules.kings | rules.honours):
        return points + 8
    if bit & rules.queens:
        return points + 6
    if bit & rules.cavaliers:
        return points + 4
    return points + 2 if bit & rules.valets else points


@helper
def worth(card, ours, theirs, wild, rules, weights):
    """Points between getting a card and losing it, the two sides' piles being these.

    ``wild`` is ``contatori(ours, theirs)``; ``weights`` has ``sequences`` and ``cricche`` (factors
    for doubling), ``complete`` and ``deny`` (0 or 1: whether our and their combinations are
    minded), ``pagat`` (points), ``upper`` (World, Sun and Moon for the Grande, points), ``grande``
    (points of the 16 for the Grande) and ``grande_falls`` (points less for each trump below).
    """
    bit = 1 << card
    points = _card_points(bit, rules)
    if bit & rules.pips or not rules.combinations:
        return points * 1.0
    if T5 <= card <= T16:
        return points + max(weights.grande - weights.grande_falls * (T16 - card), 0.0)
    if bit & COURTS:
        rank = card % 10 - 6
        if rank == 3:
            cards, of_three = rules.kings, 17.0
        elif rank == 2:
            cards, of_three = rules.queens, 14.0
        elif rank == 1:
            cards, of_three = rules.cavaliers, 13.0
        else:
            cards, of_three = rules.valets, 12.0
        points += _in_cricca(cards, of_three, ours, theirs, weights)
        return points + _in_suit(card, rank, ours, theirs, wild, weights)
    if bit & ACES:
        points += _in_suit(card, 4, ours, theirs, wild, weights)
        return points + _among_like(ACES, ours, theirs, wild, weights)
    if bit & PAGAT:
        return weights.pagat
    if bit & MOORS:
        return points + _among_like(MOORS, ours, theirs, wild, weights)
    if bit & HONOURS:
        points += _in_cricca(HONOURS, 18.0, ours, theirs, weights)
    return points + weights.upper if bit & UPPER else points  # else the Angel
