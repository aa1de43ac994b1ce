"""Tables of the chances of winning a game, by backward recursion over hands that were played.

A hand is taken to bring what it brings at any score: policies that look at the score would need a
table of their own. RULES §5, §7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.recursion import _count_ends, _recur
from sim.games import DRAW, HANDS_OF_GAME, decide, totals
from sim.hands import play_hands
from sim.parts import map_parts
from sim.policies.policy import Policy
from sim.rules import RuleSet

# Disjoint groups of hands, each left out once.
GROUPS = 10
# Hands that a thread plays at a time: 4 dealers in each group.
PART = 500 * 4 * GROUPS


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What hands brought, by the side that dealt them.

    Attributes
    ----------
    after
        Two arrays, of hands dealt by sides 0 and 1: points of the sides after each stage, int64
        (3, 2, n), as ``sim.games.totals``.
    group
        Two arrays: the group of each hand, int64 (n,), 0 to ``GROUPS - 1``.
    """

    after: tuple[NDArray[np.int64], NDArray[np.int64]]
    group: tuple[NDArray[np.int64], NDArray[np.int64]]

    def without(self, group: int) -> Outcomes:
        """All hands but those of a group."""
        kept = [each != group for each in self.group]
        return Outcomes(
            (self.after[0][..., kept[0]], self.after[1][..., kept[1]]),
            (self.group[0][kept[0]], self.group[1][kept[1]]),
        )


def play_outcomes(
    rules: RuleSet,
    policies: Sequence[Policy],
    hands: int,
    seed: int,
    threads: int | None = None,
    progress: bool = False,
) -> Outcomes:
    """Play hands ``0`` to ``hands - 1`` of the run with this seed, and keep their points by stage.

    Where both sides play the same policy, every hand counts for either side as the dealer's.
    Parameters are those of ``equity``. Raises IllegalAnswer.
    """
    ranges = [range(a, min(a + PART, hands)) for a in range(0, hands, PART)]

    def play(part: range) -> NDArray[np.int64]:
        return totals(play_hands(rules, policies, seed, part[0], len(part)))

    parts = map_parts(play, ranges, threads=threads, progress=progress)
    after = np.concatenate([each for _, each in parts], axis=-1)
    number = np.arange(hands)
    group = number // 4 % GROUPS
    by_dealer = [number % 2 == side for side in range(2)]
    if policies[0] == policies[1]:
        dealers = np.where(by_dealer[0], after, after[:, ::-1])  # the dealer's side first
        return Outcomes((dealers, dealers[:, ::-1]), (group, group))
    of_0, of_1 = by_dealer
    return Outcomes((after[..., of_0], after[..., of_1]), (group[of_0], group[of_1]))


def level_values(outcomes: Outcomes) -> NDArray[np.float64]:
    """Side 0's chance where both sides have the same score, the target or more, by who deals: (2,).

    It is played on until some stage finds the sides apart, so the score itself does not matter, and
    the two values solve two linear equations. Source: RULES §5.
    """
    wins, stays = np.empty(2), np.empty(2)
    for dealer, after in enumerate(outcomes.after):
        ahead = after[:, 0] - after[:, 1]
        decided = np.where(ahead[0] != 0, ahead[0], np.where(ahead[1] != 0, ahead[1], ahead[2]))
        wins[dealer], stays[dealer] = (decided > 0).mean(), (decided == 0).mean()
    return np.linalg.solve(np.eye(2) - np.diag(stays)[:, ::-1], wins).astype(np.float64)


def target_table(
    outcomes: Outcomes, target: int, least: tuple[int, int] = (0, 0)
) -> NDArray[np.float64]:
    """Side 0's chance of winning a game to a target, for every score from ``least`` up.

    Parameters
    ----------
    outcomes
        Hands, whose points never fall from stage to stage.
    target
        Points that win.
    least
        Lowest score of sides 0 and 1.

    Returns
    -------
    float64 (2, target - least[0], target - least[1])
        By the side that deals next, and the scores of sides 0 and 1, less ``least``.

    Source: RULES §5.
    """
    rows, columns = target - least[0], target - least[1]
    values, ties = np.empty((2, rows, columns)), np.zeros((2, rows, columns), np.int64)
    ours, theirs, share, first = [], [], [], [0]
    for dealer, after in enumerate(outcomes.after):
        n = after.shape[-1]
        wins = np.zeros((rows, columns + 1), np.int64)
        _count_ends(np.ascontiguousarray(after), target, *least, wins, ties[dealer])
        values[dealer] = wins[:, :-1].cumsum(axis=1) / n
        scores, counts = np.unique(after[2], axis=1, return_counts=True)  # side 0's first
        ours.append(scores[0])
        theirs.append(scores[1])
        share.append(counts / n)
        first.append(first[-1] + len(counts))
    level = level_values(outcomes)
    for dealer, after in enumerate(outcomes.after):
        values[dealer] += ties[dealer] * (level[1 - dealer] / after.shape[-1])
    points, others, shares = (np.concatenate(each) for each in (ours, theirs, share))
    _recur(values, points, others, shares, np.array(first))
    return values


