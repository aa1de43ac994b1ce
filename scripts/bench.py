"""Speed of the engine on this machine, and of what else plays such games: JSON, a chart, a table.

Every round measures every item once, so that a slow moment of the machine hits all alike. Figures
on one core are CPU time, all on the same core; those on all cores are wall time, with CPU time over
wall time beside them (below the number of threads, the cores were not free).
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
import numpy as np
import peers
import pyarrow as pa
import report
import stages

import sim
from sim.combinations import score_sets
from sim.hands import play_hands
from sim.kernels import streams
from sim.kernels.compiling import kernel
from sim.kernels.deal import _deal
from sim.kernels.rules_record import rules_record
from sim.kernels.state import HIDDEN, records
from sim.parts import map_parts
from sim.policies.spec import parse_policies

HANDS, QUICK_HANDS = 100_000, 1000
START = [sys.executable, "-m", "analysis", "simulate", "--hands", "4", "--threads", "1", "--json"]
METHOD = {
    "one core": "CPU time on one core, medians over rounds that measure every item in turn",
    "all cores": "wall time of hands written to disk with all columns",
    "times": "median over rounds of the peer's time for a hand over ours in the same round",
    "peers": "whole hands played at random: tarok for four forced into solo without (48 cards "
    "played after five forced moves), spades (52), bridge after one bid (52), ours 60 after a "
    "discard, every combination scored; OpenSpiel with moves chosen in Python, evaluate_bots, or "
    "RandomRolloutEvaluator from 20 hands dealt and bid; deals are of bridge",
    "yardstick in C": "the same deal, discard and play compiled with cc -O3 -march=native, one "
    "hand at a time, against our loop stopped there: no combinations, no rows",
    "profile": "ns of a hand by stage of one compiled loop: the loop up to a stage's end less the "
    "loop up to the stage before, medians over rounds; writing is timed alone, without waiting for "
    "the disk",
}


class Item(NamedTuple):
    """Something measured on one core: ``work`` does it ``n`` times."""

    work: Callable[[], object]
    n: int
    of: str = "hands"


@kernel
def _deals(hiddens, rules, n):
    """Deal n hands and nothing else."""
    for hand in range(n):
        key = streams.stream(streams.hand_key(1, hand), streams.DEAL)
        _deal(hiddens[0], hand & 3, rules, key)


def own_items(n: int) -> dict[str, Item]:
    """What is measured of the engine on one core, by name."""
    hiddens, record = records(HIDDEN, 1), rules_record(sim.OTTOCENTO)
    items = {
        "deal": Item(lambda: _deals(hiddens, record, n), n),
        "deal and play": Item(stages.deal_and_play(n), n),
    }
    for size in (4, 15, 31):
        sets = _random_sets(size, n)
        items[f"score sets of {size}"] = Item(partial(score_sets, sets), n, "sets")
    for rules in (sim.OTTOCENTO, sim.OTTOCENTO_DIGITAL, sim.PARTITA):
        for specs in (["random"], ["simple"], ["simple", "random"]):
            policies = parse_policies(specs)
            items[f"{rules.name}: {' against '.join(specs)}"] = Item(
                partial(play_hands, rules, policies, 1, 0, n), n
            )
    return items


def _random_sets(size: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(size)
    cards = rng.permuted(np.tile(np.arange(62, dtype=np.uint64), (n, 1)), axis=1)[:, :size]
    return np.bitwise_or.reduce(np.uint64(1) << cards, axis=1)


@contextmanager
def one_core() -> Iterator[None]:
    """Within it, this thread keeps to one core, where the system lets it choose."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def to_parquet(policy: str, hands: int, threads: int) -> tuple[float, float, float]:
    """Wall seconds, CPU over wall time, and bytes a row, of hands written to disk."""
    folder = tempfile.mkdtemp()
    try:
        wall, cpu = time.perf_counter(), time.process_time()
        sim.simulate(hands=hands, policies=policy, out=folder, threads=threads)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        size = sum(path.stat().st_size for path in Path(folder, "hands").iterdir())
    finally:
        shutil.rmtree(folder)
    return wall, cpu / wall, size / hands


def engine_on_two_threads(n: int, parts: int = 8) -> dict[str, float]:
    """Hands played and not written, on two threads against one: times as fast, and CPU over wall.

    CPU over wall time below 1.9 says that the other core was not free.
    """
    policies = parse_policies("random")
    ranges = [range(part * n, (part + 1) * n) for part in range(parts)]

    def play(part: range) -> None:
        play_hands(sim.OTTOCENTO, policies, 1, part[0], len(part))

    walls = []
    for threads in (1, 2):
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in map_parts(play, ranges, threads=threads):
            pass
        walls.append(time.perf_counter() - wall)
        busy = (time.process_time() - cpu) / walls[-1]
    return {"times": walls[0] / walls[1], "cpu_over_wall": busy}


