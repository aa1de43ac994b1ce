"""Whole games: hands played on from score to score until a side has won. RULES §5, §7."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.game_hands import play_game_hands
from sim.policies.policy import Policy
from sim.rows import Rows
from sim.rules import RuleSet

# Where a game, or a hand, can end.
DECLARATIONS, TRICKS, COUNT, HANDS = range(4)
ENDS = ("declarations", "tricks", "count", "hands")
TOLD = ("the declarations", "the last trick", "the count")
DRAW = 255
# Hands of a game where their number is fixed.
HANDS_OF_GAME = {"single_hand": 1, "four_hands": 4}
# No game has more (uint16).
MOST_HANDS_OF_GAME = 2**16 - 1


class GamesError(RuntimeError):
    """A game that does not come to its end."""


class Games(NamedTuple):
    """Games played, one column each."""

    game: NDArray[np.int64]  # (n,): its number
    hands: NDArray[np.uint16]  # (n,): hands, the last one included
    ended: NDArray[np.int8]  # (n,): place in ENDS
    score: NDArray[np.int32]  # (2, n): of sides 0 and 1 where it ended
    winner: NDArray[np.uint8]  # (n,): side, or DRAW


class HandOfGames(NamedTuple):
    """The hand of one number in all games that came to it."""

    game: NDArray[np.int64]  # (k,): numbers of the games
    number: int  # of the hand in the game, from 0
    before: NDArray[np.int64]  # (2, k): score of the sides before it
    stage: NDArray[np.int8]  # (k,): place in ENDS where the hand ended; COUNT if the game goes on
    rows: Rows  # played to the end, wherever it ended


def totals(rows: Rows) -> NDArray[np.int64]:
    """Points of the sides after the declarations, the last trick, and the count: (3, 2, n)."""
    declared = rows.declared_points.astype(np.int64)
    after_declarations = declared[:2] + declared[2:]
    after_tricks = after_declarations + rows.trick_points
    return np.stack([after_declarations, after_tricks, rows.score.astype(np.int64)])


def decide(
    rules: RuleSet, after: NDArray[np.int64], hand: int
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.uint8]]:
    """Where hands end, whether their games do, and who wins these.

    Parameters
    ----------
    rules
        The game.
    after
        (3, 2, n): score of the game after each stage of the hand, as ``totals`` adds to it.
    hand
        Its number in the game, from 0.

    Returns
    -------
    (stage, ended, winner)
        (n,) each: place in ENDS where the hand ended; place in ENDS where the game did, -1 where
        it goes on; side that wins, DRAW for none (also where the game goes on).

    Source: RULES §5, §7.
    """
    n = after.shape[-1]
    stage, ended = np.full(n, COUNT, np.int8), np.full(n, -1, np.int8)
    if rules.game == "to_target":
        for test in (COUNT, TRICKS, DECLARATIONS):  # the earliest counts
            ours, theirs = after[test]
            over = (np.maximum(ours, theirs) >= rules.target) & (ours != theirs)
            stage[over] = ended[over] = test
    elif hand + 1 == HANDS_OF_GAME[rules.game]:
        ended[:] = HANDS
    ours, theirs = after[stage, :, np.arange(n)].T
    winner = np.where(ours > theirs, 0, np.where(theirs > ours, 1, DRAW)).astype(np.uint8)
    winner[ended < 0] = DRAW
    return stage, ended, winner


def play_games(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    first: int,
    n: int,
    *,
    score: tuple[int, int] = (0, 0),
    hand: int = 0,
    keep_hands: bool = False,
) -> tuple[Games, list[HandOfGames]]:
    """Play games ``first`` to ``first + n - 1`` of the run with this seed, all hand by hand.

    Parameters
    ----------
    rules, policies
        The game, and the policies of seats 0 to 3.
    seed
        0 to 2^64 - 1.
    first, n
        Numbers of games; the first dealer is the number modulo 4. n from 1 to MOST_HANDS.
    score, hand
        Where the games start: score of sides 0 and 1, and number of the hand to be played next.
    keep_hands
        Whether their hands are returned too.

    Returns
    -------
    (games, hands)
        The games, and the hands of each number in turn; none if they are not kept.

    Raises
    ------
    IllegalAnswer
        A policy answered what the rules forbid, be it in the rest of a hand whose game has ended.
    GamesError
        A game is not decided after MOST_HANDS_OF_GAME hands.
    ValueError
        A seed or range out of bounds.

    Source: RULES §5, §7.
    """
    games = np.arange(first, first + n)
    now = np.repeat(np.array(score, np.int64)[:, None], n, axis=1)
    found = Games(
        games,
        np.zeros(n, np.uint16),
        np.zeros(n, np.int8),
        np.zeros((2, n), np.int32),
        np.zeros(n, np.uint8),
    )
    hands = []
    on = np.arange(n)  # places of the games that go on
    while len(on):
        if hand == MOST_HANDS_OF_GAME:
            raise GamesError(f"game {games[on[0]]} is not decided after {hand} hands")
        before = now[:, on]
        rows = play_game_hands(rules, policies, seed, games[on], hand, before)
        after = before + totals(rows)
        stage, ended, winner = decide(rules, after, hand)
        if keep_hands:
            hands.append(HandOfGames(games[on], hand, before, stage, rows))
        now[:, on] = after[stage, :, np.arange(len(on))].T
        hand += 1
        over = ended >= 0
        done = on[over]
        found.hands[done], found.ended[done] = hand, ended[over]
        found.score[:, done], found.winner[done] = now[:, done], winner[over]
        on = on[~over]
    return found, hands


def format_game(rules: RuleSet, policies: Sequence[Policy], seed: int, game: int) -> str:
    """A game of a run with this seed as its score sheet: a line a hand, what each stage brought.

    What was not played or counted any more is a dash. Raises as ``play_games``. Source: RULES §5.
    """
    games, hands = play_games(rules, policies, seed, game, 1, keep_hands=True)
    specs = [policy.spec for policy in policies]
    players = (
        f"All seats play {specs[0]}." if len(set(specs)) == 1 else f"Seats: {', '.join(specs)}."
    )
    stages = ("declared", "in tricks", "counted") if rules.combinations else ("counted",)
    titles = ("before", *stages, "after")
    lines = [
        f"{rules.name}, seed {seed}, game {game}",
        "Seats 0 and 2 are side 0, seats 1 and 3 are side 1.",
        players,
        "",
        "hand  deals" + "".join(f"{title:>13}" for title in titles),
        "           " + f"{'side 0':>8}{'1':>5}" * len(titles),
    ]
    for hand in hands:
        played = int(hand.stage[0]) + 1  # stages
        brought = np.diff(totals(hand.rows)[..., 0], axis=0, prepend=0)
        after = hand.before[:, 0] + brought[:played].sum(axis=0)
        cells = [hand.before[:, 0], *brought[:played], *[("–", "–")] * (COUNT + 1 - played), after]
        if not rules.combinations:
            del cells[1 : COUNT + 1]
        told = "".join(f"{ours:>8}{theirs:>5}" for ours, theirs in cells)
        lines.append(f"{hand.number:>4}  {hand.rows.dealer[0]:>5}{told}")
    winner, end = int(games.winner[0]), hands[-1].stage[0]
    lines.append(
        f"\nAfter {TOLD[end]} of hand {hands[-1].number}: "
        f"{'nobody' if winner == DRAW else f'side {winner}'} wins, "
        f"{games.score[0, 0]} to {games.score[1, 0]}."
    )
    return "\n".join(lines) + "\n"
