"""``tarocchino explain``: a player's decisions, told and refused as ``replay`` is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sim
from analysis.cli.tables import WIDTH
from sim.explanations import explain
from sim.policies.spec import parse_policies
from sim.replaying import replay
from tests.analysis.cli.conftest import Command, made
from tests.helpers import LOWEST, POLICY_HEAD, policy_file

pytestmark = pytest.mark.usefixtures("folder")

SPECS = ["simple+discard:void", "simple"]


@pytest.fixture
def run(folder: Path) -> Path:
    sim.simulate(hands=20, policies=SPECS, out="run")
    return Path("run")


def test_decisions_are_told(tarocchino: Command, run: Path) -> None:
    said = tarocchino("explain", run, 4, "--seat", "dealer")
    assert said.status == 0
    text = [" ".join(line.split()) for line in said.out.splitlines()]
    assert text[0].startswith("ottocento, seed 1, hand 4: seat 0, which plays simple+discard:void;")
    played = replay(sim.OTTOCENTO, parse_policies(SPECS), 1, 4)
    choices = explain(played, parse_policies(SPECS), 0)
    assert said.out.count("\n\n") == len(choices) == 17
    assert f"discards {' '.join(choices[0].chosen)}" in text
    assert "Discard" in text and "Declaration" in text
    assert any(line.endswith("(void)") for line in text[:8])
    for choice in choices[2:]:
        head = f"Trick {choice.trick}"
        assert (f"{head}, led by seat {choice.leader}" if choice.on_table else head) in text
        assert f"{choice.decision}s {choice.chosen[0]}" in text
        assert f"why {choice.reason} (simple)" in text
    follow = next(choice for choice in choices if len(choice.on_table) == 1)
    assert f"table seat {follow.leader} {follow.on_table[0]}*" in text
    assert all(len(line) <= WIDTH for line in said.out.splitlines())


def test_json_is_one_document(tarocchino: Command, run: Path) -> None:
    said = tarocchino("explain", run, 5, "--seat", "second", "--json")
    assert said.status == 0 and said.out.count("\n") == 1
    told = json.loads(said.out)
    played = replay(sim.OTTOCENTO, parse_policies(SPECS), 1, 5)
    choices = explain(played, parse_policies(SPECS), 3)
    assert (told["hand"], told["dealer"], told["seat"], told["policies"]) == (5, 1, 3, SPECS * 2)
    expected = [{**choice._asdict(), "habits": dict(choice.habits)} for choice in choices]
    assert told["choices"] == json.loads(json.dumps(expected))


def test_signals_made_and_heard_are_told(tarocchino: Command, folder: Path) -> None:
    options = ["--hands", 4, "--rules", "partita", "--policy", "expert", "--signals", "all"]
    tarocchino("simulate", *options, "--out", "run")
    said = tarocchino("explain", "run", 3, "--seat", 1)
    told = json.loads(tarocchino("explain", "run", 3, "--seat", 1, "--json").out)
    text = " ".join(said.out.split())
    choices = [choice for choice in told["choices"] if choice["heard"] and choice["signals"]]
    assert choices
    for choice in choices:
        heard = " ".join(
            f"seat {each['seat']} in trick {each['trick']}: {', '.join(each['signals'])}"
            for each in choice["heard"]
        )
        assert f"heard {heard}" in text and f"signals {', '.join(choice['signals'])}" in text
        assert {"seat", "trick", "signals"} == {*choice["heard"][0]}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([20, "--seat", 0], "hand 20 is not in run: expected 0 to 19"),
        (["x", "--seat", 0], "'x' is no count"),
        ([3, "--seat", 4], "Invalid value for '--seat': '4' is no seat: expected 0, 1, 2, 3, elde"),
        ([3, "--seat", "partner"], "'partner' is no seat"),
        ([3], "Missing option '--seat'"),
        ([3, "--seat", 0, "--policy", "simple"], "the policy simple is not the one recorded"),
    ],
)
def test_what_cannot_be_explained_is_refused(
    tarocchino: Command, run: Path, arguments: list[object], told: str
) -> None:
    tarocchino("explain", run, *arguments).refused(told)


def test_a_changed_policy_file_is_refused(tarocchino: Command, folder: Path) -> None:
    mine = policy_file(folder, LOWEST)
    tarocchino("simulate", "--hands", 20, "--policy", "mine.py:bottom", "--out", "run")
    assert "reason 0 (bottom)" in tarocchino("explain", "run", 7, "--seat", 1).out
    mine.write_text(POLICY_HEAD + LOWEST.replace("lowest(", "highest("))
    tarocchino("explain", "run", 7, "--seat", 1).refused("has changed since: expected the file")


def test_an_illegal_answer_is_told_after_what_led_to_it(tarocchino: Command, folder: Path) -> None:
    text = "return (-1 if view.table.trick == 3 else lowest(view.legal)), 0"
    policy_file(folder, f"@policy.play\ndef f(view, weights):\n    {text}\n")
    tarocchino("simulate", "--hands", 20, "--policy", "mine.py:f", "--out", "run")
    said = tarocchino("explain", "run", 0, "--seat", 1)
    assert said.status == 1 and "Trick 2" in said.out and "Trick 3" not in said.out
    assert "card number -1 in trick 3, which is illegal" in said.line


def test_what_is_no_run_is_refused(tarocchino: Command) -> None:
    tarocchino("explain", "run", 7, "--seat", 0).refused("run is no run: expected a directory")
    assert tarocchino("explain", made(), 7, "--seat", 0).status == 0
