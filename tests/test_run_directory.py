"""Where a run may be written, by whom, and what a full disk leaves."""

import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim import manifests, records, run_directory
from sim.game_runs import GamesRun, simulate_games
from sim.manifests import RunError
from sim.policies.policy import PolicyError
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA
from sim.run import Run, resume, simulate
from tests.helpers import compiled_only, contents, held_run, parts_of

pytestmark = pytest.mark.usefixtures("small_parts")


# ---- where a run may go -------------------------------------------------------------------


def test_the_same_command_again_does_nothing(tmp_path: Path) -> None:
    out = tmp_path / "new" / "run"  # folders are made
    first = simulate(OTTOCENTO, 250, policies="random", out=out)
    times = {path: path.stat().st_mtime_ns for path in out.rglob("*.*") if path.suffix}
    again = simulate(OTTOCENTO, 250, policies="random", out=str(out), threads=1)
    assert again.manifest == first.manifest
    assert again.to_arrow().equals(first.to_arrow())
    assert times == {path: path.stat().st_mtime_ns for path in out.rglob("*.*") if path.suffix}


def test_a_damaged_run_is_told_of_by_the_same_command(tmp_path: Path) -> None:
    simulate(OTTOCENTO, 250, policies="random", out=tmp_path)
    (tmp_path / "hands" / "part-000001.parquet").unlink()
    with pytest.raises(RunError, match=r"part-000001\.parquet is missing: make it again with"):
        simulate(OTTOCENTO, 250, policies="random", out=tmp_path)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"hands": 251}, "holds another run \\(hands 250\\)"),
        ({"seed": 2}, "another run \\(seed 1\\)"),
        ({"rules": OTTOCENTO_DIGITAL}, "other rules"),
        ({"rules": PARTITA}, "other rules"),
        ({"policies": "simple"}, "other policies"),
        ({"policies": ["random", "simple"]}, "other policies"),
        ({"columns": ["score0"]}, "other columns"),
        ({"log_plays": True}, "other columns"),
    ],
)
def test_the_directory_of_another_run_is_refused(
    tmp_path: Path, changes: dict[str, object], told: str
) -> None:
    same = {"rules": OTTOCENTO, "hands": 250, "seed": 1, "policies": "random", "out": tmp_path}
    simulate(**same)  # type: ignore[arg-type]
    before = contents(tmp_path)
    with pytest.raises(RunError, match=told) as error:
        simulate(**{**same, **changes})  # type: ignore[arg-type]
    assert "give another --out" in str(error.value)
    assert contents(tmp_path) == before


