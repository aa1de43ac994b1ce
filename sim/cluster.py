"""Parts done by a Dask cluster in place of threads."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, cached_property, lru_cache
from math import ceil
from multiprocessing import resource_tracker
from pathlib import Path
from threading import Lock
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pyarrow as pa

import sim.policies.sent  # noqa: F401  policies travel as it says
from sim.kernels.compiling import source_hash
from sim.parts import given_to

if TYPE_CHECKING:
    import distributed

T = TypeVar("T")

PATIENCE = 10  # seconds to wait for a scheduler, and for its first worker
WORKERLESS = 300  # seconds to wait for other workers once none is left
SECONDS, TOGETHER = 0.5, 10  # groups of parts are to last so long, and have at most so many


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

        with ExitStack() as stack:
            # Or they would hand memory back after each part, which takes a tenth of the time.
            stack.enter_context(dask.config.set({"distributed.nanny.pre-spawn-environ": {}}))
            with _interrupt_later():
                cluster = distributed.LocalCluster(
                    n_workers=int(number),
                    threads_per_worker=1,
                    dashboard_address=":0",
                    memory_limit=None,
                    silence_logs=logging.CRITICAL,
                    preload=[_HEED_NO_INTERRUPT],
                )
                client = stack.enter_context(distributed.Client(stack.enter_context(cluster)))
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


@contextmanager
def _interrupt_later() -> Iterator[None]:
    """Within it, an interrupt waits, and the processes and threads that begin heed none.

    A process that starts cannot ignore it by itself before it has loaded Python.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # it would let interrupts through again as it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Cluster:
    """The workers of a cluster, as ``map_parts`` sees them."""

    def __init__(self, client: distributed.Client) -> None:
        self.client = client
        self.threads, self.counted = 0, float("-inf")
        self.together = 1  # parts in a group

    def ahead(self) -> int:
        """Four groups for each thread: results come in order, and one group may take longer."""
        if monotonic() > self.counted + 2:  # workers come and go
            with _telling_of_loss():
                self.threads = max(1, sum(self.client.nthreads().values()))
            self.counted = monotonic()
        return 4 * self.threads * self.together

    def ready(self, task: Callable[[range], T]) -> Callable[[range], Future[T]]:
        import cloudpickle

        self.together = 1  # of another task's parts nothing is known: they may be long
        sender = _Sender(self, cloudpickle.dumps(task))
        return lambda part: cast("Future[T]", sender.submit(part))

    def wait(self, future: distributed.Future) -> Any:
        """Wait for the result of a task."""
        from distributed import KilledWorker, wait

        seen = monotonic()
        while True:
            try:
                wait(future, PATIENCE)
                return future.result(PATIENCE)  # a worker may die with it even now
            except TimeoutError:
                if self.client.nthreads():
                    seen = monotonic()
                elif monotonic() > seen + WORKERLESS:
                    raise ClusterFailure("the cluster has no workers left") from None
            except KilledWorker as error:
                died = error.allowed_failures + 1
                raise ClusterFailure(
                    f"{died} workers of the cluster died at the same parts"
                ) from None


class _Sender:
    """Sends the parts of a task in groups, since each message has its price."""

    def __init__(self, cluster: _Cluster, task: bytes) -> None:
        self.cluster, self.task = cluster, task
        self.unsent: list[_Part] = []

    def submit(self, numbers: range) -> _Part:
        part = _Part(self, numbers)
        self.unsent.append(part)
        if len(self.unsent) >= self.cluster.together:
            self.send()
        return part

    def send(self) -> None:
        """Send what is not sent yet."""
        parts, self.unsent = self.unsent, []
        if parts:
            numbers = [part.numbers for part in parts]
            client = self.cluster.client
            with _telling_of_loss():
                future = client.submit(_do, self.task, numbers, _program(), pure=False)
            group = _Group(self.cluster, future)
            for place, part in enumerate(parts):
                part.group, part.place = group, place


class _Group:
    """Parts that a worker does one after the other."""

    def __init__(self, cluster: _Cluster, future: distributed.Future) -> None:
        self.cluster, self.future = cluster, future

    @cached_property
    def outcome(self) -> tuple[list[Any], Exception | None]:
        """The results of its parts; if one fails, of those before it, and what it raised."""
        with _telling_of_loss():
            results, error, seconds = self.cluster.wait(self.future)
        if results:
            self.cluster.together = ceil(min(TOGETHER, SECONDS * len(results) / seconds))
        return results, error


class _Part:
    """The future of a part, as ``map_parts`` uses it."""

    group: _Group | None = None  # once it is sent
    place: int

    def __init__(self, sender: _Sender, numbers: range) -> None:
        self.sender, self.numbers = sender, numbers

    def result(self) -> Any:
        if self.group is None or not self.group.future.done():
            self.sender.send()  # nobody is to wait for what lies here
        assert self.group
        results, error = self.group.outcome
        if error and self.place >= len(results):
            raise error
        return results[self.place]

    def cancel(self) -> None:
        if self.group and not self.group.future.done():
            with suppress(OSError):
                self.group.future.cancel()

    def cancelled(self) -> bool:
        return self.group is None or self.group.future.status not in ("finished", "error")

    def exception(self) -> BaseException | None:
        try:
            self.result()
        except Exception as error:
            return error
        return None


@contextmanager
def _telling_of_loss() -> Iterator[None]:
    try:
        yield
    except (CancelledError, OSError):
        raise ClusterFailure("the scheduler of the cluster was lost") from None


# ---- in a worker --------------------------------------------------------------------------


def _do(
    task: bytes, parts: list[range], program: tuple[str, ...]
) -> tuple[list[Any], Exception | None, float]:
    """Do parts of a task, up to one that fails: their results, what was raised, and seconds."""
    began = perf_counter()
    results: list[Any] = []
    error = None
    try:
        if program != _program():
            raise ClusterFailure("a worker of the cluster has another program: install the same")
        do = _loaded(task)
        for part in parts:
            results.append(do(part))
    except Exception as failed:
        error = failed
    return results, error, perf_counter() - began


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
