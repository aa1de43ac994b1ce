"""Declare what helps to win the game, by a table of chances. RULES §5; STRATEGY C20."""

from pathlib import Path

import numpy as np

from sim.kernels.combinations import _combinations
from sim.policies import policy

TARGET = 800
STEP = 17
SCORES = range(0, TARGET, STEP)  # to 799
# Our chance of winning when we deal and all have declared, by our score and theirs, of players who
# ignore the score. Made by ``analysis.to_win_table``; a constant of the compiled code, so that it
# costs nothing to policies without this part.
TABLE = Path(__file__).with_suffix(".csv")
CHANCES = np.loadtxt(TABLE, delimiter=",", skiprows=2) / 1e4


@policy.helper
def _between(ours, theirs):
    """The table at scores below the target, between its entries if need be."""
    x, y = max(ours, 0.0) / STEP, max(theirs, 0.0) / STEP
    i, j = min(int(x), len(CHANCES) - 2), min(int(y), len(CHANCES) - 2)
    x, y = x - i, y - j
    low = CHANCES[i, j] * (1.0 - y) + CHANCES[i, j + 1] * y
    high = CHANCES[i + 1, j] * (1.0 - y) + CHANCES[i + 1, j + 1] * y
    return low * (1.0 - x) + high * x


@policy.helper
def chance(ours, theirs, we_deal):
    """Our chance of winning with these scores after the declarations."""
    if max(ours, theirs) >= TARGET:
        return 1.0 if ours > theirs else 0.0 if theirs > ours else 0.5
    ours, theirs = min(ours, TARGET - 1.0), min(theirs, TARGET - 1.0)
    return _between(ours, theirs) if we_deal else 1.0 - _between(theirs, ours)


@policy.declare(table=TABLE, lose=0.034, give=0.005)
def to_win(view, weights):
    """Everything, unless the chance of winning an 800 game is better if all is hidden.

    Telling is taken to cost so large a share of the points told in the play that follows: ``lose``
    is what one's own side gets less, ``give`` what the other side gets more. The defaults are what
    ``expert`` makes of shown cards. Declarations still to come are left out.
    """
    _, cricche, sequences = _combinations(view.hand, view.rules)
    points, side = cricche + sequences, view.seat & 1
    score, declared = view.table.score, view.table.declared_points
    ours = score[side] + declared[side] + declared[side + 2]
    theirs = score[1 - side] + declared[1 - side] + declared[3 - side]
    we_deal = view.table.dealer & 1 == side
    told = chance(float(ours + points), float(theirs), we_deal)
    hidden = chance(ours + weights.lose * points, theirs - weights.give * points, we_deal)
    return 0 if hidden > told else view.legal
