"""The chance of winning the game from a score, with its interval, and what points are worth there.

RULES §5, §7.
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

from analysis.equity_tables import (
    GROUPS,
    Chances,
    Outcomes,
    hands_table,
    play_outcomes,
    target_table,
)
from analysis.estimates import Estimate, check_level
from sim.games import HANDS_OF_GAME
from sim.hands import LARGEST_SEED
from sim.manifests import PROGRAM
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, RuleSet

# Rows and columns of the largest table.
LARGEST_TARGET = 2000
# Most hands for a table: more would not fit into memory, and tell chances to 0.1 ‰ and better.
LARGEST_TABLE = 10_000_000
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
class Equity:
    """Chances of winning from one state of a game.

    Attributes
    ----------
    rules, policies, seed, hands
        What was played; policies of sides 0 and 1.
    score
        The state, as side 0 sees it.
    chances
        Side 0's chance there, and with each of ``WORTH_OF`` points more declared: float64
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
        """By how much so many points more, declared in the next hand, raise the chance of winning.

        So much a declaration of these points is worth, and hiding it costs if play stays the same;
        a discard or a play that brings one point more in the mean is worth about what is told for
        1. Where declared points take both sides to the target, the higher wins.
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
            "conventions": self.rules.signals.to_dict(),
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
        Hands to be played, from which the chances are made: 400 to ``LARGEST_TABLE``.
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
    check_score(score, rules)
    if not 400 <= hands <= LARGEST_TABLE:
        raise EquityError(f"{hands} hands: expected 400 to {LARGEST_TABLE}")
    if not 0 <= seed <= LARGEST_SEED:
        raise EquityError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    outcomes = play_outcomes(rules, chosen, hands, seed, threads, progress)
    some = [outcomes, *(outcomes.without(group) for group in range(GROUPS))]
    with ThreadPoolExecutor(threads) as pool:
        chances = np.array(list(pool.map(lambda each: _chances(each, rules, score), some)))
    return Equity(rules, chosen[:2], seed, hands, score, chances, level, outcomes)


def _chances(outcomes: Outcomes, rules: RuleSet, score: Score) -> list[float]:
    """Side 0's chance at a score, and with each of ``WORTH_OF`` points more declared."""
    chances = Chances.of(outcomes, rules, score[:2])
    after = outcomes.after[score.dealer] + np.array(score[:2])[:, None]
    more = np.array([[1], [0]])
    return [chances.before(score[:2], score.dealer, score.hand - 1)] + [
        float(chances.after(after + points * more, score.dealer, score.hand - 1).mean())
        for points in WORTH_OF
    ]


def check_score(score: Score, rules: RuleSet) -> None:
    """Raise EquityError for a state that the game does not know."""
    if score.dealer not in (0, 1):
        raise EquityError(f"side {score.dealer} deals: expected 0 or 1")
    if rules.target is None:
        last = HANDS_OF_GAME[rules.game]
        if not 1 <= score.hand <= last:
            told = f"1 to {last}" if last > 1 else "1"
            raise EquityError(f"hand {score.hand}: expected {told}, counted from 1")
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
        raise EquityError(
            f"hand {score.hand}: {rules.name} has no fixed number of hands, expected none"
        )
