"""Runs of games: their tables, resuming to the same bytes, what is refused. RULES §5, §7."""

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import sim
from sim import manifests
from sim.columns import GAMES_SCHEMA, game_hand_columns
from sim.game_runs import GamesRun, resume_games, simulate_games
from sim.games import DRAW
from sim.manifests import RunError
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RuleSet
from tests.helpers import contents, each_preset

PLAYED = {"tricks0", "trick_points1", "last_trick", "pagat_seat", "fool_trick"}
COUNTED = {"won0", "cricche0", "sequences1", "card_points0", "score1", "pagat_side"}


@pytest.fixture(autouse=True)
def small_game_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of games in parts of 100."""
    monkeypatch.setattr(manifests, "GAMES_PART", 100)


def made(out: Path, rules: RuleSet = OTTOCENTO, keep: str = "hands") -> GamesRun:
    return simulate_games(rules, 250, policies="simple", keep=keep, out=out)


# ---- tables ---------------------------------------------------------------------------------


@each_preset
def test_games_are_the_sums_of_their_hands(rules: RuleSet, tmp_path: Path) -> None:
    run = made(tmp_path, rules)
    games, hands = run.to_pandas(), run.to_arrow("hands").to_pandas(integer_object_nulls=True)
    assert [*games.game_id] == [*range(250)]
    assert (games.first_dealer == games.game_id % 4).all()
    assert (hands.hand_id == 65536 * hands.game_id + hands.hand_in_game).all()
    assert (hands.dealer == (hands.game_id + hands.hand_in_game) % 4).all()
    assert (hands.groupby("game_id").hand_in_game.max() + 1 == games.hands).all()
    for side in range(2):
        before = f"before{side}"
        played = hands[hands.stage == "count"]
        after = played[before] + played[f"score{side}"]
        last = played.groupby("game_id").tail(1).index
        follows = hands[hands.hand_in_game > 0].set_index(["game_id", "hand_in_game"])[before]
        at = list(zip(played.game_id, played.hand_in_game + 1, strict=True))
        assert all(
            follows[key] == now for key, now in zip(at, after, strict=True) if key in follows
        )
        counted = games[games.ended.isin(["count", "hands"])].game_id
        whole = played.loc[last].set_index("game_id").loc[counted]
        scores = games.set_index("game_id").loc[counted][f"score{side}"]
        assert (whole[before] + whole[f"score{side}"] == scores).all()
    better = np.where(games.score0 > games.score1, 0, 1)
    better[games.score0 == games.score1] = DRAW
    assert (games.winner == better).all()


def test_what_was_not_played_or_counted_is_null(tmp_path: Path) -> None:
    hands = made(tmp_path, OTTOCENTO.replace(target=40)).to_arrow("hands").to_pylist()
    seen = {row["stage"] for row in hands}
    assert seen == {"declarations", "tricks", "count"}
    for row in hands:
        nulls = {name for name, value in row.items() if value is None}
        if row["stage"] == "count":
            assert not nulls
        else:
            assert nulls >= COUNTED
            assert not nulls & {"held0", "declared3", "declared_points2", "discard", "hand1"}
            assert (row["stage"] == "declarations") == (nulls >= PLAYED)


@each_preset
def test_files_have_the_columns_they_should(rules: RuleSet, tmp_path: Path) -> None:
    made(tmp_path, rules)
    for path in (tmp_path / "games").glob("*.parquet"):
        assert pq.read_schema(path).remove_metadata() == GAMES_SCHEMA
        told = json.loads(pq.read_schema(path).metadata[b"tarocchino"])
        assert (told["games"], told["hands"]) == (250, None)
    for path in (tmp_path / "hands").glob("*.parquet"):
        assert pq.read_schema(path).names == game_hand_columns(rules)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert [part["game_range"] for part in manifest["parts"]] == [[0, 99], [100, 199], [200, 249]]


def test_without_hands_only_games_are_written(tmp_path: Path) -> None:
    run = made(tmp_path, keep="games")
    assert not (tmp_path / "hands").exists()
    assert run.to_arrow().equals(made(tmp_path / "other").to_arrow())
    with pytest.raises(RunError, match="keeps no hands: expected games"):
        run.to_arrow("hands")


# ---- the same rows, the same bytes ----------------------------------------------------------


def test_rows_do_not_depend_on_parts_threads_or_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_disk = made(tmp_path)
    monkeypatch.setattr(manifests, "GAMES_PART", 60)
    in_memory = simulate_games(games=250, keep="hands", threads=1)
    for folder in ("games", "hands"):
        assert in_memory.to_arrow(folder).equals(on_disk.to_arrow(folder))


def test_a_run_is_resumed_to_the_same_bytes(tmp_path: Path) -> None:
    made(tmp_path)
    whole = contents(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "hands" / manifest["parts"][0]["file"]).write_bytes(b"PAR1")
    (tmp_path / "games" / manifest["parts"][1]["file"]).unlink()
    del manifest["parts"][2]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    resume_games(tmp_path)
    assert contents(tmp_path) == whole


# ---- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"games": 251}, "games 250"),
        ({"keep": "games"}, "other columns"),
        ({"rules": OTTOCENTO_DIGITAL}, "other rules"),
        ({"seed": 2}, "seed 1"),
    ],
)
def test_the_directory_of_another_run_is_refused(
    tmp_path: Path, changes: dict[str, object], told: str
) -> None:
    same = {"rules": PARTITA, "games": 250, "seed": 1, "keep": "hands", "out": tmp_path}
    simulate_games(**same)  # type: ignore[arg-type]
    before = contents(tmp_path)
    with pytest.raises(RunError, match=f"holds another run \\({told}\\)"):
        simulate_games(**{**same, **changes})  # type: ignore[arg-type]
    assert contents(tmp_path) == before


def test_runs_of_games_and_of_hands_are_told_apart(tmp_path: Path) -> None:
    made(tmp_path / "games")
    sim.simulate(hands=20, policies="random", out=tmp_path / "hands")
    for use in (sim.Run.open, sim.resume):
        with pytest.raises(RunError, match=r"is a run of games \(tarocchino games\)"):
            use(tmp_path / "games")
    for use in (GamesRun.open, resume_games):
        with pytest.raises(RunError, match=r"is a run of hands \(tarocchino simulate\)"):
            use(tmp_path / "hands")
    with pytest.raises(RunError, match="holds another run"):
        sim.simulate(hands=20, policies="random", out=tmp_path / "games")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"games": 0}, "0 games: expected 1 to"),
        ({"seed": -1}, "seed -1"),
        ({"keep": "cards"}, "keep 'cards': expected games or hands"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path: Path, changes: dict[str, object], told: str) -> None:
    with pytest.raises(RunError, match=told):
        simulate_games(out=tmp_path / "run", **changes)  # type: ignore[arg-type]
    assert not (tmp_path / "run").exists()
