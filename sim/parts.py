"""Long work in parts, several at a time: progress, and what an interrupt or a failure leaves."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import Protocol, TypeVar

from tqdm import tqdm

T = TypeVar("T")


class Workers(Protocol):
    """Those who do parts: threads, or a cluster."""

    def ahead(self) -> int:
        """How many parts to have begun or waiting at a time, so that none of them is idle."""

    def ready(self, task: Callable[[range], T]) -> Callable[[range], Future[T]]:
        """What gives them a part of a task to do."""


class _Threads(ThreadPoolExecutor):
    def ahead(self) -> int:
        return 2 * self._max_workers

    def ready(self, task: Callable[[range], T]) -> Callable[[range], Future[T]]:
        return lambda part: self.submit(task, part)


_given: ContextVar[Workers | None] = ContextVar("workers", default=None)


@contextmanager
def given_to(workers: Workers) -> Iterator[None]:
    """Within it, ``map_parts`` gives its parts to these workers in place of threads."""
    before = _given.set(workers)
    try:
        yield
    finally:
        _given.reset(before)


@contextmanager
def _workers(threads: int | None) -> Iterator[Workers]:
    given = _given.get()
    if given is not None:
        yield given
    else:
        with _Threads(threads or _cores()) as pool:
            yield pool


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_parts(
    task: Callable[[range], T],
    ranges: Iterable[range],
    *,
    total: int | None = None,
    threads: int | None = None,
    progress: bool = False,
    unit: str = "hands",
) -> Iterator[tuple[range, T]]:
    """Do a task for each range of numbers, several at a time, and yield results in order.

    Parameters
    ----------
    task
        Called with a range in a worker thread, or in another process (``sim.cluster``); it should
        spend its time without the GIL.
    ranges
        The parts. If ``total`` is given, they are taken one by one, so that memory does not grow
        with their number.
    total
        How many numbers are in them all.
    threads
        How many at a time; None: one for each core this process may use. A cluster has its own.
    progress
        Whether to show a bar with rate and time left, if standard error is a terminal.
    unit
        What the numbers count.

    Yields
    ------
    (range, result)
        In the order of ``ranges``. When a task fails, or the user interrupts, parts already begun
        are finished and yielded before the exception goes on.
    """
    if total is None:
        ranges = list(ranges)
        total = sum(len(part) for part in ranges)
    bar = tqdm(
        total=total,
        unit=f" {unit}",
        unit_scale=True,
        disable=None if progress else True,
        leave=False,
    )
    running: deque[tuple[range, Future[T]]] = deque()
    waiting = iter(ranges)
    with bar, _workers(threads) as workers:
        submit = workers.ready(task)

        def begin() -> None:
            new = islice(waiting, max(0, workers.ahead() - len(running)))
            running.extend((part, submit(part)) for part in new)

        begin()
        try:
            while running:
                part, future = running[0]
                result = future.result()
                running.popleft()
                begin()
                bar.update(len(part))
                yield part, result
        except GeneratorExit:
            raise
        except BaseException:
            for _, future in running:
                future.cancel()
            for part, future in running:
                if not future.cancelled() and future.exception() is None:
                    yield part, future.result()
            raise
        finally:
            for _, future in running:
                future.cancel()
