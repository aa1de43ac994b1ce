"""Parts in order, by threads, interrupted and failing."""

import threading
import time
from contextlib import closing

import pytest

from sim.parts import map_parts
from tests.helpers import python

RANGES = [range(10 * i, 10 * i + 10) for i in range(12)]


@pytest.mark.parametrize("threads", [1, 2, 7, None])
def test_results_come_in_order_however_long_they_take(threads: int | None) -> None:
    def task(part: range) -> int:
        time.sleep(0.02 if part[0] % 20 == 0 else 0)
        return sum(part)

    found = list(map_parts(task, RANGES, threads=threads))
    assert found == [(part, sum(part)) for part in RANGES]


def test_tasks_run_at_the_same_time_and_not_too_many() -> None:
    running, most, lock = 0, 0, threading.Lock()

    def task(part: range) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.02)
        with lock:
            running -= 1

    list(map_parts(task, RANGES, threads=3))
    assert most == 3


def test_parts_are_not_begun_long_before_they_are_wanted() -> None:
    begun: list[range] = []
    with closing(map_parts(begun.append, RANGES, threads=1)) as parts:  # type: ignore[type-var]
        next(parts)
        time.sleep(0.05)
        assert len(begun) <= 3
    assert len(begun) <= 3  # nor after the caller has left


def test_ranges_are_taken_one_by_one_if_their_total_is_known() -> None:
    taken: list[range] = []
    ranges = (taken.append(part) or part for part in RANGES)  # type: ignore[func-returns-value]
    with closing(map_parts(len, ranges, total=120, threads=1)) as parts:
        assert next(parts) == (RANGES[0], 10)
        assert len(taken) <= 3
        assert [result for _, result in parts] == [10] * 11


def test_no_parts_are_no_work() -> None:
    assert list(map_parts(len, [])) == []


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_after_a_failure_parts_begun_are_kept(threads: int) -> None:
    begun = set()

    def task(part: range) -> int:
        begun.add(part[0])
        if part[0] == 40:
            raise RuntimeError("part 40")
        time.sleep(0.01)
        return part[0]

    found: list[int] = []
    results = (result for _, result in map_parts(task, RANGES, threads=threads))
    with pytest.raises(RuntimeError, match="part 40"):
        found.extend(results)
    assert found == sorted(found)
    assert set(found) == begun - {40}
    assert set(found) >= {0, 10, 20, 30}
    assert len(found) < len(RANGES) - 1


def test_of_several_failures_the_first_in_order_is_told() -> None:
    def task(part: range) -> None:
        time.sleep(0.03 if part[0] == 10 else 0)
        if part[0] in (10, 20):
            raise RuntimeError(f"part {part[0]}")

    with pytest.raises(RuntimeError, match="part 10"):
        list(map_parts(task, RANGES, threads=4))


def test_an_interrupt_keeps_parts_begun() -> None:
    # The caller's thread is interrupted while it waits.
    told = python("""
import os, signal, time
from sim.parts import map_parts
signal.signal(signal.SIGINT, signal.default_int_handler)
def task(part):
    time.sleep(0.2)
    if part[0] == 4:
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.2)
    return part[0]
try:
    for _, result in map_parts(task, [range(i, i + 1) for i in range(100)], threads=3):
        print(result, flush=True)
except KeyboardInterrupt:
    print("interrupted")
""")
    *found, end = told.split()
    assert end == "interrupted"
    assert list(map(int, found)) == list(range(len(found)))
    assert 5 <= len(found) <= 9
