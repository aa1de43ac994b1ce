"""Who wins the tricks of many hands. RULES §2."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.kernels.rules_record import rules_record
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
