"""Runs by any number of threads, interrupted and resumed."""

import os
from pathlib import Path

import pytest

from sim import manifests, records
from sim.columns import column_names, to_numpy
from sim.manifests import RunError
from sim.players import IllegalAnswer
from sim.policies.policy import PolicyError
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from sim.run import Run, resume, simulate
from sim.summaries import add_hands, merged, no_hands, statistics_from, summary_table
from tests.helpers import CHOOSY, compiled_only, contents, each_preset, parts_of, python

pytestmark = pytest.mark.usefixtures("small_parts")

# ---- the same bytes -----------------------------------------------------------------------


@each_preset
@compiled_only
def test_threads_do_not_change_a_byte(rules: RuleSet, tmp_path: Path) -> None:
    policies = ["simple", "random"]
    whole = []
    for threads in (1, 2, 3, 7):
        out = tmp_path / str(threads)
        simulate(rules, 1_150, policies=policies, out=out, log_plays=True, threads=threads)
        whole.append(contents(out))
    assert len(whole[0]) == 13
    assert whole[0] == whole[1] == whole[2] == whole[3]


def test_the_size_of_parts_does_not_change_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = []
    for size in (1, 7, 100, 1_000):
        monkeypatch.setattr(manifests, "PART", size)
        tables.append(simulate(PARTITA, 50, seed=9, log_plays=True).to_arrow().combine_chunks())
    assert all(table.equals(tables[0]) for table in tables)


def test_a_longer_run_begins_with_the_shorter() -> None:
    short, long = (simulate(OTTOCENTO, n, policies="random").to_arrow() for n in (150, 420))
    assert long.slice(0, 150).equals(short)


# ---- interrupted and resumed --------------------------------------------------------------

# Makes a run, and does something when the third part is half written.
INTERRUPTED = """
import os, signal, sys
import pyarrow.parquet as pq
from pathlib import Path
from sim import manifests, records
from sim.columns import column_names, to_numpy
from sim.rules import PRESETS
from sim.run import simulate
signal.signal(signal.SIGINT, signal.default_int_handler)
manifests.PART = 100
write, signal_, calls = pq.write_table, getattr(signal, sys.argv[2]), []
def write_half(table, path, **options):
    calls.append(path)
    if len(calls) == 3:
        write(table, path, **options)
        path.write_bytes(path.read_bytes()[:1000])
        os.kill(os.getpid(), signal_)
    write(table, path, **options)
records.pq.write_table = write_half
simulate(PRESETS[sys.argv[3]], 1_150, policies=["simple", "random"], out=sys.argv[1], threads=2)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="signals of POSIX")
@pytest.mark.parametrize("signal", ["SIGKILL", "SIGINT"])
@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
def test_an_interrupted_run_is_resumed_to_the_same_bytes(
    rules: RuleSet, signal: str, tmp_path: Path
) -> None:
    out, whole = tmp_path / "run", tmp_path / "whole"
    told = python(INTERRUPTED, str(out), signal, rules.name, fails=True)
    if signal == "SIGINT":
        assert told.splitlines()[-1] == "KeyboardInterrupt"
        assert not list(out.rglob("*.tmp"))
    there = parts_of(out)
    assert there == sorted(there) and len(there) < 12
    assert not Run.open(out).manifest.finished

    # The same command does not begin again, and says how to go on.
    policies = ["simple", "random"]
    with pytest.raises(RunError, match=f"holds this run unfinished: go on with --resume {out}"):
        simulate(rules, 1_150, policies=policies, out=out)
    resumed = resume(out)
    simulate(rules, 1_150, policies=policies, out=whole)
    assert resumed.manifest.finished
    assert contents(out) == contents(whole)


def test_resuming_makes_only_what_lacks(tmp_path: Path) -> None:
    out = tmp_path / "run"
    simulate(OTTOCENTO, 450, policies="random", out=out)
    whole, lacks = contents(out), out / "hands" / "part-000002.parquet"
    times = {path: path.stat().st_mtime_ns for path in out.rglob("*.parquet")}
    lacks.unlink()
    (out / "hands" / ".part-000003.parquet.tmp").write_bytes(b"half")
    resume(out)
    assert contents(out) == whole
    changed = {path for path, time_ in times.items() if path.stat().st_mtime_ns != time_}
    assert changed == {lacks}


def test_resuming_a_finished_run_changes_nothing(tmp_path: Path) -> None:
    simulate(PARTITA, 250, policies="random", out=tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*") if path.suffix}
    assert resume(tmp_path).manifest.finished
    assert times == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*") if path.suffix}


def test_an_illegal_answer_leaves_whole_parts(tmp_path: Path) -> None:
    policy = tmp_path / "mine.py"
    policy.write_text(
        "from sim.kernels.bits import lowest\nfrom sim.policies import policy\n"
        "@policy.play\ndef mine(view, weights):\n"
        "    return (-1 if view.key % 3000 == 0 else lowest(view.legal)), 0\n",
        "utf-8",
    )
    out = tmp_path / "run"
    with pytest.raises(IllegalAnswer, match="plays card number -1") as error:
        simulate(OTTOCENTO, 1_000, policies=f"{policy}:mine", out=out, threads=1)
    # Parts before it are there, and of those after it at most the ones already begun.
    first = error.value.hand // 100
    assert set(range(0, 100 * first, 100)) <= set(parts_of(out)) < set(range(0, 1_000, 100))
    # The hand fails alone too.
    with pytest.raises(IllegalAnswer, match=str(error.value.hand)):
        resume(out, policies=[f"{policy}:mine"])


# ---- policies of a resumed run ------------------------------------------------------------

POLICY = """
from sim.kernels.bits import lowest
from sim.policies import policy
@policy.play(boldness=1)
def mine(view, weights):
    return lowest(view.legal), 0
