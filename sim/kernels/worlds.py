"""Hidden hands drawn uniformly from all that agree with what a player knows. RULES §2-4, §7.

A hidden card lies in one of four places, numbered 0 the hand at the right, 1 partner's, 2 the hand
at the left, 3 the discard. What is known says, card by card, which places are possible; cards with
the same possible places form a class. First the numbers of cards that each class gives to each
place are drawn, by the ways in which they come about, then the cards themselves.

Only facts count: nothing is inferred from a policy or from silence. So a player may hold
combinations that he did not declare, and contatori that he withheld.
"""

from __future__ import annotations

from math import factorial

import numba
import numpy as np
from numba.extending import overload

from sim.kernels.bits import index, lowest, popcount
from sim.kernels.combinations import ALL_CRICCHE, ALL_SEQUENCES, CONTATORI, _shown
from sim.kernels.compiling import kernel
from sim.kernels.deal import DRAWS, _divide
from sim.kernels.streams import WORLDS, as_cards, draw, hand_key, step, stream

PLACES = 4
DISCARD_PLACE = 3
MOST_CLASSES = 11  # sets of at least two places
MOST_ROOM, MOST_DISCARDS = 15, 2
INVERSE_FACTORIAL = np.array([1 / factorial(n) for n in range(64)])
ONE = float(1 << 62)

# What a player knows, and the ways in which the hidden cards may lie.
KNOWN = np.dtype(
    [
        ("seat", np.int64),
        ("hand", np.int64),  # set: his own
        ("discard", np.int64),  # set: what he knows of it
        ("hidden", np.int64),  # set: cards that may lie in any of the places
        # By place.
        ("room", np.int64, PLACES),  # number of hidden cards there
        ("lacks", np.int64, PLACES),  # set: cards that are surely not there
        ("holds", np.int64, PLACES),  # set: cards that surely are
        # Made from these by _prepare: cards with one place only, and classes of the others.
        ("may_hold", np.int64, PLACES),  # set
        ("fixed", np.int64, PLACES),  # set
        ("left", np.int64, PLACES),  # number: room for the others
        ("n_classes", np.int64),
        ("cards", np.int64, MOST_CLASSES),  # set
        ("places", np.int64, MOST_CLASSES),  # bit set
        # Ways to place the cards of a class and of all later ones, by room at the right, partner's
        # and in the discard; over the factorials of the classes' sizes.
        ("ways", np.float64, (MOST_CLASSES, MOST_ROOM + 1, MOST_ROOM + 1, MOST_DISCARDS + 1)),
    ],
    align=True,
)


def blank(dtype):
    """A record to work in, for a policy that imagines worlds: its fields hold anything."""
    return np.empty(1, dtype).view(np.recarray)[0]


def blanks(dtype, n):
    """Several such records."""
    return np.empty(n, dtype).view(np.recarray)


if not numba.config.DISABLE_JIT:

    @overload(blank, inline="always")
    def _blank_compiled(dtype):
        return lambda dtype: np.empty(1, dtype)[0]

    @overload(blanks, inline="always")
    def _blanks_compiled(dtype, n):
        return lambda dtype, n: np.empty(n, dtype)


@kernel
def _world_key(seed, world):
    """Key of one imagined world; a policy takes the key of its view for the seed."""
    return stream(hand_key(seed, world), WORLDS)


@kernel
def _not_beside(shown, declared, rules):
    """The cards that a hand lacks which shows these for its declaration. RULES §4.

    A combination is declared with all its cards, so one that would be shown too is not there; a
    contatore may have been withheld where a part of one's combinations may be declared.
    """
    kinds = declared & (ALL_CRICCHE | ALL_SEQUENCES)
    asked = rules.whole_pack & ~shown
    if rules.any_subset:
        asked &= ~CONTATORI
    lacks = 0
    while asked:
        card = asked & -asked
        asked ^= card
        if _shown(shown | card, kinds, rules) != shown:
            lacks |= card
    return lacks


@kernel
def _look(view, known):
    """What the player knows from his view. More may be added to ``lacks`` and ``holds`` after."""
    table, rules = view.table, view.rules
    known.seat, known.hand = view.seat, view.hand
    known.discard = view.discard | table.exposed
    plain = rules.whole_pack & ~(rules.trumps | rules.fool)
    hidden = rules.whole_pack & ~(view.hand | known.discard)
    for seat in range(4):
        hidden &= ~table.played[seat]
    known.hidden = hidden
    for place in range(DISCARD_PLACE):
        seat = (view.seat + 1 + place) & 3
        shown, declared = table.shown[seat], table.declared[seat]
        known.room[place] = rules.hand_size - popcount(table.played[seat])
        known.holds[place] = shown & ~table.played[seat]
        known.lacks[place] = table.voids[seat]
        if declared:
            known.lacks[place] |= _not_beside(shown, declared, rules)
        if table.exposed and seat == table.dealer:  # for want of plain cards
            known.lacks[place] |= plain & ~rules.kings
    known.holds[DISCARD_PLACE] = 0
    barred = rules.kings | rules.honours | rules.fool
    if rules.trumps_forced:
        barred |= rules.trumps  # those discarded are exposed
    known.lacks[DISCARD_PLACE] = barred
    others_deal = view.seat != table.dealer
    known.room[DISCARD_PLACE] = 2 - popcount(known.discard) if others_deal else 0


