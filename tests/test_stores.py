"""What an object store raises, and that nothing of it is half there."""

import itertools
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.manifests import RunError
from sim.records import run_path
from sim.rules import PARTITA
from sim.run import Run, resume, simulate
from sim.stores import StoreError, told_by_store

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("upath")
pytestmark = pytest.mark.usefixtures("small_parts")


class Unknown(Exception):
    """Of the package that speaks to a store."""


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Unknown("no\n  credentials"), "no credentials"),
        (Unknown(), "Unknown"),
        (PermissionError("Access Denied"), "Access Denied"),
        (OSError(5, "Input/output error"), "[Errno 5] Input/output error"),
        (FileNotFoundError("no bucket"), "no bucket"),
    ],
)
def test_what_a_store_raises_is_one_line(error: Exception, told: str) -> None:
    place = run_path("memory://stores/run")
    with pytest.raises(StoreError) as raised, told_by_store(place):
        raise error
    assert str(raised.value) == f"{place} cannot be written or read: {told}"
    with pytest.raises(type(error)), told_by_store(place, type(error)):
        raise error
    with pytest.raises(type(error)), told_by_store(Path("run")):
        raise error


@pytest.mark.parametrize("error", [MemoryError(), OSError("no Parquet"), KeyboardInterrupt()])
def test_what_is_not_of_the_store_goes_on(error: BaseException) -> None:
    with pytest.raises(type(error)) as raised, told_by_store(run_path("memory://stores/run")):
        raise error
    assert raised.value is error


@pytest.fixture
def store() -> Iterator[str]:
    """The URL of an object store in memory."""
    yield "memory://stores/run"
    fsspec.filesystem("memory").rm("/stores", recursive=True)


def test_a_store_that_goes_away(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    memory, times = type(fsspec.filesystem("memory")), itertools.count(1)
    pipe = memory.pipe_file

    def gone(store: object, path: str, *more: object, **options: object) -> None:
        # After the manifest and three parts; signs of life may come between.
        if not path.endswith(".lock") and next(times) > 4:
            raise Unknown("gone")
        pipe(store, path, *more, **options)

    with monkeypatch.context() as patch:
        patch.setattr(memory, "pipe_file", gone)
        with pytest.raises(StoreError, match=f"^{store}/.* cannot be written or read: gone$"):
            simulate(PARTITA, 1_150, policies="random", out=store, threads=1)
    assert len(list((run_path(store) / "hands").iterdir())) == 3
    run = resume(store)
    assert run.manifest.finished
    # As it is read: not taken for damage.
    with monkeypatch.context() as patch:
        patch.setattr(memory, "_open", gone)
        with pytest.raises(StoreError, match=r"part-000000\.parquet cannot be .* read: gone$"):
            run.to_arrow()
        patch.setattr(memory, "cat_file", gone)
        with pytest.raises(RunError, match=r"manifest\.json cannot be written or read: gone$"):
            Run.open(store)
        patch.setattr(memory, "exists", gone)
        with pytest.raises(RunError, match=f"^{store}2 cannot be written or read: gone$"):
            simulate(PARTITA, 10, policies="random", out=f"{store}2")


def test_an_error_of_a_store_comes_from_another_process() -> None:
    error = StoreError("s3://bucket cannot be written or read: gone")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("url", ["memory://", "memory:///"])
def test_an_url_of_no_place(url: str) -> None:
    with pytest.raises(RunError, match="names no place: expected an URL such as s3://bucket/run"):
        run_path(url)
