"""The command as a whole: help, exit statuses, interrupts, a reader that goes away."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

import analysis.cli
from sim.cards import CardError
from sim.manifests import RunError, part_file
from sim.policies.policy import PolicyError
from sim.records import read_manifest
from sim.rules import RulesError
from sim.run import resume, simulate
from tests.analysis.cli.conftest import Command
from tests.helpers import compiled_only, contents

COMPILING = "Compiling the engine, once: about ten seconds.\n"
SHELL = [sys.executable, "-m", "analysis"]
COMMANDS = sorted(
    str(command.callback.__name__) for command in analysis.cli.app.registered_commands
)


# ---- help -----------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_without_a_command_there_is_help(tarocchino: Command, arguments: tuple[str, ...]) -> None:
    said = tarocchino(*arguments)
    assert (said.status, said.err) == (0, "")
    listed = [line.split()[0] for line in said.out.partition("Commands:")[2].splitlines() if line]
    assert sorted(listed) == COMMANDS
    assert {"simulate", "summary", "replay", "score"} <= set(COMMANDS)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_whole_on_a_narrow_terminal(
    tarocchino: Command, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = tarocchino(*command.split(), "--help")
    assert (said.status, said.err) == (0, "")
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert "..." not in re.sub(r"(\[ARGS\]|SPEC}?)\.{3}", "", said.out)  # nothing is cut off
    assert "``" not in said.out


# ---- exit statuses --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["deal"], "No such command 'deal': expected what tarocchino --help tells"),
        (["--deal"], "No such option: --deal"),
        (["score", "SK", "--deal"], "No such option: --deal"),
        (["score", "SK", "SQ"], "unexpected extra argument"),
        (["score"], "Missing argument 'CARDS': expected what tarocchino score --help tells"),
        (["summary"], "Missing argument 'RUN'"),
        (["replay", "run"], "Missing argument 'NUMBER'"),
        (["games", "--games"], "'--games' requires an argument: expected what tarocchino"),
        (["signals", "--seed", "-1"], "seed -1: expected 0 to 18446744073709551615"),
        (["signals", "--told", "1e9"], "1000000000 hands of statements: expected 1 to 1000000"),
        (
            ["simulate", "--keep", "summary", "--log-plays"],
            "--log-plays with --keep summary: expected --keep rows",
        ),
    ],
)
def test_wrong_use_of_the_command_is_refused(
    tarocchino: Command, arguments: list[str], told: str
) -> None:
    tarocchino(*arguments).refused(told)


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        *((kind("wrong"), 2, "wrong") for kind in (CardError, PolicyError, RulesError, RunError)),
        (typer.BadParameter("wrong"), 2, "Invalid value: wrong"),
        (PermissionError(errno.EACCES, "Permission denied", "run"), 2, "Permission denied: run"),
        (OSError(errno.ENOSPC, "No space left", "run"), 1, "No space left: run"),
        (OSError(errno.EIO, "Input/output error"), 1, "Input/output error"),
        (RuntimeError("broken\n off"), 1, "broken off"),
        (ZeroDivisionError(), 1, "ZeroDivisionError:"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (typer.Abort(), 130, "interrupted"),
    ],
)
def test_every_error_is_one_line_and_a_status(
    tarocchino: Command,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    status: int,
    told: str,
) -> None:
    def fail(*arguments: object) -> None:
        raise error

    monkeypatch.setattr("sim.combinations.score", fail)
    said = tarocchino("score", "SK")
    assert (said.status, said.out, said.line) == (status, "", told)


# ---- in a process of its own ----------------------------------------------------------------


def test_python_m_analysis_is_the_command() -> None:
    installed = Path(sys.executable).with_name("tarocchino")
    said = [
        subprocess.run([*command, "score", "--json", "SK SQ Fool"], capture_output=True, check=True)
        for command in (SHELL, [str(installed)])
        if Path(command[0]).exists()
    ]
    assert {each.stdout for each in said} == {said[0].stdout}
    assert json.loads(said[0].stdout)["cards"] == ["SQ", "SK", "Fool"]
    assert not said[0].stderr


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cli") / "run"
    simulate(hands=200, policies="random", out=out)
    return out


def test_a_reader_may_go_away(run: Path) -> None:
    """As with ``| head -1``."""
    reader, writer = os.pipe()
    os.close(reader)
    for arguments in (["summary", str(run)], ["replay", str(run), "7"]):
        said = subprocess.run(
            [*SHELL, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60
        )
        assert said.returncode == 1
        assert not said.stderr.replace(COMPILING, "")
    os.close(writer)


def test_letters_that_a_terminal_lacks_do_not_stop_it(run: Path) -> None:
    said = subprocess.run(
        [*SHELL, "summary", str(run)],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert b"Declared, % of hands" in said.stdout


# Python ignores the signal if what started it does, as shells do in the background.
INTERRUPTIBLE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from analysis.cli import main
main()
"""


@compiled_only
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    out, whole = tmp_path / "a run", tmp_path / "whole"
    command = "simulate --hands 1e6 --policy random --columns score0,score1 --json --out"
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *command.split(), str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (out / "hands" / part_file(0)).exists() and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    printed, told = process.communicate(timeout=60)
    assert (process.returncode, printed) == (130, "")
    assert told.splitlines()[-1] == (
        f"tarocchino: interrupted: go on with tarocchino simulate --resume '{out}'"
    )
    assert not read_manifest(out).finished
    resume(out)
    simulate(hands=1_000_000, policies="random", columns=["score0", "score1"], out=whole)
    assert contents(out) == contents(whole)


def test_no_command_waits_for_what_it_does_not_use() -> None:
    code = """
import sys, analysis.cli
try:
    analysis.cli.main(sys.argv[1:])
except SystemExit as stop:
    assert not stop.code
assert not {"matplotlib", "pandas"} & set(sys.modules)
"""
    for arguments in (["--help"], ["score", "SK", "--json"]):
        subprocess.run([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, check=True)
