"""Who may write to a run directory: one at a time, in a local folder or in an object store."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Event, Thread
from time import sleep
from uuid import uuid4

from filelock import FileLock, Timeout

from sim.manifests import RunError
from sim.stores import StoreError, told_by_store

# Of a lock in an object store: seconds from one sign of life to the next, and how many are awaited
# from one who gives none before he is held for dead.
BEAT, AWAITED = 3.0, 5


@contextmanager
def only_writer(directory: Path) -> Iterator[Callable[[], None]]:
    """Hold a run directory, made if need be, against other writers.

    Yields what raises RunError if another has taken the directory over, as one may who finds that
    we give no sign of life: to be called before the manifest is written.

    Raises RunError if another run is writing it, or it cannot be written.
    """
    local = isinstance(directory, Path)
    lock = FileLock(directory / ".lock", timeout=0) if local else StoreLock(directory / ".lock")
    busy = RunError(f"{directory} is being written by another run: expected it free")
    with place_asked(directory):
        directory.mkdir(parents=local, exist_ok=True)  # a bucket is not made
        try:
            lock.acquire()
        except Timeout:
            raise busy from None

    def check() -> None:
        with told_by_store(directory):
            ours = lock.is_locked
        if not ours:
            raise busy

    try:
        yield check
    finally:
        lock.release()


@contextmanager
def place_asked(directory: Path) -> Iterator[None]:
    """Within it, what hinders from looking into a directory or writing to it is a RunError.

    A full disk is not: it remains an OSError.
    """
    try:
        with told_by_store(directory, RunError):
            yield
    except StoreError as error:
        raise RunError(str(error)) from None
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise RunError(f"{directory} cannot be written: {error.strerror or error}") from None


class StoreLock:
    """A lock in an object store, with the methods of ``FileLock`` that are used here.

    It is an object that one writer creates and then rewrites every ``BEAT`` seconds. A newcomer who
    finds it watches it: if it changes, its writer lives; if it does not in ``AWAITED`` beats, he
    was killed, and the newcomer takes it over. No clocks are compared. A writer who finds
    another's sign in it, or none, has lost it.

    What it cannot exclude: where a store does not create exclusively (S3 does), or several take
    over at once, or one slept for so long that he was held for dead, two may write until one of
    them looks again, which ``only_writer`` has him do before each manifest. Of the same run they
    write the same bytes; a part of another run is told by whoever reads it.
    """

    def __init__(self, path: Path) -> None:
        self.store, self.place = path.fs, path.path  # type: ignore[attr-defined]
        self.token, self.beats = uuid4().hex, count()
        self._ended = Event()
        self._heart = Thread(target=self._beat, daemon=True)

    def acquire(self) -> None:
        """Take it. Raises filelock.Timeout if another writer has it, and what the store raises."""
        try:
            self._sign(mode="create")
        except FileExistsError:
            self._take_over()
        self._heart.start()

    def release(self) -> None:
        """Give it back, if it is still ours. A store that does not answer keeps a dead lock."""
        self._ended.set()
        self._heart.join()
        with suppress(Exception):
            if self.is_locked:
                self.store.rm_file(self.place)

    @property
    def is_locked(self) -> bool:
        """Whether it is ours, as the store has it."""
        return self._read().startswith(self.token.encode())

    def _take_over(self) -> None:
        found = self._read()
        for _ in range(AWAITED):
            sleep(BEAT)
            if self._read() != found:
                raise Timeout(self.place)
        self._sign()
        sleep(BEAT)  # of several who take it over, the last to write has it
        if not self.is_locked:
            raise Timeout(self.place)

    def _beat(self) -> None:
        while not self._ended.wait(BEAT):
            with suppress(Exception):  # a store that does not answer may do so at the next beat
                if not self.is_locked:
                    return
                self._sign()

    def _sign(self, **options: str) -> None:
        self.store.pipe_file(self.place, f"{self.token} {next(self.beats)}".encode(), **options)

    def _read(self) -> bytes:
        try:
            return bytes(self.store.cat_file(self.place))
        except FileNotFoundError:
            return b""
