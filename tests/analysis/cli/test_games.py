"""The commands for whole games and for chances of winning."""

import json
from pathlib import Path

import pandas as pd
import pytest

from sim import manifests
from tests.analysis.cli.conftest import Command
from tests.helpers import policy_file

GAMES = ("games", "--games", 250, "--policy", "random")


@pytest.fixture(autouse=True)
def small_game_parts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "GAMES_PART", 100)


def test_games_are_written_and_summed_up(tarocchino: Command) -> None:
    said = tarocchino(*GAMES, "--keep", "hands", "--chart", "chart.png")
    assert said.status == 0
    for told in ("250 games", "Hands to a game", "with the declarations", "the side that dealt"):
        assert told in said.out
    (run,) = Path("runs").iterdir()
    assert run.name == "games-ottocento-random-250-seed1-hands"
    assert len(pd.read_parquet(run / "games")) == 250
    assert len(pd.read_parquet(run / "hands")) == pd.read_parquet(run / "games").hands.sum()
    assert Path("chart.png").exists()


def test_games_in_json_and_again(tarocchino: Command) -> None:
    first = tarocchino(*GAMES, "--out", "run", "--json")
    told = json.loads(first.out)
    assert (told["rules"], told["games"]) == ("ottocento", 250)
    assert set(told["ended"]) == {"declarations", "tricks", "count"}
    assert tarocchino(*GAMES, "--out", "run", "--json").out == first.out
    assert tarocchino("games", "--resume", "run", "--json").out == first.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--games", 0], "0 games: expected 1 to"),
        (["--keep", "cards"], "keep 'cards': expected games or hands"),
        (["--resume", "run", "--keep", "hands"], "--keep does not go with --resume"),
        (["--resume", "run", "--games", 3], "--games does not go with --resume"),
    ],
)
def test_wrong_input_writes_nothing(
    tarocchino: Command, folder: Path, arguments: list[object], told: str
) -> None:
    tarocchino("games", *arguments).refused(told)
    assert not [*folder.iterdir()]


def test_commands_for_hands_refuse_games(tarocchino: Command) -> None:
    tarocchino(*GAMES, "--out", "run")
    for command in (
        ["summary", "run"],
        ["explain", "run", 3, "--seat", 0],
        ["simulate", "--resume", "run"],
    ):
        tarocchino(*command).refused("run is a run of games (tarocchino games)")


def test_a_game_is_played_again(tarocchino: Command) -> None:
    tarocchino(*GAMES, "--out", "run", "--keep", "hands")
    sheet = tarocchino("replay", "run", 7)
    assert sheet.status == 0 and sheet.out.startswith("ottocento, seed 1, game 7\n")
    told = json.loads(tarocchino("replay", "run", 7, "--json").out)
    stored = pd.read_parquet("run/games").iloc[7]
    last = told["hands"][-1]
    assert len(told["hands"]) == stored.hands and last["ended"] == stored.ended
    assert last["after"] == [stored.score0, stored.score1] and last["winner"] == stored.winner
    number = len(told["hands"]) - 1
    hand = tarocchino("replay", "run", 7, "--hand", number)
    assert hand.out.startswith(f"ottocento, seed 1, game 7, hand {number}\n")
    assert f"{stored.score0} to {stored.score1}, side {stored.winner} wins the game." in hand.out
    alone = tarocchino("replay", "run", 7, "--hand", number, "--json")
    assert json.loads(alone.out) == last
    tarocchino("replay", "run", 250).refused("game 250 is not in run: expected 0 to 249")
    tarocchino("replay", "run", 7, "--hand", 99).refused(f"in game 7: expected 0 to {number}")


def test_hands_by_themselves_have_no_game(tarocchino: Command) -> None:
    tarocchino("simulate", "--hands", 20, "--policy", "random", "--out", "run")
    tarocchino("replay", "run", 3, "--hand", 0).refused("--hand without games")


REVOKING = """
@policy.play
def f(view, weights):
    late = view.table.hand_number == 1 and view.table.trick == 9
    return 63 if late and view.hand % 97 == 0 else lowest(view.legal), 0
"""