def test_a_directory_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(RunError, match="holds other files: expected a new or empty directory"):
        simulate(OTTOCENTO, 10, out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    with pytest.raises(RunError, match="is no directory"):
        simulate(OTTOCENTO, 10, out=tmp_path / "thesis.txt")
    with pytest.raises(RunError, match="cannot be written"):
        simulate(OTTOCENTO, 10, out=tmp_path / "thesis.txt" / "run")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(RunError, match="cannot be written: Permission denied"):
        simulate(OTTOCENTO, 10, out=tmp_path / "run")


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with held_run(OTTOCENTO, tmp_path / "run"):
        with pytest.raises(RunError, match="being written by another run"):
            resume(tmp_path / "run")
        with pytest.raises(RunError, match="holds this run unfinished"):
            simulate(OTTOCENTO, 250, policies="random", out=tmp_path / "run")
    simulate(OTTOCENTO, 250, policies="random", out=tmp_path / "whole")
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_two_writers_who_both_found_it_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The other makes its run between our look at the directory and our lock.
    lock = run_directory.only_writer

    def late(directory: Path):
        monkeypatch.setattr(run_directory, "only_writer", lock)
        simulate(OTTOCENTO, 250, seed=2, policies="random", out=directory)
        return lock(directory)

    monkeypatch.setattr(run_directory, "only_writer", late)
    with pytest.raises(RunError, match="another run \\(seed 2\\)"):
        simulate(OTTOCENTO, 250, seed=1, policies="random", out=tmp_path / "run")
    assert parts_of(tmp_path / "run") == [0, 100, 200]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"hands": 0}, "0 hands: expected 1 to 100000000000"),
        ({"hands": -5}, "-5 hands"),
        ({"hands": 10**11 + 1}, "100000000001 hands"),
        ({"seed": -1}, "seed -1: expected 0 to 18446744073709551615"),
        ({"seed": 2**64}, "seed 18446744073709551616"),
    ],
)
def test_wrong_arguments_write_nothing(tmp_path: Path, changes: dict[str, int], told: str) -> None:
    with pytest.raises(RunError, match=told):
        simulate(OTTOCENTO, **{"hands": 10, **changes}, out=tmp_path / "run")  # type: ignore[arg-type]
    with pytest.raises(PolicyError):
        simulate(OTTOCENTO, 10, policies="clever", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


# ---- URLs ---------------------------------------------------------------------------------


@pytest.fixture
def store() -> Iterator[str]:
    """The URL of an object store in memory."""
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("upath")
    memory = fsspec.filesystem("memory")
    yield "memory://bucket/run"
    memory.rm("/bucket", recursive=True)


def test_a_run_in_an_object_store_has_the_same_bytes(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    local = simulate(OTTOCENTO, 450, policies="random", out=tmp_path)
    run = simulate(OTTOCENTO, 450, policies="random", out=store)
    assert str(run.directory) == store
    assert run.to_arrow().equals(local.to_arrow())
    place = records.run_path(store)
    files = {path: (tmp_path / path).read_bytes() for path in contents(tmp_path)}
    assert files == {path: (place / path).read_bytes() for path in files}
    assert sum(path.is_file() for path in place.rglob("*")) == len(files)
    # As in a directory.
    assert simulate(OTTOCENTO, 450, policies="random", out=store).manifest.finished
    with pytest.raises(RunError, match=f"{store} holds another run \\(seed 1\\)"):
        simulate(OTTOCENTO, 450, seed=2, policies="random", out=store)
    (place / "hands" / "part-000001.parquet").unlink()
    with pytest.raises(RunError, match=r"part-000001\.parquet is missing"):
        Run.open(store)
    cut = place / "hands" / "part-000002.parquet"
    cut.write_bytes(cut.read_bytes()[:-100])
    resume(store)
    assert files == {path: (place / path).read_bytes() for path in files}
    games = simulate_games(PARTITA, 20, policies="random", keep="hands", out=f"{store}s")
    assert GamesRun.open(f"{store}s").to_arrow("hands").equals(games.to_arrow("hands"))


def test_what_fails_in_a_store_leaves_no_half_part(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, numbers = records.pq.write_table, itertools.count(1)

    def write_until_full(table, path, **options):
        write(table, path, **options)
        if next(numbers) > 3:
            path.write_bytes(path.read_bytes()[:500])
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(records.pq, "write_table", write_until_full)
        with pytest.raises(OSError, match="No space left"):
            simulate(OTTOCENTO, 1_150, policies="random", out=store, threads=2)
    run = Run.open(store)
    assert len(run.manifest.parts) == len(list(run.batches())) == 3
    assert resume(store).manifest.finished


def test_urls_that_cannot_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("upath")
    with pytest.raises(RunError, match="Unsupported filesystem: 'what'"):
        simulate(OTTOCENTO, 10, out="what://bucket/run")
    assert records.run_path(f"file://{tmp_path}/run") == tmp_path / "run"
    monkeypatch.setitem(sys.modules, "upath", None)
    told = r"memory://bucket/run needs more packages: .* pip install 'tarocchino\[cluster\]'"
    with pytest.raises(RunError, match=told):
        simulate(OTTOCENTO, 10, out="memory://bucket/run")


# ---- many parts ---------------------------------------------------------------------------


def test_the_manifest_is_not_written_after_each_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, written = run_directory.write_manifest, []

    def count(directory: Path, manifest: manifests.Manifest) -> None:
        written.append(len(manifest.parts))
        write(directory, manifest)

    monkeypatch.setattr(run_directory, "write_manifest", count)
    monkeypatch.setattr(manifests, "PART", 1)
    simulate(PARTITA, 200, policies="random", columns=["dealer"], out=tmp_path)
    assert written[0] == 0 and written[-1] == 200
    assert len(written) < 20
    # Where a part takes 2 seconds, and to write the manifest takes 2 as well: once in 40.
    clock = itertools.count(step=2)
    monkeypatch.setattr(run_directory, "monotonic", lambda: next(clock))
    written.clear()
    simulate(PARTITA, 30, policies="random", out=tmp_path / "slow")
    assert written == [0, 1, 20, 30]


def test_parts_that_a_killed_run_did_not_tell_are_found(tmp_path: Path) -> None:
    simulate(PARTITA, 450, policies="random", out=tmp_path)
    whole, told = contents(tmp_path), records.read_manifest(tmp_path)
    told.parts = told.parts[1:2]
    records.write_manifest(tmp_path, told)
    lost, cut = (
        tmp_path / "hands" / "part-000000.parquet",
        tmp_path / "hands" / "part-000003.parquet",
    )
    lost.unlink()
    cut.write_bytes(cut.read_bytes()[:-100])
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    resume(tmp_path)
    assert contents(tmp_path) == whole
    changed = {path for path, time_ in times.items() if path.stat().st_mtime_ns != time_}
    assert changed == {cut}


def test_the_ranges_of_the_largest_run_are_no_list() -> None:
    policies = [policy.to_dict() for policy in parse_policies("random")]
    largest = manifests.Manifest(PARTITA, 1, manifests.LARGEST_RUN, policies, ["hand_id"])
    ranges = largest.ranges
    assert [next(ranges), next(ranges)] == [range(100), range(100, 200)]


# ---- a full disk --------------------------------------------------------------------------


def test_a_full_disk_leaves_whole_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, write, numbers = tmp_path / "run", records.pq.write_table, itertools.count(1)

    def write_until_full(table, path, **options):
        write(table, path, **options)
        if next(numbers) > 3:
            path.write_bytes(path.read_bytes()[:500])
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(records.pq, "write_table", write_until_full)
        with pytest.raises(OSError, match="No space left"):
            simulate(OTTOCENTO, 1_150, policies="random", out=out, threads=2)
    assert len(parts_of(out)) == 3
    assert not list(out.rglob("*.tmp"))
    resume(out)
    simulate(OTTOCENTO, 1_150, policies="random", out=tmp_path / "whole")
    assert contents(out) == contents(tmp_path / "whole")


def test_a_disk_full_from_the_start_does_not_stand_in_the_way_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        with pytest.raises(OSError, match="No space left"):
            simulate(OTTOCENTO, 150, policies="random", out=tmp_path / "run")
    assert simulate(OTTOCENTO, 150, policies="random", out=tmp_path / "run").manifest.finished


@compiled_only
def test_a_small_disk_that_fills_up(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("no file system can be mounted")
    try:
        with pytest.raises(OSError, match="space left"):
            simulate(OTTOCENTO, 5_000, policies="random", out=disk / "run")
        there = {path: path.stat().st_mtime_ns for path in disk.rglob("*.parquet")}
        assert 0 < len(there) < 50
        assert not list(disk.rglob("*.tmp"))
        subprocess.run(["mount", "-o", "remount,size=16m", str(disk)], check=True)
        assert resume(disk / "run").manifest.finished
        simulate(OTTOCENTO, 5_000, policies="random", out=tmp_path / "whole")
        assert contents(disk / "run") == contents(tmp_path / "whole")
        assert there == {path: path.stat().st_mtime_ns for path in there}, "made again"
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)
