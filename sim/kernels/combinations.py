"""Cricche and sequences in a set of cards of the tarocchino pack. RULES §4.

Kinds are numbered, and stand as bits, in the order of ``KINDS``, cricche before sequences.
"""

from __future__ import annotations

import numpy as np

from sim.cards import TAROCCHINO as PACK
from sim.kernels.bits import index, popcount
from sim.kernels.compiling import fused, kernel

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
NUMBERED, T16 = (1 << 12) - 1, 1 << 11  # T5 to T16, brought down to bit 0
SWORDS, BATONS, CUPS, COINS = PACK.suits
# The cards that each kind may count, the Grande's numbered trumps and Moors aside.
CARDS_OF = (
    *CRICCA_CARDS,
    *(suit & (COURTS | ACES) | CONTATORI for suit in PACK.suits),
    *(ANGEL | UPPER | CONTATORI, MOORS | CONTATORI, ACES | CONTATORI),
)


def _weight(card, kind):
    """How much a card weighs in a kind, so that whoever has the kind in four cards weighs 7."""
    if not CRICCHE <= kind <= GRANDE:
        return 3 * (CARDS_OF[kind] >> card & 1)
    if ((KINGS | ANGEL) & CARDS_OF[kind]) >> card & 1:  # without it there is no sequence
        return 5
    return (CARDS_OF[kind] & ~ACES) >> card & 1


# The weights of each card, four bits for each kind.
TALLY = np.array(
    [
        sum(_weight(card, kind) << 4 * kind for kind in range(len(CARDS_OF)))
        for card in range(PACK.size)
    ]
)
_ONES = sum(1 << 4 * kind for kind in range(len(CARDS_OF)))


@fused
def _cricca(cards, points_of_three):
    n = popcount(cards)
    return points_of_three * (n - 2) if n >= 3 else 0


@fused
def _cricche(cards):
    """Points of each cricca, undoubled, 0 where there is none."""
    return (
        _cricca(cards & HONOURS, 18),
        _cricca(cards & KINGS, 17),
        _cricca(cards & QUEENS, 14),
        _cricca(cards & CAVALIERS, 13),
        _cricca(cards & VALETS, 12),
    )


@fused
def _suit_length(cards, suit, wild, wild_beside_two):
    """Length of a suit's sequence, 0 if there is none."""
    courts = popcount(cards & suit & COURTS)
    used = wild_beside_two if courts == 2 else wild
    length = courts + popcount(cards & suit & ACES) + used
    exists = (cards & suit & KINGS != 0) & (courts >= 2) & (courts + used >= 3)
    return length if exists else 0


@fused
def _like_length(cards, wild):
    """Length of the sequence of Moors, or of Aces, that ``cards`` are, 0 if there is none."""
    n = popcount(cards)
    return n + wild if (n >= 2) & (n + wild >= 3) else 0


@fused
def _fill(missing, may_fill, fill_16):
    """Numbered trumps missing once a contatore fills the highest gap, if it is one card wide."""
    below = _from_highest(missing)
    gap = below ^ below >> 1
    one_wide = (gap & 1 | gap >> 1 & ~missing) != 0
    fills = may_fill & one_wide & ((gap != T16) | fill_16)
    return missing ^ gap if fills else missing


@fused
def _from_highest(cards):
    """All bits from the highest of a set of numbered trumps down."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    return cards | cards >> 8


@fused
def _grande_cards(cards, wild, rules):
    """Numbered trumps and Moors that a Grande counts."""
    upper = popcount(cards & UPPER)
    fill_16 = (upper != 1) | rules.grande_wild_before_16 | (cards & WORLD == 0)
    spare = wild - 1 if upper == 1 else wild
    missing = ~(cards >> T5) & NUMBERED
    missing = _fill(missing, spare >= 1, fill_16)
    missing = _fill(missing, spare >= 2, fill_16)
    run = (NUMBERED & ~_from_highest(missing)) << T5
    return cards & (run if missing else run | MOORS)


@fused
def _grande_length(cards, wild, rules):
    """Length of the Grande, 0 if there is none. Every contatore fills a place or adds one."""
    upper = popcount(cards & UPPER)
    length = 1 + upper + popcount(_grande_cards(cards, wild, rules)) + wild
    exists = (cards & ANGEL != 0) & (upper >= 1) & (upper + min(wild, 1) >= 2)
    return length if exists else 0


@fused
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


@fused
def _sequence_points(length):
    return 5 * length - 5 if length >= 3 else 0


@fused
def _combinations(cards, rules):
    """The combinations in a set: their bits, points of cricche and of sequences, doubled."""
    kinds = 0
    cricche = 0
    for kind, points in enumerate(_cricche(cards)):
        kinds |= 1 << kind if points else 0
        cricche += points
    cricche = 2 * cricche if popcount(kinds) >= 3 else cricche
    found = 0
    sequences = 0
    for kind, length in enumerate(_lengths(cards, rules)):
        found |= 1 << kind if length else 0
        sequences += _sequence_points(length)
    sequences = 2 * sequences if popcount(found) >= 3 else sequences
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
    """Whether the four cards of a trick weigh 7 in some kind: few tricks pass that have none."""
    tally = 0
    for k in range(4 * trick, 4 * trick + 4):
        tally += TALLY[index(plays[index(k)])]
    return (tally + _ONES) & 8 * _ONES != 0


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
