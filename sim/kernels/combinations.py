"""Cricche and sequences in a set of cards of the tarocchino pack. RULES §4.

Kinds are numbered as in the columns: 0 honours, 1 kings, 2 queens, 3 cavaliers, 4 valets,
5 swords, 6 batons, 7 cups, 8 coins, 9 grande, 10 moors, 11 aces.
"""

from __future__ import annotations

from sim.cards import TAROCCHINO as PACK
from sim.kernels.bits import popcount
from sim.kernels.compiling import kernel

CRICCHE = 5
KINDS = 12
# Bits of a declaration beside the kinds.
PAGAT_WITHHELD, FOOL_WITHHELD = 1 << 12, 1 << 13
ALL_CRICCHE, ALL_SEQUENCES = 0b11111, 0b1111111 << CRICCHE

PAGAT, FOOL, ANGEL, WORLD = (PACK.mask([name]) for name in ("Pagat", "Fool", "Angel", "World"))
HONOURS, MOORS, ACES = PACK.honours, PACK.equal_trumps, PACK.rank("A")
KINGS, QUEENS, CAVALIERS, VALETS = (PACK.rank(rank) for rank in "KQCV")
COURTS = KINGS | QUEENS | CAVALIERS | VALETS
CONTATORI = PAGAT | FOOL
UPPER = PACK.mask(["World", "Sun", "Moon"])
T5, T16 = PACK.index["t5"], PACK.index["t16"]
SWORDS, BATONS, CUPS, COINS = PACK.suits
# A combination has at least three of these (a Grande without numbered trumps is that long).
COMBINING = COURTS | ACES | MOORS | UPPER | ANGEL | CONTATORI


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
def _suit_length(cards, suit, wild, rules):
    """Length of a suit's sequence, 0 if there is none."""
    courts = popcount(cards & suit & COURTS)
    if not cards & suit & KINGS or courts + min(wild, 1) < 3 or courts < 2:
        return 0
    if courts == 2 and not rules.suit_second_wild:
        wild = 1
    return courts + popcount(cards & suit & ACES) + wild


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
    may_fill = True
    if upper == 1:
        spare -= 1
        may_fill = rules.grande_wild_before_16 or not cards & WORLD
    counted = 0
    for card in range(T16, T5 - 1, -1):
        if cards >> card & 1:
            counted |= 1 << card
        elif spare > 0 and may_fill and (card == T5 or cards >> (card - 1) & 1):
            spare -= 1
        else:
            return counted
        may_fill = True
    return counted | (cards & MOORS)


@kernel
def _grande_length(cards, wild, rules):
    """Length of the Grande, 0 if there is none. Every contatore fills a place or adds one."""
    counted = _grande_cards(cards, wild, rules)
    return 1 + popcount(cards & UPPER) + popcount(counted) + wild if counted >= 0 else 0


@kernel
def _lengths(cards, rules):
    """Length of each sequence, swords to aces, 0 where there is none."""
    wild = popcount(cards & CONTATORI)
    return (
        _suit_length(cards, SWORDS, wild, rules),
        _suit_length(cards, BATONS, wild, rules),
        _suit_length(cards, CUPS, wild, rules),
        _suit_length(cards, COINS, wild, rules),
        _grande_length(cards, wild, rules),
        _like_length(cards & MOORS, wild),
        _like_length(cards & ACES, wild),
    )


@kernel
def _sequence_points(length):
    return 5 * length - 5 if length >= 3 else 0


@kernel
def _kinds(cards, rules):
    """The combinations in a set of cards, as bits."""
    kinds = 0
    for kind, points in enumerate(_cricche(cards)):
        if points > 0:
            kinds |= 1 << kind
    for kind, length in enumerate(_lengths(cards, rules)):
        if length > 0:
            kinds |= 1 << (CRICCHE + kind)
    return kinds


@kernel
def _points(cards, rules, kinds):
    """Points of the cricche and of the sequences in a set that are among ``kinds``, doubled."""
    cricche = 0
    n = 0
    for kind, points in enumerate(_cricche(cards)):
        if points > 0 and kinds >> kind & 1:
            cricche += points
            n += 1
    if n >= 3:
        cricche *= 2
    sequences = 0
    n = 0
    for kind, length in enumerate(_lengths(cards, rules)):
        if length > 0 and kinds >> (CRICCHE + kind) & 1:
            sequences += _sequence_points(length)
            n += 1
    if n >= 3:
        sequences *= 2
    return cricche, sequences


@kernel
def _trick_points(cards, rules):
    """Points of the combinations in the four cards of a trick."""
    if popcount(cards & COMBINING) < 3:
        return 0
    cricche, sequences = _points(cards, rules, ALL_CRICCHE | ALL_SEQUENCES)
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
    for kind, ranks in enumerate((HONOURS, KINGS, QUEENS, CAVALIERS, VALETS)):
        if kinds >> kind & 1:
            shown |= cards & ranks
    if not kinds & ALL_SEQUENCES:
        return shown
    wild = popcount(cards & CONTATORI)
    for kind, suit in enumerate((SWORDS, BATONS, CUPS, COINS)):
        if kinds >> (CRICCHE + kind) & 1:
            shown |= cards & suit & (COURTS | ACES)
            if rules.suit_second_wild or popcount(cards & suit & COURTS) > 2 or wild < 2:
                shown |= cards & CONTATORI
            else:
                shown |= PAGAT
    if kinds & 1 << 9:
        shown |= cards & (ANGEL | UPPER | CONTATORI) | _grande_cards(cards, wild, rules)
    if kinds & 1 << 10:
        shown |= cards & (MOORS | CONTATORI)
    if kinds & 1 << 11:
        shown |= cards & (ACES | CONTATORI)
    return shown
