"""``--keep summary``: what works from sums as from rows, and what says that it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import sim
from sim import manifests
from tests.analysis.cli.conftest import SIMULATE, Command, made
from tests.helpers import contents

pytestmark = pytest.mark.usefixtures("folder")
SUMMED = (*SIMULATE, "--keep", "summary")


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_commands_print_what_they_print_of_rows(
    tarocchino: Command, option: tuple[str, ...]
) -> None:
    of_rows = tarocchino(*SIMULATE, "--out", "rows", *option)
    said = tarocchino(*SUMMED, "--out", "sums", *option)
    assert said.status == 0
    assert said.out == of_rows.out.replace("Run: rows", "Run: sums")
    assert tarocchino("summary", "sums", *option).out == said.out
    of_rows, said = (tarocchino("frequencies", run, *option) for run in ("rows", "sums"))
    assert said.status == 0 and said.out == of_rows.out.replace("Run: rows", "Run: sums")


def test_a_hand_is_played_again_and_explained(tarocchino: Command) -> None:
    made("rows")
    tarocchino(*SUMMED, "--out", "sums")
    for command, *options in (["replay"], ["explain", "--seat", "2"]):
        said = tarocchino(command, "sums", 237, *options)
        assert (said.status, said.out) == (0, tarocchino(command, "rows", 237, *options).out)
    # There is no row to check it with, so it must be the same program.
    manifest = Path("sums", "manifest.json")
    text = manifest.read_text().replace(manifests.PROGRAM, "tarocchino 0.0.9")
    manifest.write_text(text)
    data = json.loads(text)
    manifest.write_text(json.dumps(data | {"parts": []}))
    tarocchino("replay", "sums", 237).refused(
        "made by tarocchino 0.0.9", "keeps no row of hand 237", f"expected {manifests.PROGRAM}"
    )


def test_a_run_is_named_after_what_it_keeps_and_resumed(tarocchino: Command) -> None:
    assert tarocchino(*SUMMED).status == 0
    (run,) = Path("runs").iterdir()
    assert run.name == "ottocento-random-250-seed1-summary"
    whole = contents(run)
    assert set(whole) == {"manifest.json", *(f"summary/{manifests.part_file(i)}" for i in range(3))}
    (run / "summary" / manifests.part_file(1)).unlink()
    tarocchino("summary", run).refused("part-000001.parquet is missing", f"--resume {run}")
    assert tarocchino("simulate", "--resume", run).status == 0
    assert contents(run) == whole
    tarocchino("simulate", "--resume", run, "--keep", "rows").refused("--keep does not go with")


def test_what_cannot_be_is_refused(tarocchino: Command) -> None:
    tarocchino(*SIMULATE, "--keep", "all").refused("keep 'all': expected rows or summary")
    made("rows")
    tarocchino(*SUMMED, "--out", "rows").refused("holds another run (keep rows)")
    sim.simulate(sim.PARTITA, 40, out="partita", keep="summary")
    tarocchino("frequencies", "partita").refused("partita has no combinations")


def test_a_damaged_summary_is_refused(tarocchino: Command) -> None:
    assert tarocchino(*SUMMED, "--out", "sums").status == 0
    path = Path("sums", "summary", manifests.part_file(2))
    data, counts = path.read_bytes(), pq.read_metadata(path).row_group(0).column(12)
    assert counts.path_in_schema == "hands"
    at = counts.data_page_offset + counts.total_compressed_size - 20
    path.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
    tarocchino("summary", "sums").refused("part-000002.parquet is damaged", "--resume sums")
