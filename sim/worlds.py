"""Hidden hands consistent with what a player knows: counted, and drawn uniformly.

A player knows his hand, his own discard, the cards played, those exposed or shown, the voids shown,
and how many cards each other player holds; a discard he did not make has no King and no Honour.
Only such facts count: nothing is inferred from a policy or from silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import comb, factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.kernels.combinations import _combinations
from sim.kernels.rules_record import rules_record
from sim.kernels.state import HIDDEN, records
from sim.kernels.worlds import DISCARD_PLACE, KNOWN, PLACES, _look, _prepare, _sample_worlds
from sim.positions import Position
from sim.rules import RuleSet

Sets = Mapping[int, int]  # by seat
Classes = tuple[tuple[int, int], ...]  # number of cards, and bit set of the places they may go to
NOTHING: Sets = {}


class Worlds(NamedTuple):
    """Where all cards may be, one row a world."""

    hands: NDArray[np.uint64]  # (n, 4) sets of cards held now, by seat, the player's own among them
    discards: NDArray[np.uint64]  # (n,) sets; 0 before the dealer has discarded


def worlds(
    position: Position,
    seat: int,
    n: int,
    *,
    seed: int,
    first: int = 0,
    lacks: Sets = NOTHING,
    holds: Sets = NOTHING,
) -> Worlds:
    """Worlds drawn uniformly from all that the player at a seat cannot tell from the true one.

    Parameters
    ----------
    position, seat
        The hand as it stands, and who imagines; of what is hidden only his own cards are read.
    n, seed, first
        Worlds ``first`` to ``first + n - 1`` of this seed: each is drawn independently, and is the
        same whatever the others. Their random numbers are not those of any hand played.
    lacks, holds
        What is known beside: by another seat, the set of cards that he surely has not, or has.

    Raises ValueError if no world agrees with all this, or a seat is none of the other three.
    Source: RULES §2-4, 7.
    """
    known = _knowledge(position, seat, lacks, holds)
    if not _prepare(known):
        raise ValueError(f"no world agrees with what seat {seat} knows and is told")
    return _draw(known, n, seed, first)


def count_worlds(
    position: Position, seat: int, *, lacks: Sets = NOTHING, holds: Sets = NOTHING
) -> int:
    """The exact number of worlds that the player at a seat cannot tell apart.

    Parameters as for ``worlds``; 0 if none agrees. A statement such as "exactly one more of this
    suit" is the sum over the card that it may be. Raises ValueError as ``worlds`` for a wrong seat.
    Source: RULES §2-4, 7.
    """
    known = _knowledge(position, seat, lacks, holds)
    if not _prepare(known):
        return 0
    sizes = [cards.bit_count() for cards in known.cards[: known.n_classes].tolist()]
    classes = zip(sizes, known.places.tolist(), strict=False)
    return _count(tuple(classes), tuple(known.left.tolist()))


def dealer_worlds(
    rules: RuleSet, hand: int, n: int, *, seed: int, first: int = 0, dealer: int = 0
) -> Worlds:
    """What the others may hold when the dealer has taken up his cards and not yet discarded.

    Parameters
    ----------
    rules, dealer
        The game, and the dealer's seat.
    hand
        The dealer's cards, two more than the others have, as a set.
    n, seed, first
        As for ``worlds``; the same cards come to eldest, second and third whoever deals.

    Raises ValueError if the hand has not that many cards of the pack. Source: RULES §3, 7.
    """
    size = rules.tricks + rules.discards
    if int(hand).bit_count() != size or int(hand) & ~rules.cards.all:
        raise ValueError(f"the dealer's hand: expected {size} cards of the {rules.pack} pack")
    known = records(KNOWN, 1)[0]
    known.seat, known.hand, known.hidden = dealer, hand, rules.cards.all & ~int(hand)
    known.room[:DISCARD_PLACE] = rules.tricks
    _prepare(known)
    return _draw(known, n, seed, first)


def reimagined(position: Position, seat: int, seed: int) -> Position:
    """A position with the same view for the player at a seat, and other hidden cards.

    Whatever he decides from his view he must decide alike in both: the test that a policy sees no
    hidden card. Another player who is still to declare declares nothing. Raises ValueError as
    ``worlds``.
    """
    hands, discards = worlds(position, seat, 1, seed=seed)
    other, table = position.copy(), position.table
    hidden, record = other.hidden, rules_record(position.rules)
    hidden.hands[:], hidden.discard = hands[0], int(discards[0])
    for player in range(4):
        kept = int(hidden.hands[player] | table.played[player])
        hidden.dealt[player] = kept | (int(discards[0]) if player == table.dealer else 0)
        if position.rules.combinations:
            hidden.held[player] = _combinations(kept, record)[0]
    other.to_declare = tuple(
        bits if player == seat or table.has_declared[player] else 0
        for player, bits in enumerate(position.to_declare)
    )
    return other


def _knowledge(position: Position, seat: int, lacks: Sets, holds: Sets) -> np.record:
    """What the player knows and is told, by place."""
    if not 0 <= seat < 4:
        raise ValueError(f"seat {seat}: expected 0 to 3")
    known = records(KNOWN, 1)[0]
    _look(position.view(seat), known)
    for field, told in ((known.lacks, lacks), (known.holds, holds)):
        for other, cards in told.items():
            place = (other - seat - 1) % PLACES
            if place == DISCARD_PLACE or not 0 <= other < 4:
                raise ValueError(f"seat {other} is told of: expected one of the other three")
            field[place] |= cards
    return known


def _draw(known: np.record, n: int, seed: int, first: int) -> Worlds:
    """Worlds from what is known, prepared."""
    if n < 0 or first < 0 or not 0 <= seed < 1 << 64:
        raise ValueError(f"{n} worlds from {first} of seed {seed}: expected none below 0")
    hands, discards = np.empty((n, 4), np.int64), np.empty(n, np.int64)
    hidden = records(HIDDEN, 1)[0]
    _sample_worlds(hands, discards, np.uint64(seed), first, n, known, hidden)
    return Worlds(hands.view(np.uint64), discards.view(np.uint64))


@lru_cache(1 << 16)
def _count(classes: Classes, room: tuple[int, ...]) -> int:
    """Ways to put classes of cards, each a size and a bit set of places, into places with room."""
    if not classes:
        return int(not any(room))
    (size, places), *later = classes
    if not later:  # which fills all room
        usable = [n for place, n in enumerate(room) if places >> place & 1]
        fits = sum(usable) == sum(room) == size
        return factorial(size) // prod(map(factorial, room)) if fits else 0
    return _split(size, places, 0, room, tuple(later))


def _split(size: int, places: int, place: int, room: tuple[int, ...], later: Classes) -> int:
    """Ways to put so many cards of one class into the places from ``place`` on, then the rest."""
    if place == PLACES:
        return _count(later, room) if size == 0 else 0
    most = min(size, room[place]) if places >> place & 1 else 0
    ways = 0
    for n in range(most + 1):
        left = (*room[:place], room[place] - n, *room[place + 1 :])
        ways += comb(size, n) * _split(size - n, places, place + 1, left, later)
    return ways
