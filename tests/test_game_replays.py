"""Games played again, against golden score sheets and stored runs. RULES §5, §7."""

from pathlib import Path

import pyarrow as pa
import pytest

from sim.game_replays import GameHand, check_game_against, format_game_hand, replay_game
from sim.game_runs import GamesRun, simulate_games
from sim.games import COUNT, DECLARATIONS, DRAW, ENDS, TRICKS, play_games
from sim.manifests import RunError
from sim.policies import policy
from sim.policies.declare.all import all_
from sim.policies.discard.random import random as random_discard
from sim.policies.play.random import random as random_play
from sim.policies.policy import Policy
from sim.policies.signal.silent import silent
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA, RuleSet

GOLDEN = Path(__file__).parent / "golden" / "games"
SIMPLE = parse_policies("simple")
LATE = OTTOCENTO.replace(declare_when="before_own_first_card", target=60)


def cells(line: str) -> list[int | None]:
    """Numbers of a line of a score sheet, dashes as None."""
    return [None if cell == "–" else int(cell) for cell in line.split()]


@pytest.mark.parametrize(
    ("name", "rules", "game"),
    [
        ("ottocento-declarations", OTTOCENTO, 2),
        ("ottocento-tricks", OTTOCENTO, 108),
        ("ottocento-count", OTTOCENTO, 0),
        ("partita-draw", PARTITA, 27),
    ],
)
def test_each_hand_is_that_of_the_score_sheet(name: str, rules: RuleSet, game: int) -> None:
    lines = (GOLDEN / f"{name}.txt").read_text("utf-8").splitlines()
    sheet = [cells(line) for line in lines[6:-2]]
    hands = replay_game(rules, SIMPLE, 1, game)
    assert len(hands) == len(sheet)
    for (number, dealer, *before), hand in zip(sheet, hands, strict=True):
        played = hand.played
        assert (played.game, played.hand, played.dealer) == (game, number, dealer)
        assert [*hand.before, *hand.after] == [*before[:2], *before[-2:]]
        if not rules.combinations:
            continue
        declared = [0, 0]
        for made in played.declarations:
            declared[made.seat % 2] += made.points
        assert declared == before[2:4]
        if before[4] is not None:
            in_tricks = [0, 0]
            for trick in played.tricks:
                in_tricks[trick.winner % 2] += trick.points
            assert in_tricks == before[4:6]
        assert bool(played.tricks) == (before[4] is not None)
        assert bool(played.counts) == (before[6] is not None)
    assert (
        lines[-1]
        .split(": ")[1]
        .startswith("nobody" if hands[-1].winner == DRAW else f"side {hands[-1].winner}")
    )


def last_of(game: int, rules: RuleSet = OTTOCENTO) -> GameHand:
    return replay_game(rules, SIMPLE, 1, game)[-1]


@pytest.mark.parametrize(
    ("game", "stage", "end", "missing"),
    [
        (2, DECLARATIONS, "After the declarations: 72 to 826, side 1 wins the game.", "Tricks, "),
        (108, TRICKS, "After the last trick: 676 to 809, side 1 wins the game.", "Settlement"),
    ],
)
def test_a_hand_ends_where_the_game_does(game: int, stage: int, end: str, missing: str) -> None:
    hand = last_of(game)  # RULES §5
    text = format_game_hand(hand)
    assert hand.stage == stage and text.endswith(end + "\n")
    assert "Declarations, " in text and missing not in text and "Score of the game before" in text
    assert hand.to_dict()["stage"] == ENDS[stage] and hand.to_dict()["counts"] == []


def test_with_late_declarations_three_cards_were_played() -> None:  # RULES §5
    games, _ = play_games(LATE, SIMPLE, 1, 0, 50)
    game = int(games.game[games.ended == DECLARATIONS][0])
    (trick,) = last_of(game, LATE).played.tricks
    assert len(trick.cards) == 3 and trick.winner is None
    assert "Tricks, " in format_game_hand(last_of(game, LATE))


@policy.play
def revoking(view, weights):
    """Random, but plays a card that is not there in trick 2 of the second hand. Illegal."""
    if view.table.hand_number == 1 and view.table.trick == 2:
        return 63, 0
    return random_play(view, weights)


def test_an_illegal_answer_ends_the_replay() -> None:
    cheats = [
        Policy.of("cheat", discard=random_discard, declare=all_, play=revoking, signal=silent)
    ] * 4
    first, last = replay_game(PARTITA, cheats, 4, 8)
    assert first.stage == COUNT and first.ended == -1
    assert "game 8, hand 1, seat" in str(last.played.error) and len(last.played.tricks) == 2
    assert last.after == last.before == first.after
    assert "Broken off" in format_game_hand(last) and last.to_dict()["winner"] is None


@pytest.mark.parametrize("keep", ["games", "hands"])
def test_a_replay_is_compared_with_the_run(keep: str) -> None:
    run = simulate_games(OTTOCENTO.replace(target=150), 30, keep=keep)
    for game in range(30):
        check_game_against(run, game, replay_game(run.manifest.rules, SIMPLE, 1, game))
    with pytest.raises(RunError, match="game 30: expected one of the run's, 0 to 29"):
        check_game_against(run, 30, [last_of(2)])


def test_a_run_that_differs_is_told_of() -> None:
    run = simulate_games(OTTOCENTO, 3, keep="hands")
    hands = replay_game(OTTOCENTO, SIMPLE, 1, 2)
    (tables,) = run.tables
    before = tables["hands"]["before1"].to_numpy() + 1
    at = tables["hands"].schema.get_field_index("before1")
    changed = tables["hands"].set_column(at, "before1", pa.array(before, pa.int32()))
    other = GamesRun(run.manifest, None, ({**tables, "hands": changed},))
    with pytest.raises(RunError, match="game 2, hand 0, has before1 = 1 in the run, but 0 when"):
        check_game_against(other, 2, hands)
    with pytest.raises(RunError, match="game 1 has "):
        check_game_against(run, 1, hands)
