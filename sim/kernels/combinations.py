"""Cricche and sequences in a set of cards of the tarocchino pack. RULES §4.

Kinds are numbered, and stand as bits, in the order of ``KINDS``, cricche before sequences.
"""

from __future__ import annotations

import numpy as np

from sim.cards import TAROCCHINO as PACK
from sim.kernels.bits import highest, index, popcount
from sim.kernels.compiling import kernel

KINDS = (
    *("honours", "kings", "queens", "cavaliers", "valets"),
    *("swords", "batons", "cups", "coins", "grande", "moors", "aces"),
)
CRICCHE = 5
GRANDE = KINDS.index("grande")
# Bits of a declaration beside the kinds.
PAGAT_WITHHELD, FOOL_WITHHELD = 1 << 12, 1 << 13
ALL_CRICCHE, ALL_SEQUENCES = 0b11111, 0b1111111 << CRICCHE

PAGAT, FOOL, ANGEL, WORLD = (PACK.mask([name]) for name in ("Pagat", "Fool", "Angel", "World"))
HONOURS, MOORS, ACES = PACK.honours, PACK.equal_trumps, PACK.rank("A")
KINGS, QUEENS, CAVALIERS, VALETS = (PACK.rank(rank) for rank in "KQCV")
CRICCA_CARDS = (HONOURS, KINGS, QUEENS, CAVALIERS, VALETS)
COURTS = KINGS | QUEENS | CAVALIERS | VALETS
CONTATORI = PAGAT | FOOL
UPPER = PACK.mask(["World", "Sun", "Moon"])
T5 = PACK.index["t5"]
NUMBERED = (1 << 12) - 1  # T5 to T16, brought down to bit 0
SWORDS, BATONS, CUPS, COINS = PACK.suits
# The cards that each kind may count, the Grande's numbered trumps and Moors aside.
CARDS_OF = (
    *CRICCA_CARDS,
    *(suit & (COURTS | ACES) | CONTATORI for suit in PACK.suits),
    *(ANGEL | UPPER | CONTATORI, MOORS | CONTATORI, ACES | CONTATORI),
)
# For each card, four bits for each kind: one where the kind may count it (of the Grande, numbered
# trumps aside, which it has only beside three other cards).
TALLY = np.array(
    [
        sum(1 << 4 * kind for kind, cards in enumerate(CARDS_OF) if cards >> card & 1)
        for card in range(PACK.size)
    ]
)
_ONES = sum(1 << 4 * kind for kind in range(len(CARDS_OF)))


@kernel
def _cricca(cards, points_of_three):
    n = popcount(cards)
    return points_of_three * (n - 2) if n >= 3 else 0


@kernel
def _cricche(cards):
    """Points of each cricca, undoubled, 0 where there is none."""
    return (
        _cricca(cards & HONOURS, 18),
        _cricca(cards & KINGS, 17),
        _cricca(cards & QUEENS, 14),
        _cricca(cards & CAVALIERS, 13),
        _cricca(cards & VALETS, 12),
    )


@kernel
def _suit_length(cards, suit, wild, wild_beside_two):
    """Length of a suit's sequence, 0 if there is none."""
    courts = popcount(cards & suit & COURTS)
    used = wild_beside_two if courts == 2 else wild
    length = courts + popcount(cards & suit & ACES) + used
    # Not "and": a jump that cannot be foreseen costs more than both tests.
    exists = (cards & suit & KINGS != 0) & (courts >= 2) & (courts + used >= 3)
    return length if exists else 0


@kernel
def _like_length(cards, wild):
    """Length of the sequence of Moors, or of Aces, that ``cards`` are, 0 if there is none."""
    n = popcount(cards)
    return n + wild if n >= 2 and n + wild >= 3 else 0


@kernel
def _grande_cards(cards, wild, rules):
    """Numbered trumps and Moors that the Grande counts, NONE if there is no Grande."""
    upper = popcount(cards & UPPER)
    if not cards & ANGEL or upper + min(wild, 1) < 2 or upper < 1:
        return -1
    spare = wild
    fill_16 = True
    if upper == 1:
        spare -= 1
        fill_16 = rules.grande_wild_before_16 or not cards & WORLD
    run = (cards >> T5) & NUMBERED
    for _ in range(3):
        if run == NUMBERED:
            return cards & (NUMBERED << T5 | MOORS)
        gap = highest(~run & NUMBERED)
        if spare == 0 or (gap == 11 and not fill_16) or (gap and not run >> (gap - 1) & 1):
            break
        spare -= 1
        run |= 1 << gap
    return cards & NUMBERED << T5 & -(2 << (gap + T5))