"""


def unfinished(directory: Path, *policies: str) -> Path:
    """A run from which a part was lost."""
    simulate(OTTOCENTO, 250, policies=policies, out=directory / "run")
    (directory / "run" / "hands" / "part-000001.parquet").unlink()
    return directory / "run"


def test_a_users_policy_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.py"
    path.write_text(POLICY, "utf-8")
    out = unfinished(tmp_path, "simple", f"{path}:mine(boldness=3)")
    assert records.read_manifest(out).specs == ["simple", "mine.py:mine(boldness=3)"] * 2
    with pytest.raises(PolicyError, match=r"mine\.py"):
        resume(out)  # not in this folder
    assert resume(out, policies=["simple", f"{path}:mine(boldness=3)"]).manifest.finished
    (out / "hands" / "part-000000.parquet").unlink()
    monkeypatch.chdir(tmp_path)
    assert resume(out).manifest.finished


def test_a_changed_policy_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(POLICY, "utf-8")
    out = unfinished(tmp_path, f"{path}:mine")
    for given, told in (
        ([f"{path}:mine(boldness=2)"], "is not the one recorded, mine.py:mine"),
        (["simple"], "was made with mine.py and has changed"),
        ([f"{path}:mine", "simple"], "was made with mine.py and has changed"),
    ):
        with pytest.raises(PolicyError, match=told):
            resume(out, policies=given)
    path.write_text(POLICY + "# a remark\n", "utf-8")
    with pytest.raises(PolicyError, match=r"was made with mine\.py and has changed since"):
        resume(out, policies=[f"{path}:mine"])
    # So is a fresh process that finds it in its folder.
    told = python("import sys, sim\nsim.resume(sys.argv[1])", str(out), folder=tmp_path, fails=True)
    assert "has changed since" in told.splitlines()[-1]
    path.write_text(POLICY, "utf-8")
    assert resume(out, policies=[f"{path}:mine"]).manifest.finished


def test_a_policy_of_another_version_is_refused(tmp_path: Path) -> None:
    out = unfinished(tmp_path, "random")
    path = out / "manifest.json"
    text = path.read_text("utf-8")
    path.write_text(text.replace('"version": 1', '"version": 2'), "utf-8")
    with pytest.raises(PolicyError, match="the same SPEC, versions and parameters"):
        resume(out)


def test_choosy_is_resumed(tmp_path: Path) -> None:
    out = unfinished(tmp_path, CHOOSY)
    assert resume(out, policies=[CHOOSY]).manifest.finished


# ---- runs that keep a summary -------------------------------------------------------------


@pytest.fixture
def small_summaries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Summaries of 200 hands for a run of 1,150."""
    monkeypatch.setattr(manifests, "FEWEST_SUMMARIES", 5)


SUMMARIES = pytest.mark.usefixtures("small_summaries")


