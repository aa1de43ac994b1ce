"""What the READMEs tell one to type works, and what they name is there."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.cli import app, main
from sim.combinations import KINDS
from sim.kernels import bits
from sim.kernels.state import RULES, TABLE, View
from sim.policies import policy, view
from sim.policies.spec import PARTS
from sim.records import read_manifest
from sim.rules import OTTOCENTO
from sim.run import Run, simulate
from sim.signals import read_conventions
from tests.helpers import ROOT

README, GUIDE = ROOT / "README.md", ROOT / "sim" / "policies" / "README.md"
ALL = [README, GUIDE, ROOT / "data" / "README.md", ROOT / "tests" / "golden" / "README.md"]
HANDS = 400  # in place of the numbers of hands in the text


def fewer(text: str) -> str:
    """The same with fewer hands."""
    return re.sub(
        r"\b100_000\b", str(HANDS), re.sub(r"--(hands|games) \S+", rf"--\1 {HANDS}", text)
    )


def blocks(path: Path) -> list[tuple[str, str]]:
    """Language and text of every block of code."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def type_in(command: str) -> None:
    """Run a line of the text as a command."""
    program, *arguments = shlex.split(fewer(command))
    assert program == "tarocchino"
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 0, command


def table(path: Path, head: str) -> list[list[str]]:
    """The cells of the table whose head begins so, without the head."""
    lines = path.read_text("utf-8").partition(f"| {head} |")[2].splitlines()[2:]
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    assert rows
    return rows


def code_in(text: str) -> list[str]:
    """What stands between backticks, blocks of code left out."""
    return re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


# ---- names ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_point_to_files(path: Path) -> None:
    text = path.read_text("utf-8")
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if not link.startswith("http"):
            assert (path.parent / link).exists(), link
    for script in re.findall(r"\./scripts/\w+", text):
        assert os.access(ROOT / script, os.X_OK), script
    for file in re.findall(r"`((?:sim|analysis|data|tests|scripts)/[\w/.]*)`", text):
        assert (ROOT / file).exists(), file


def test_every_folder_and_module_named_is_there() -> None:
    for folder, content in table(README, "folder"):
        (name,) = code_in(folder)
        assert (ROOT / name).is_dir()
        for module in code_in(content):
            there = (ROOT / name / module, ROOT / name / f"{module}.py", ROOT / module)
            assert any(path.exists() for path in there), (name, module)


def test_every_python_name_is_there() -> None:
    for path in ALL:
        for name in set(re.findall(r"`(sim(?:\.\w+)+)", path.read_text("utf-8"))):
            owner, _, attribute = name.rpartition(".")
            assert hasattr(importlib.import_module(owner), attribute), name


def test_every_command_is_in_the_table() -> None:
    told = [code_in(command)[0].split()[:2] for command, _ in table(README, "command")]
    callbacks = (command.callback for command in app.registered_commands)
    assert sorted(told) == sorted(["tarocchino", callback.__name__] for callback in callbacks)


def test_the_guide_names_what_a_policy_sees() -> None:
    fields = [name for cells in table(GUIDE, "field") for name in code_in(cells[0])]
    assert set(fields) == set(View._fields)
    for owner, text in ((TABLE, table(GUIDE, "of the table")), (RULES, table(GUIDE, "field"))):
        names = {
            re.sub(r"\[.*", "", name)
            for cells in text
            for name in code_in(cells[0] if owner is TABLE else cells[1])
            if owner is TABLE or cells[0] == "`rules`"
        }
        assert names and names <= set(owner.names)
    text = GUIDE.read_text("utf-8").partition("has a function in")[2]
    of_view, of_bits = (code_in(part) for part in text.partition("Your own")[0].split("Bits:"))
    assert all(hasattr(view, name) for name in of_view[1:])
    assert all(hasattr(bits, name) for name in of_bits[:-1])
    assert hasattr(policy, "helper")
    kinds = [code_in(cells[0])[0] for cells in table(GUIDE, "part")]
    assert kinds == [f"@policy.{kind}" for kind in PARTS]


def test_the_guide_names_every_shipped_part() -> None:
    told = {code_in(kind)[0]: code_in(parts) for kind, parts in table(GUIDE, "kind")}
    assert list(told) == list(PARTS)
    for kind, of_kind in PARTS.items():
        assert [name for name in told[kind] if name in of_kind] == list(of_kind)


@pytest.mark.parametrize("path", [GUIDE, ROOT / "data" / "README.md"])
def test_combination_bits_are_in_their_order(path: Path) -> None:
    told = path.read_text("utf-8").partition("Combination bits: ")[2].partition(".")[0]
    assert [item.split() for item in told.split(",")] == [[str(i), k] for i, k in enumerate(KINDS)]


