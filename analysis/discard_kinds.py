"""Kinds of a dealer's hand, before the discard: by its strength, its suits, its courts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.kernels.rules_record import rules_record
from sim.rules import RuleSet

# Lengths of the two shortest suits that may be discarded from and hold no King; 3 is 3 or more.
SUITS = ("1 and 1", "1 and 2", "1", "2 and 2", "2", "3+")
MOST_COURTS = 7  # and more


class Bands(NamedTuple):
    """A number that a hand has, cut into bands at the lowest number of each."""

    title: str
    starts: tuple[int, ...]

    @property
    def names(self) -> list[str]:
        """``0-5``, ``6-8``, …; the last is open."""
        ends = [start - 1 for start in self.starts[1:]]
        closed = zip(self.starts, ends, strict=False)
        names = [str(low) if low == high else f"{low}-{high}" for low, high in closed]
        return [*names, f"{self.starts[-1]}+"]


# The strength is that by which ``pisarri`` judges: what it calls weak, and strong, are the ends.
KINDS_OF_HAND = {
    "strength": Bands("trumps and Fool, and once more each Honour and King", (0, 6, 9, 12)),
    "trumps": Bands("trumps, the Fool aside", (0, 4, 6, 8)),
    "voids": Bands("suits of one or two cards without a King", (0, 1, 2)),
}


def hand_numbers(hands: NDArray[np.int64], rules: RuleSet) -> dict[str, NDArray[np.int64]]:
    """What ``KINDS_OF_HAND`` counts in the dealer's hands before the discard.

    Parameters
    ----------
    hands
        Sets of cards, int64 (n,).
    rules
        The game.

    Returns
    -------
    dict
        int64 (n,) by the names of ``KINDS_OF_HAND``.
    """
    record = rules_record(rules)
    trumps = np.bitwise_count(hands & record.trumps).astype(np.int64)
    fool = np.bitwise_count(hands & record.fool)
    precious = np.bitwise_count(hands & (record.honours | record.kings))
    voids = np.zeros(len(hands), np.int64)
    for suit in record.suits[:4]:
        held = np.bitwise_count(hands & suit)
        voids += (held >= 1) & (held <= 2) & (hands & suit & record.kings == 0)
    return {"strength": trumps + fool + precious, "trumps": trumps, "voids": voids}


def hand_kinds(hands: NDArray[np.int64], rules: RuleSet) -> NDArray[np.int64]:
    """The kind of each dealer's hand, (n,) sets: int64 (2, n), an index of ``SUITS`` and courts.

    Suits are those without the King; ``1`` and ``2`` have only one suit so short, ``3+`` none.
    Courts are Queens, Cavaliers and Valets, ``MOST_COURTS`` at most.
    """
    pack = rules.cards
    lengths = []
    for suit in pack.suits[:4]:
        held = np.bitwise_count(hands & suit).astype(np.int64)
        may_go = (held > 0) & (hands & suit & pack.rank("K") == 0)
        lengths.append(np.where(may_go, held.clip(max=3), 3))
    first, second = np.sort(np.array(lengths), axis=0)[:2]
    ones, twos = first == 1, first == 2
    kind = np.where(ones, np.minimum(second, 3) - 1, np.where(twos, np.where(second == 2, 3, 4), 5))
    courts = pack.rank("Q") | pack.rank("C") | pack.rank("V")
    return np.stack([kind, np.bitwise_count(hands & courts).astype(np.int64).clip(max=MOST_COURTS)])
