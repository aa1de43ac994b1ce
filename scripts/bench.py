"""Speed of the engine on this machine: medians over interleaved rounds, as JSON.

Every round measures every item once, so that a slow moment of the machine hits all alike. Figures
on one core are CPU time; those on all cores are wall time, with CPU time over wall time beside them
(below the number of threads, the cores were not free).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

import sim
from sim.combinations import score_sets
from sim.hands import play_hands
from sim.kernels import streams
from sim.kernels.compiling import kernel
from sim.kernels.deal import _deal
from sim.kernels.state import HIDDEN, records, rules_record
from sim.policies.spec import parse_policies

HANDS = 100_000
START = [sys.executable, "-m", "analysis", "simulate", "--hands", "4", "--threads", "1", "--json"]


@kernel
def _deals(hiddens, rules, n):
    """Deal n hands and nothing else."""
    for hand in range(n):
        key = streams.stream(streams.hand_key(1, hand), streams.DEAL)
        _deal(hiddens[0], hand & 3, rules, key)


def one_core() -> dict[str, tuple[Callable[[], object], int, str]]:
    """What is measured on one core: a call, how many it does, and of what."""
    items: dict[str, tuple[Callable[[], object], int, str]] = {}
    hiddens, record = records(HIDDEN, 1), rules_record(sim.OTTOCENTO)
    items["deal"] = (lambda: _deals(hiddens, record, HANDS), HANDS, "hands")
    for size in (4, 15, 31):
        sets = _random_sets(size)
        items[f"score sets of {size}"] = (lambda sets=sets: score_sets(sets), len(sets), "sets")
    for rules in (sim.OTTOCENTO, sim.OTTOCENTO_DIGITAL, sim.PARTITA):
        for specs in (["random"], ["simple"], ["simple", "random"]):
            policies = parse_policies(specs)
            items[f"{rules.name}: {' against '.join(specs)}"] = (
                lambda rules=rules, policies=policies: play_hands(rules, policies, 1, 0, HANDS),
                HANDS,
                "hands",
            )
    return items


def _random_sets(size: int) -> np.ndarray:
    rng = np.random.default_rng(size)
    cards = rng.permuted(np.tile(np.arange(62, dtype=np.uint64), (HANDS, 1)), axis=1)[:, :size]
    return np.bitwise_or.reduce(np.uint64(1) << cards, axis=1)


def to_parquet(policy: str, threads: int) -> tuple[float, float, int]:
    """Wall seconds, CPU seconds and bytes of a million hands written to disk."""
    folder = tempfile.mkdtemp()
    try:
        wall, cpu = time.perf_counter(), time.process_time()
        sim.simulate(hands=1_000_000, policies=policy, out=folder, threads=threads)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        size = sum(path.stat().st_size for path in Path(folder, "hands").iterdir())
    finally:
        shutil.rmtree(folder)
    return wall, cpu, size


def start(cache: str | None) -> float:
    """Seconds from typing the command to its end with four hands."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
        began = time.perf_counter()
        subprocess.run(
            [*START, "--out", f"{folder}/run"], env=environment, check=True, capture_output=True
        )
        return time.perf_counter() - began


def measure(rounds: int) -> dict[str, object]:
    """All figures, by name."""
    items = one_core()
    for call, _, _ in items.values():
        call()  # compiled, and in the cache of the processor
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    seconds: dict[str, list[float]] = {name: [] for name in items}
    written: dict[str, list[tuple[float, float, int]]] = {"random": [], "simple": []}
    warm = []
    start(None)
    for _ in range(rounds):
        for name, (call, _, _) in items.items():
            began = time.process_time()
            call()
            seconds[name].append(time.process_time() - began)
        for policy, results in written.items():
            results.append(to_parquet(policy, threads or 1))
        warm.append(start(None))
    with tempfile.TemporaryDirectory() as empty:
        cold = start(empty)
    figures: dict[str, object] = {}
    for name, (_, n, of) in items.items():
        median = statistics.median(seconds[name])
        figures[name] = {"ns": round(1e9 * median / n, 1), f"{of}_per_second": round(n / median)}
    for policy, results in written.items():
        wall = statistics.median(wall for wall, _, _ in results)
        figures[f"ottocento: {policy}, to Parquet on {threads} threads"] = {
            "hands_per_second": round(1e6 / wall),
            "cpu_over_wall": round(statistics.median(c / w for w, c, _ in results), 2),
            "bytes_a_row": round(results[0][2] / 1e6, 1),
        }
    figures["start"] = {
        "warm_seconds": round(statistics.median(warm), 2),
        "cold_seconds": round(cold, 2),
    }
    return figures


def main() -> None:
    """Measure, print, and write the figures where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds of all items")
    parser.add_argument("--out", type=Path, help="write the JSON there too")
    options = parser.parse_args()
    report = {
        "machine": {"processor": numba.config.CPU_NAME or _processor(), "cores": os.cpu_count()},
        "versions": {
            "python": platform.python_version(),
            "numba": numba.__version__,
            "numpy": np.__version__,
        },
        "rounds": options.rounds,
        "figures": measure(options.rounds),
    }
    text = json.dumps(report, indent=1)
    print(text)
    if options.out:
        options.out.write_text(text + "\n", "utf-8")


def _processor() -> str:
    import llvmlite.binding as llvm

    return llvm.get_host_cpu_name()


if __name__ == "__main__":
    main()
