"""How claims about whole games are measured."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.trial_estimates import Measured, share
from analysis.trial_players import Measure, Players, played, seats_of
from sim.games import COUNT, Games, play_games
from sim.rules import OTTOCENTO

PART = 2000  # games
HANDS = 10  # played for each game at most, about


def _games(players: Players) -> list[Games]:
    """Games to 800 that the players play, as many as about so many hands make."""
    seats = seats_of(players.spec)

    def play(part: range) -> Games:
        return play_games(OTTOCENTO, seats, players.seed, part.start, len(part))[0]

    return played(play, max(players.hands // HANDS, 10), PART, players)


def end_before_the_count() -> Measure:
    """The share of games that end by declarations or tricks, the last hand not being counted."""

    def measure(players: Players, more_than: float) -> Measured:
        found = _games(players)
        early = sum(int((games.ended < COUNT).sum()) for games in found)
        return share(early, sum(len(games.ended) for games in found), more_than, "game")

    return measure


def lengths_differ() -> Measure:
    """The share of games that have not the most usual number of hands."""

    def measure(players: Players, more_than: float) -> Measured:
        hands: NDArray[np.int64] = np.concatenate([games.hands for games in _games(players)])
        return share(len(hands) - int(np.bincount(hands).max()), len(hands), more_than, "game")

    return measure
