"""Faults tried on runs (``scripts/faults.py``, a short form), and code that a run names."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from analysis.cli import main
from sim.manifests import RunError
from sim.policies.policy import PolicyError
from sim.policies.spec import parse_policy
from sim.rules import OTTOCENTO
from sim.run import Run, resume, simulate
from sim.signals import SignalError
from tests.helpers import LOWEST, POLICY_HEAD, ROOT, compiled_only, policy_file

# ---- faults -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def faults() -> ModuleType:
    """``scripts/faults.py``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "scripts"))
        return importlib.import_module("faults")


@pytest.fixture(scope="module")
def trial(faults: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> object:
    """A run of games that keeps hands, in three parts: what is not elsewhere in the suite."""
    with pytest.MonkeyPatch.context() as patch:
        line = "games --games 41_000 --rules partita --policy random --keep hands"
        patch.setattr(faults, "RUNS", {"games": line})
        return faults.Trial("games", tmp_path_factory.mktemp("faults"))


@compiled_only
@pytest.mark.skipif(sys.platform != "linux", reason="process groups, limits of memory")
def test_what_is_killed_or_interrupted_is_completed_to_the_same_bytes(
    faults: ModuleType, trial: object
) -> None:
    assert len([name for name in trial.whole if "games/" in name]) == 3  # type: ignore[attr-defined]
    assert faults.killed(trial) == faults.SAME
    assert faults.WRONG not in faults.interrupted(trial)
    assert faults.WRONG not in faults.with_little_memory(trial)


@compiled_only
def test_a_damaged_part_is_found_or_changes_nothing(faults: ModuleType, trial: object) -> None:
    for damage in (faults.flip, faults.cut):
        for _ in range(20):
            assert faults.WRONG not in faults.damaged(trial, damage)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupt_while_modules_are_imported_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("import os\nos.kill(os.getpid(), 2)\nwhile True: pass\n")
    told = subprocess.run(
        [sys.executable, "-m", "analysis", "policies"],
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert (told.returncode, told.stdout, told.stderr) == (130, "", "tarocchino: interrupted\n")


def test_the_table_of_faults_has_nothing_wrong(faults: ModuleType) -> None:
    table = pd.read_csv(faults.OUT, comment="#", keep_default_na=False)
    assert not table["what happened"].str.contains(faults.WRONG).any()
    assert table.tries[table.fault.str.contains("kill -9")].sum() >= 100
    assert table.fault.str.contains("hostile input").any()


# ---- code that a run names ----------------------------------------------------------------

EVIL = "\nfrom pathlib import Path\nPath('was run').touch()\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a run whose only part is lost."""
    monkeypatch.chdir(tmp_path)
    simulate(OTTOCENTO, 8, policies="random", out="run")
    change_manifest(parts=[])
    return tmp_path


def change_manifest(**changes: object) -> None:
    """Change what the manifest of the run says."""
    path = Path("run/manifest.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def name_policy(spec: str, text: str) -> None:
    """Change the policies to one of ``evil.py``, its text recorded by its hash."""
    files = {"evil.py": hashlib.sha256(text.encode()).hexdigest()}
    change_manifest(
        policies=[parse_policy("random").to_dict() | {"spec": spec, "files": files}] * 4
    )


def refused(told: str, directory: str = "run", **options: object) -> None:
    """Whatever would play hands of the run is refused, and no code is run."""
    assert Run.open(directory).hands == 0
    with pytest.raises(PolicyError, match=told):
        resume(directory, **options)  # type: ignore[arg-type]
    for command in (["replay", directory, "7"], ["explain", directory, "7", "--seat", "0"]):
        with pytest.raises(SystemExit) as stop:
            main([*command, *(f"--policy={spec}" for spec in options.get("policies", []))])  # type: ignore[attr-defined]
        assert stop.value.code == 2
    assert not Path("was run").exists()


def test_a_changed_policy_file_is_not_run(here: Path) -> None:
    policy_file(here, LOWEST)
    change_manifest(policies=[parse_policy("mine.py:bottom").to_dict()] * 4)
    policy_file(here, LOWEST + EVIL)
    refused(r"was made with mine\.py and has changed since")
    refused("has changed since", policies=["simple", f"{here}/mine.py:bottom"])


def test_a_file_that_only_mixes_shipped_parts_is_recorded_too(here: Path) -> None:
    text = "from sim.policies.spec import parse_policy\nf = parse_policy('expert+play:random')\n"
    Path("mix.py").write_text(text)
    change_manifest(policies=[parse_policy("mix.py:f").to_dict()] * 4)
    Path("mix.py").write_text(text + EVIL)
    refused(r"was made with mix\.py and has changed since")


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("run/evil.py:bottom", "is recorded with a folder: expected none"),
        ("./evil.py:bottom", "is recorded with a folder: expected none"),
        ("evil.py:bottom", "has changed since"),
    ],
)
def test_a_manifest_does_not_choose_what_is_run(here: Path, spec: str, told: str) -> None:
    text = POLICY_HEAD + LOWEST + EVIL
    for place in ("evil.py", "run/evil.py"):
        Path(place).write_text(text)
    name_policy(spec, text + "#" * (spec == "evil.py:bottom"))
    refused(told)


def test_nothing_in_a_run_directory_is_run(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = POLICY_HEAD + LOWEST + EVIL
    Path("run/evil.py").write_text(text)
    name_policy("evil.py:bottom", text)
    refused("lies in the run's own directory", policies=["run/evil.py:bottom"])
    monkeypatch.chdir("run")
    refused("lies in the run's own directory", directory=".")


def test_nor_is_a_statement_of_a_table(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = hashlib.sha256(EVIL.encode()).hexdigest()
    own = {"name": "own", "moment": "any_card", "true": "own.py:f", "sha256": digest}
    for place in ("own.py", "run/own.py"):
        Path(place).write_text(EVIL)
    for wrong in (own | {"true": "run/own.py:f"}, {**own, "sha256": ""}):
        change_manifest(signals={"names": [], "own": [wrong]})
        with pytest.raises(RunError, match="not of the expected kinds"):
            Run.open("run")
    change_manifest(signals={"names": [], "own": [own]})
    Path("own.py").write_text("")
    with pytest.raises(SignalError, match=r"own\.py of a table's statement has changed"):
        resume("run")
    monkeypatch.chdir("run")
    refused(r"own\.py lies in the run's own directory", directory=".")
