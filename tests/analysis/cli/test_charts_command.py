"""``tarocchino charts``: the files it makes, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.cli.conftest import Command
from tests.helpers import compiled_only

pytestmark = compiled_only


def test_charts_are_made_and_what_is_left_out_is_said(tarocchino: Command, tmp_path: Path) -> None:
    out = tmp_path / "charts"
    flags = ("--policy", "simple", "--rules", "partita", "--hands", "2e3", "--threads", 2)
    said = tarocchino("charts", "--out", out, *flags)
    assert said.status == 0, said
    assert f"{out / 'strategy.pdf'}" in said.out
    assert "Left out: middle trumps: partita has no combinations." in said.out
    assert (out / "strategy.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--hands", 10), "10 hands: expected 1000 or more"),
        (("--policy", "nobody"), "nobody"),
        (("--rules", "whist"), "whist"),
        (("--seed", -1), "seed -1"),
        (("--level", 2), "'2' is no level"),
    ],
)
def test_bad_input_is_refused_and_nothing_written(
    tarocchino: Command, tmp_path: Path, arguments: tuple[object, ...], told: str
) -> None:
    tarocchino("charts", "--out", tmp_path / "charts", *arguments).refused(told)
    assert not (tmp_path / "charts").exists()


def test_a_folder_of_other_files_is_refused(tarocchino: Command, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    tarocchino("charts", "--out", tmp_path).refused("holds letter.txt")
