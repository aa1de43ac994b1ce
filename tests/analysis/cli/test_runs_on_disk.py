"""``--resume``, ``summary`` and ``replay``: runs that stopped, are damaged, or are none."""

from __future__ import annotations

import errno
import itertools
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import sim
from sim import manifests, records
from sim.policies.spec import parse_policies
from sim.replaying import replay
from sim.text import format_replay
from tests.analysis.cli.conftest import SIMULATE, Command, made, unfinished
from tests.helpers import LOWEST, POLICY_HEAD, contents, parts_of, policy_file

pytestmark = pytest.mark.usefixtures("folder")


# ---- failures during a run, and resuming ----------------------------------------------------

# Illegal in one hand of many, which depends on the cards alone.
REVOKING = """
@policy.play
def f(view, weights):
    if view.table.trick == 9 and view.hand % 97 == 0:
        return highest(view.hand) if view.legal != view.hand else -1, 0
    return lowest(view.legal), 0
"""


def test_an_illegal_play_stops_the_run_and_is_shown(tarocchino: Command, folder: Path) -> None:
    spec = f"{policy_file(folder, REVOKING)}:f"
    said = tarocchino("simulate", "--hands", 1000, "--policy", spec, "--out", "a run")
    assert (said.status, said.out) == (1, "")
    told, _, shown_by = said.line.partition("; ")
    hand = told.split()[1].rstrip(",")
    assert told.startswith(f"hand {hand}, seat ") and told.endswith(" in trick 9, which is illegal")
    assert shown_by == f"tarocchino replay 'a run' {hand} --policy {spec} shows it"
    shown = tarocchino("replay", "a run", hand, "--policy", spec)
    assert (shown.status, shown.line) == (1, told)
    assert "Broken off" in shown.out and told in shown.out
    shown = tarocchino("replay", "a run", hand, "--policy", spec, "--json")
    assert shown.status == 1 and json.loads(shown.out)["error"] == told


