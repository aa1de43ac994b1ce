"""The tricks of many hands, read off the cards as they were played. RULES §2, §4."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sim.kernels.state import rules_record
from sim.rules import RuleSet


def winning_place(cards: NDArray[np.int64], rules: RuleSet) -> NDArray[np.int64]:
    """Which card of a trick wins it.

    Parameters
    ----------
    cards
        In order of play, int64 (4, n).
    rules
        The pack.

    Returns
    -------
    ndarray
        The winner's place, 0 for the leader, int64 (n,). Source: RULES §2.
    """
    record = rules_record(rules)
    rank, suit_of = (np.asarray(record[name], np.int64) for name in ("rank", "suit_of"))
    led = np.where(cards[0] == rules.cards.fool, suit_of[cards[1]], suit_of[cards[0]])
    may_win = np.int64(1) << cards & (led | rules.cards.trumps)
    # Of equal Moors the later wins.
    return np.where(may_win, rank[cards] << 2 | np.arange(4)[:, None], -1).argmax(axis=0)


def tricks(
    plays: NDArray[np.uint8], leader: NDArray[np.uint8], rules: RuleSet
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint64]]]:
    """Who wins each trick, and which of its cards count as combinations.

    Parameters
    ----------
    plays
        Cards in order of play, uint8 (n, cards played), as in the column ``plays``.
    leader
        Seat that leads to the first trick, (n,).
    rules
        The pack, and whether the Fool counts in a trick that its side loses.

    Yields
    ------
    (side, cards)
        For each trick in turn: the side that wins it, int64 (n,), and a set of its cards, without
        the Fool where it does not count, uint64 (n,).

    Source: RULES §2, §4.
    """
    place, to_lead = np.arange(4)[:, None], leader.astype(np.int64)
    for first in range(0, plays.shape[1], 4):
        cards = plays[:, first : first + 4].T.astype(np.int64)
        sets, fool = np.int64(1) << cards, cards == rules.cards.fool
        winner = winning_place(cards, rules)
        to_lead = (to_lead + winner) % 4
        if not rules.fool_in_lost_trick:
            sets[fool & (place % 2 != winner % 2)] = 0
        yield to_lead % 2, np.bitwise_or.reduce(sets, axis=0).view(np.uint64)
