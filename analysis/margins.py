"""Pairs of policies played against each other in blocks, and what their margins add up to.

The unit is a block: one deal of four hands, its two cards of talon to each seat in turn, and each
of the four hands played twice, so that each policy has had each side's cards. All pairs of policies
play the same blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.estimates import SEQUENCE_STARTS
from analysis.moments import Moments
from sim.hands import play_blocks
from sim.parts import map_parts
from sim.players import compiled
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies
from sim.rows import Rows
from sim.rules import RuleSet

# Of rows and a side: what it gets in each hand less what the other gets, whole, int64 (n,).
Payoff = Callable[[Rows, int], NDArray[np.int64]]

PLAYS = 8  # of a block
PART = 500  # blocks
assert PART >= SEQUENCE_STARTS  # a sequence is looked at after every part


def points(rows: Rows, side: int) -> NDArray[np.int64]:
    """The side's points less the other's."""
    return rows.score[side].astype(np.int64) - rows.score[1 - side]


def win(rows: Rows, side: int) -> NDArray[np.int64]:
    """Hands won (1, tied ½, lost 0) less those of the other side: 1, 0 or -1."""
    return np.sign(points(rows, side))


def winner_takes(rows: Rows, side: int) -> NDArray[np.int64]:
    """Points where only those of the hand's winner count (STRATEGY C23), less the other's."""
    own, other = rows.score[side].astype(np.int64), rows.score[1 - side].astype(np.int64)
    return own * (own > other) - other * (other > own)


PAYOFFS: dict[str, Payoff] = {"points": points, "win": win, "winner_takes": winner_takes}


class Margins(NamedTuple):
    """What blocks add up to, pair by pair: margins of the first policy over the second.

    ``moments`` is of the sums of a block's plays; ``squares``, Python integers (pairs,), are those
    of single plays.
    """

    moments: Moments
    squares: NDArray[np.object_]

    def plus(self, other: Margins) -> Margins:
        """Those of both."""
        return Margins(self.moments + other.moments, self.squares + other.squares)


def play_margins(
    rules: RuleSet,
    pairs: Sequence[tuple[Policy, Policy]],
    seed: int,
    blocks: range,
    payoff: Payoff,
    *,
    enough: Callable[[Margins], bool] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Margins:
    """Play pairs of policies on the same blocks and add up their margins.

    Parameters
    ----------
    rules, seed
        The game, and 0 to 2^64 - 1.
    pairs
        Each policy of a pair plays for both partners of a side.
    blocks
        Their numbers, one after the other.
    payoff
        One of ``PAYOFFS``, or a function like them.
    enough
        Asked after every ``PART`` blocks whether to stop; None: play all.
    threads, progress
        As in ``sim.parts.map_parts``; the margins do not depend on the threads.

    Returns
    -------
    Margins
        Of the blocks played, from the first on.

    Raises PolicyError and IllegalAnswer as ``sim.hands``. Source: HOUSE of this project, numbers.
    """
    for pair in pairs:
        compiled(parse_policies(pair))  # here, not in several threads

    def play(part: range) -> Margins:
        return _play_pairs(rules, pairs, seed, part, payoff)

    found, done = None, 0
    while done < len(blocks):
        # Where it may stop before the end, rounds that double, so that progress has an end in view.
        upto = len(blocks) if enough is None else min(len(blocks), max(2 * done, PART))
        parts = (blocks[i : min(i + PART, upto)] for i in range(done, upto, PART))
        played = map_parts(
            play, parts, total=upto - done, threads=threads, progress=progress, unit="blocks"
        )
        for _, more in played:
            found = more if found is None else found.plus(more)
            if enough is not None and enough(found):
                return found
        done = upto
    assert found is not None
    return found


def _play_pairs(
    rules: RuleSet,
    pairs: Sequence[tuple[Policy, Policy]],
    seed: int,
    part: range,
    payoff: Payoff,
) -> Margins:
    """Each pair on the same blocks, with the first policy on side 0 and then on side 1."""
    totals = np.empty((len(pairs), len(part)), np.int64)
    squares = np.empty(len(pairs), object)
    for i, (row, column) in enumerate(pairs):
        plays = []
        for side, sides in enumerate(((row, column), (column, row))):
            played = play_blocks(rules, parse_policies(sides), seed, part[0], len(part))
            plays.append(payoff(played, side).reshape(-1, PLAYS // 2))
        by_block = np.concatenate(plays, axis=1)
        totals[i] = by_block.sum(axis=1)
        squares[i] = int((by_block**2).sum())
    return Margins(Moments.of(totals), squares)
