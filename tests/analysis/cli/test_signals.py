"""``tarocchino signals``, and ``--signals`` of ``simulate``. RULES §6, §7."""

from __future__ import annotations

import json
from pathlib import Path

from analysis.signal_worth import signal_worth
from sim.rules import OTTOCENTO
from sim.signals import read_conventions
from tests.analysis.cli.conftest import Command
from tests.helpers import compiled_only, policy_file

pytestmark = compiled_only


def test_the_json_is_the_result(tarocchino: Command) -> None:
    asked = ("--signals", "throw", "--hands", 80, "--told", 2, "--seed", 9, "--json")
    said = tarocchino("signals", *asked)
    assert said.status == 0 and said.out.count("\n") == 1
    rules = OTTOCENTO.with_signals(read_conventions("throw", OTTOCENTO.pack))
    assert json.loads(said.out) == signal_worth(rules, hands=80, told_hands=2, seed=9).to_dict()


def test_a_table_and_a_chart(tarocchino: Command, tmp_path: Path) -> None:
    chart = tmp_path / "worth.svg"
    said = tarocchino("signals", "--signals", "throw", "--hands", 80, "--told", 2, "--chart", chart)
    assert said.status == 0 and chart.exists()
    assert "bits told partner" in said.out and "C21, signals help: " in said.out


def test_a_lie_stops_a_run_and_is_named(tarocchino: Command, tmp_path: Path) -> None:
    path = policy_file(tmp_path, "@policy.signal\ndef lie(view, card, weights): return 2\n")
    run = ("--hands", 50, "--policy", f"{path}:lie", "--out", tmp_path / "run")
    said = tarocchino("simulate", "--signals", "throw", *run)
    assert said.status == 1 and "signals throw in trick" in said.err
    said = tarocchino("simulate", "--signals", "sing", "--hands", 8)
    assert said.status == 2 and "unknown signal 'sing'" in said.err
