"""Dealing under conditions: fixed cards, compositions drawn first, and dealing again.

Hands are numbered by role here: 0 eldest, 1 second, 2 third, 3 the dealer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.kernels.bits import popcount
from sim.kernels.combinations import _combinations
from sim.kernels.compiling import kernel
from sim.kernels.deal import DRAWS, _divide, _split
from sim.kernels.state import NONE
from sim.kernels.streams import DEAL, PILOT, draw, hand_key, step, stream

MOST_TERMS = 16
MOST_PARTS = 16

# What is asked of the deals of one dealer.
ASKED = np.dtype(
    [
        ("fixed", np.int64, 4),  # set: cards that a hand surely has
        # Hands whose composition is drawn first, and the disjoint sets of cards it tells of.
        ("n_drawn", np.int64),
        ("drawn", np.int64, 4),
        ("n_parts", np.int64),
        ("parts", np.int64, MOST_PARTS),
        ("first", np.int64),  # their rows in the tables
        ("last", np.int64),
        # What is left to check: a number of cards, or of hands with a combination.
        ("n_terms", np.int64),
        ("hands", np.int64, MOST_TERMS),  # bit set: hands that it speaks of
        ("cards", np.int64, MOST_TERMS),  # set: cards that count
        ("kind", np.int64, MOST_TERMS),  # combination that counts, NONE for cards
        ("allowed", np.int64, MOST_TERMS),  # bit set: numbers that meet it
    ],
    align=True,
)


class Dealing(NamedTuple):
    """Conditions as the kernels take them."""

    asked: np.recarray  # ASKED, (4,) by dealer
    ends: NDArray[np.uint64]  # (k,) upper ends of the words that draw each composition
    compositions: NDArray[np.uint8]  # (k, 4, MOST_PARTS) cards of each part in each drawn hand


@kernel
def _composition(ends, first, last, word):
    """The row, from first to last, that a random word draws."""
    while first < last:
        middle = (first + last) >> 1
        if word < ends[middle]:
            last = middle
        else:
            first = middle + 1
    return first


@kernel
def _deal_once(hidden, dealer, asked, ends, compositions, rules, key):
    """Deal with cards and compositions as they must be, and the rest at random."""
    eldest, second, third = (dealer + 1) & 3, (dealer + 2) & 3, (dealer + 3) & 3
    rest = rules.whole_pack
    for hand in range(4):
        hidden.dealt[(eldest + hand) & 3] = asked.fixed[hand]
        rest &= ~asked.fixed[hand]
    if asked.n_drawn:
        row = _composition(ends, asked.first, asked.last, draw(key, 3 * DRAWS))
        split = 4
        for i in range(asked.n_drawn):
            seat = (eldest + asked.drawn[i]) & 3
            for part in range(asked.n_parts):
                size = int(compositions[row, i, part])
                cards = _split(rest & asked.parts[part], size, key, split * DRAWS)
                hidden.dealt[seat] |= cards
                rest ^= cards
                split += 1
    hands = _divide(
        rest,
        rules.hand_size - popcount(hidden.dealt[eldest]),
        rules.hand_size - popcount(hidden.dealt[second]),
        rules.hand_size - popcount(hidden.dealt[third]),
        key,
    )
    for hand in range(4):
        hidden.dealt[(eldest + hand) & 3] |= hands[hand]


@kernel
def _meets(hidden, dealer, asked, rules):
    """Whether a deal meets what is left to check."""
    for i in range(asked.n_terms):
        number = 0
        for hand in range(4):
            if asked.hands[i] >> hand & 1:
                dealt = hidden.dealt[(dealer + 1 + hand) & 3]
                if asked.kind[i] == NONE:
                    number += popcount(dealt & asked.cards[i])
                else:
                    held, _, _ = _combinations(dealt, rules)
                    number += held >> asked.kind[i] & 1
        if not asked.allowed[i] >> number & 1:
            return False
    return True


@kernel
def _deal_hands_under(rows, seed, first, n, asked, ends, compositions, hidden, rules):
    """Deal hands ``first`` to ``first + n - 1`` of a run into rows, each until it meets all."""
    for i in range(n):
        dealer = (first + i) & 3
        key = stream(hand_key(seed, first + i), DEAL)
        attempt = 0
        at = asked[dealer]
        _deal_once(hidden, dealer, at, ends, compositions, rules, key)
        while not _meets(hidden, dealer, at, rules):
            attempt += 1
            _deal_once(hidden, dealer, at, ends, compositions, rules, step(key, attempt))
        for seat in range(4):
            rows.hand[seat, i] = hidden.dealt[seat]


@kernel
def _count_deals(met, n, asked, ends, compositions, hidden, rules):
    """Deal n hands once each, and count by dealer those that meet all."""
    for hand in range(n):
        dealer = hand & 3
        key = stream(hand_key(0, hand), PILOT)
        _deal_once(hidden, dealer, asked[dealer], ends, compositions, rules, key)
        if _meets(hidden, dealer, asked[dealer], rules):
            met[dealer] += 1
