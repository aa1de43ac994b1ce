"""Chances of winning the game from any score, by backward recursion over hands that were played.

A hand is taken to bring what it brings at any score: policies that look at the score would need a
table of their own. RULES §5, §7.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from analysis.estimates import Estimate, check_level
from analysis.recursion import _count_ends, _recur
from sim.games import HANDS_OF_GAME, totals
from sim.hands import LARGEST_SEED, play_hands
from sim.parts import map_parts
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies
from sim.records import LARGEST_RUN, PROGRAM
from sim.rules import OTTOCENTO, RuleSet

# Disjoint groups of hands, each left out once.
GROUPS = 10
# Hands that a thread plays at a time: 4 dealers in each group.
PART = 500 * 4 * GROUPS
# Rows and columns of the largest table.
LARGEST_TARGET = 2000
# Points whose worth is told.
WORTH_OF = (1, 10, 20, 50, 100)


class EquityError(ValueError):
    """Chances were asked for that cannot be computed."""


class Score(NamedTuple):
    """A state of the game between two hands, as side 0 sees it: itself first.

    ``dealer`` is the side that deals next; ``hand`` the number of the next hand, from 1, where the
    game has a fixed number of them.
    """

    us: int
    them: int
    dealer: int
    hand: int = 1


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

    Source: RULES §5. A tie at or above the target is one state for each dealer, since it is played
    on until some stage finds the sides apart: their two values solve two linear equations.
    """
    rows, columns = target - least[0], target - least[1]
    values, ties = np.empty((2, rows, columns)), np.zeros((2, rows, columns), np.int64)
    wins_level, stays_level = np.empty(2), np.empty(2)
    ours, theirs, share, first = [], [], [], [0]
    for dealer, after in enumerate(outcomes.after):
        n = after.shape[-1]
        wins = np.zeros((rows, columns + 1), np.int64)
        _count_ends(np.ascontiguousarray(after), target, *least, wins, ties[dealer])
        values[dealer] = wins[:, :-1].cumsum(axis=1) / n
        ahead = after[:, 0] - after[:, 1]
        decided = np.where(ahead[0] != 0, ahead[0], np.where(ahead[1] != 0, ahead[1], ahead[2]))
        wins_level[dealer], stays_level[dealer] = (decided > 0).mean(), (decided == 0).mean()
        scores, counts = np.unique(after[2], axis=1, return_counts=True)  # side 0's first
        ours.append(scores[0])
        theirs.append(scores[1])
        share.append(counts / n)
        first.append(first[-1] + len(counts))
    level = np.linalg.solve(np.eye(2) - np.diag(stays_level)[:, ::-1], wins_level)
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
class Equity:
    """Chances of winning from one state of a game.

    Attributes
    ----------
    rules, policies, seed, hands
        What was played; policies of sides 0 and 1.
    score
        The state, as side 0 sees it.
    chances
        Side 0's chance there, and with each of ``WORTH_OF`` points more: float64
        (GROUPS + 1, 1 + len(WORTH_OF)), first over all hands, then without each group.
    level
        Of each interval on its own.
    outcomes
        The hands.
    """

    rules: RuleSet
    policies: tuple[Policy, ...]
    seed: int
    hands: int
    score: Score
    chances: NDArray[np.float64]
    level: float
    outcomes: Outcomes

    @property
    def win(self) -> Estimate:
        """Side 0's chance of winning, half that of a draw added."""
        return self._estimate(self.chances[:, 0], 0.0)

    @property
    def worth(self) -> dict[int, Estimate]:
        """By how much so many points more, had before the hand, raise the chance of winning.

        So much a declaration of these points is worth, and hiding it costs; a discard or a play
        that brings one point more in the mean is worth about what is told for 1.
        """
        return {
            points: self._estimate(self.chances[:, 1 + i] - self.chances[:, 0], -1.0)
            for i, points in enumerate(WORTH_OF)
        }

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """All chances: ``target_table`` from 0 to 0, or ``hands_table``."""
        if self.rules.target is not None:
            return target_table(self.outcomes, self.rules.target)
        return hands_table(self.outcomes, HANDS_OF_GAME[self.rules.game])

    def _estimate(self, values: NDArray[np.float64], least: float) -> Estimate:
        """All hands, and the delete-group jackknife's interval."""
        mean, without = float(values[0]), values[1:]
        error = np.sqrt((GROUPS - 1) / GROUPS * ((without - without.mean()) ** 2).sum())
        half = float(stdtrit(GROUPS - 1, (1 + self.level) / 2) * error)
        low, high = max(mean - half, least), min(mean + half, 1.0)
        return Estimate(mean, low, high, self.hands, "deal", self.level, "jackknife")

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        fixed = self.rules.target is None
        return {
            "rules": self.rules.name,
            "policies": [policy.spec for policy in self.policies],
            "win": self.win.to_dict(),
            "score": [self.score.us, self.score.them],
            "deals": "them" if self.score.dealer else "us",
            "hand": self.score.hand if fixed else None,
            "worth": {str(points): each.to_dict() for points, each in self.worth.items()},
            "hands": self.hands,
            "seed": self.seed,
            "program": PROGRAM,
        }


