"""Long work in parts, several at a time: progress, and what an interrupt or a failure leaves."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from tqdm import tqdm

T = TypeVar("T")


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
        Called with a range in a worker thread; it should spend its time without the GIL.
    ranges
        The parts. If ``total`` is given, they are taken one by one, so that memory does not grow
        with their number.
    total
        How many numbers are in them all.
    threads
        How many at a time; None: one for each core this process may use.
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
    threads = threads or _cores()
    bar = tqdm(
        total=total,
        unit=f" {unit}",
        unit_scale=True,
        disable=None if progress else True,
        leave=False,
    )
    running: deque[tuple[range, Future[T]]] = deque()
    waiting = iter(ranges)
    with bar, ThreadPoolExecutor(threads) as pool:

        def begin(n: int) -> None:
            running.extend((part, pool.submit(task, part)) for part in islice(waiting, n))

        begin(2 * threads)
        try:
            while running:
                part, future = running[0]
                result = future.result()
                running.popleft()
                begin(1)
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
