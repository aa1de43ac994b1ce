"""Parts done by a Dask cluster in place of threads."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pyarrow as pa

import sim.policies.sent  # noqa: F401  policies travel as it says
from sim.kernels.compiling import source_hash
from sim.parts import given_to

if TYPE_CHECKING:
    import distributed

T = TypeVar("T")

PATIENCE = 10  # seconds to wait for a scheduler, and for its first worker


# In local workers: a terminal interrupts them too, but it is the client who stops them.
_HEED_NO_INTERRUPT = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"


class ClusterError(ValueError):
    """A cluster cannot be had."""


class ClusterFailure(RuntimeError):
    """A cluster went away, its workers die, or one of them has another program."""


@contextmanager
def on_cluster(address: str) -> Iterator[None]:
    """Within it, ``map_parts`` gives its parts to a Dask cluster.

    A part is done by one thread of a worker. Those of a worker that dies are given to another.

    Parameters
    ----------
    address
        Of a scheduler, as in ``tcp://host:8786``; or ``local:4``: four processes of this machine,
        which last as long.

    Raises ClusterError if there is no such cluster, or it has no workers.
    """
    try:
        import distributed
    except ImportError:
        raise ClusterError(
            "a cluster needs Dask: install it with pip install 'tarocchino[cluster]'"
        ) from None
    with _quiet(), _connected(distributed, address) as client, given_to(_Cluster(client)):
        yield


@contextmanager
def _quiet() -> Iterator[None]:
    """Within it, Dask logs nothing here: what fails is told by exceptions."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    levels = {logger: logger.level for logger in map(logging.getLogger, names)}
    for logger in levels:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


@contextmanager
def _connected(distributed: Any, address: str) -> Iterator[distributed.Client]:
    kind, _, number = address.partition(":")
    if kind == "local":
        if not number.isdecimal() or int(number) < 1:
            raise ClusterError(f"{address!r} is no cluster: expected local:N, N at least 1")
        import dask

        with (
            dask.config.set({"distributed.worker.profile.enabled": False}),  # it takes time
            distributed.LocalCluster(
                n_workers=int(number),
                threads_per_worker=1,
                dashboard_address=":0",
                memory_limit=None,
                silence_logs=logging.CRITICAL,
                preload=[_HEED_NO_INTERRUPT],
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client
        return
    if "://" not in address:
        raise ClusterError(
            f"{address!r} is no cluster: expected an address such as tcp://host:8786, or local:N"
        )
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        told = str(error).splitlines()[0]
        raise ClusterError(f"the scheduler {address} cannot be reached: {told}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise ClusterError(f"the cluster {address} has no workers: start some") from None
        yield client


class _Cluster:
    """The workers of a cluster, as ``map_parts`` sees them."""

    def __init__(self, client: distributed.Client) -> None:
        self.client = client
        self.threads, self.counted = 0, float("-inf")

    def ahead(self) -> int:
        """Four parts for each thread: results come in order, and one part may take longer."""
        if monotonic() > self.counted + 2:  # workers come and go
            with _telling_of_loss():
                self.threads = max(1, sum(self.client.nthreads().values()))
            self.counted = monotonic()
        return 4 * self.threads

    def ready(self, task: Callable[[range], T]) -> Callable[[range], Future[T]]:
        import cloudpickle

        pickled = cloudpickle.dumps(task)

        def submit(part: range) -> Future[T]:
            with _telling_of_loss():
                future = self.client.submit(_do, pickled, part, _program(), pure=False)
            return cast("Future[T]", _Part(future))

        return submit


class _Part:
    """The future of a part, as ``map_parts`` uses it."""

    def __init__(self, future: distributed.Future) -> None:
        self.future = future

    def result(self) -> Any:
        from distributed import KilledWorker

        with _telling_of_loss():
            done = self.future.exception()  # waits
        if isinstance(done, KilledWorker):
            died = done.allowed_failures + 1
            raise ClusterFailure(f"{died} workers of the cluster died at the same part")
        if done is not None:
            raise done
        with _telling_of_loss():
            return self.future.result()

    def cancel(self) -> None:
        if not self.future.done():
            with suppress(OSError):
                self.future.cancel()

    def cancelled(self) -> bool:
        return self.future.status not in ("finished", "error")

    def exception(self) -> BaseException | None:
        return self.future.exception()


@contextmanager
def _telling_of_loss() -> Iterator[None]:
    try:
        yield
    except (CancelledError, OSError):
        raise ClusterFailure("the scheduler of the cluster was lost") from None


# ---- in a worker --------------------------------------------------------------------------


def _do(pickled: bytes, part: range, program: tuple[str, ...]) -> Any:
    """Do a part of a task. Raises ClusterFailure if the client runs another program."""
    if program != _program():
        raise ClusterFailure("a worker of the cluster has another program: install the same")
    return _loaded(pickled)(part)


@cache
def _program() -> tuple[str, ...]:
    """What decides the bytes of a part."""
    packages = Path(__file__).parent, Path(__file__).parents[1] / "analysis"
    return (*(source_hash(package) for package in packages), pa.__version__)


_loading = Lock()


def _loaded(pickled: bytes) -> Callable[[range], Any]:
    with _loading:  # a policy is to be compiled once, not by every thread
        return _unpickled(pickled)


@lru_cache(maxsize=8)
def _unpickled(pickled: bytes) -> Callable[[range], Any]:
    import cloudpickle

    return cloudpickle.loads(pickled)