def hands_table(outcomes: Outcomes, hands: int) -> NDArray[np.float64]:
    """Side 0's chance of winning a game of so many hands, half that of a draw added.

    Returns float64 (hands + 1, 2, 2 m + 1): by the hands still to be played, the side that deals
    next, and side 0's score less side 1's, from -m to m; beyond these the game is decided.
    Source: RULES §7.
    """
    ahead = [after[2, 0] - after[2, 1] for after in outcomes.after]
    widest = max(int(np.abs(each).max()) for each in ahead)
    reach = hands * widest
    shares = [np.bincount(each + widest, minlength=2 * widest + 1) / len(each) for each in ahead]
    values = np.empty((hands + 1, 2, 2 * reach + 1))
    values[0] = (np.sign(np.arange(-reach, reach + 1)) + 1) / 2
    for left in range(1, hands + 1):
        for dealer in range(2):
            next_values = np.pad(values[left - 1, 1 - dealer], widest, mode="edge")
            values[left, dealer] = np.correlate(next_values, shares[dealer], "valid")
    return values


@dataclass(frozen=True, eq=False)
class Chances:
    """Side 0's chances of winning after a hand, half those of a draw added.

    Attributes
    ----------
    rules
        The game.
    table
        ``target_table``, or ``hands_table``.
    least
        Lowest score of sides 0 and 1 in a table of a game to a target.
    level
        ``level_values``; not used where hands are fixed in number.
    """

    rules: RuleSet
    table: NDArray[np.float64]
    least: tuple[int, int]
    level: NDArray[np.float64]

    @classmethod
    def of(cls, outcomes: Outcomes, rules: RuleSet, least: tuple[int, int] = (0, 0)) -> Chances:
        """Those that hands of the game give, for scores from ``least`` up."""
        if rules.target is None:
            table = hands_table(outcomes, HANDS_OF_GAME[rules.game])
            return cls(rules, table, (0, 0), np.full(2, np.nan))
        return cls(
            rules, target_table(outcomes, rules.target, least), least, level_values(outcomes)
        )

    def before(self, score: tuple[int, int], dealer: int, hand: int) -> float:
        """The chance at a score of sides 0 and 1, side ``dealer`` dealing hand ``hand``, from 0."""
        now = np.array(score)[:, None]
        return float(self._between(now, dealer, hand)[0])

    def after(self, after: NDArray[np.int64], dealer: int, hand: int) -> NDArray[np.float64]:
        """The chance once a hand has been played: 0, ½ or 1 where it ends the game.

        Parameters
        ----------
        after
            (3, 2, n): score of the game after the declarations, the last trick and the count, each
            of which may end it.
        dealer, hand
            The side that dealt, and the hand's number in the game, from 0.

        Returns float64 (n,). Source: RULES §5, §7.
        """
        _, ended, winner = decide(self.rules, after, hand)
        chances = np.where(winner == DRAW, 0.5, winner == 0)
        on = ended < 0
        chances[on] = self._between(after[2][:, on], 1 - dealer, hand + 1)
        return chances

    def _between(self, score: NDArray[np.int64], dealer: int, hand: int) -> NDArray[np.float64]:
        """Between two hands: ``score`` is (2, n), ``dealer`` and ``hand`` are of the next one."""
        if self.rules.target is None:
            values = self.table[len(self.table) - 1 - hand, dealer]
            ahead = score[0] - score[1] + len(values) // 2
            return values[np.clip(ahead, 0, len(values) - 1)]
        level = score[0] >= self.rules.target
        ours, theirs = np.where(level, 0, score - np.array(self.least)[:, None])
        return np.where(level, self.level[dealer], self.table[dealer, ours, theirs])
