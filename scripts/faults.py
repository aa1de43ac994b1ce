"""Faults tried on runs, and what happened: a table in ``data/results/faults.csv``.

Run it as ``scripts/faults``. Commands run in processes of their own, which are killed, interrupted,
or given a full disk or little memory at random; a run must then be completed to the bytes of one
that nothing disturbed. It exits with 1 if anything went otherwise. About 20 minutes, on Linux.
"""

from __future__ import annotations

import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple

import pandas as pd
import psutil
import typer

import sim
from analysis.results import write_result
from sim.manifests import PROGRAM, RunError
from sim.records import read_manifest, read_part

ROOT = Path(__file__).parents[1]
OUT = ROOT / "data" / "results" / "faults.csv"
SEED = 1
# Runs of several parts, a few seconds each, by their command.
RUNS = {
    "simulate": "simulate --hands 5e5 --policy random --columns score0,score1",
    "simulate --keep summary": "simulate --hands 5e5 --policy random --keep summary",
    "games": "games --games 1e5 --policy random",
}
CLUSTER = ("--cluster", "local:2")
SAME = "completed to the same bytes"
WRONG = "WRONG: "
# What libraries say that end the process where they get no memory: C++, LLVM, the dynamic linker.
ABORTS = ("std::bad_alloc", "LLVM ERROR: Unable to allocate", "cannot allocate memory for thread")


class Ended(NamedTuple):
    """How a command ended, and what it said on standard error."""

    status: int
    error: str


def command(line: str, *more: str) -> list[str]:
    """A command of the program, as words."""
    return [sys.executable, "-m", "analysis", *line.split(), *more]


def started(words: list[str], gigabytes: float | None = None) -> subprocess.Popen[str]:
    """A command begun in a process group of its own, with so much memory at most."""

    def limit() -> None:
        if gigabytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (int(gigabytes * 1e9),) * 2)

    return subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=limit,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def ended(process: subprocess.Popen[str], timeout: float | None = None) -> Ended:
    """Wait for the end of a command. Raises subprocess.TimeoutExpired."""
    _, error = process.communicate(timeout=timeout)
    return Ended(process.returncode, error.strip())


def contents(run: Path) -> dict[str, bytes]:
    """The bytes of every file of a run but its lock, which is empty."""
    files = (path for path in run.rglob("*") if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(run)): path.read_bytes() for path in files}


