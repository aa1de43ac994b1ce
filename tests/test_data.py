"""The sample runs: this program still makes them, and their README says what is in them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from analysis.cli import main
from sim.columns import column_names
from sim.policies.spec import parse_policies
from sim.replaying import check_against, replay
from sim.rules import PRESETS
from sim.run import Run
from tests.helpers import ROOT, compiled_only

DATA = ROOT / "data"
README = (DATA / "README.md").read_text("utf-8")
GAMES = ["ottocento", "partita"]
each_game = pytest.mark.parametrize("game", GAMES)
OF_COMBINATIONS = (  # RULES §7: Partita has none
    r"held\d|declared\d|declared_points\d|trick_points\d|cricche\d|sequences\d|last_trick"
)


@each_game
def test_a_sample_is_a_whole_run_of_its_game(game: str) -> None:
    run = Run.open(DATA / game)
    assert run.manifest.finished
    assert run.manifest.rules == PRESETS[game]
    assert run.manifest.columns == column_names(PRESETS[game], log_plays=True)
    assert len(run.to_arrow()) == run.manifest.hands
    assert f"{run.manifest.hands:,} hands each" in README


@compiled_only
@each_game
def test_the_command_in_the_readme_makes_the_same_rows(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (command,) = re.findall(rf"^tarocchino (.* --out data/{game})$", README, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        main(shlex.split(command))
    assert stop.value.code == 0
    made, kept = Run.open(tmp_path / "data" / game), Run.open(DATA / game)
    different = [
        name
        for name in kept.manifest.columns
        if not made.to_arrow([name]).equals(kept.to_arrow([name]))
    ]
    assert not different
    for key in ("program", "rules", "seed", "hands", "policies", "columns"):
        assert made.manifest.identity[key] == kept.manifest.identity[key]


@each_game
def test_single_hands_are_replayed_to_their_rows(game: str) -> None:
    run = Run.open(DATA / game)
    manifest = run.manifest
    for hand in (0, 1, 1234, manifest.hands - 1):
        policies = parse_policies(manifest.specs)
        check_against(run, hand, replay(manifest.rules, policies, manifest.seed, hand))


def documented() -> dict[str, str]:
    """The columns in the README's table, in order, with their types."""
    columns = {}
    for line in README.partition("| column |")[2].splitlines()[2:]:
        if not line.startswith("|"):
            break
        names, type_, _ = line.strip("|").split("|", 2)
        first, *rest = re.findall(r"`(\w+)`", names)
        if "…" in names:  # `hand0` … `hand3`
            (last,) = rest
            rest = [f"{first[:-1]}{i}" for i in range(1, int(last[-1]) + 1)]
        columns |= dict.fromkeys([first, *rest], type_.strip())
    return columns


@each_game
def test_the_readme_documents_every_column(game: str) -> None:
    expected = documented()
    if not PRESETS[game].combinations:
        of_combinations = [name for name in expected if re.fullmatch(OF_COMBINATIONS, name)]
        expected = {name: type_ for name, type_ in expected.items() if name not in of_combinations}
        assert len(of_combinations) == 19
    plays = re.findall(r"\d+", expected["plays"])[GAMES.index(game)]
    expected["plays"] = f"fixed_size_binary[{plays}]"
    assert expected.pop("signals").startswith("240 bytes (208)")  # not in runs without signals
    for part in (DATA / game / "hands").iterdir():
        assert {field.name: str(field.type) for field in pq.read_schema(part)} == expected


def test_the_readme_documents_every_entry_of_the_manifest() -> None:
    text = README.partition("## A run directory")[2].partition("## Columns")[0]
    told = set(re.findall(r"`(\w+)`", text))
    for game in GAMES:
        assert {*Run.open(DATA / game).manifest.to_dict()} <= told


def test_the_samples_are_small() -> None:
    sizes = [path.stat().st_size for game in GAMES for path in (DATA / game).rglob("*.*")]
    assert sum(sizes) < 5e6
