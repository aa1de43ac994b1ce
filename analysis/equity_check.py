"""Chances of winning beside games that are played from the same scores. RULES §5, §7."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from analysis.equity import Score, equity
from analysis.equity_tables import GROUPS
from analysis.estimates import Estimate
from analysis.moments import Moments
from sim.games import DRAW, play_games
from sim.parts import map_parts
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, RuleSet

PART = 4_000  # games, of which one half has the right dealer


def won_in_games(
    score: Score,
    rules: RuleSet = OTTOCENTO,
    policies: str | Policy | Sequence[str | Policy] = "simple",
    games: int = 10_000,
    *,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> Estimate:
    """How often side 0 wins games that start from a state, half of the drawn ones added.

    Parameters
    ----------
    score
        The state between two hands.
    rules, policies
        The game, and what the seats play: one SPEC or Policy, two for the sides, or four.
    games
        To be played, at least 2: those of the run with this seed in which the right side deals.
    seed
        0 to 2^64 - 1.
    level
        Of the interval.
    threads, progress
        As in ``sim.parts.map_parts``.

    Returns
    -------
    Estimate
        ``student-t`` over games.

    Raises IllegalAnswer, GamesError and PolicyError as ``sim.games.play_games``. Source: RULES §5,
    §7.
    """
    seats, hand = parse_policies(policies), score.hand - 1

    def play(part: range) -> Moments:
        played, _ = play_games(rules, seats, seed, part[0], len(part), score=score[:2], hand=hand)
        asked = (played.game + hand) % 2 == score.dealer
        halves = np.where(played.winner == DRAW, 1, 2 * (played.winner == 0))
        return Moments.of(halves[None, asked])

    ranges = [range(a, min(a + PART, 2 * games)) for a in range(0, 2 * games, PART)]
    total = None
    for _, more in map_parts(play, ranges, threads=threads, progress=progress, unit="games"):
        total = more if total is None else total + more
    assert total is not None
    return total.estimates(2, level, "game")[0]


def beside_games(
    states: Sequence[Score],
    rules: RuleSet = OTTOCENTO,
    policies: str | Policy | Sequence[str | Policy] = "simple",
    hands: int = 100_000,
    games: int = 100_000,
    *,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """The chances at some states from hands, and in games, whose deals are others for each.

    Parameters
    ----------
    states
        Between two hands.
    rules, policies, hands
        As ``analysis.equity.equity``.
    games
        From each state, as ``won_in_games``.
    seed
        Of the hands; games of the first state have the next one, and so on.
    level
        Of each interval of a chance or share, and of all differences together.
    threads, progress
        As in ``sim.parts.map_parts``.

    Returns
    -------
    DataFrame
        A row for each state: ``us``, ``them``, ``deals``, ``hand``; ``chance`` with ``chance_low``
        and ``chance_high``, ``won`` (in games) likewise; ``apart``, the first less the second,
        whose intervals ``apart_low`` to ``apart_high`` hold together (Bonferroni, Welch's t).

    Raises as ``equity`` and ``won_in_games``. Source: RULES §5, §7; Welch 1947.
    """
    rows = []
    for number, score in enumerate(states, start=1):
        found = equity(
            score,
            rules,
            policies,
            hands,
            seed=seed,
            level=level,
            threads=threads,
            progress=progress,
        ).win
        won = won_in_games(
            score,
            rules,
            policies,
            games,
            seed=seed + number,
            level=level,
            threads=threads,
            progress=progress,
        )
        free = np.array([GROUPS - 1, won.n - 1])
        half = np.array([max(e.high - e.mean, e.mean - e.low) for e in (found, won)])
        squares = (half / stdtrit(free, (1 + level) / 2)) ** 2
        welch = squares.sum() ** 2 / (squares**2 / free).sum()
        apart = found.mean - won.mean
        widest = stdtrit(welch, 1 - (1 - level) / 2 / len(states)) * np.sqrt(squares.sum())
        rows.append(
            {
                "us": score.us,
                "them": score.them,
                "deals": "them" if score.dealer else "us",
                "hand": score.hand,
                "chance": found.mean,
                "chance_low": found.low,
                "chance_high": found.high,
                "won": won.mean,
                "won_low": won.low,
                "won_high": won.high,
                "apart": apart,
                "apart_low": apart - widest,
                "apart_high": apart + widest,
            }
        )
    return pd.DataFrame(rows)
