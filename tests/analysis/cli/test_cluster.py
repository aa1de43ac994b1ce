"""--cluster: the same answers as by threads, and how what goes wrong is told."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.run import Run, resume, simulate
from tests.analysis.cli.conftest import Command
from tests.dask_cluster import DaskCluster, dask_cluster, kill, wait_for
from tests.helpers import ROOT, compiled_only, contents

pytest.importorskip("distributed")
pytestmark = [
    compiled_only,
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX"),
]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A cluster of two workers."""
    with dask_cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.mark.parametrize(
    "command",
    [
        "compare random simple --rules partita --hands 2000",
        "pagat --policy random --rules partita --hands 300",
        "signals --signals throw --hands 80 --told 2",
        "equity --score 640-710 --policy random --hands 4000",
        "games --policy random --rules partita --games 50 --out games",
        "simulate --policy random --hands 1000 --out hands",
        "simulate --policy random --hands 1000 --keep summary --out summary",
    ],
)
def test_a_cluster_does_not_change_the_answer(
    command: str,
    two: DaskCluster,
    tarocchino: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = []
    for options in ([], ["--cluster", two.address]):
        (tmp_path / str(len(options))).mkdir()
        monkeypatch.chdir(tmp_path / str(len(options)))
        said = tarocchino(*command.split(), "--json", *options)
        assert said.status == 0, said.err
        told.append((json.loads(said.out), contents(Path())))
    assert told[0] == told[1]


def test_the_ranking_of_discards_may_come_from_a_cluster(
    two: DaskCluster, tarocchino: Command
) -> None:
    hand = "Angel Pagat SK BK CK DK T6 T8 T10 T12 S7 S8 B7 B8 C4"
    fast = ("discard", hand, "--rules", "partita", "--policy", "random", "--precision", 20)
    here, there = (tarocchino(*fast, "--json", *more) for more in ((), ("--cluster", two.address)))
    assert here.status == 0, here.err
    assert (here.status, here.out) == (there.status, there.out)


def test_no_cluster_is_bad_input(tarocchino: Command, tmp_path: Path) -> None:
    out = tmp_path / "run"
    said = tarocchino("simulate", "--hands", 10, "--out", out, "--cluster", "local:none")
    said.refused("'local:none' is no cluster: expected local:N, N at least 1")
    both = ["--threads", 2, "--cluster", "local:1"]
    for options in (both, both[2:] + both[:2]):
        said = tarocchino("simulate", "--hands", 10, "--out", out, *options)
        said.refused("a cluster has its own threads: expected --threads or --cluster")
    assert not out.exists()


def test_a_run_goes_to_an_url(tarocchino: Command) -> None:
    pytest.importorskip("upath")
    made = tarocchino("simulate", "--hands", 10, "--out", "memory://cli/run", "--json")
    assert made.status == 0
    assert tarocchino("summary", "memory://cli/run", "--json").out == made.out
    tarocchino("summary", "what://cli/run").refused("Unsupported filesystem: 'what'")


# ---- what stops a run ---------------------------------------------------------------------

RUN = "simulate --hands 2e6 --policy random --columns score0 --json"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of that run of 20 parts, made by threads."""
    out = tmp_path_factory.mktemp("whole")
    simulate(hands=2_000_000, policies="random", columns=["score0"], out=out)
    return contents(out)


def started(out: Path, cluster: str) -> "subprocess.Popen[str]":
    """The run, given to a cluster by a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "analysis", *RUN.split(), "--out", out, "--cluster", cluster],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def begun(out: Path, cluster: str) -> "subprocess.Popen[str]":
    """The same, two parts of it done."""
    process = started(out, cluster)
    wait_for(lambda: len(list(out.glob("hands/part-*"))) >= 2)
    return process


def is_resumed(out: Path, whole: dict[str, bytes]) -> None:
    """The run is unfinished, and completed to the same bytes."""
    assert not Run.open(out).manifest.finished
    there = {path: path.stat().st_mtime_ns for path in out.glob("hands/part-*")}
    resume(out)
    assert contents(out) == whole
    assert all(path.stat().st_mtime_ns == time for path, time in there.items())


def test_when_the_scheduler_is_lost(whole: dict[str, bytes], tmp_path: Path) -> None:
    out, folder = tmp_path / "run", tmp_path / "cluster"
    folder.mkdir()
    with dask_cluster(folder) as found, begun(out, found.address) as process:
        kill(found.scheduler)
        printed, told = process.communicate(timeout=60)
    assert (process.returncode, printed) == (1, "")
    assert told == (
        "tarocchino: the scheduler of the cluster was lost; "
        f"go on with tarocchino simulate --resume {out}\n"
    )
    is_resumed(out, whole)


FULL = """
import sim.records
def full(table, path, **options):
    path.write_bytes(b"half")
    raise OSError(28, "No space left on device")
sim.records.pq.write_table = full
print("FULL", flush=True)
"""


def test_a_worker_whose_disk_is_full(
    whole: dict[str, bytes], tarocchino: Command, tmp_path: Path
) -> None:
    out, folder = tmp_path / "run", tmp_path / "cluster"
    folder.mkdir()
    (folder / "full.py").write_text(FULL)
    with dask_cluster(folder, workers=1) as found:
        found.add_worker("--preload", "full.py")
        wait_for(lambda: (folder / "log").read_text().count("Registered to") == 2)
        said = tarocchino(*RUN.split(), "--out", out, "--cluster", found.address)
    assert "FULL" in (folder / "log").read_text()
    assert (said.status, said.out) == (1, "")
    assert said.line == (
        f"{out} cannot be written: No space left on device; "
        f"go on with tarocchino simulate --resume {out}"
    )
    is_resumed(out, whole)


def test_an_interrupt(whole: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "run"
    with begun(out, "local:2") as process:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to workers too
        printed, told = process.communicate(timeout=60)
    assert (process.returncode, printed) == (130, "")
    assert told == f"tarocchino: interrupted: go on with tarocchino simulate --resume {out}\n"
    is_resumed(out, whole)


def test_an_interrupt_while_workers_start(tmp_path: Path) -> None:
    with started(tmp_path / "run", "local:2") as process:
        wait_for(lambda: children(process.pid) >= 2)  # a worker, or two, not yet loaded
        os.killpg(process.pid, signal.SIGINT)
        printed, told = process.communicate(timeout=60)
    assert (process.returncode, printed, told) == (130, "", "tarocchino: interrupted\n")
    assert not (tmp_path / "run").exists()


def children(pid: int) -> int:
    """How many processes a process has begun."""
    listed = subprocess.run(["ps", "-A", "-o", "ppid="], capture_output=True, text=True)
    return listed.stdout.split().count(str(pid))
