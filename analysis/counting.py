"""Combinations counted over all hands of a situation, without dealing any. RULES §4.

A hand is drawn from parts that meet only in its number of cards: the four suits, the trumps, and
the two contatori, which are fixed first because every sequence uses them. A table keeps, of a
part, the few numbers that matter and in how many ways each can come about; tables are combined
by adding the numbers and multiplying the ways, and plain pips fill up the hand.

Ways are whole numbers. Those in arrays are int64, which holds them: each counts different sets of
at most 62 cards, so none passes 2^62.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.situations import POOL, Situation, choose, subsets
from analysis.trumps import trump_ways
from sim.cards import SUITS, TAROCCHINO
from sim.kernels import combinations as kernels
from sim.kernels.combinations import (
    ACES,
    CONTATORI,
    COURTS,
    CRICCA_CARDS,
    CRICCHE,
    KINDS,
    MOORS,
)

Ints = NDArray[np.int64]
CRICCA_POINTS = (18, 17, 14, 13, 12)  # of three, in the order of KINDS
OF_SUIT = COURTS | ACES  # what may combine: the rest of a suit are pips
SEVERAL = 3  # cricche, or sequences, that are doubled
# Bounds of what tables keep: cards drawn from one part but pips, marked cards, points.
MOST_USED, MOST_MARKED, MOST_POINTS = 24, 64, 1024


def _uncompiled(kernel: Callable[..., int]) -> Callable[..., int]:
    """The Python function of a kernel: called too seldom to wait for a compiler."""
    function: Callable[..., int] = getattr(kernel, "py_func", kernel)
    return function


_cricca = _uncompiled(kernels._cricca)
_suit_length = _uncompiled(kernels._suit_length)
_like_length = _uncompiled(kernels._like_length)
_sequence_points = _uncompiled(kernels._sequence_points)


def lengths(situation: Situation) -> dict[str, dict[int, int]]:
    """Number of hands with each combination, by its length.

    Parameters
    ----------
    situation
        With or without combinations in its rules.

    Returns
    -------
    dict
        For each of the 12 kinds, hands by number of cards (a cricca: 3 or 4; a sequence: contatori
        included), only what can come about. Empty without combinations.

    Source: RULES §4.
    """
    if not situation.rules.combinations:
        return {}
    found: dict[str, Counter[int]] = {kind: Counter() for kind in KINDS}
    for kind, cards in zip(KINDS[:CRICCHE], CRICCA_CARDS, strict=True):
        found[kind].update(situation.number(cards))
    for wild, part in _by_contatori(situation):
        for kind, cards in (("moors", MOORS), ("aces", ACES)):
            for number, hands in part.number(cards).items():
                found[kind][_length_of_like(number, wild)] += hands
        for kind, suit in zip(SUITS, TAROCCHINO.suits, strict=True):
            for cards in subsets(suit & OF_SUIT):
                hands = part.with_cards(cards, suit & OF_SUIT & ~cards).ways
                found[kind][_length_in_suit(cards, suit, wild, part)] += hands
        suits = prod(group.ways for name, group in part.groups.items() if name in SUITS)
        free, draw = part.groups[POOL]
        plain = (free & ~TAROCCHINO.trumps).bit_count()
        for (used, _, _, length, _), ways in trump_ways(part, wild).items():
            found["grande"][length] += ways * suits * choose(plain, draw - used)
    return {
        kind: {length: hands for length, hands in sorted(by.items()) if length >= 3 and hands}
        for kind, by in found.items()
    }


def declarable(situation: Situation, of: int = 0) -> dict[tuple[int, int, int, int], int]:
    """Number of hands by the points of all their combinations.

    Parameters
    ----------
    situation
        With or without combinations in its rules (then every hand is worth 0).
    of
        A set of cards to count beside the points: no pips, if there are combinations.

    Returns
    -------
    dict
        Hands by (cards out of ``of``, 1 if there are three cricche or more, 1 if there are three
        sequences or more, points with both doublings).

    Source: RULES §4.
    """
    if not situation.rules.combinations:
        return {(number, 0, 0, 0): hands for number, hands in situation.number(of).items()}
    hands = np.zeros((2, 2, MOST_MARKED, MOST_POINTS), np.int64)
    for wild, part in _by_contatori(situation):
        filling, marked = _filling(part), MOST_POINTS * (part.hold & of).bit_count()
        for trumps, plain in product(_trump_rows(part, wild, of), _plain_rows(part, wild, of)):
            cricche = int(trumps.cricche + plain.cricche >= SEVERAL)
            sequences = int(trumps.sequences + plain.sequences >= SEVERAL)
            codes, which = np.unique(trumps.codes(cricche, sequences), return_inverse=True)
            ways = np.zeros((MOST_USED, len(codes)), np.int64)
            np.add.at(ways, (trumps.used, which), trumps.ways)
            ways = plain.ways[:, None] * (filling @ ways)[plain.used]
            codes = marked + np.add.outer(plain.codes(cricche, sequences), codes)
            np.add.at(hands[cricche, sequences].reshape(-1), codes, ways)
    found = np.argwhere(hands)
    numbers = found[:, [2, 0, 1, 3]].tolist()
    return dict(zip(map(tuple, numbers), hands[tuple(found.T)].tolist(), strict=True))


def _by_contatori(situation: Situation) -> Iterator[tuple[int, Situation]]:
    """A situation split by which contatori the hand has: how many, and what that leaves open."""
    for held in subsets(CONTATORI):
        part = situation.with_cards(held, CONTATORI & ~held)
        if part.ways:
            yield held.bit_count(), part


def _length_of_like(number: int, wild: int) -> int:
    """Length of the sequence of so many Moors, or Aces."""
    return _like_length((1 << number) - 1, wild)


def _length_in_suit(cards: int, suit: int, wild: int, part: Situation) -> int:
    beside_two = wild if part.rules.suit_second_wild else min(wild, 1)
    return _suit_length(cards, suit, wild, beside_two)


def _filling(part: Situation) -> Ints:
    """Ways for pips to fill up the hand, by cards drawn from the pool in two other parts."""
    free, draw = part.groups[POOL]
    pips = (free & TAROCCHINO.pips).bit_count()
    ways = [choose(pips, draw - used) for used in range(2 * MOST_USED)]
    return np.array([ways[used : used + MOST_USED] for used in range(MOST_USED)], np.int64)


# ---- tables ---------------------------------------------------------------------------------


class _Table(NamedTuple):
    """Ways to draw plain cards, by codes of what matters of them."""

    codes: Ints
    ways: Ints

    def beside(self, other: _Table) -> _Table:
        """Ways to draw both, codes added up."""
        codes = np.add.outer(self.codes, other.codes).ravel()
        return _Table(codes, np.multiply.outer(self.ways, other.ways).ravel())

    def summed(self) -> _Table:
        """The same, each code once."""
        codes, which = np.unique(self.codes, return_inverse=True)
        ways = np.zeros(len(codes), np.int64)
        np.add.at(ways, which, self.ways)
        return _Table(codes, ways)


class _Rows(NamedTuple):
    """Ways to draw plain cards, or trumps, with so many cricche and sequences (3: or more)."""

    cricche: int
    sequences: int
    ways: Ints
    used: Ints  # cards drawn from the pool
    marked: Ints
    cricca_points: Ints
    sequence_points: Ints

    def codes(self, cricche_doubled: int, sequences_doubled: int) -> Ints:
        """Marked cards and points in one number, which adds up."""
        points = self.cricca_points << cricche_doubled
        return MOST_POINTS * self.marked + points + (self.sequence_points << sequences_doubled)


def _rows(columns: tuple[Ints, ...], ways: Ints) -> list[_Rows]:
    """Sum the ways to the same numbers (of ``_Rows``, in its order) and sort them into rows."""
    shape = (SEVERAL + 1, SEVERAL + 1, MOST_USED, MOST_MARKED, MOST_POINTS, MOST_POINTS)
    several = [np.minimum(column, SEVERAL) for column in columns[:2]]
    table = _Table(np.ravel_multi_index((*several, *columns[2:]), shape), ways).summed()
    found = np.unravel_index(table.codes, shape)
    rows = []
    for cricche, sequences in product(range(SEVERAL + 1), repeat=2):
        chosen = (found[0] == cricche) & (found[1] == sequences)
        if chosen.any():
            numbers = (column[chosen] for column in found[2:])
            rows.append(_Rows(cricche, sequences, table.ways[chosen], *numbers))
    return rows


def _trump_rows(part: Situation, wild: int, of: int) -> list[_Rows]:
    """Rows of the trumps and, fixed already, the contatori."""
    table, columns = trump_ways(part, wild, of), []
    for used, marked, honours, grande, moors in table:
        sequences = [grande, _length_of_like(moors, wild)]
        points = sum(_sequence_points(length) for length in sequences)
        cricca = _cricca((1 << honours) - 1, CRICCA_POINTS[0])
        n_sequences = sum(length > 0 for length in sequences)
        columns.append((honours >= 3, n_sequences, used, marked, cricca, points))
    return _rows(tuple(np.array(columns, np.int64).T), np.array([*table.values()], np.int64))


# What the code of a plain table has, six bits each.
USED, MARKED, *RANKS, ACES_HELD, SEQUENCES, FIVES = (6 * place for place in range(9))
PLAIN_KINDS = dict(zip(RANKS, zip(CRICCA_CARDS[1:], CRICCA_POINTS[1:], strict=True), strict=True))


def _suit_table(suit: str, wild: int, part: Situation, of: int) -> _Table:
    """Courts and Ace of a suit; its pips too, if it is not drawn from the pool."""
    cards_of_suit = TAROCCHINO.suits[SUITS.index(suit)]
    group = part.groups.get(suit)
    codes, ways = [], []
    for drawn in subsets(part.free & cards_of_suit & OF_SUIT):
        cards, used = drawn | part.hold & cards_of_suit, drawn.bit_count()
        if group:
            pips = (group.free & TAROCCHINO.pips).bit_count()
            ways.append(choose(pips, group.draw - used))
        else:
            ways.append(1)
        points = _sequence_points(_length_in_suit(cards, cards_of_suit, wild, part))
        code = (0 if group else used) << USED | (drawn & of).bit_count() << MARKED
        code |= (points > 0) << SEQUENCES | points // 5 << FIVES
        code |= (cards & ACES).bit_count() << ACES_HELD
        for place, (rank, _) in PLAIN_KINDS.items():
            code |= (cards & rank).bit_count() << place
        codes.append(code)
    return _Table(np.array(codes, np.int64), np.array(ways, np.int64))


def _plain_rows(part: Situation, wild: int, of: int) -> list[_Rows]:
    """Rows of the four suits."""
    swords, batons, cups, coins = (_suit_table(suit, wild, part, of) for suit in SUITS)
    table = swords.beside(batons).summed().beside(cups.beside(coins).summed())

    def column(place: int) -> Ints:
        return table.codes >> place & 63

    cricche, cricca_points = (np.zeros(len(table.codes), np.int64) for _ in range(2))
    for place, (_, points) in PLAIN_KINDS.items():
        of_rank = np.array([_cricca((1 << held) - 1, points) for held in range(5)])[column(place)]
        cricche += of_rank > 0
        cricca_points += of_rank
    aces = np.array([_length_of_like(held, wild) for held in range(5)])
    aces_points = np.array([_sequence_points(length) for length in aces])[column(ACES_HELD)]
    sequences = column(SEQUENCES) + (aces_points > 0)
    sequence_points = 5 * column(FIVES) + aces_points
    return _rows(
        (cricche, sequences, column(USED), column(MARKED), cricca_points, sequence_points),
        table.ways,
    )
