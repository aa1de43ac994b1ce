"""The table that the declare part ``to_win`` reads, and what the part gains in whole games.

The table is of players who ignore the score; a part that looks it up is one step of improvement
over them, not the end of improving. RULES §5.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from analysis.equity_tables import Chances, Outcomes, play_outcomes
from analysis.estimates import Estimate
from analysis.moments import Moments
from analysis.results import write_result
from sim.games import DRAW, play_games, totals
from sim.hands import play_hands
from sim.manifests import PROGRAM
from sim.parts import map_parts
from sim.policies.declare.to_win import SCORES
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies, parse_policy
from sim.rows import Rows
from sim.rules import OTTOCENTO

# Hands played for the table; those of them that every score is tried on.
HANDS, TRIED = 400_000, 20_000
PART = 2_000  # games


def after_declarations(outcomes: Outcomes, tried: int = TRIED) -> NDArray[np.float64]:
    """Our chance of winning once all have declared, from the scores of both sides then.

    The rest of the hand is what it was in hands that we dealt, so many of them; where neither side
    has won with the declarations, the last trick or the count may end the game, or later hands.

    Returns float64 (48, 48): by our score and theirs, both out of ``SCORES``; for the side that
    deals. Where both sides play alike, the other side's chance is 1 less that. Source: RULES §5.
    """
    chances = Chances.of(outcomes, OTTOCENTO)
    rest = outcomes.after[0][..., :tried]
    rest = rest - rest[0]
    found = np.empty((len(SCORES), len(SCORES)))
    for (i, j), _ in np.ndenumerate(found):
        score = np.array([[SCORES[i]], [SCORES[j]]])
        found[i, j] = chances.after(score + rest, 0, 0).mean()
    return found


def write_table(
    path: Path, spec: str = "expert", hands: int = HANDS, seed: int = 1, threads: int | None = None
) -> None:
    """Make the table of a policy and write it with its provenance: our score by row, theirs beside.

    Chances in ten thousandths. Raises as ``analysis.equity.equity``, and OSError.
    """
    outcomes = play_outcomes(OTTOCENTO, parse_policies(spec), hands, seed, threads)
    table = np.rint(1e4 * after_declarations(outcomes)).astype(int)
    told = {
        "what": "chance of winning, of 10000, for the side that deals, once all have declared; "
        "rows: its score, columns: the other side's, each 0, 17, ... 799",
        "players": "all play the policy, which ignores the score",
        "program": PROGRAM,
        "rules": OTTOCENTO.to_dict(),
        "policies": [parse_policy(spec).to_dict()],
        "hands": hands,
        "tried": TRIED,
        "seed": seed,
    }
    write_result(path, pd.DataFrame(table, columns=[str(score) for score in SCORES]), told)


def cost_of_telling(
    spec: str = "expert", hands: int = HANDS, seed: int = 1, level: float = 0.95
) -> tuple[Estimate, Estimate]:
    """What telling costs in play, as shares of the points told: one's own side's loss, and the gain
    of the other side.

    Seat 0 hides all it holds instead of telling it, on the same deals; points declared are left
    out, so that what is left is what the others make of cards shown. Ratios of sums, intervals by
    the delta method over hands in which it holds something. Raises as ``sim.hands.play_hands``.
    """
    policy = parse_policy(spec)
    hides = [parse_policy(f"{spec}+declare:nothing"), policy, policy, policy]

    def play(part: range) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        tells, silent = (
            play_hands(OTTOCENTO, policies, seed, part[0], len(part))
            for policies in (parse_policies(policy), parse_policies(hides))
        )
        apart = _in_play(silent) - _in_play(tells)
        return tells.declared_points[0].astype(np.int64), np.stack([apart[0], -apart[1]])

    parts = map_parts(play, [range(a, min(a + 50_000, hands)) for a in range(0, hands, 50_000)])
    played = [each for _, each in parts]
    points = np.concatenate([told for told, _ in played])
    told = points > 0
    points, n = points[told], int(told.sum())
    found = []
    for lost in np.concatenate([apart for _, apart in played], axis=1)[:, told]:
        share = lost.sum() / points.sum()
        error = (lost - share * points).std(ddof=1) / points.mean() / np.sqrt(n)
        half = float(stdtrit(n - 1, (1 + level) / 2) * error)
        found.append(Estimate(share, share - half, share + half, n, "deal", level, "student-t"))
    return found[0], found[1]


def _in_play(rows: Rows) -> NDArray[np.int64]:
    """Points of the sides without those declared: (2, n)."""
    after = totals(rows)
    return after[2] - after[0]


def gain_in_games(
    new: str | Policy,
    old: str | Policy,
    against: str | Policy | None = None,
    games: int = 20_000,
    *,
    score: tuple[int, int] = (0, 0),
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> Estimate:
    """How many more games a side wins with one policy than with another, on the same deals.

    Parameters
    ----------
    new, old
        SPECs or Policies of our side.
    against
        What the other side plays; None: as ``old``.
    games
        Numbers of games; each is played with both policies, by side 0 and by side 1.
    score
        Where games start: ours and theirs.
    seed
        0 to 2^64 - 1.
    level
        Of the interval.
    threads, progress
        As in ``sim.run.map_parts``.

    Returns
    -------
    Estimate
        Share of games won, draws half, with ``new`` less that with ``old``: Student's t over games.

    Raises IllegalAnswer and PolicyError. Source: RULES §5.
    """

    def won(ours: str | Policy, part: range) -> NDArray[np.int64]:
        theirs = old if against is None else against
        total = np.zeros(len(part), np.int64)
        for side in range(2):
            sides: Sequence[str | Policy] = (ours, theirs) if side == 0 else (theirs, ours)
            start = score if side == 0 else score[::-1]
            played, _ = play_games(
                OTTOCENTO, parse_policies(sides), seed, part[0], len(part), score=start
            )
            total += np.where(played.winner == DRAW, 1, 2 * (played.winner == side))
        return total

    def play(part: range) -> Moments:
        return Moments.of((won(new, part) - won(old, part))[None])

    ranges = [range(a, min(a + PART, games)) for a in range(0, games, PART)]
    total = None
    for _, more in map_parts(play, ranges, threads=threads, progress=progress, unit="games"):
        total = more if total is None else total + more
    assert total is not None
    return total.estimates(4, level, "game")[0]
