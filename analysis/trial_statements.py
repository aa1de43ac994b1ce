"""What a claim is: statements that a value is more than some number, measured or counted."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from analysis.trial_players import Measure

POINTS = "points a hand"
CHANGED = "points a hand that it changes"
EXCHANGED = "points of an exchange"
SHARE = "share of hands"
GAMES = "share of games"
VARIANCE = "share of the variance"


class Statement(NamedTuple):
    """What a claim says, as a value that is more than some number.

    Either it is measured under players, or counted: then it has no error and no players.
    """

    text: str
    quantity: str
    measure: Measure | None = None
    counted: Callable[[], Fraction | float] | None = None
    more_than: float = 0.0


class Claim(NamedTuple):
    """A claim by its number in STRATEGY, in a sentence; it says all its statements together."""

    number: str
    text: str
    source: str
    statements: tuple[Statement, ...]
