"""Policies compared on the same deals: the payoff matrix, a ranking, the winner on fresh deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from analysis.equity import Score
from analysis.estimates import SEQUENCE_STARTS, Estimate, check_level
from analysis.margins import PAYOFFS, PLAYS, Margins, Payoff, play_margins
from analysis.policy_ranking import Place, against_others, pairs_of, ranked, winner_of
from analysis.win_payoff import MILLION, WinPayoff, win_payoff
from sim.hands import LARGEST_SEED
from sim.manifests import LARGEST_RUN, PROGRAM
from sim.policies.policy import Policy
from sim.policies.spec import parse_policy
from sim.rules import OTTOCENTO, RuleSet

# Of the estimates, by payoff.
UNITS = {
    "points": "points a hand",
    "win": "hands won less hands lost, a hand",
    "winner_takes": "points a hand, only the winner's",
    "win_at_score": "chance of winning the game",
}


class CompareError(ValueError):
    """A comparison was asked for that cannot be made."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """How policies fare against each other.

    Attributes
    ----------
    rules, policies, seed
        What was played.
    payoff_kind
        Name of what is compared.
    at_score
        What hands are worth at a score, if won games and not won hands are compared.
    level
        Of all intervals of the matrix together, and of all of the ranking together.
    until
        The half-width asked for, if one was.
    margins
        Of all pairs, in the order of ``pairs``.
    fresh
        The winner's margins over each other policy on as many other blocks.
    """

    rules: RuleSet
    policies: tuple[Policy, ...]
    seed: int
    payoff_kind: str
    at_score: WinPayoff | None
    level: float
    until: float | None
    margins: Margins
    fresh: Margins

    @property
    def unit(self) -> str:
        """What is compared, a key of ``UNITS`` unless the payoff is a user's."""
        return "win_at_score" if self.at_score else self.payoff_kind

    @property
    def specs(self) -> list[str]:
        """The policies by SPEC."""
        return [policy.spec for policy in self.policies]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Which two policies each pair is, by number, the lower first."""
        return pairs_of(len(self.policies))

    @property
    def blocks(self) -> int:
        """Blocks that each pair played."""
        return self.margins.moments.n

    @cached_property
    def by_pair(self) -> list[Estimate]:
        """Mean payoff a hand of the first of each pair less the second's, all intervals together.

        At a score: how much likelier we win the game if the first plays one hand for us and the
        second for them than the other way round.

        ``max-t``, or ``confidence sequence`` if a half-width was asked for.
        """
        return _by_pair(self.margins, self.scale, self.level, self.until)

    @property
    def scale(self) -> int:
        """What the sums of a block's margins are divided by: its plays, in the payoff's units."""
        return _scale(self.at_score)

    @property
    def payoff(self) -> list[list[Estimate]]:
        """The matrix: row policy's side less column policy's. A policy against itself is 0."""
        none = Estimate(0.0, 0.0, 0.0, self.blocks, "block", self.level, "exact")
        matrix = [[none] * len(self.policies) for _ in self.policies]
        for (row, column), found in zip(self.pairs, self.by_pair, strict=True):
            matrix[row][column] = found
            low, high = 0.0 - found.high, 0.0 - found.low
            matrix[column][row] = replace(found, mean=0.0 - found.mean, low=low, high=high)
        return matrix

    @property
    def variance_removed(self) -> list[float]:
        """For each pair, the share of variance that common deals remove.

        1 less the variance of a block's mean divided by what it would be, were its 8 plays
        independent. 0 where nothing varies.
        """
        moments, n = self.margins.moments, PLAYS * self.blocks
        of_blocks = moments.variances
        removed = []
        for i, (total, squares) in enumerate(zip(moments.sums, self.margins.squares, strict=True)):
            of_play = (n * squares - total * total) / n / (n - 1)
            removed.append(float(1 - of_blocks[i] / (PLAYS * of_play)) if of_play else 0.0)
        return removed

    @cached_property
    def ranking(self) -> list[Place]:
        """The policies, best first; those that are not separated share a place."""
        means = against_others(self.margins.moments, len(self.policies)).estimates(
            self.scale * (len(self.policies) - 1), self.level, sequential=self.until is not None
        )
        return ranked(self.specs, self.payoff, means)

    @property
    def winner(self) -> int:
        """The number of the policy with the best mean against all others."""
        return winner_of(self.margins.moments, len(self.policies))

    @cached_property
    def fresh_mean(self) -> Estimate:
        """The winner's mean payoff against all others, on blocks that did not choose it."""
        moments = self.fresh.moments
        others = len(moments.sums)
        total = moments.combined(np.ones((1, others), np.int64))
        return total.estimates(self.scale * others, self.level)[0]

    @property
    def is_narrow(self) -> bool:
        """Whether every half-width is as small as was asked for."""
        return self.until is None or _widest(self.by_pair) <= self.until

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, with all that is needed to make it again."""
        removed: list[list[float | None]] = [[None] * len(self.policies) for _ in self.policies]
        for (row, column), share in zip(self.pairs, self.variance_removed, strict=True):
            removed[row][column] = removed[column][row] = share
        return {
            "rules": self.rules.name,
            "policies": self.specs,
            "blocks": self.blocks,
            "hands": PLAYS * self.blocks,
            "seed": self.seed,
            "payoff_kind": self.payoff_kind,
            "payoff_unit": UNITS.get(self.unit, self.unit),
            "at_score": self.at_score.to_dict() if self.at_score else None,
            "until": self.until,
            "payoff": [[found.to_dict() for found in row] for row in self.payoff],
            "variance_removed": removed,
            "ranking": [
                {**place._asdict(), "mean": place.mean.to_dict()} for place in self.ranking
            ],
            "winner": {"policy": self.specs[self.winner], "fresh": self.fresh_mean.to_dict()},
            "program": PROGRAM,
            "rule_fields": self.rules.to_dict(),
            "conventions": self.rules.signals.to_dict(),
            "policy_parts": [policy.to_dict() for policy in self.policies],
        }


def compare(
    policies: Sequence[str | Policy],
    rules: RuleSet = OTTOCENTO,
    hands: int = 100_000,
    *,
    seed: int = 1,
    payoff: str | Payoff = "points",
    score: Score | None = None,
    level: float = 0.95,
    until: float | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Comparison:
    """Play all pairs of policies on the same deals.

    Parameters
    ----------
    policies
        Two or more, SPECs or Policies; each plays for both partners of a side.
    rules
        The game.
    hands
        For each pair, rounded up to whole blocks of 8; at least two blocks. With ``until`` the
        most. The winner plays as many again against each other policy.
    seed
        0 to 2^64 - 1.
    payoff
        ``points``, ``win`` or ``winner_takes``, or a function like these.
    score
        With ``win``: the state of the game in which one hand is played, by each policy for us and
        for them. It is worth the chance of winning after it; the table is made from hands in which
        the first policy plays for all. None: the hand itself is to be won.
    level
        That all intervals of the matrix together hold their values.
    until
        Stop when every half-width of the matrix is at most this (points a hand, or what the payoff
        counts), by confidence sequences, which allow to stop so. It takes at least 200 blocks.
    threads, progress
        As in ``sim.parts.map_parts``; the result does not depend on the threads.

    Returns
    -------
    Comparison
        Each policy against each other, and the winner again on blocks beyond all these.

    Raises
    ------
    CompareError
        Fewer than two policies, a number or payoff out of bounds, or a score without ``win``.
    EquityError
        A state that the game does not know.
    PolicyError
        A policy that cannot be had.
    IllegalAnswer
        A policy answered what the rules forbid.
    ValueError
        A level out of bounds.

    Source: HOUSE of this project, numbers; Waudby-Smith et al. 2024 for ``until``.
    """
    chosen = tuple(
        policy if isinstance(policy, Policy) else parse_policy(policy) for policy in policies
    )
    if len(chosen) < 2:
        raise CompareError(f"{len(chosen)} to compare: expected two policies or more")
    fewest = PLAYS * (2 if until is None else SEQUENCE_STARTS)
    if not fewest <= hands <= LARGEST_RUN:
        raise CompareError(f"{hands} hands a pair: expected {fewest} to {LARGEST_RUN}")
    if not 0 <= seed <= LARGEST_SEED:
        raise CompareError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    if until is not None and not 0 < until < np.inf:
        raise CompareError(f"a half-width of {until}: expected more than 0")
    if isinstance(payoff, str) and payoff not in PAYOFFS:
        raise CompareError(f"unknown payoff {payoff!r}: expected {', '.join(PAYOFFS)}")
    if score is not None and payoff != "win":
        raise CompareError("a score without the payoff win: expected --payoff win beside it")
    check_level(level)
    at_score = None
    if score is not None:
        at_score = win_payoff(
            score, rules, chosen[0], seed=seed, threads=threads, progress=progress
        )
    of_hand = PAYOFFS[payoff] if isinstance(payoff, str) else payoff
    if at_score is not None:
        of_hand = at_score.margin
    scale = _scale(at_score)
    kind = payoff if isinstance(payoff, str) else payoff.__name__

    def play(
        pairs: list[tuple[int, int]], blocks: range, enough: Callable[[Margins], bool] | None = None
    ) -> Margins:
        two = [(chosen[row], chosen[column]) for row, column in pairs]
        return play_margins(
            *(rules, two, seed, blocks, of_hand), enough=enough, threads=threads, progress=progress
        )

    def narrow(found: Margins) -> bool:
        return until is not None and _widest(_by_pair(found, scale, level, until)) <= until

    most = -(-hands // PLAYS)
    margins = play(pairs_of(len(chosen)), range(most), None if until is None else narrow)
    blocks, best = margins.moments.n, winner_of(margins.moments, len(chosen))
    others = [(best, other) for other in range(len(chosen)) if other != best]
    fresh = play(others, range(most, most + blocks))
    return Comparison(rules, chosen, seed, kind, at_score, level, until, margins, fresh)


def _scale(at_score: WinPayoff | None) -> int:
    return PLAYS * (MILLION if at_score else 1)


def _by_pair(margins: Margins, scale: int, level: float, until: float | None) -> list[Estimate]:
    return margins.moments.estimates(scale, level, sequential=until is not None)


def _widest(found: Sequence[Estimate]) -> float:
    return max(each.high - each.mean for each in found)
