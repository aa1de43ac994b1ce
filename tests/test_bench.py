"""The benchmark: what it writes, and that it times what it says."""

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest

import sim
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from tests.helpers import ROOT, compiled_only

SCRIPTS = ROOT / "scripts"
STAGES = ["deal", "discard", "declare", "play", "combinations in tricks", "settle, score, row"]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> ModuleType:
    """The module of ``scripts/`` that a test asks for."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return importlib.import_module(request.param)


@compiled_only
def test_a_quick_round_writes_figures_and_a_chart(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_bytes()
    out = tmp_path / "new" / "bench.json"
    options = ["--quick", "--rounds", "2", "--out", str(out)]
    result = subprocess.run(
        [sys.executable, str(SCRIPTS / "bench.py"), *options],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    told = json.loads(out.read_text("utf-8"))
    assert json.loads(result.stdout) == told
    assert {path.name for path in out.parent.iterdir()} == {"bench.json", "bench.png", "bench.svg"}
    assert list(told) == [
        *("machine", "versions", "method", "rounds", "figures", "compared", "profile")
    ]
    assert told["machine"].keys() == {"processor", "cores"}
    assert told["rounds"] == 2
    for name in ("deal", "deal and play", "ottocento: random", "ottocento: simple"):
        figure = told["figures"][name]
        slowest, fastest = figure["ns_range"][1], figure["ns_range"][0]
        assert 0 < fastest <= figure["ns"] <= slowest
        assert figure["hands_per_second"] == pytest.approx(1e9 / figure["ns"], rel=0.01)
    assert told["figures"]["engine on two threads over one"].keys() == {"times", "cpu_over_wall"}
    for stages in told["profile"].values():
        assert list(stages) == [*STAGES, "write to Parquet"]
    if shutil.which("cc"):
        (compared,) = told["compared"].values()
        assert compared["with"] == "deal and play"
        assert compared["times"] > 0
    for private in (str(ROOT), str(tmp_path)):
        assert private not in result.stdout
    assert (ROOT / "README.md").read_bytes() == readme, "only published figures go there"


@pytest.mark.parametrize(
    ("options", "expected"),
    [(["--rounds", "0"], "1 or more"), (["--out", "figures"], "a .json file")],
)
def test_bad_options_are_refused(options: list[str], expected: str) -> None:
    result = subprocess.run(
        [sys.executable, str(SCRIPTS / "bench.py"), *options], capture_output=True, text=True
    )
    assert result.returncode == 2
    assert expected in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler of C")
@pytest.mark.parametrize("script", ["peers"], indirect=True)
def test_the_yardstick_plays_the_same_tricks(script: ModuleType) -> None:  # RULES §2, §3
    compiled = script.compile_yardstick()
    assert compiled is not None
    yardstick, _ = compiled
    n = 20 if numba.config.DISABLE_JIT else 20_000
    for seed, first in ((1, 0), (2**64 - 1, 1001)):
        rows = play_hands(sim.OTTOCENTO, parse_policies("random"), seed, first, n)
        tricks0, last_trick = yardstick(seed, first, n)
        np.testing.assert_array_equal(tricks0, rows.tricks[0])
        np.testing.assert_array_equal(last_trick, rows.last_trick)


@compiled_only
@pytest.mark.parametrize("script", ["stages"], indirect=True)
@pytest.mark.parametrize("policy", ["random", "simple"])
def test_the_loop_that_is_profiled_plays_the_same_hands(script: ModuleType, policy: str) -> None:
    script.until(policy, script.PLAY, ("combinations",), 500)()  # leaves the rules as they are
    rows = script.until(policy, script.ROW, (), 500)()
    expected = play_hands(sim.OTTOCENTO, parse_policies(policy), 1, 0, 500)
    for name in ("hand", "discard", "declared_points", "trick_points", "score", "won0"):
        np.testing.assert_array_equal(rows[name][..., :500], getattr(expected, name), err_msg=name)


@pytest.mark.parametrize("script", ["stages"], indirect=True)
def test_a_stage_costs_what_it_adds_to_the_loop(script: ModuleType) -> None:
    assert [*script.STAGES] == STAGES
    to_end = {stage: [100.0 * i**2, 100.0 * i**2 + 2] for i, stage in enumerate(STAGES, 1)}
    told = script.profile({**to_end, "write to Parquet": [7.0, 8.0]})
    assert told == {
        **{"deal": 101.0, "discard": 300.0, "declare": 500.0, "play": 700.0},
        **{"combinations in tricks": 900.0, "settle, score, row": 1100.0, "write to Parquet": 7.5},
    }


@pytest.mark.parametrize("script", ["report"], indirect=True)
def test_the_readme_shows_the_published_figures(script: ModuleType) -> None:
    published = json.loads((ROOT / script.PUBLISHED).read_text("utf-8"))
    readme = (ROOT / "README.md").read_text("utf-8")
    assert script.table(published) in readme
    assert script.in_readme(readme, published) == readme
