"""Runs in S3, as a server of this machine plays it. What goes wrong is in test_stores."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim import locks
from sim.game_runs import GamesRun, simulate_games
from sim.manifests import RunError
from sim.records import run_path
from sim.rules import OTTOCENTO, PARTITA
from sim.run import Run, resume, simulate
from tests.dask_cluster import kill, wait_for
from tests.helpers import ROOT, contents

s3fs = pytest.importorskip("s3fs")
pytest.importorskip("upath")
server = pytest.importorskip("moto.server")


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The URL of a bucket; where the server is, and who we are, is in the environment."""
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    try:
        host, port = running.get_host_and_port()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
            patch.setenv("AWS_ACCESS_KEY_ID", "me")
            patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
            patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
            s3fs.S3FileSystem().mkdir("bucket")
            yield "s3://bucket"
    finally:
        s3fs.S3FileSystem.clear_instance_cache()
        running.stop()


def test_runs_have_the_same_bytes(s3: str, tmp_path: Path, small_parts: None) -> None:
    for keep in ("rows", "summary"):
        local = simulate(OTTOCENTO, 450, policies="random", keep=keep, out=tmp_path / keep)
        run = simulate(OTTOCENTO, 450, policies="random", keep=keep, out=f"{s3}/{keep}")
        assert run.manifest == local.manifest
        assert contents(run_path(f"{s3}/{keep}")) == contents(tmp_path / keep)
    assert Run.open(f"{s3}/rows").to_arrow().equals(Run.open(tmp_path / "rows").to_arrow())
    games = simulate_games(PARTITA, 20, policies="random", keep="hands", out=f"{s3}/games")
    simulate_games(PARTITA, 20, policies="random", keep="hands", out=tmp_path / "games")
    assert contents(run_path(f"{s3}/games")) == contents(tmp_path / "games")
    assert GamesRun.open(f"{s3}/games").to_arrow("hands").equals(games.to_arrow("hands"))


def test_damage_is_found_and_mended(s3: str, small_parts: None) -> None:
    simulate(PARTITA, 250, policies="random", out=f"{s3}/damaged")
    place = run_path(f"{s3}/damaged")
    part, whole = place / "hands" / "part-000001.parquet", contents(place)
    good = part.read_bytes()
    flipped = good[:2000] + bytes([good[2000] ^ 4]) + good[2001:]
    for bad in (good[:-1], b"", flipped, whole["hands/part-000002.parquet"]):
        part.write_bytes(bad)
        with pytest.raises(
            RunError, match=f"^{part} (is|has) .*: make it again with --resume {place}$"
        ):
            Run.open(place).to_arrow()
        resume(place)
        assert contents(place) == whole
    part.unlink()
    with pytest.raises(RunError, match=f"^{part} is missing: make it again with --resume {place}$"):
        Run.open(place)
    resume(place)
    assert contents(place) == whole


SLOW = """
import sys, time
from sim import locks, manifests, run
locks.BEAT, manifests.PART, make = 0.2, 100, run._make_part
def slow(*arguments):
    time.sleep(0.5)
    return make(*arguments)
run._make_part = slow
run.simulate(hands=2_000, policies="random", out=sys.argv[1])
"""


def test_a_killed_run_is_resumed(
    s3: str, tmp_path: Path, small_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "BEAT", 0.4)
    place = run_path(f"{s3}/killed")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", SLOW, str(place)], env=environment)
    try:
        wait_for(lambda: (place / "hands").exists())
        with pytest.raises(RunError, match=f"^{place} is being written by another run"):
            resume(place)
    finally:
        kill(process)
    assert (place / ".lock").exists() and not Run.open(place).manifest.finished
    resume(place)
    simulate(hands=2_000, policies="random", out=tmp_path / "run")
    assert contents(place) == contents(tmp_path / "run")
    assert sorted(path.name for path in place.iterdir()) == ["hands", "manifest.json"]


def test_what_cannot_be_had_is_told(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(url: str) -> list[str]:
        lines = []
        for ask in (Run.open, lambda url: simulate(PARTITA, 10, policies="random", out=url)):
            with pytest.raises(RunError) as error:
                ask(url)
            lines.append(str(error.value))
        return lines

    url = f"{s3}s/run"
    assert told(url) == [
        f"{url} is no run: expected a directory with manifest.json",
        f"{url} cannot be written or read: The specified bucket does not exist",
    ]
    assert not run_path(f"{s3}s").exists()  # nor made
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    s3fs.S3FileSystem.clear_instance_cache()
    for line in told(f"{s3}/none"):
        assert line.endswith("cannot be written or read: Unable to locate credentials")
    s3fs.S3FileSystem.clear_instance_cache()
