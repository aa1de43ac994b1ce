"""A Dask cluster of real processes in place of threads.

A lost scheduler, a full disk and an interrupt are in ``tests/analysis/cli/test_cluster.py``.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sim import cluster
from sim.cluster import ClusterError, ClusterFailure, on_cluster
from sim.game_runs import simulate_games
from sim.parts import map_parts
from sim.players import IllegalAnswer
from sim.policies.policy import PolicyError
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA
from sim.run import resume, simulate
from tests.dask_cluster import DaskCluster, dask_cluster, kill, wait_for
from tests.helpers import LOWEST, compiled_only, contents, policy_file

pytest.importorskip("distributed")
pytestmark = [
    compiled_only,
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX"),
]
# Workers cut runs into parts of the usual size: 12 of them, and few columns.
HANDS, COLUMNS = 1_150_000, ["score0"]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A cluster of two workers."""
    with dask_cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


def run_to(out: Path, **options: object) -> None:
    """The run that the tests make."""
    options = {"policies": "random", "columns": COLUMNS, **options}
    simulate(OTTOCENTO, HANDS, out=out, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Its files, made by threads."""
    out = tmp_path_factory.mktemp("whole")
    run_to(out)
    return contents(out)


@contextmanager
def meanwhile(out: Path, parts: int, action: Callable[[], object]) -> Iterator[None]:
    """Within it, something is done once so many parts are there, and before the last is."""
    there: list[int] = []

    def act() -> None:
        wait_for(lambda: len(list(out.glob("hands/part-*"))) >= parts)
        action()
        there.append(len(list(out.glob("hands/part-*"))))

    thread = threading.Thread(target=act)
    thread.start()
    try:
        yield
    finally:
        thread.join()
    assert there and there[0] < 12


# ---- the same as threads ------------------------------------------------------------------


def test_a_run_has_the_same_bytes(
    two: DaskCluster, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where the workers are not
    with on_cluster(two.address):
        run_to(Path("run"))
        assert contents(tmp_path / "run") == whole
        # A lost part is made again, and no other.
        lost = tmp_path / "run" / "hands" / "part-000003.parquet"
        times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
        lost.unlink()
        resume("run")
    assert contents(tmp_path / "run") == whole
    assert lost.stat().st_mtime_ns != times.pop(lost)
    assert all(path.stat().st_mtime_ns == time for path, time in times.items())


def test_games_and_runs_in_memory_are_the_same(two: DaskCluster) -> None:
    games = [simulate_games(PARTITA, 50, policies="simple", keep="hands")]
    hands = [simulate(PARTITA, 500, policies="simple", where="dealer.trumps >= 6")]
    with on_cluster(two.address):
        games.append(simulate_games(PARTITA, 50, policies="simple", keep="hands"))
        hands.append(simulate(PARTITA, 500, policies="simple", where="dealer.trumps >= 6"))
    for folder in ("games", "hands"):
        assert games[0].to_arrow(folder).equals(games[1].to_arrow(folder))
    assert hands[0].to_arrow().equals(hands[1].to_arrow())


def test_a_users_policy_is_sent(two: DaskCluster, tmp_path: Path) -> None:
    # With its parameters, and another policy at the other side; the worker does not see the file.
    path = policy_file(tmp_path, LOWEST.replace("@policy.play", "@policy.play(boldness=1)"))
    policies = [f"{path}:bottom(boldness=3)", "simple+discard:void"]
    here = simulate(OTTOCENTO, 300, policies=policies)
    with on_cluster(two.address):
        parsed = parse_policies(policies)
        there = simulate(OTTOCENTO, 300, policies=parsed)
        assert there.to_arrow().equals(here.to_arrow())
        path.write_text(path.read_text() + "# changed", "utf-8")
        sent = cluster.sim.policies.sent
        sent._source.cache_clear()
        with pytest.raises(PolicyError, match=r"mine\.py has changed since it was loaded"):
            simulate(OTTOCENTO, 300, policies=parsed)


def test_what_a_policy_does_wrong_is_told(two: DaskCluster, tmp_path: Path) -> None:
    wrong = policy_file(tmp_path, LOWEST.replace("lowest(view.legal)", "-1"))
    told = []
    for run in (simulate, lambda *a, **k: _on(two, simulate, *a, **k)):
        with pytest.raises(IllegalAnswer, match="plays card number -1") as error:
            run(OTTOCENTO, 300, policies=f"{wrong}:bottom")
        told.append((str(error.value), error.value.hand, error.value.kind))
    assert told[0] == told[1]


def _on(where: DaskCluster, call: Callable[..., object], *arguments: object, **options: object):
    with on_cluster(where.address):
        return call(*arguments, **options)


def test_results_come_in_order_and_failures_are_told(two: DaskCluster) -> None:
    ranges = [range(10 * i, 10 * i + 10) for i in range(30)]

    def failing(part: range) -> int:
        if part[0] == 200:
            raise RuntimeError("part 200")
        return sum(part)

    with on_cluster(two.address):
        assert list(map_parts(sum, ranges)) == [(part, sum(part)) for part in ranges]
        done_by = {pid for _, pid in map_parts(lambda part: os.getpid(), ranges)}
        found = []
        with pytest.raises(RuntimeError, match="part 200"):
            found.extend(part[0] for part, _ in map_parts(failing, ranges))
    assert found == sorted(found) and set(range(0, 200, 10)) <= set(found) and 200 not in found
    assert done_by == {worker.pid for worker in two.workers}
    # Afterwards the work is done here.
    assert list(map_parts(lambda part: os.getpid(), [range(1)])) == [(range(1), os.getpid())]


def test_quick_parts_are_sent_in_groups(two: DaskCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import Client

    sent: list[int] = []

    def submit(self: Client, do: object, task: bytes, parts: list[range], *more: object, **how):  # type: ignore[no-untyped-def]
        sent.append(len(parts))
        return submitted(self, do, task, parts, *more, **how)

    submitted = Client.submit
    monkeypatch.setattr(Client, "submit", submit)
    ranges = [range(i, i + 1) for i in range(203)]
    with on_cluster(two.address):
        assert [found for _, found in map_parts(sum, ranges)] == list(range(203))
    assert sent[:8] == [1] * 8  # until it is known how long they take
    assert max(sent) == cluster.TOGETHER and sum(sent) == 203
    sent.clear()
    monkeypatch.setattr(cluster, "SECONDS", 0.001)
    with on_cluster(two.address):
        list(map_parts(lambda part: time.sleep(0.002), ranges[:20]))
    assert sent == [1] * 20


def test_of_a_group_all_before_a_failure_is_kept(two: DaskCluster) -> None:
    def failing(part: range) -> int:
        if part[0] == 16:
            raise RuntimeError("part 16")
        return part[0]

    ranges = [range(i, i + 1) for i in range(18)]  # eight alone, and ten together
    found = []
    with on_cluster(two.address), pytest.raises(RuntimeError, match="part 16"):
        found.extend(value for _, value in map_parts(failing, ranges))
    assert found == list(range(16))  # what follows in its group is not begun


def test_after_quick_parts_long_ones_go_to_all_workers(two: DaskCluster) -> None:
    def long(part: range) -> int:
        time.sleep(0.1)
        return os.getpid()

    ranges = [range(i, i + 1) for i in range(100)]
    with on_cluster(two.address):
        list(map_parts(sum, ranges))  # in groups of ten
        done_by = {pid for _, pid in map_parts(long, ranges[:8])}
    assert done_by == {worker.pid for worker in two.workers}


# ---- what dies ----------------------------------------------------------------------------


def test_a_killed_worker_loses_nothing(whole: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "run"
    (tmp_path / "cluster").mkdir()
    with (
        dask_cluster(tmp_path / "cluster") as found,
        on_cluster(found.address),
        meanwhile(out, 3, lambda: kill(found.workers[0])),
    ):
        run_to(out)
    assert contents(out) == whole  # and nothing half written


def test_when_no_worker_is_left_it_is_told(
    whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    (tmp_path / "cluster").mkdir()
    with (
        dask_cluster(tmp_path / "cluster", workers=1) as found,
        on_cluster(found.address),
        meanwhile(out, 3, lambda: kill(found.workers[0])),
    ):
        monkeypatch.setattr(cluster, "PATIENCE", 0.2)
        monkeypatch.setattr(cluster, "WORKERLESS", 0.6)
        with pytest.raises(ClusterFailure, match="the cluster has no workers left"):
            run_to(out)
    resume(out)
    assert contents(out) == whole


# ---- clusters that cannot be had ----------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("local", "'local' is no cluster: expected local:N"),
        ("local:0", "'local:0' is no cluster: expected local:N, N at least 1"),
        ("localhost", "'localhost' is no cluster: expected an address such as tcp://host:8786"),
        ("what://host:1", "the scheduler what://host:1 cannot be reached: unknown address"),
        ("tcp://127.0.0.1:1", "the scheduler tcp://127.0.0.1:1 cannot be reached: "),
    ],
)
def test_no_cluster(address: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with pytest.raises(ClusterError) as error, on_cluster(address):
        pass
    assert str(error.value).startswith(told)


def test_a_cluster_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with (
        dask_cluster(tmp_path, workers=0) as found,
        pytest.raises(ClusterError, match="has no workers: start some"),
        on_cluster(found.address),
    ):
        pass


def test_without_dask_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    told = r"install it with pip install 'tarocchino\[cluster\]'"
    with pytest.raises(ClusterError, match=told), on_cluster("local:2"):
        pass


def test_a_worker_with_another_program_is_refused(
    two: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_program", lambda: ("another",))
    with pytest.raises(ClusterFailure, match="has another program"), on_cluster(two.address):
        list(map_parts(sum, [range(10)]))
