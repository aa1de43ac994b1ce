"""Hands valued by the chance of winning the game after them. RULES §5, §7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.equity import Score, check_score
from analysis.equity_tables import Chances, play_outcomes
from sim.games import HANDS_OF_GAME, totals
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies
from sim.rows import Rows
from sim.rules import RuleSet

# Chances are counted in millionths: whole numbers, so that what parts add up to does not depend on
# their order.
MILLION = 1_000_000
# Hands from which the chances are made.
HANDS = 200_000


@dataclass(frozen=True, eq=False)
class WinPayoff:
    """What hands are worth at a score: the chance of winning once they have been played.

    Attributes
    ----------
    score
        The state before the hand; ``dealer`` says whether we deal (0) or they do (1).
    chances
        Of the game after it, side 0 being us.
    policies
        Of us and them, who play all later hands; the table is made from theirs.
    hands, seed
        Of the table.
    """

    score: Score
    chances: Chances
    policies: tuple[Policy, Policy]
    hands: int
    seed: int

    def chance(self, rows: Rows) -> NDArray[np.int64]:
        """Our chance of winning after each hand, in millionths: int64 (n,).

        We are the side of the hand's dealer, or the other one, as ``score`` says. The hand itself
        may end the game with the declarations, the last trick, or the count.
        """
        we_are_1 = self._us(rows) == 1
        brought = totals(rows)
        after = np.where(we_are_1, brought[:, ::-1], brought) + np.array(self.score[:2])[:, None]
        found = self.chances.after(after, self.score.dealer, self.score.hand - 1)
        return np.rint(MILLION * found).astype(np.int64)

    def margin(self, rows: Rows, side: int) -> NDArray[np.int64]:
        """The chance of a side less the other's, in millionths: int64 (n,).

        A payoff as those of ``analysis.margins``: over a block, in which each policy is us as often
        as them, its mean is how much likelier we win if the first policy plays the hand for us and
        the second for them than the other way round.
        """
        ours = 2 * self.chance(rows) - MILLION
        return np.where(self._us(rows) == side, ours, -ours)

    def of_us(self, rows: Rows, side: int) -> NDArray[np.int64]:
        """``chance``, called as a payoff of the side that we are."""
        return self.chance(rows)

    def _us(self, rows: Rows) -> NDArray[np.int64]:
        return (rows.dealer.astype(np.int64) + self.score.dealer) % 2

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON: the state, and what the chances are made from."""
        return {
            "score": [self.score.us, self.score.them],
            "deals": "them" if self.score.dealer else "us",
            "hand": self.score.hand if self.chances.rules.target is None else None,
            "table": {
                "policies": [policy.spec for policy in self.policies],
                "hands": self.hands,
                "seed": self.seed,
            },
        }


def win_payoff(
    score: Score,
    rules: RuleSet,
    policies: str | Policy | Sequence[str | Policy],
    hands: int = HANDS,
    *,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = False,
) -> WinPayoff:
    """The payoff at a score, from a table made with given policies.

    Parameters
    ----------
    score
        The state between two hands, as we see it.
    rules
        The game.
    policies
        One for both sides, or two for us and them.
    hands
        Hands to be played for the table.
    seed
        0 to 2^64 - 1.
    threads, progress
        As in ``sim.run.map_parts``.

    Raises EquityError for a state that the game does not know; PolicyError and IllegalAnswer as
    ``analysis.equity.equity``. Source: RULES §5, §7.
    """
    check_score(score, rules)
    chosen = parse_policies(policies)
    outcomes = play_outcomes(rules, chosen, hands, seed, threads, progress)
    chances = Chances.of(outcomes, rules, score[:2])
    return WinPayoff(score, chances, (chosen[0], chosen[1]), hands, seed)


def told_at(payoff: WinPayoff) -> str:
    """The state of the game and where its chances come from, as tables and charts say it."""
    score, fixed = payoff.score, payoff.chances.rules.target is None
    last = HANDS_OF_GAME.get(payoff.chances.rules.game)
    hand = f" before hand {score.hand} of {last}" if fixed else ""
    specs = " and ".join(dict.fromkeys(policy.spec for policy in payoff.policies))
    return (
        f"At {score.us} to {score.them}{hand}, the deal with {'them' if score.dealer else 'us'}; "
        f"chances after the hand from {payoff.hands:,} hands of {specs}"
    )
