"""How the texts of options are read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import typer

from analysis.cli.options import chart, count, half_width, level, threads
from tests.analysis.cli.conftest import Command


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("1000", 1000),
        ("1_000_000", 1_000_000),
        ("1e6", 10**6),
        ("2.5e3", 2500),
        ("7.0", 7),
        ("-5", -5),
        ("18446744073709551615", 2**64 - 1),  # past the 53 bits of a float
        ("9007199254740993", 2**53 + 1),
        ("1e19", 10**19),
    ],
)
def test_counts_are_read_exactly(text: str, number: int) -> None:
    found = count(text)
    assert (found, type(found)) == (number, int)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "_",
            "many",
            "1.5",
            "1e-3",
            "nan",
            "-nan",
            "snan",
            "inf",
            "-inf",
            "0x10",
            "1 0",
            "1,0",
        ),
        *("1e400", "1e999999999", "1e-999999999"),  # at once, not after filling the memory
    ],
)
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="is no count: expected a whole number such as"):
        count(text)


def test_half_widths_are_above_0() -> None:
    assert [half_width(text) for text in ("0.5", "1e-3", "12")] == [0.5, 0.001, 12]
    for text in ("0", "-1", "inf", "nan", "narrow", ""):
        with pytest.raises(typer.BadParameter, match="expected a number above 0, such as"):
            half_width(text)


def test_threads_are_one_at_least() -> None:
    assert threads("3") == 3
    for text in ("0", "-1"):
        with pytest.raises(typer.BadParameter, match=f"{text} threads: expected at least 1"):
            threads(text)
    with pytest.raises(typer.BadParameter, match="is no count"):
        threads("all")


def test_levels_lie_between_0_and_1() -> None:
    assert level("0.95") == 0.95
    for text in ("0", "1", "2", "-0.5", "nan", "inf", "95%", ""):
        with pytest.raises(typer.BadParameter, match="is no level: expected a number between 0 an"):
            level(text)


@pytest.mark.parametrize("name", ["chart", "chart.png", "chart.SVG", "chart.pdf", "new/er/chart"])
def test_charts_may_be_saved_in_new_folders(tmp_path: Path, name: str) -> None:
    assert chart(str(tmp_path / name)) == tmp_path / name
    assert not list(tmp_path.iterdir())


def test_charts_that_cannot_be_saved_are_refused_before_a_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name, told in (
        ("chart.gif", r"the suffix \.gif: expected \.png, \.svg, \.pdf or none"),
        ("run.v2", r"the suffix \.v2"),
        ("file/chart.png", "nothing can be written to"),
        ("file/new/chart", "nothing can be written to"),
    ):
        with pytest.raises(typer.BadParameter, match=told):
            chart(str(tmp_path / name))
    for name in ("", ".", "/"):
        with pytest.raises(typer.BadParameter, match="has no name: expected a file"):
            chart(name)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(typer.BadParameter, match="nothing can be written to"):
        chart(str(tmp_path / "chart"))


REFUSED = [
    "simulate --hands 0",
    "simulate --hands 8 --where x",
    "simulate --hands 8 --out file",
    "games --games 0",
    "replay run 900",
    "explain run 900 --seat 0",
    "compare simple",
    "compare simple random --hands 3",
    "compare simple random --payoff x",
    "discard SK",
    "equity --hands 3",
    "equity --score 900-0",
    "pagat --hands 0",
    "signals --hands 3",
    "signals --policy simple",
    "charts --out new --seed -1",
]


def test_that_the_engine_is_compiled_is_said_when_it_is_not_before_a_refusal(
    tarocchino: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.kernels.compiling.is_compiled", lambda: False)
    (folder / "file").touch()
    said = tarocchino("simulate", "--hands", 250, "--policy", "random", "--out", "run")
    assert said.err.count("Compiling the engine, once: about ten seconds.\n") == 1
    for command in REFUSED:
        said = tarocchino(*command.split())
        assert said.status == 2 and "Compiling" not in said.err, command
    assert tarocchino("summary", "run").err == ""