@kernel
def _grande_length(cards, wild, rules):
    """Length of the Grande, 0 if there is none. Every contatore fills a place or adds one."""
    counted = _grande_cards(cards, wild, rules)
    return 1 + popcount(cards & UPPER) + popcount(counted) + wild if counted >= 0 else 0


@kernel
def _lengths(cards, rules):
    """Length of each sequence, swords to aces, 0 where there is none."""
    wild = popcount(cards & CONTATORI)
    wild_beside_two = wild if rules.suit_second_wild else min(wild, 1)
    return (
        _suit_length(cards, SWORDS, wild, wild_beside_two),
        _suit_length(cards, BATONS, wild, wild_beside_two),
        _suit_length(cards, CUPS, wild, wild_beside_two),
        _suit_length(cards, COINS, wild, wild_beside_two),
        _grande_length(cards, wild, rules),
        _like_length(cards & MOORS, wild),
        _like_length(cards & ACES, wild),
    )


@kernel
def _sequence_points(length):
    return 5 * length - 5 if length >= 3 else 0


@kernel
def _combinations(cards, rules):
    """The combinations in a set: their bits, points of cricche and of sequences, doubled."""
    kinds = 0
    cricche = 0
    for kind, points in enumerate(_cricche(cards)):
        kinds |= 1 << kind if points else 0
        cricche += points
    if popcount(kinds) >= 3:
        cricche *= 2
    found = 0
    sequences = 0
    for kind, length in enumerate(_lengths(cards, rules)):
        found |= 1 << kind if length else 0
        sequences += _sequence_points(length)
    if popcount(found) >= 3:
        sequences *= 2
    return kinds | found << CRICCHE, cricche, sequences


@kernel
def _points(cards, rules, kinds):
    """Points of the cricche and sequences ``kinds``, which a set of cards holds, doubled."""
    cricche = 0
    for kind, points in enumerate(_cricche(cards)):
        cricche += points if kinds >> kind & 1 else 0
    if popcount(kinds & ALL_CRICCHE) >= 3:
        cricche *= 2
    sequences = 0
    for kind, length in enumerate(_lengths(cards, rules)):
        sequences += _sequence_points(length) if kinds >> (CRICCHE + kind) & 1 else 0
    if popcount(kinds & ALL_SEQUENCES) >= 3:
        sequences *= 2
    return cricche, sequences


@kernel
def _may_combine(plays, trick):
    """Whether some kind may count three of the four cards of a trick: few tricks pass."""
    tally = 0
    for k in range(4 * trick, 4 * trick + 4):
        tally += TALLY[index(plays[index(k)])]
    return (tally + _ONES) & 4 * _ONES != 0


@kernel
def _trick_points(cards, rules):
    """Points of the combinations in the four cards of a trick."""
    _, cricche, sequences = _combinations(cards, rules)
    return cricche + sequences


@kernel
def _declarable(hand, withheld):
    """The cards of a hand that count in its declaration."""
    if withheld & PAGAT_WITHHELD:
        hand &= ~PAGAT
    if withheld & FOOL_WITHHELD:
        hand &= ~FOOL
    return hand


@kernel
def _shown(cards, kinds, rules):
    """The cards of a hand that are shown for its combinations ``kinds``."""
    shown = 0
    for kind in range(len(CARDS_OF)):  # without jumps
        shown |= CARDS_OF[kind] & -(kinds >> kind & 1)
    shown &= cards
    if kinds >> GRANDE & 1:
        shown |= _grande_cards(cards, popcount(cards & CONTATORI), rules)
    if not rules.suit_second_wild and cards & CONTATORI == CONTATORI:
        shown &= ~_fool_aside(cards, kinds)
    return shown


@kernel
def _fool_aside(cards, kinds):
    """The Fool, if all that ``kinds`` has of it is a second contatore that adds nothing."""
    for kind in range(len(CARDS_OF)):
        if kinds >> kind & 1 and CARDS_OF[kind] & FOOL:
            of_suit = CRICCHE <= kind < GRANDE
            if not of_suit or popcount(cards & CARDS_OF[kind] & COURTS) > 2:
                return 0
    return FOOL
