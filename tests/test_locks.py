"""Who may write to a run in an object store. Local folders are in test_run_directory."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sim import locks, run, run_directory
from sim.locks import only_writer
from sim.manifests import RunError
from sim.records import run_path
from sim.rules import PARTITA
from sim.run import Run, resume, simulate
from sim.stores import StoreError
from tests.dask_cluster import wait_for
from tests.helpers import contents, held_run

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("upath")
pytestmark = pytest.mark.usefixtures("small_parts")
STORE = "memory://locks/run"
REFUSED = f"^{STORE} is being written by another run: expected it free$"


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A run directory in an object store in memory, with quick signs of life."""
    monkeypatch.setattr(locks, "BEAT", 0.05)
    memory = fsspec.filesystem("memory")
    memory.mkdir("/locks")
    yield run_path(STORE)
    memory.rm("/locks", recursive=True)


def left(place: Path) -> list[str]:
    """The names of the objects beside the folders of a run."""
    return sorted(path.name for path in place.iterdir() if path.is_file())


def test_a_second_writer_is_refused(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "AWAITED", 30)  # on a busy machine a beat may be late
    with held_run(PARTITA, STORE):
        time.sleep(1.2 * locks.AWAITED * locks.BEAT)  # he lives on
        with pytest.raises(RunError, match=REFUSED):
            resume(STORE)
        assert Run.open(STORE).hands == 0  # a reader is not
        assert left(place) == [".lock", "manifest.json"]
    simulate(PARTITA, 250, policies="random", out=tmp_path)
    assert contents(place) == contents(tmp_path)
    assert left(place) == ["manifest.json"]


@pytest.mark.parametrize("begun", [False, True])
def test_the_lock_of_a_killed_writer_is_taken_over(place: Path, begun: bool) -> None:
    if begun:
        simulate(PARTITA, 250, policies="random", out=STORE)
        (place / "hands" / "part-000001.parquet").unlink()
    (place / ".lock").write_bytes(b"killed 7")
    began = time.monotonic()
    made = resume(STORE) if begun else simulate(PARTITA, 250, policies="random", out=STORE)
    assert time.monotonic() - began > locks.AWAITED * locks.BEAT
    assert made.manifest.finished and made.hands == 250
    assert left(place) == ["manifest.json"]


def test_of_many_who_take_a_lock_over_one_has_it(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "BEAT", 0.3)
    (place / ".lock").write_bytes(b"killed 7")
    newcomers, done = threading.Barrier(5), threading.Barrier(5)

    def write(_: int) -> bool:
        newcomers.wait(60)
        try:
            with only_writer(run_path(STORE)) as check:
                check()
                done.wait(60)
                return True
        except RunError:
            done.wait(60)
            return False

    with ThreadPoolExecutor(5) as pool:
        assert sorted(pool.map(write, range(5))) == [False] * 4 + [True]
    assert left(place) == []


@pytest.mark.parametrize("kind", [RuntimeError, KeyboardInterrupt])
def test_the_lock_is_gone_after_a_failure(
    place: Path, kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        assert (place / ".lock").exists()
        raise kind

    with monkeypatch.context() as patch:
        patch.setattr(run_directory, "map_parts", fail)
        with pytest.raises(kind):
            simulate(PARTITA, 250, policies="random", out=STORE)
    assert left(place) == ["manifest.json"]
    assert not any("_beat" in thread.name for thread in threading.enumerate())
    assert resume(STORE).manifest.finished


def test_who_slept_and_was_taken_over_stops(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = run._make_part

    def taken_over(*arguments):
        (place / ".lock").write_bytes(b"another 1")
        return make(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(run, "_make_part", taken_over)
        with pytest.raises(RunError, match=REFUSED):
            simulate(PARTITA, 250, policies="random", out=STORE)
    # The other's lock and what he may have written of the manifest are as he left them.
    assert (place / ".lock").read_bytes() == b"another 1"
    assert not Run.open(STORE).manifest.parts
    assert resume(STORE).manifest.finished


def test_a_store_that_does_not_answer_for_a_while_costs_no_lock(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*arguments: object, **options: object) -> None:
        raise ConnectionError("gone")

    kind = type(fsspec.filesystem("memory"))
    with only_writer(place) as check:
        for method in ("cat_file", "pipe_file"):
            with monkeypatch.context() as patch:
                patch.setattr(kind, method, gone)
                time.sleep(3 * locks.BEAT)
                if method == "cat_file":
                    with pytest.raises(StoreError, match=f"^{STORE} cannot be .*: gone$"):
                        check()
        first = (place / ".lock").read_bytes()
        wait_for(lambda: (place / ".lock").read_bytes() != first)
        check()
    assert left(place) == []
