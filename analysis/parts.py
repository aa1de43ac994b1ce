"""Where the points of a hand go: a difference of score split into parts that add up to it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.combinations import score_sets
from sim.kernels.combinations import ALL_CRICCHE, ALL_SEQUENCES
from sim.rows import Rows
from sim.rules import RuleSet

PARTS = (
    "declared",
    "tricks",
    *("cricche", "cricche_doubling", "sequences", "sequences_doubling"),
    *("card_points", "last_trick"),
)

# Short names for tables and charts.
HEADINGS = {name: name.replace("_", " ") for name in PARTS} | {
    "tricks": "in tricks",
    "cricche_doubling": "doubled",
    "sequences_doubling": "doubled",
}


def parts(rows: Rows, side: int, rules: RuleSet) -> dict[str, NDArray[np.int64]]:
    """Each part of the score, the side's less the other side's.

    Parameters
    ----------
    rows
        Hands played, n of them.
    side
        0 or 1.
    rules
        The game that was played.

    Returns
    -------
    dict
        The names of ``PARTS``, each int64 (n,), in points: declared; combinations inside tricks;
        cricche and sequences of the piles as they are undoubled, and what doubling adds to each;
        card points; the last trick. They add up to the difference of score, hand by hand; parts
        that a game has not are 0.

    Source: RULES §3, §4, §7.
    """
    pile = rows.won0.astype(np.uint64)
    kinds = np.stack([score_sets(each, rules).kinds for each in (pile, rules.cards.all ^ pile)])
    last = np.where(rows.last_trick == np.arange(2)[:, None], rules.last_trick_points, 0)
    cricche, cricche_doubling = _undoubled(rows.cricche, kinds & ALL_CRICCHE)
    sequences, sequences_doubling = _undoubled(rows.sequences, kinds & ALL_SEQUENCES)
    by_side = (
        rows.declared_points[:2] + rows.declared_points[2:],
        rows.trick_points,
        *(cricche, cricche_doubling, sequences, sequences_doubling),
        *(rows.card_points, last),
    )
    differences = (of[side].astype(np.int64) - of[1 - side] for of in by_side)
    return dict(zip(PARTS, differences, strict=True))


def _undoubled(points: NDArray[np.int16], kinds: NDArray[Any]) -> tuple[NDArray, NDArray]:
    """Points without doubling, and what doubling adds: three kinds or more count twice. RULES §4"""
    doubling = np.where(np.bitwise_count(kinds) >= 3, points // 2, 0)
    return points - doubling, doubling
