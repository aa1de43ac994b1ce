"""The command line called in process, what it said, and runs to call it on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import sim
from analysis.cli import main
from sim import manifests


class Said(NamedTuple):
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """The one line on standard error; that the engine is being compiled does not count."""
        lines = [line for line in self.err.splitlines() if not line.startswith("Compiling the eng")]
        assert len(lines) == 1, self.err
        assert lines[0].startswith("tarocchino: ")
        return lines[0].removeprefix("tarocchino: ")

    def refused(self, *told: str) -> None:
        """It was bad input: status 2, one line that says all of this, nothing else."""
        assert (self.status, self.out) == (2, ""), self
        for text in told:
            assert text in self.line


Command = Callable[..., Said]


@pytest.fixture
def tarocchino(capsys: pytest.CaptureFixture[str]) -> Command:
    """Call a command with its arguments."""

    def call(*arguments: object) -> Said:
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        assert isinstance(stop.value.code, int)
        return Said(stop.value.code, *capsys.readouterr())

    return call


SIMULATE = ("simulate", "--hands", 250, "--policy", "random")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_parts: None) -> Path:
    """The current folder, an empty one; runs come in parts of 100 hands."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def made(out: str = "run", **options: object) -> Path:
    """The run of 250 hands that SIMULATE makes."""
    sim.simulate(hands=250, policies="random", out=out, **options)  # type: ignore[arg-type]
    return Path(out)


def unfinished(out: str = "run") -> Path:
    """The same without its second part."""
    data = json.loads((made(out) / "manifest.json").read_text())
    del data["parts"][1]
    Path(out, "manifest.json").write_text(json.dumps(data))
    Path(out, "hands", manifests.part_file(1)).unlink()
    return Path(out)