def test_a_full_disk_leaves_whole_parts(
    tarocchino: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, numbers = records.pq.write_table, itertools.count(1)

    def write_until_full(table, path, **options):
        if next(numbers) > 2:
            raise OSError(errno.ENOSPC, "Error writing bytes to file")
        write(table, path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(records.pq, "write_table", write_until_full)
        said = tarocchino(*SIMULATE, "--out", "run", "--threads", 1)
    assert (said.status, said.out, said.line) == (
        1,
        "",
        f"run cannot be written: {os.strerror(errno.ENOSPC)}; "
        "go on with tarocchino simulate --resume run",
    )
    assert parts_of(Path("run")) == [0, 100]
    assert tarocchino("simulate", "--resume", "run").status == 0
    assert contents(Path("run")) == contents(made("whole"))


def test_an_interrupt_says_how_to_go_on(
    tarocchino: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = f"{policy_file(folder, LOWEST)}:bottom"

    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    command = ("simulate", "--hands", 250, "--policy", spec, "--out", "a run")
    with monkeypatch.context() as patch:
        patch.setattr("sim.run.simulate", interrupt)
        said = tarocchino(*command)
    assert (said.status, said.out, said.line) == (130, "", "interrupted: nothing was written")
    with monkeypatch.context() as patch:
        patch.setattr(records.pq, "write_table", interrupt)
        said = tarocchino(*command)
    expected = f"go on with tarocchino simulate --resume 'a run' --policy {spec}"
    assert (said.status, said.out, said.line) == (130, "", f"interrupted: {expected}")
    assert tarocchino("simulate", "--resume", "a run", "--policy", spec).status == 0
    with monkeypatch.context() as patch:
        patch.setattr("analysis.frequencies.summarise", interrupt)
        said = tarocchino("summary", "a run")
    assert (said.status, said.out, said.line) == (130, "", "interrupted")


GONE = "memory://cli/gone"


@pytest.mark.parametrize(
    ("kind", "status", "told"),
    [
        (RuntimeError, 1, f"{GONE}/hands/part-000001.parquet cannot be written or read: gone; "),
        (KeyboardInterrupt, 130, "interrupted: "),
    ],
)
def test_an_object_store_that_goes_away(
    tarocchino: Command,
    monkeypatch: pytest.MonkeyPatch,
    kind: type[BaseException],
    status: int,
    told: str,
) -> None:
    memory = type(pytest.importorskip("fsspec").filesystem("memory"))
    pytest.importorskip("upath")
    place, pipe, times = GONE, memory.pipe_file, itertools.count(1)

    def gone(*arguments: object, **options: object) -> None:
        raise RuntimeError("gone")

    def gone_later(*arguments: object, **options: object) -> None:
        time = next(times)
        if time > 3:  # the lock, the manifest, a part
            patch.setattr(memory, "exists", gone)
            raise kind("gone") if time == 4 else RuntimeError("gone")
        pipe(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(memory, "exists", gone)
        tarocchino(*SIMULATE, "--out", place).refused(f"{place} cannot be written or read: gone")
    with monkeypatch.context() as patch:
        patch.setattr(memory, "pipe_file", gone_later)
        said = tarocchino(*SIMULATE, "--threads", 1, "--out", place)
    assert (said.status, said.out) == (status, "")
    assert said.line == f"{told}go on with tarocchino simulate --resume {place}"
    assert tarocchino("simulate", "--resume", place).status == 0
    assert contents(records.run_path(place)) == contents(made())
    memory().rm("/cli/gone", recursive=True)


def test_an_unfinished_run_is_completed(tarocchino: Command) -> None:
    out = unfinished()
    said = tarocchino("summary", out)
    assert said.status == 0
    assert "ottocento: 150 hands" in said.out
    assert "The run is unfinished: 150 of 250 hands." in said.out
    assert tarocchino("simulate", "--resume", out).status == 0
    assert contents(out) == contents(made("whole"))


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (["--hands", 250], "--hands does not go with --resume: expected none, since"),
        (["--seed", 1], "--seed does not go"),
        (["--rules", "ottocento"], "--rules does not go"),
        (["--out", "other"], "--out does not go"),
        (["--columns", "dealer"], "--columns does not go"),
        (["--log-plays"], "--log-plays does not go"),
        (["--policy", "simple"], "the policy simple is not the one recorded, random"),
    ],
)
def test_a_run_is_resumed_as_it_was_begun(
    tarocchino: Command, option: list[object], told: str
) -> None:
    out = unfinished()
    before = contents(out)
    tarocchino("simulate", "--resume", out, *option).refused(told)
    assert contents(out) == before


def test_a_run_that_another_writes_is_refused(tarocchino: Command) -> None:
    out = unfinished()
    with sim.run_directory.only_writer(out):
        tarocchino("simulate", "--resume", out).refused("is being written by another run")


# ---- what is no run, or damaged -------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [["summary", "run"], ["replay", "run", 7], ["simulate", "--resume", "run"]],
    ids=lambda command: command[0],
)
def test_what_is_no_run_is_refused(tarocchino: Command, command: list[object]) -> None:
    tarocchino(*command).refused("run is no run: expected a directory with manifest.json")
    Path("run").write_text("precious")
    tarocchino(*command).refused("run is no directory: expected a run directory")
    Path("run").unlink()
    Path("run").mkdir()
    Path("run", "thesis.txt").write_text("precious")
    tarocchino(*command).refused("run is no run")
    manifest = Path("run", "manifest.json")
    for text in ("", "{", "[]", "\xff", '{"format": 2}', '{"format": 1}', "[" * 10**5):
        manifest.write_bytes(text.encode("latin-1"))
        tarocchino(*command).refused("run/manifest.json")
    shutil.rmtree("run")
    data = json.loads((made() / "manifest.json").read_text())
    for key, value in [("hands", 10**30), ("seed", -1), ("policies", [5] * 4), ("parts", [5])]:
        manifest.write_text(json.dumps(data | {key: value}))
        tarocchino(*command).refused("run/manifest.json is no manifest of a run")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 4
    path.write_bytes(data)


def swap(path: Path) -> None:
    shutil.copy(path.with_name(manifests.part_file(0)), path)


@pytest.mark.parametrize(
    ("damage", "told"),
    [(Path.unlink, "is missing"), (cut, "is damaged"), (flip, "is damaged"), (swap, "another run")],
    ids=["missing", "cut", "flipped", "swapped"],
)
def test_a_damaged_part_is_told_of_and_made_again(
    tarocchino: Command, damage: Callable[[Path], None], told: str
) -> None:
    out = made()
    whole = contents(out)
    damage(out / "hands" / manifests.part_file(1))
    again = "part-000001.parquet", told, "make it again with --resume run"
    tarocchino("replay", out, 150).refused(*again)  # it reads every column
    if damage is not flip:
        tarocchino("summary", out).refused(*again)
        tarocchino(*SIMULATE, "--out", out).refused(*again)
    assert tarocchino("simulate", "--resume", out).status == 0
    assert contents(out) == whole


# ---- replay ---------------------------------------------------------------------------------


def test_a_hand_is_replayed_as_text_and_json(tarocchino: Command) -> None:
    out = made()
    played = replay(sim.OTTOCENTO, parse_policies("random"), 1, 237)
    said = tarocchino("replay", out, 237)
    assert (said.status, said.out) == (0, format_replay(played))
    said = tarocchino("replay", out, "2.37e2", "--json")
    assert said.status == 0 and said.out.count("\n") == 1
    assert json.loads(said.out) == json.loads(json.dumps(played.to_dict()))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([250], "hand 250 is not in run: expected 0 to 249"),
        (["--", -1], "hand -1 is not in run: expected 0 to 249"),
        ([10**20], "is not in run: expected 0 to 249"),
        (["first"], "Invalid value for 'NUMBER': 'first' is no count"),
        ([7, "--policy", "simple"], "the policy simple is not the one recorded, random"),
        ([7, "--policy", "clever"], "unknown policy 'clever'"),
    ],
)
def test_a_hand_that_cannot_be_replayed_is_refused(
    tarocchino: Command, arguments: list[object], told: str
) -> None:
    tarocchino("replay", made(), *arguments).refused(told)


def test_a_hand_that_was_played_otherwise_is_told_of(tarocchino: Command) -> None:
    out = made()
    path = out / "hands" / manifests.part_file(0)
    table = pq.read_table(path)
    score0 = table["score0"].to_numpy().copy()
    score0[3] += 1
    table = table.set_column(table.column_names.index("score0"), "score0", [score0])
    pq.write_table(table, path)
    assert tarocchino("replay", out, 2).status == 0
    tarocchino("replay", out, 3).refused("hand 3 has score0 =", "when played again")


def test_policy_files_are_looked_for_where_one_says(tarocchino: Command, folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    mine = policy_file(folder / "elsewhere", LOWEST)
    made_by = tarocchino("simulate", "--hands", 20, "--policy", f"{mine}:bottom", "--out", "run")
    assert made_by.status == 0
    tarocchino("replay", "run", 7).refused("the policy file mine.py cannot be read")
    said = tarocchino("replay", "run", 7, "--policy", "elsewhere/mine.py:bottom")
    assert said.status == 0 and "mine.py:bottom" in said.out
    shutil.move(mine, folder)
    assert tarocchino("replay", "run", 7).out == said.out
    (folder / "mine.py").write_text(POLICY_HEAD + LOWEST + "# another\n")
    tarocchino("replay", "run", 7).refused("has changed since: expected the file with the sha256")
