"""A Dask cluster of real processes for the tests: a scheduler and workers of one thread."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.helpers import ROOT


class DaskCluster:
    """``workers`` and ``scheduler`` are processes, ``address`` is where to reach them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        wait_for(self.file.exists)
        wait_for(lambda: "tcp://" in self.file.read_text())
        self.address = "tcp://" + self.file.read_text().split('"tcp://')[1].split('"')[0]

    def add_worker(self, *options: str) -> None:
        """Start a worker with more options of ``dask worker``."""
        options = ("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", *options)
        self.workers.append(self._start("worker", *options))

    def _start(self, what: str, *options: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard"]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [*command, "--scheduler-file", str(self.file), *options],
                cwd=self.folder,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                stdout=log,
                stderr=log,
            )

    def stop(self) -> None:
        """Kill all processes."""
        for process in (*self.workers, self.scheduler):
            kill(process)


@contextmanager
def dask_cluster(folder: Path, workers: int = 2) -> Iterator[DaskCluster]:
    """A cluster with so many workers; its files are in a folder."""
    cluster = DaskCluster(folder)
    try:
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        cluster.stop()


def kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process that may have ended, and wait until it has."""
    process.send_signal(signal.SIGKILL)
    process.wait(60)


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)
