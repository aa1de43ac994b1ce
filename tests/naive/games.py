"""A whole game, hand by hand (RULES §5, §7)."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.naive.packs import Rules


class Game(NamedTuple):
    """How a game ended."""

    hands: int
    ended: str
    score: tuple[int, int]
    winner: int | None  # side; None: a draw


# The row of a hand, from its number in the game, its dealer and the score before it.
PlayHand = Callable[[int, int, tuple[int, int]], dict[str, Any]]


def points_by_stage(row: dict[str, Any], rules: Rules) -> dict[str, tuple[int, int]]:
    """What each side has for the hand after the declarations, the last trick, and the count."""
    score = (row["score0"], row["score1"])
    if not rules["combinations"]:
        return {"declarations": (0, 0), "tricks": (0, 0), "count": score}
    declared = [0, 0]
    for seat in range(4):
        declared[seat % 2] += row[f"declared_points{seat}"]
    in_tricks = [declared[side] + row[f"trick_points{side}"] for side in range(2)]
    return {
        "declarations": (declared[0], declared[1]),
        "tricks": (in_tricks[0], in_tricks[1]),
        "count": score,
    }


def play_game(rules: Rules, first_dealer: int, play_hand: PlayHand) -> Game:
    """Play hands until a side has won, or the last hand is played."""
    score, hand = (0, 0), 0
    while True:
        before = score
        dealer = (first_dealer + hand) % 4  # the deal passes to the right
        row = play_hand(hand, dealer, before)
        for stage, points in points_by_stage(row, rules).items():
            score = (before[0] + points[0], before[1] + points[1])
            if rules["game"] == "to_target":
                there = [side for side in range(2) if score[side] >= rules["target"]]
                if len(there) == 1:
                    return Game(hand + 1, stage, score, there[0])
                if len(there) == 2 and score[0] != score[1]:
                    return Game(hand + 1, stage, score, 0 if score[0] > score[1] else 1)
        hand += 1
        if rules["game"] == "single_hand" or (rules["game"] == "four_hands" and hand == 4):
            winner = None if score[0] == score[1] else (0 if score[0] > score[1] else 1)
            return Game(hand, "hands", score, winner)