def equity(
    score: Score,
    rules: RuleSet = OTTOCENTO,
    policies: str | Policy | Sequence[str | Policy] = "simple",
    hands: int = 200_000,
    *,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> Equity:
    """Side 0's chance of winning the game from a state, under given policies.

    Parameters
    ----------
    score
        The state between two hands.
    rules
        The game.
    policies
        One SPEC or Policy for both sides, or two for sides 0 and 1.
    hands
        Hands to be played, from which the chances are made: at least 400.
    seed
        0 to 2^64 - 1.
    level
        Of the intervals: a jackknife over ten groups of hands.
    threads, progress
        As in ``sim.parts.map_parts``; the result does not depend on the threads.

    Raises
    ------
    EquityError
        A state that the game does not know, partners that differ, rules under which scores may
        fall, or a number out of bounds.
    PolicyError, IllegalAnswer, ValueError
        As ``analysis.compare.compare``.

    Source: RULES §5, §7; delete-group jackknife: Kott 2001.
    """
    check_level(level)
    chosen = parse_policies(policies)
    if chosen[:2] != chosen[2:]:
        raise EquityError(
            "partners play different policies: expected one policy, or two for the sides"
        )
    _check(score, rules)
    if not 400 <= hands <= LARGEST_RUN:
        raise EquityError(f"{hands} hands: expected 400 to {LARGEST_RUN}")
    if not 0 <= seed <= LARGEST_SEED:
        raise EquityError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    outcomes = play_outcomes(rules, chosen, hands, seed, threads, progress)
    some = [outcomes, *(outcomes.without(group) for group in range(GROUPS))]
    with ThreadPoolExecutor(threads) as pool:
        chances = np.array(list(pool.map(lambda each: _chances(each, rules, score), some)))
    return Equity(rules, chosen[:2], seed, hands, score, chances, level, outcomes)


def _chances(outcomes: Outcomes, rules: RuleSet, score: Score) -> list[float]:
    """Side 0's chance at a score, and with each of ``WORTH_OF`` points more."""
    more = (0, *WORTH_OF)
    if rules.target is not None:
        table = target_table(outcomes, rules.target, (score.us, score.them))[score.dealer, :, 0]
        return [float(table[points]) if points < len(table) else 1.0 for points in more]
    hands = HANDS_OF_GAME[rules.game]
    values = hands_table(outcomes, hands)[hands + 1 - score.hand, score.dealer]
    ahead = score.us - score.them + len(values) // 2
    return [float(values[np.clip(ahead + points, 0, len(values) - 1)]) for points in more]


def _check(score: Score, rules: RuleSet) -> None:
    """Raise EquityError for a state that the game does not know."""
    if score.dealer not in (0, 1):
        raise EquityError(f"side {score.dealer} deals: expected 0 or 1")
    if rules.target is None:
        last = HANDS_OF_GAME[rules.game]
        if not 1 <= score.hand <= last:
            raise EquityError(f"hand {score.hand}: expected {f'1 to {last}' if last > 1 else '1'}")
        return
    if rules.counting == "point_a_pair":
        raise EquityError(
            f"{rules.name}: scores may fall, expected a game to a target where none do"
        )
    if rules.target > LARGEST_TARGET:
        raise EquityError(f"a target of {rules.target}: expected {LARGEST_TARGET} at most")
    for side in score[:2]:
        if not 0 <= side < rules.target:
            raise EquityError(f"a score of {side}: expected 0 to {rules.target - 1}")
    if score.hand != 1:
        raise EquityError(f"hand {score.hand}: {rules.name} has no fixed number of hands")
