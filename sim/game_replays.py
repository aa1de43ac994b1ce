"""A game of a run played again: each hand from its score to where it ended. RULES §5, §7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sim.game_hands import play_game_hand
from sim.game_runs import GamesRun, game_hands_table
from sim.games import (
    DECLARATIONS,
    DRAW,
    ENDS,
    MOST_HANDS_OF_GAME,
    TOLD,
    TRICKS,
    GamesError,
    HandOfGames,
    decide,
    totals,
)
from sim.manifests import RunError
from sim.policies.policy import Policy
from sim.replaying import replay_of
from sim.replays import Replay
from sim.rows import Rows
from sim.rules import RuleSet
from sim.text import format_replay


class GameHand(NamedTuple):
    """A hand of a game.

    ``before`` and ``after`` are the score of sides 0 and 1; ``stage`` and ``ended`` places in ENDS:
    where the hand ended, and the game, -1 if it goes on; ``winner`` a side, or DRAW for none yet.
    ``played`` has what was played and counted. If a policy answered illegally it ends there, and
    the game with it: ``after`` is then as before.
    """

    before: tuple[int, int]
    after: tuple[int, int]
    stage: int
    ended: int
    winner: int
    played: Replay

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON: the replay, the score before and after, and where it ended."""
        broken = self.played.error is not None
        return {
            **self.played.to_dict(),
            "before": list(self.before),
            "after": list(self.after),
            "stage": None if broken else ENDS[self.stage],
            "ended": None if self.ended < 0 else ENDS[self.ended],
            "winner": None if self.ended < 0 else self.winner,
        }


def replay_game(rules: RuleSet, policies: Sequence[Policy], seed: int, game: int) -> list[GameHand]:
    """Deal and play a game of a run again.

    Parameters
    ----------
    rules, policies, seed
        Those of the run, the policies of seats 0 to 3.
    game
        Its number in the run.

    Returns
    -------
    list of GameHand
        To the end of the game, or to an illegal answer.

    Raises
    ------
    GamesError
        The game is not decided after MOST_HANDS_OF_GAME hands.
    ValueError
        A seed or number out of bounds.

    Source: RULES §2-5, §7.
    """
    hands: list[GameHand] = []
    before = (0, 0)
    while len(hands) < MOST_HANDS_OF_GAME:
        number = len(hands)
        position, row, error = play_game_hand(rules, policies, seed, game, number, before)
        played = replay_of(policies, seed, number, position, row, error, game)
        if error is not None:
            return [*hands, GameHand(before, before, -1, -1, DRAW, played)]
        totals_after = np.array(before)[:, None] + totals(row)
        stages, ended, winner = decide(rules, totals_after, number)
        stage = int(stages[0])
        ours, theirs = totals_after[stage, :, 0]
        after = int(ours), int(theirs)
        hands.append(
            GameHand(before, after, stage, int(ended[0]), int(winner[0]), _upto(played, stage))
        )
        if ended[0] >= 0:
            return hands
        before = after
    raise GamesError(f"game {game} is not decided after {len(hands)} hands")


def _upto(played: Replay, stage: int) -> Replay:
    """A replay without what came after the hand had ended. RULES §5."""
    if stage not in (DECLARATIONS, TRICKS):
        return played
    played = replace(played, counts=(), given=(0, 0))
    if stage == TRICKS:
        return played
    # The last player declares before his first card.
    late = played.rules.declare_when == "before_own_first_card"
    first = played.tricks[0]
    begun = first._replace(cards=first.cards[:3], winner=None, cricche={}, sequences={}, points=0)
    return replace(
        played, tricks=(begun,) if late else (), signals=played.signals[: 3 if late else 0]
    )


def format_game_hand(hand: GameHand) -> str:
    """A hand of a game as text: ``sim.text.format_replay``, and the score before and after it."""
    lines = [f"Score of the game before the hand: {hand.before[0]} to {hand.before[1]}"]
    if hand.played.error is None:
        winner = "nobody" if hand.winner == DRAW else f"side {hand.winner}"
        end = f"{winner} wins the game" if hand.ended >= 0 else "the game goes on"
        ours, theirs = hand.after
        lines.append(f"After {TOLD[hand.stage]}: {ours} to {theirs}, {end}.")
    return format_replay(hand.played) + "\n" + "\n".join(lines) + "\n"


def check_game_against(run: GamesRun, game: int, hands: Sequence[GameHand]) -> None:
    """Check that a game played again is the one that a run holds.

    Parameters
    ----------
    run
        A run of games; a game in a part that is not finished is not looked at.
    game, hands
        Its number, and all its hands.

    Raises
    ------
    RunError
        The run has no such game, or a column differs in it or in a hand that was kept.
    """
    manifest = run.manifest
    if not 0 <= game < manifest.games:
        raise RunError(f"game {game}: expected one of the run's, 0 to {manifest.games - 1}")
    parts = [p for p in manifest.parts if p["game_range"][0] <= game <= p["game_range"][1]]
    near = replace(run, manifest=replace(manifest, parts=parts))
    last = hands[-1]
    now = {
        "hands": len(hands),
        "ended": ENDS[last.ended],
        "score0": last.after[0],
        "score1": last.after[1],
        "winner": last.winner,
    }
    kept = _stored(near, "games", game)
    lost = RunError(f"game {game} is not whole in the part that should hold it: make the run again")
    if len(kept) != 1 and (parts or run.tables):
        raise lost
    for stored in kept:
        if last.played.error is not None:
            raise RunError(f"game {game} was finished in the run, but not now: {last.played.error}")
        _same(f"game {game}", stored, now)
    if "hands" not in manifest.schemas:
        return
    kept = _stored(near, "hands", game)
    if len(kept) != len(hands) and (parts or run.tables):
        raise lost
    for number, stored in enumerate(kept):
        row = _row(manifest.rules, game, number, hands[number])
        _same(f"game {game}, hand {number},", stored, row)


def _stored(run: GamesRun, folder: str, game: int) -> list[dict[str, Any]]:
    """The rows of a game in a folder of the run's parts."""
    rows: list[dict[str, Any]] = []
    for table in run.batches(folder):
        found = np.flatnonzero(table["game_id"].to_numpy() == game)
        rows += table.take(found).to_pylist()
    return rows


def _row(rules: RuleSet, game: int, number: int, hand: GameHand) -> dict[str, Any]:
    """A hand's row as the run has it."""
    rows = hand.played.row
    assert isinstance(rows, Rows)
    before = np.array(hand.before)[:, None]
    one = HandOfGames(np.array([game]), number, before, np.array([hand.stage], np.int8), rows)
    row: dict[str, Any] = game_hands_table(rules, [one]).to_pylist()[0]
    return row


def _same(what: str, stored: dict[str, Any], now: dict[str, Any]) -> None:
    for column, value in now.items():
        if stored[column] != value:
            raise RunError(
                f"{what} has {column} = {stored[column]} in the run, but {value} when played "
                "again: expected the same program, rules and policies"
            )