# ---- commands and programs ------------------------------------------------------------------


def test_the_main_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ``./scripts/run`` starts, with fewer hands."""
    monkeypatch.chdir(tmp_path)
    script = (ROOT / "scripts" / "run").read_text()
    (arguments,) = re.findall(r'^exec "\$bin/tarocchino" (.*) "\$@"$', script, re.MULTILINE)
    type_in(f"tarocchino {arguments} --hands 1e6")
    assert {path.suffix for path in Path("runs").iterdir() if path.is_file()} == {".png", ".svg"}
    type_in(f"tarocchino {arguments} --rules partita --hands 1e5")
    (run,) = (path for path in Path("runs").iterdir() if path.name.startswith("partita"))
    assert Run.open(run).manifest.rules.name == "partita"


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, used by dask
def test_the_recipes_run_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = []
    for language, text in blocks(README):
        library = re.match(r"import (duckdb|dask)\b", text)
        if library and not importlib.util.find_spec(library[1]):
            continue
        if language == "python":
            capsys.readouterr()
            exec(compile(fewer(text), "README.md", "exec"), {})
            printed.append([float(number) for number in capsys.readouterr().out.split()])
        elif "./scripts/" not in text:
            for line in text.splitlines():
                type_in(line)
    (deal, deal_error), *by_parts, counted, (lost, lost_error) = printed
    assert by_parts == [[pytest.approx(deal)]] * len(by_parts)
    hands = pd.read_parquet("runs/sides/hands").astype(int)
    assert len(hands) == HANDS
    dealers = np.where(hands.dealer % 2, hands.score1, hands.score0)
    assert deal == pytest.approx((2 * dealers - hands.score0 - hands.score1).mean())
    assert deal_error > 0
    piles = hands[["cricche0", "cricche1"]].to_numpy().T
    of_dealers = [piles[(hands.dealer + side) % 2, np.arange(HANDS)].mean() for side in (1, 0)]
    assert counted == pytest.approx(of_dealers)
    assert lost > 3 * lost_error > 0  # combinations inside tricks are worth something


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with ``mine.py`` of the guide, and the current one."""
    monkeypatch.chdir(tmp_path)
    for name, language in (("mine.py", "python"), ("village.toml", "toml")):
        (text, *_) = (text for kind, text in blocks(GUIDE) if kind == language)
        (tmp_path / name).write_text(text, "utf-8")
    (_, statement) = (text for kind, text in blocks(GUIDE) if kind == "python")
    (tmp_path / "village.py").write_text(statement, "utf-8")
    return tmp_path


def test_the_conventions_of_the_guide_are_in_force(mine: Path) -> None:
    rules = OTTOCENTO.with_signals(read_conventions("village.toml", "tarocchino"))
    run = simulate(rules, 50, policies="expert", log_plays=True)
    logged = b"".join(run.to_arrow(["signals"])["signals"].to_pylist())
    heard = int(np.bitwise_or.reduce(np.frombuffer(logged, "<u4")))
    assert rules.signals.named(heard, "tarocchino") == ["throw", "two_kings"]


def test_the_policy_of_the_guide_plays_and_loses(mine: Path) -> None:
    (command,) = (text.strip() for language, text in blocks(GUIDE) if not language)
    type_in(command)
    assert read_manifest(mine / "runs" / "bold").specs[:2] == ["mine.py:bold_policy", "simple"]
    hands = pd.read_parquet("runs/bold/hands").astype(int)
    margin = hands.score0 - hands.score1
    assert margin.mean() < -4 * margin.sem()


def test_every_spec_of_the_guide_plays(mine: Path) -> None:
    specs = [code for code in code_in(GUIDE.read_text("utf-8")) if code.startswith("mine.py:")]
    assert len(specs) >= 3
    for i, spec in enumerate(specs):
        type_in(f"tarocchino simulate --hands 9 --policy '{spec}' --out runs/{i}")
        assert read_manifest(mine / "runs" / str(i)).specs == [spec] * 4


def test_the_guides_command_for_debugging(mine: Path) -> None:
    text = GUIDE.read_text("utf-8").partition("To debug: `")[2].partition("`")[0]
    variable, program, *arguments = shlex.split(text)
    assert program == "tarocchino"
    name, _, value = variable.partition("=")
    subprocess.run(
        [sys.executable, "-m", "analysis", *arguments],
        env=os.environ | {name: value, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        check=True,
        timeout=100,
    )
    type_in(f"tarocchino {shlex.join(arguments)}x")  # to runs/debugx, compiled
    debugged, compiled = (Run.open(f"runs/debug{end}").to_arrow() for end in ("", "x"))
    assert debugged.equals(compiled.slice(0, len(debugged)))