def test_an_illegal_play_stops_the_games_and_is_shown(tarocchino: Command, folder: Path) -> None:
    spec = f"{policy_file(folder, REVOKING)}:f"
    said = tarocchino("games", "--games", 100, "--policy", spec, "--out", "run")
    assert (said.status, said.out) == (1, "")
    told, _, shown_by = said.line.partition("; ")
    game = told.split()[1].rstrip(",")
    assert shown_by == f"tarocchino replay run {game} --hand 1 --policy {spec} shows it"
    for hand in (["--hand", 1], []):
        shown = tarocchino("replay", "run", game, *hand, "--policy", spec)
        assert (shown.status, shown.line) == (1, told)
        assert "Broken off" in shown.out


def test_an_interrupt_tells_how_to_go_on(
    tarocchino: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sim import run_directory

    write = run_directory.write_part

    def interrupted(directory: Path, part: range, *rest: object) -> None:
        if part[0] == 200:
            raise KeyboardInterrupt
        write(directory, part, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(run_directory, "write_part", interrupted)
        said = tarocchino(*GAMES, "--out", "run")
    assert said.status == 130
    assert said.line == "interrupted: go on with tarocchino games --resume run"
    assert tarocchino("games", "--resume", "run", "--json").status == 0


# ---- chances of winning ---------------------------------------------------------------------


def test_equity_in_json(tarocchino: Command) -> None:
    said = tarocchino(
        *("equity", "--score", "780-790", "--deals", "us", "--policy", "random"),
        *("--hands", 400, "--json"),
    )
    told = json.loads(said.out)
    assert (told["rules"], told["policies"]) == ("ottocento", ["random", "random"])
    win = told["win"]
    assert 0 <= win["low"] <= win["mean"] <= win["high"] <= 1
    assert (win["n"], win["unit"], win["method"]) == (400, "deal", "jackknife")
    assert 0 < told["worth"]["20"]["mean"] < 1 - win["mean"]  # they may declare more
    hiding = told["changes"][0]
    assert hiding["part"] == "declare:nothing" and hiding["worth"]["mean"] < 0
    assert hiding["worth"]["method"] == "max-t"


def test_equity_of_partita_by_the_difference(tarocchino: Command) -> None:
    options = ("--rules", "partita", "--hand", 4, "--policy", "random", "--hands", 400)
    said = tarocchino("equity", "--score", -12, "--deals", "them", *options, "--chart", "a.png")
    assert said.status == 0 and Path("a.png").exists()
    assert "At -12 to 0 before hand 4 of 4, the deal with them" in said.out
    assert "half of a draw added" in said.out and "declar" not in said.out
    apart = tarocchino("equity", "--score", "-2-10", "--deals", "them", *options, "--json")
    alone = tarocchino("equity", "--score", "-12", "--deals", "them", *options, "--json")
    assert json.loads(apart.out)["win"] == json.loads(alone.out)["win"]


def test_equity_with_signals(tarocchino: Command) -> None:
    options = ("--score", "700-700", "--policy", "expert", "--hands", 400)
    said = tarocchino("equity", *options, "--signals", "throw")
    assert said.out.startswith("ottocento with the signals throw: 400 hands, seed 1, policy exp")
    silent, heard = (
        json.loads(tarocchino("equity", *options, "--signals", signals, "--json").out)
        for signals in ("none", "all")
    )
    assert heard["conventions"]["names"] == ["knock", "throw", "drag"]  # RULES §6
    assert silent["conventions"]["names"] == [] and heard["win"] != silent["win"]
    assert silent["win"] == json.loads(tarocchino("equity", *options, "--json").out)["win"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--score", "640"], "a score of 640: expected ours and theirs such as 640-710, since"),
        (["--score", "-12"], "a score of -12: expected ours and theirs"),
        (["--score", "800-0"], "a score of 800: expected 0 to 799"),
        (["--score", "level"], "'level' is no score: expected ours and theirs such as 640-710"),
        (["--deals", "me"], "--deals me: expected us or them"),
        (["--rules", "partita", "--hand", 5], "hand 5: expected 1 to 4, counted from 1"),
        (["--rules", "partita", "--hand", 0], "hand 0: expected 1 to 4, counted from 1"),
        (["--hands", 3], "3 hands: expected 400 to"),
        (["--signals", "sing"], "unknown signal 'sing': expected knock, throw, drag"),
    ],
)
def test_wrong_scores_are_refused(tarocchino: Command, arguments: list[object], told: str) -> None:
    tarocchino("equity", *arguments).refused(told)