@SUMMARIES
@compiled_only
@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
def test_a_summary_is_the_same_bytes_whoever_makes_it(rules: RuleSet, tmp_path: Path) -> None:
    policies = ["simple", "random"]
    for threads in (1, 3):
        out = tmp_path / str(threads)
        run = simulate(rules, 1_150, policies=policies, out=out, keep="summary", threads=threads)
    assert contents(tmp_path / "1") == contents(tmp_path / "3")
    assert sorted(path for path in contents(out) if path != "manifest.json") == [
        f"summary/part-{i:06d}.parquet" for i in range(6)
    ]
    assert (run.hands, run.manifest.finished, run.manifest.keep) == (1_150, True, "summary")
    # Lost, damaged and not yet begun: all are made again.
    whole = contents(out)
    (out / "summary" / "part-000000.parquet").unlink()
    (out / "summary" / "part-000003.parquet").write_bytes(b"PAR1")
    manifest = records.read_manifest(out)
    manifest.parts = manifest.parts[:4]
    records.write_manifest(out, manifest)
    (out / "summary" / "part-000005.parquet").unlink()
    resume(out)
    assert contents(out) == whole


@SUMMARIES
@pytest.mark.skipif(not hasattr(os, "fork"), reason="signals of POSIX")
@pytest.mark.parametrize("signal", ["SIGKILL", "SIGINT"])
def test_an_interrupted_summary_is_resumed_to_the_same_bytes(signal: str, tmp_path: Path) -> None:
    out, whole = tmp_path / "run", tmp_path / "whole"
    code = INTERRUPTED.replace("threads=2", 'threads=2, keep="summary"')
    code = code.replace(
        "manifests.PART = 100", "manifests.PART, manifests.FEWEST_SUMMARIES = 100, 5"
    )
    python(code, str(out), signal, "ottocento", fails=True)
    left = Run.open(out)
    assert left.hands < 1_150 and not left.manifest.finished
    resume(out)
    simulate(OTTOCENTO, 1_150, policies=["simple", "random"], out=whole, keep="summary")
    assert contents(out) == contents(whole)


@SUMMARIES
@compiled_only
def test_a_summary_in_memory_is_that_of_all_parts(tmp_path: Path) -> None:
    of = statistics_from(OTTOCENTO, column_names(OTTOCENTO))
    on_disk = simulate(OTTOCENTO, 1_150, out=tmp_path / "run", keep="summary")
    in_memory = simulate(OTTOCENTO, 1_150, keep="summary")
    [table] = in_memory.summaries()  # one, however many parts there were
    assert len(list(on_disk.summaries())) == 6
    assert merged(on_disk.summaries(), of).equals(table)
    rows = simulate(OTTOCENTO, 1_150)
    counts = no_hands(of)
    for hands in rows.batches():
        add_hands(counts, of, to_numpy(hands), OTTOCENTO)
    assert summary_table(counts, of).equals(table)
    assert (in_memory.hands, rows.hands) == (1_150, 1_150)


def test_rows_and_summaries_are_not_taken_for_each_other(tmp_path: Path) -> None:
    rows, summary = (
        simulate(PARTITA, 150, out=tmp_path / keep, keep=keep) for keep in ("rows", "summary")
    )
    with pytest.raises(RunError, match="the run keeps a summary: expected one that keeps its rows"):
        summary.to_arrow()
    with pytest.raises(RunError, match="the run keeps its rows"):
        rows.summaries()
    for there, asked in (("rows", "summary"), ("summary", "rows")):
        with pytest.raises(RunError, match=rf"holds another run \(keep {there}\)"):
            simulate(PARTITA, 150, out=tmp_path / there, keep=asked)
    with pytest.raises(RunError, match="keep 'all': expected rows or summary"):
        simulate(PARTITA, 150, keep="all")


def test_summaries_are_few_however_many_the_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "PART", 100_000)
    policies = [policy.to_dict() for policy in parse_policies("random")]
    parts = {}
    for hands in (1, 10**6, 10**8, 10**9, 10**12, manifests.KEPT["summary"]):
        manifest = manifests.Manifest(
            OTTOCENTO, 1, hands, policies, ["hand_id", "dealer"], keep="summary"
        )
        assert manifests.Manifest.from_dict(manifest.to_dict()) == manifest
        parts[hands] = manifest.part_count
    assert [*parts.values()] == [1, 10, 67, 250, 250_000, 10**6]
