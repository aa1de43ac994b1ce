"""``tarocchino frequencies``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sim
from analysis.frequencies import frequencies
from tests.analysis.cli.conftest import Command


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "mixed"
    sim.simulate(hands=400, seed=3, policies=("simple", "random"), log_plays=True, out=out)
    return out


def test_the_json_has_rows_of_all_four_kinds(tarocchino: Command, directory: Path) -> None:
    said = tarocchino("frequencies", directory, "--json", "--level", "0.9")
    assert (said.status, said.err) == (0, "")
    told = json.loads(said.out)
    assert told == json.loads(json.dumps(frequencies(directory, 0.9).to_dict()))
    assert {row["what"] for row in told["rows"]} == {"held", "declared", "captured", "in_tricks"}
    keys = ["combination", "role", "what", "mean", "low", "high", "n", "unit", "level", "method"]
    assert [*told["rows"][0]] == keys
    assert (told["rules"], told["hands"]) == ("ottocento", 400)


def test_the_tables_are_there_and_whole(tarocchino: Command, directory: Path) -> None:
    said = tarocchino("frequencies", directory)
    assert (said.status, said.err) == (0, "")
    for title in (
        "Held, % of hands",
        "Declared, % of hands",
        "Several seats together",
        "Declared by random, % of its hands",
        "Points declared",
        "In the pile at the end",
        "Inside a trick the side won",
    ):
        assert title in said.out
    assert "…" not in said.out  # nothing is cut off
    assert str(directory) in said.out


def test_a_run_without_plays_says_what_is_missing(tarocchino: Command, tmp_path: Path) -> None:
    sim.simulate(hands=60, out=tmp_path / "run", columns=["dealer", "won0"])
    said = tarocchino("frequencies", tmp_path / "run")
    assert said.status == 0
    assert "In the pile at the end" in said.out and "Held" not in said.out
    assert "No in_tricks: the run was made without first_trick_leader, plays." in said.out


def test_the_chart_is_of_what_is_captured(
    tarocchino: Command, directory: Path, tmp_path: Path
) -> None:
    said = tarocchino("frequencies", directory, "--json", "--chart", tmp_path / "captured.svg")
    assert said.err == f"Chart: {tmp_path / 'captured.svg'}\n"
    assert (tmp_path / "captured.svg").stat().st_size > 10_000


def test_other_runs_are_refused(tarocchino: Command, tmp_path: Path) -> None:
    sim.simulate(sim.PARTITA, 20, out=tmp_path / "run")
    tarocchino("frequencies", tmp_path / "run").refused("partita has no combinations")
    tarocchino("frequencies", tmp_path / "none").refused("none")
