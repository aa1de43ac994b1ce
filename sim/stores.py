"""Object stores, where runs at URLs are: what goes wrong there, told in one way for all kinds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StoreError(RuntimeError):
    """An object store cannot be reached, or refuses."""


@contextmanager
def told_by_store(path: Path, *known: type[Exception]) -> Iterator[None]:
    """Within it, what an object store raises is a StoreError, whatever package speaks to it.

    Let through are the exceptions ``known``, and all that concerns a local path. So is Arrow's
    OSError for a file that is no sound Parquet: of that very type and without a number, which
    those of a store are not.
    """
    try:
        yield
    except Exception as error:
        of_arrow = type(error) is OSError and error.errno is None
        if isinstance(path, Path) or isinstance(error, (StoreError, MemoryError, *known)):
            raise
        if of_arrow:
            raise
        told = " ".join(str(error).split()) or type(error).__name__
        raise StoreError(f"{path} cannot be written or read: {told}") from None


def read_whole(path: Path) -> bytes:
    """A file, or an object by one request: it may be replaced meanwhile, but is never half new.

    Raises FileNotFoundError, OSError, StoreError.
    """
    if isinstance(path, Path):
        return path.read_bytes()
    with told_by_store(path, FileNotFoundError):
        return bytes(path.fs.cat_file(path.path))


def write_object(path: Path, data: bytes) -> None:
    """Put an object into a store, which then has all of it or, if that fails, what it had before.

    Raises StoreError.
    """
    with told_by_store(path):
        path.fs.pipe_file(path.path, data)  # type: ignore[attr-defined]