class Trial:
    """A run that nothing disturbed, what it was made by, and a place for others."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.line = name, RUNS[name]
        self.verb = self.line.split()[0]
        self.out, whole = folder / "run", folder / "whole"
        began = time.monotonic()
        assert ended(started(command(self.line, "--out", str(whole)))).status == 0
        self.seconds = time.monotonic() - began
        self.whole = contents(whole)
        self.rng = random.Random(SEED)

    def begin(self, *more: str, gigabytes: float | None = None) -> subprocess.Popen[str]:
        """The command, begun anew."""
        shutil.rmtree(self.out, ignore_errors=True)
        return started(command(self.line, "--out", str(self.out), *more), gigabytes)

    def wait_for_manifest(self, process: subprocess.Popen[str]) -> None:
        """Wait until a process has begun the run, or ended."""
        while not (self.out / "manifest.json").exists() and process.poll() is None:
            time.sleep(0.01)

    def complete(self) -> str:
        """Go on with what is left, and say whether it came to the same bytes."""
        begun = (self.out / "manifest.json").exists()
        words = f"{self.verb} --resume" if begun else f"{self.line} --out"
        found = ended(started(command(words, str(self.out))))
        if found.status:
            return f"{WRONG}{found.error}"
        return SAME if contents(self.out) == self.whole else f"{WRONG}other bytes"


def one_line(found: Ended, status: int, told: str = "") -> str:
    """Empty, or what was wrong with the end of a command: another status, or not one line."""
    lines = found.error.splitlines()
    if found.status == status and len(lines) == 1 and told in lines[0]:
        return ""
    return f"{WRONG}status {found.status}, {len(lines)} lines: {found.error[-300:]}"


def killed(trial: Trial) -> str:
    """Kill -9 at a random moment, and go on."""
    process = trial.begin()
    time.sleep(trial.rng.uniform(0, trial.seconds))
    os.killpg(process.pid, signal.SIGKILL)
    ended(process)
    return trial.complete()


def interrupted(trial: Trial, within: float = 1) -> str:
    """Ctrl-C at a random moment of the first part of the time, and go on."""
    process = trial.begin()
    time.sleep(trial.rng.uniform(0, within * trial.seconds))
    os.killpg(process.pid, signal.SIGINT)
    found = ended(process)
    if found.status == 0:
        return f"it had ended; {trial.complete()}"
    if found.status != 130 and "analysis" not in found.error:  # nothing of ours was there yet
        return f"Python was still starting; {trial.complete()}"
    return one_line(found, 130, "tarocchino: interrupted") or f"one line; {trial.complete()}"


def with_little_memory(trial: Trial) -> str:
    """A random limit of memory that is too low, and go on without it."""
    process = trial.begin(gigabytes=trial.rng.uniform(0.7, 1))
    try:
        found = ended(process, timeout=30 + 5 * trial.seconds)
    except subprocess.TimeoutExpired:  # CPython 3.11 has such a loop where no exception fits
        os.killpg(process.pid, signal.SIGKILL)
        ended(process)
        return f"Python itself hangs and was killed; {trial.complete()}"
    if found.status == 0:
        return f"it was enough; {trial.complete()}"
    if any(told in found.error for told in ABORTS):  # where nothing of ours can catch it
        return f"a library aborts; {trial.complete()}"
    return one_line(found, 1, "tarocchino: ") or f"one line; {trial.complete()}"


def second_writer(trial: Trial) -> str:
    """Another process that writes to the same directory."""
    first = trial.begin()
    trial.wait_for_manifest(first)
    os.killpg(first.pid, signal.SIGSTOP)
    second = ended(started(command(f"{trial.verb} --resume", str(trial.out))))
    os.killpg(first.pid, signal.SIGCONT)
    ended(first)
    return one_line(second, 2, "is being written by another run") or (
        f"the second refused; {trial.complete()}"
    )


def on_cluster(trial: Trial, kill_client: bool) -> str:
    """Kill -9 a worker of a local cluster, or its client, while they make the run."""
    client = trial.begin(*CLUSTER)
    trial.wait_for_manifest(client)
    time.sleep(trial.rng.uniform(0, trial.seconds))
    children = psutil.Process(client.pid).children()
    workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
    if client.poll() is not None or len(workers) < 2:
        return f"it had ended; {trial.complete()}"
    if kill_client:
        client.kill()
        _, left = psutil.wait_procs(workers, timeout=60)
        if left:
            return f"{WRONG}{len(left)} workers live on"
        ended(client)
        return f"its workers end; {trial.complete()}"
    trial.rng.choice(workers).kill()
    found = ended(client)
    if found.status:
        return f"{WRONG}{found.error}"
    return "the same bytes" if contents(trial.out) == trial.whole else f"{WRONG}other bytes"


@contextmanager
def disk(folder: Path, size: str) -> Iterator[bool]:
    """A small disk, if one can be mounted."""
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def remount(folder: Path, option: str) -> None:
    """Change a disk."""
    subprocess.run(["mount", "-o", f"remount,{option}", str(folder)], check=True)


def full_disk(trial: Trial, *more: str) -> str:
    """A disk that is too small by a random amount, and then is not; with more options."""
    need = sum(map(len, trial.whole.values()))
    place, trial.out = trial.out, trial.out.with_name("disk") / "run"
    try:
        with disk(trial.out.parent, f"{int(need * trial.rng.uniform(0.1, 0.9))}") as mounted:
            if not mounted:
                return "not tried: nothing can be mounted here"
            found = ended(trial.begin(*more))
            wrong = one_line(found, 1, "No space left on device")
            remount(trial.out.parent, "size=1g")
            return wrong or f"one line; {trial.complete()}"
    finally:
        trial.out = place


def read_only(trial: Trial) -> str:
    """A disk that lets nobody write: the run is read there, and not gone on with."""
    place, trial.out = trial.out, trial.out.with_name("disk") / "run"
    try:
        with disk(trial.out.parent, "1g") as mounted:
            if not mounted:
                return "not tried: nothing can be mounted here"
            ended(trial.begin())
            remount(trial.out.parent, "ro")
            read = ended(started(command(f"{trial.line} --out", str(trial.out))))
            again = ended(started(command(f"{trial.verb} --resume", str(trial.out))))
            wrong = one_line(again, 2, "Read-only file system")
            return wrong or ("refused; it is read there" if not read.status else WRONG + read.error)
    finally:
        trial.out = place


def damaged(trial: Trial, damage: Callable[[bytes, random.Random], bytes]) -> str:
    """A random part damaged: found by name as it is read, or no row is another."""
    if contents(trial.out) != trial.whole:
        ended(trial.begin())
    manifest = read_manifest(trial.out)
    folder, part = trial.rng.choice([*manifest.schemas]), trial.rng.choice(manifest.parts)
    path = trial.out / folder / part["file"]
    whole, rows = path.read_bytes(), read_part(trial.out, manifest, part, folder=folder)
    path.write_bytes(damage(whole, trial.rng))
    try:
        same = read_part(trial.out, manifest, part, folder=folder).equals(rows)
        told = "not found, the rows are the same" if same else f"{WRONG}other rows"
    except RunError as error:
        named = str(path) in str(error) and "--resume" in str(error)
        told = "found by name" if named else f"{WRONG}{error}"
    if told == "found by name" and trial.rng.random() < 0.02:
        return f"{told}; {trial.complete()}"
    path.write_bytes(whole)
    return told


def flip(data: bytes, rng: random.Random) -> bytes:
    """One bit is another."""
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def cut(data: bytes, rng: random.Random) -> bytes:
    """The end is missing."""
    return data[: rng.randrange(len(data))]


def fuzz() -> dict[str, int]:
    """How many hostile texts and files the tests try, by test. Raises CalledProcessError."""
    tests = "tests/analysis/cli/test_fuzz.py"
    options = ["-q", "--hypothesis-show-statistics", "--hypothesis-profile=faults"]
    words = [sys.executable, "-m", "pytest", tests, *options]
    told = subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    tried: Counter[str] = Counter()
    name = ""
    for line in told.splitlines():
        if found := re.match(r"\S+::test_(\w+)", line):
            name = found[1].replace("_", " ")
        if found := re.search(r"(\d+) passing", line):
            tried[name] += int(found[1])
    return tried


def main(
    kills: Annotated[int, typer.Option(help="kill -9, over all kinds of runs.")] = 100,
    others: Annotated[int, typer.Option(help="Tries of each other fault in processes.")] = 12,
    damages: Annotated[int, typer.Option(help="Parts damaged, of each kind.")] = 1000,
    out: Annotated[Path, typer.Option(help="The table.")] = OUT,
) -> None:
    """Try every fault, print what happened, and write the table."""
    faults: list[tuple[str, Callable[[Trial], str], int]] = [
        ("kill -9 at a random moment", killed, kills),
        ("Ctrl-C at a random moment", interrupted, 3 * others),
        ("Ctrl-C while it starts", lambda trial: interrupted(trial, 0.2), 3 * others),
        ("disk full", full_disk, others),
        ("disk full, of a cluster", lambda trial: full_disk(trial, *CLUSTER), others),
        ("read-only disk", read_only, len(RUNS)),
        ("little memory", with_little_memory, others),
        ("a second writer", second_writer, others),
        (
            "kill -9 of a worker of a cluster",
            lambda trial: on_cluster(trial, kill_client=False),
            2 * others,
        ),
        (
            "kill -9 of a cluster's client",
            lambda trial: on_cluster(trial, kill_client=True),
            2 * others,
        ),
        ("a bit of a part flipped", lambda trial: damaged(trial, flip), damages),
        ("a part truncated", lambda trial: damaged(trial, cut), damages // 5),
    ]
    rows: list[tuple[str, str, str, int]] = []
    with TemporaryDirectory() as folder:
        sim.simulate(hands=1, policies="random", keep="summary")  # compiles
        trials = []
        for name in RUNS:
            (Path(folder) / name).mkdir()
            trials.append(Trial(name, Path(folder) / name))
        for fault, attempt, tries in faults:
            for i, trial in enumerate(trials):
                share = len(range(i, tries, len(trials)))
                seen = Counter(attempt(trial) for _ in range(share))
                for told, n in seen.most_common():
                    rows.append((fault, trial.name, told, n))
                    print(f"{n:5} {fault}, {trial.name}: {told}", flush=True)
    for what, n in fuzz().items():
        rows.append((f"hostile input: {what}", "", "one line, or what was asked; no traceback", n))
        print(f"{n:5} {rows[-1][0]}", flush=True)
    table = pd.DataFrame(rows, columns=["fault", "run", "what happened", "tries"])
    told = {"what": "faults tried, and what happened", "program": PROGRAM, "seed": SEED}
    write_result(out, table, told | {"runs": RUNS})
    sys.exit(any(WRONG in row[2] for row in rows))


if __name__ == "__main__":
    typer.run(main)