@kernel
def _prepare(known):
    """Classes and ways from what is known. Returns whether any world agrees with it."""
    held = 0
    for place in range(PLACES):
        held |= known.holds[place]
        elsewhere = 0
        for other in range(PLACES):
            elsewhere |= known.holds[other] if other != place else 0
        barred = known.lacks[place] | elsewhere
        known.may_hold[place] = known.hidden & ~barred if known.room[place] else 0
        known.fixed[place] = 0
        known.left[place] = known.room[place]
    if held & ~known.hidden:
        return False
    known.n_classes = 0
    for places in range(1 << PLACES):
        cards = known.hidden
        for place in range(PLACES):
            may_hold = known.may_hold[place]
            cards &= may_hold if places >> place & 1 else ~may_hold
        if cards == 0:
            continue
        if places == 0:
            return False
        if popcount(places) == 1:
            known.fixed[lowest(places)] = cards
            known.left[lowest(places)] -= popcount(cards)
        else:
            _add_class(known, cards, places)
    for place in range(PLACES):
        if known.left[place] < 0:
            return False
    return _count_ways(known) > 0


@kernel
def _add_class(known, cards, places):
    """Add a class in order of size: the last one, whose numbers need no choice, is the largest."""
    i = known.n_classes
    while i > 0 and popcount(known.cards[i - 1]) > popcount(cards):
        known.cards[i], known.places[i] = known.cards[i - 1], known.places[i - 1]
        i -= 1
    known.cards[i], known.places[i] = cards, places
    known.n_classes += 1


@kernel
def _most(known, i, place, room):
    """Most cards that class i can give to a place with so much room."""
    return min(room, popcount(known.cards[i])) if known.places[i] >> place & 1 else 0


@kernel
def _choose(known, i, right, partner, left, discard, target):
    """Go through the numbers that class i can give to the places with such room.

    Ways are added up until they pass ``target``. Returns the sum, and the numbers reached.
    """
    n = popcount(known.cards[i])
    most_right, most_partner = _most(known, i, 0, right), _most(known, i, 1, partner)
    most_left, most_discard = _most(known, i, 2, left), _most(known, i, 3, discard)
    total = 0.0
    chosen = (0, 0, 0, 0)
    if i == known.n_classes - 1:  # all room is for this class
        if most_right + most_partner + most_left + most_discard == n:
            chosen = (right, partner, left, discard)
            total = _orders(right) * _orders(partner) * _orders(left) * _orders(discard)
        return total, chosen
    for to_discard in range(most_discard + 1):
        for to_right in range(max(0, n - to_discard - most_partner - most_left), most_right + 1):
            rest = n - to_discard - to_right
            of_these = _orders(to_discard) * _orders(to_right)
            for to_partner in range(max(0, rest - most_left), min(rest, most_partner) + 1):
                to_left = rest - to_partner
                ways = of_these * _orders(to_partner) * _orders(to_left)
                ways *= known.ways[
                    index(i + 1),
                    index(right - to_right),
                    index(partner - to_partner),
                    index(discard - to_discard),
                ]
                if ways > 0:
                    total += ways
                    chosen = (to_right, to_partner, to_left, to_discard)
                    if total > target:
                        return total, chosen
    return total, chosen


@kernel
def _orders(n):
    """1 / n!"""
    return INVERSE_FACTORIAL[index(n)]


@kernel
def _least(known, i, place):
    """Least room that may be left in a place when class i comes."""
    taken = 0
    for earlier in range(i):
        taken += _most(known, earlier, place, MOST_ROOM)
    return max(0, known.left[place] - taken)


@kernel
def _count_ways(known):
    """Fill the table of ways, from the last class to the first. Returns those of all classes."""
    right, partner, left, discard = known.left
    if known.n_classes == 0:
        return 1.0
    room = 0  # for the classes from i on
    for i in range(known.n_classes - 1, -1, -1):
        room += popcount(known.cards[i])
        for in_discard in range(_least(known, i, 3), discard + 1):
            for at_right in range(_least(known, i, 0), right + 1):
                for with_partner in range(_least(known, i, 1), partner + 1):
                    at_left = room - at_right - with_partner - in_discard
                    ways = 0.0
                    if 0 <= at_left <= left:
                        ways, _ = _choose(
                            known, i, at_right, with_partner, at_left, in_discard, np.inf
                        )
                    known.ways[i, at_right, with_partner, in_discard] = ways
    return known.ways[0, right, partner, discard]


@kernel
def _sample_world(known, hidden, key):
    """Put a uniform world that agrees with what is known into ``hidden``: hands and discard."""
    right, partner, left, discard = known.left
    at_right, with_partner, at_left, discarded = known.fixed
    for i in range(known.n_classes):
        at = step(key, i)
        target = 0.0
        if i < known.n_classes - 1:
            share = as_cards(draw(at, 3 * DRAWS)) / ONE
            target = share * known.ways[index(i), index(right), index(partner), index(discard)]
        _, numbers = _choose(known, i, right, partner, left, discard, target)
        cards = _divide(known.cards[i], numbers[0], numbers[1], numbers[2], at)
        at_right, with_partner = at_right | cards[0], with_partner | cards[1]
        at_left, discarded = at_left | cards[2], discarded | cards[3]
        right, partner = right - numbers[0], partner - numbers[1]
        left, discard = left - numbers[2], discard - numbers[3]
    hidden.hands[known.seat] = known.hand
    hidden.hands[(known.seat + 1) & 3] = at_right
    hidden.hands[(known.seat + 2) & 3] = with_partner
    hidden.hands[(known.seat + 3) & 3] = at_left
    hidden.discard = known.discard | discarded


@kernel
def _sample_worlds(hands, discards, seed, first, n, known, hidden):
    """Draw worlds ``first`` to ``first + n - 1`` into arrays (n, 4) and (n,)."""
    for i in range(n):
        _sample_world(known, hidden, _world_key(seed, first + i))
        for seat in range(4):
            hands[i, seat] = hidden.hands[seat]
        discards[i] = hidden.discard
