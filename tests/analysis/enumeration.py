"""The slow way to odds: every hand of a small situation dealt and scored, or many at random."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from analysis.situations import Situation, blocks_of
from sim.cards import indices
from sim.combinations import score, score_sets
from sim.kernels.combinations import ALL_CRICCHE, ALL_SEQUENCES


def all_hands(situation: Situation) -> np.ndarray:
    """Masks of all hands of the situation, uint64 (n,)."""
    free = [np.uint64(1 << card) for card in indices(situation.free)]
    drawn = [*combinations(free, situation.n - situation.hold.bit_count())]
    hands = np.bitwise_or.reduce(np.array(drawn, np.uint64), axis=1) | np.uint64(situation.hold)
    blocks = blocks_of(situation.rules.cards)
    for name, number in situation.where:
        hands = hands[np.bitwise_count(hands & np.uint64(blocks[name])) == number]
    return hands


def random_hands(n: int, cards: int, seed: int) -> np.ndarray:
    """Masks of n hands drawn from the tarocchino pack, uint64 (n,)."""
    rng = np.random.default_rng(seed)
    drawn = rng.random((n, 62), np.float32).argpartition(cards, axis=1)[:, :cards]
    return np.bitwise_or.reduce(np.uint64(1) << drawn.astype(np.uint64), axis=1)


def counted_declarable(hands: np.ndarray, situation: Situation, of: int = 0) -> Counter:
    """What ``declarable`` counts, from the hands themselves."""
    found = score_sets(hands, situation.rules)
    numbers = (
        np.bitwise_count(hands & np.uint64(of)),
        np.bitwise_count(found.kinds & np.uint16(ALL_CRICCHE)) >= 3,
        np.bitwise_count(found.kinds & np.uint16(ALL_SEQUENCES)) >= 3,
        found.cricche + found.sequences,
    )
    return Counter(zip(*(column.astype(int).tolist() for column in numbers), strict=True))


def counted_lengths(hands: np.ndarray, situation: Situation) -> dict[str, Counter]:
    """What ``lengths`` counts, from the hands themselves; only combinations that are there."""
    found: dict[str, Counter] = {}
    for hand in hands:
        scored = score(int(hand), situation.rules)
        for kind, (length, _) in (scored.cricche | scored.sequences).items():
            found.setdefault(kind, Counter())[length] += 1
    return found
