"""The packages themselves: compiled code kept and renewed, what imports what, at what cost."""

import ast
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.cards import indices
from sim.kernels.compiling import cache_folder, source_hash
from tests.helpers import ROOT, compiled_only, python

# ---- compiled code ------------------------------------------------------------------------

PLAY = """
import json, sim
from sim.hands import play_hands
from sim.policies.spec import parse_policies
rows = play_hands(sim.PARTITA, parse_policies("random"), 1, 0, 20, log_plays=True)
hands = [int(hand[dealer] & ~discard)  # the leaders'
         for hand, dealer, discard in zip(rows.hand.T, rows.dealer, rows.discard)]
print(json.dumps([sim.__file__, hands, rows.plays.tolist()]))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a copy of the engine."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "sim", tmp_path / "copy" / "sim", ignore=ignore)
    return tmp_path / "copy"


def play(package: Path) -> tuple[list[int], list[list[int]]]:
    """Hands of the leaders, and the cards played, by the copy with its own cache."""
    cache = str(package.parent / "cache")
    file, hands, plays = json.loads(python(PLAY, folder=package, NUMBA_CACHE_DIR=cache))
    assert Path(file).is_relative_to(package)
    return hands, plays


def kept(package: Path) -> dict[Path, int]:
    """When each file of compiled code was written."""
    files = (package.parent / "cache").rglob("*.nb?")
    return {path: path.stat().st_mtime_ns for path in files}


@compiled_only
def test_an_edit_of_an_inlined_policy_or_kernel_is_seen(package: Path) -> None:
    # numba looks at a function's own file alone, not at the files of those it inlines.
    first = play(package)
    compiled = kept(package)
    assert len(compiled) > 2
    assert play(package) == first
    assert kept(package) == compiled, "compiled code was not found again"

    # A policy's helper, in a file of its own: always the lowest card.
    view = package / "sim" / "policies" / "view.py"
    with view.open("a", encoding="utf-8") as file:
        file.write("\n\n@helper\ndef random_card(view, cards, number):\n    return lowest(cards)\n")
    # What the deal is made of: another constant, other cards.
    streams = package / "sim" / "kernels" / "streams.py"
    text = streams.read_text("utf-8")
    edited = re.sub(r"^DRAW = .*$", "DRAW = 0xBF58476D1CE4E5B9", text, flags=re.MULTILINE)
    assert edited != text
    streams.write_text(edited, "utf-8")

    hands, plays = play(package)
    assert hands != first[0], "the edit of a kernel was not seen"
    for hand, cards in zip(hands, plays, strict=True):
        assert cards[0] == min(indices(hand)), "the edit of a policy was not seen"


def test_the_hash_is_of_every_source_that_is_compiled(package: Path) -> None:
    sim = package / "sim"
    hashes = [source_hash(sim)]
    # The packs too: their masks are constants of compiled code.
    sources = sorted([*sim.rglob("*.py"), *sim.rglob("*.csv")])
    assert len(sources) > 30
    for path in sources:
        path.write_text(path.read_text("utf-8") + "\n", "utf-8")
        hashes.append(source_hash(sim))
    (sim / "policies" / "new.py").write_text("", "utf-8")
    hashes.append(source_hash(sim))
    (sim / "policies" / "new.py").rename(sim / "policies" / "other.py")
    hashes.append(source_hash(sim))
    assert len(set(hashes)) == len(hashes)
    assert source_hash(sim) == hashes[-1]


def test_compiled_code_is_kept_where_it_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a"))
    assert cache_folder() == tmp_path / "a" / "tarocchino" / source_hash()
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "b"))
    assert cache_folder().parent == tmp_path / "b" / "tarocchino"
    # Where that cannot be written, in the folder of temporary files.
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    assert cache_folder().parent == tmp_path / "temporary" / "tarocchino"


# ---- imports ------------------------------------------------------------------------------

# The rooms, as in the table of the house: one imports only those before it.
ROOMS = (
    *("user_files", "cards", "signals", "rules", "kernels"),
    *("combinations", "policies", "failures", "positions"),
    *("players", "rows", "hands", "game_hands"),
    *("compositions", "condition_probability", "conditions", "worlds"),
    *("columns", "parts", "cluster", "manifests", "stores", "records", "locks", "summaries"),
    *("run_directory", "run"),
    *("replays", "replaying", "explanations", "counts", "text"),
    *("games", "game_runs", "game_replays"),
)


def modules(package: str) -> Iterator[tuple[str, Path]]:
    """Every module of a package with its dotted name, the package's own ``__init__`` aside."""
    for path in sorted((ROOT / package).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if name != package:
            yield name, path


def imported(path: Path) -> set[str]:
    """The dotted names of what a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_a_room_imports_only_rooms_above_it() -> None:
    for name, path in modules("sim"):
        room = name.split(".")[1]
        assert room in ROOMS, f"{name} is in no room of the house's table"
        for other in imported(path):
            top, _, rest = other.partition(".")
            assert top != "analysis", f"{name} imports {other}"
            if top == "sim":
                used = rest.split(".")[0]
                assert used in ROOMS, f"{name} imports {other}, of no room"
                assert ROOMS.index(used) <= ROOMS.index(room), f"{name} imports {other}"


def test_kernels_know_no_policy() -> None:
    for name, path in modules("sim"):
        if name.startswith("sim.kernels"):
            assert not any(other.startswith("sim.policies") for other in imported(path)), name


def test_nothing_imports_the_command_line() -> None:
    for package in ("sim", "analysis"):
        for name, path in modules(package):
            # `python -m analysis` is the command itself.
            if not name.startswith("analysis.cli") and name != "analysis.__main__":
                assert not any("analysis.cli" in other for other in imported(path)), name


def test_every_package_is_installed() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    for package in ("sim", "analysis"):
        for path in (ROOT / package).rglob("__init__.py"):
            name = ".".join(path.parent.relative_to(ROOT).parts)
            assert f'"{name}"' in text, f"{name} is not among the packages of pyproject.toml"


def test_the_engine_starts_without_what_few_need() -> None:
    loaded = python("import sim, sys; print(*sys.modules)").split()
    assert "sim.run" in loaded
    few = {"pandas", "matplotlib", "analysis", "dask", "distributed", "fsspec"}
    assert not few & set(loaded)


@pytest.mark.skipif(os.name != "posix", reason="paths of POSIX")
def test_the_engine_runs_where_nothing_can_be_written(tmp_path: Path) -> None:
    # Home and cache folders that do not exist: the temporary folder serves.
    told = python(
        "import sim.kernels.compiling as c; print(c.cache_folder())",
        HOME="/dev/null",
        XDG_CACHE_HOME="/dev/null",
        NUMBA_CACHE_DIR="/dev/null",
        TMPDIR=str(tmp_path),
    )
    assert Path(told.strip()).is_relative_to(tmp_path)
