"""Functions that take a run hold a few parts of it, however many there are."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

import sim
from sim import manifests, records
from tests.helpers import ROOT, compiled_only
from tests.test_kernels_cache import modules

PARTS = {"hands": 25, "games": 125}  # 2.5 million of each
MOST = 150  # megabytes, where all of these hands are many more

pytestmark = [
    compiled_only,
    pytest.mark.skipif(sys.platform != "linux", reason="memory as Linux tells it"),
]


@pytest.fixture(scope="module")
def memory() -> Iterator[ModuleType]:
    """``scripts/memory.py``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "scripts"))
        yield importlib.import_module("memory")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Large runs of hands and of games: one part, written again and again."""
    made: dict[str, sim.Run | sim.GamesRun] = {
        "hands": sim.simulate(hands=manifests.PART, policies="random"),
        "games": sim.simulate_games(games=manifests.GAMES_PART, policies="random"),
    }
    folders = {}
    for unit, run in made.items():
        out, [table] = tmp_path_factory.mktemp(unit), [*run.batches()]
        manifest = replace(run.manifest, **{unit: PARTS[unit] * len(table)})
        (out / unit).mkdir()
        for part in manifest.ranges:
            records.write_part(out, part, table, manifest, unit)
            manifest.parts.append(manifest.entry(part))
        records.write_manifest(out, manifest)
        folders[unit] = out
    return folders


def test_every_function_that_takes_a_run_is_measured(memory: ModuleType) -> None:
    taking = {
        f"{name}.{function.__name__}"
        for name, _ in modules("analysis")
        if "cli" not in name and name != "analysis.__main__"
        for _, function in inspect.getmembers(importlib.import_module(name), inspect.isfunction)
        if function.__module__ == name and not function.__name__.startswith("_")
        if "run" in inspect.signature(function).parameters
    }
    measured = {
        name
        for statement in (*memory.OF_HANDS, *memory.OF_GAMES)
        for name in re.findall(r"analysis\.\w+\.\w+", statement)
    }
    assert measured == taking - {"analysis.reader.open_run"}


@pytest.mark.parametrize("unit", PARTS)
def test_no_function_holds_a_large_run(
    memory: ModuleType, runs: dict[str, Path], unit: str
) -> None:
    for statement in memory.OF_HANDS if unit == "hands" else memory.OF_GAMES:
        peak, before, _ = memory.measure(statement, runs[unit], unit)
        assert 0 < peak - before < MOST, statement


def test_what_holds_a_large_run_would_be_found(memory: ModuleType, runs: dict[str, Path]) -> None:
    peak, before, _ = memory.measure("opened.to_arrow()", runs["hands"], "hands")
    assert peak - before > 1.5 * MOST
