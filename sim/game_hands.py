"""Playing hands of games: one hand in each of some games, from the score it is at."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim.hands import Deal, play_dealt
from sim.kernels.deal import _deal_game_hands
from sim.players import IllegalAnswer
from sim.policies.policy import Policy
from sim.positions import Position
from sim.rows import Rows
from sim.rules import RuleSet


def play_game_hands(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    games: NDArray[np.int64],
    number: int,
    before: NDArray[np.int64],
    log_plays: bool = False,
) -> Rows:
    """Deal and play one hand, of the same number, in each of some games.

    Parameters
    ----------
    rules, policies, seed, log_plays
        As for ``sim.hands.play_hands``.
    games
        (n,): numbers of the games; their first dealer is that modulo 4. n from 1 to MOST_HANDS.
    number
        Of the hand in its game, from 0: the deal passes to the right.
    before
        (2, n): score of sides 0 and 1 in each game before the hand, points.

    Returns
    -------
    Rows
        As of ``sim.hands.play_hands``, one column a game. Hands are played to their end, wherever
        that of the game may be: what players do does not depend on it.

    Raises IllegalAnswer and ValueError as ``sim.hands.play_hands``. Source: RULES §2-5, 7.
    """
    deal = _dealer_of(games, number, before)

    def named(i: int) -> str:
        return f"game {games[i]}, hand {number}"

    arguments = (rules, policies, seed, 0, len(games), log_plays, deal)
    rows, _, _, error = play_dealt(*arguments, named=named)
    if error is not None:
        raise error.in_game(int(games[error.hand]), number)
    return rows


def play_game_hand(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    game: int,
    number: int,
    before: tuple[int, int],
) -> tuple[Position, Rows, IllegalAnswer | None]:
    """Deal and play one hand of one game, and keep the table it was played on.

    Parameters are those of ``play_game_hands``, of one game; returns and raises as
    ``sim.hands.play_hand``. Source: RULES §2-5, 7.
    """
    deal = _dealer_of(np.array([game]), number, np.array(before)[:, None])
    rows, table, hidden, error = play_dealt(
        *(rules, policies, seed, 0, 1, True, deal), named=lambda _: f"game {game}, hand {number}"
    )
    told = None if error is None else error.in_game(game, number)
    return Position(rules, table, hidden), rows, told


def _dealer_of(games: NDArray[np.int64], number: int, before: NDArray[np.int64]) -> Deal:
    """How the hands of this number are dealt in some games, and the score they start from."""

    def deal(
        rows: np.record, key: np.uint64, first: int, n: int, hidden: np.record, rules: np.record
    ) -> None:
        rows.in_games, rows.hand_number = True, number
        rows.before[:, :n] = before
        _deal_game_hands(rows, key, games, number, hidden, rules)

    return deal