def start(cache: str | None) -> float:
    """Seconds from typing the command to its end with four hands."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
        began = time.perf_counter()
        subprocess.run(
            [*START, "--out", f"{folder}/run"], env=environment, check=True, capture_output=True
        )
        return time.perf_counter() - began


def measure(rounds: int, quick: bool) -> dict[str, Any]:
    """Figures, comparisons, profile and versions; with ``quick`` without peers and start-up."""
    n = QUICK_HANDS if quick else HANDS
    items, versions = own_items(n), {}
    ours_for = {}  # which of our figures a peer's is compared with
    compiled = peers.compile_yardstick()
    if compiled is None:
        versions["cc"] = peers.ABSENT
    else:
        yardstick, versions["cc"] = compiled
        items[peers.IN_C] = Item(lambda: yardstick(1, 0, n), n)
        ours_for[peers.IN_C] = peers.LOOP
    if not quick:
        found, peer_versions = peers.installed()
        versions |= peer_versions
        items |= {peer.name: Item(peer.work, peer.n) for peer in found}
        ours_for |= {peer.name: peer.ours for peer in found}
    own_profile = {
        (policy, stage): Item(work, n)
        for policy in report.DISK
        for stage, work in stages.stage_calls(policy, n).items()
    }
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    ns: dict[Any, list[float]] = {name: [] for name in (*items, *own_profile)}
    written: dict[str, list[tuple[float, float, float]]] = {policy: [] for policy in report.DISK}
    two_threads: list[dict[str, float]] = []
    warm: list[float] = []
    for item in (*items.values(), *own_profile.values()):
        item.work()  # compiled, and in the cache of the processor
    for _ in range(rounds):
        with one_core():
            for name, item in (*items.items(), *own_profile.items()):
                began = time.process_time()
                item.work()
                ns[name].append(1e9 * (time.process_time() - began) / item.n)
        for policy, results in written.items():
            results.append(to_parquet(policy, 10 * n, threads or 1))
        two_threads.append(engine_on_two_threads(n))
        if not quick:
            warm.append(start(None))
    figures: dict[str, Any] = {name: _figure(ns[name], item.of) for name, item in items.items()}
    for policy, results in written.items():
        wall, busy, size = (statistics.median(each) for each in zip(*results, strict=True))
        figures[report.DISK[policy]] = {
            "threads": threads,
            "hands_per_second": round(10 * n / wall),
            "cpu_over_wall": round(busy, 2),
            "bytes_a_row": round(size, 1),
        }
    figures["engine on two threads over one"] = {
        key: round(statistics.median(each[key] for each in two_threads), 2)
        for key in ("times", "cpu_over_wall")
    }
    if not quick:
        with tempfile.TemporaryDirectory() as empty:
            cold = start(empty)
        figures["start"] = {
            "warm_seconds": round(statistics.median(warm), 2),
            "cold_seconds": round(cold, 2),
        }
    return {
        "versions": versions,
        "rounds": rounds,
        "figures": figures,
        "compared": {
            peer: {"with": ours, "times": _times(ns[peer], ns[ours])}
            for peer, ours in ours_for.items()
        },
        "profile": {
            policy: stages.profile({stage: ns[p, stage] for p, stage in own_profile if p == policy})
            for policy in report.DISK
        },
    }


def _figure(ns: list[float], of: str) -> dict[str, Any]:
    """Median nanoseconds and their range over the rounds, and how many a second."""
    median = statistics.median(ns)
    return {
        "ns": round(median, 1),
        "ns_range": [round(min(ns), 1), round(max(ns), 1)],
        f"{of}_per_second": round(1e9 / median),
    }


def _times(theirs: list[float], ours: list[float]) -> float:
    return float(f"{statistics.median(t / o for t, o in zip(theirs, ours, strict=True)):.3g}")


def main() -> None:
    """Measure, print, and write JSON, chart and table where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds of all items")
    parser.add_argument("--quick", action="store_true", help="few hands, no peers, no start-up")
    parser.add_argument(
        "--out",
        type=Path,
        help="a .json file to write the figures to, with a chart beside it; "
        f"{report.PUBLISHED} renews the README too",
    )
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"{options.rounds} rounds: expected 1 or more")
    if options.out and options.out.suffix != ".json":
        parser.error(f"--out {options.out}: expected a .json file")
    measured = measure(options.rounds, options.quick)
    results = {
        "machine": {"processor": llvm.get_host_cpu_name(), "cores": os.cpu_count()},
        "versions": {
            "tarocchino": sim.manifests.PROGRAM.split()[1],
            "python": platform.python_version(),
            "numba": numba.__version__,
            "numpy": np.__version__,
            "pyarrow": pa.__version__,
            **measured.pop("versions"),
        },
        "method": METHOD,
        **measured,
    }
    print(json.dumps(results, indent=1))
    if options.out:
        report.write(results, options.out)


if __name__ == "__main__":
    main()
