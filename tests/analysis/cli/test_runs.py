"""``tarocchino simulate``: what it writes and prints, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import sim
from analysis.frequencies import summarise
from sim.run import Run
from tests.analysis.cli.conftest import SIMULATE, Command, made, unfinished
from tests.helpers import LOWEST, compiled_only, contents, policy_file

pytestmark = pytest.mark.usefixtures("folder")


# ---- simulate -------------------------------------------------------------------------------


def test_a_run_is_written_and_summed_up(tarocchino: Command) -> None:
    said = tarocchino(*SIMULATE, "--seed", 5, "--out", "run")
    assert said.status == 0
    assert said.out.startswith("ottocento: 250 hands, seed 5, policy random\n")
    assert said.out.endswith("\nRun: run\n")
    sim.simulate(hands=250, seed=5, policies="random", out="same")
    assert contents(Path("run")) == contents(Path("same"))


def test_the_same_command_again_only_sums_up(tarocchino: Command) -> None:
    first = tarocchino(*SIMULATE, "--out", "run")
    times = {path: path.stat().st_mtime_ns for path in Path("run").rglob("*") if path.suffix}
    assert tarocchino(*SIMULATE, "--out", "run") == first._replace(err="")
    assert tarocchino("simulate", "--resume", "run").out == first.out
    assert tarocchino("summary", "run").out == first.out
    assert times == {
        path: path.stat().st_mtime_ns for path in Path("run").rglob("*") if path.suffix
    }


def test_a_run_without_a_name_is_named_after_itself(tarocchino: Command, folder: Path) -> None:
    policy_file(folder, LOWEST)
    sides = ("--policy", "mine.py:bottom", "--policy", "simple+discard:random")
    said = tarocchino("simulate", "--rules", "partita", "--hands", "1e2", "--seed", 3, *sides)
    assert [path.name for path in Path("runs").iterdir()] == [
        "partita-mine.py-bottom-simple-discard-random-100-seed3"
    ]
    assert f"policies {', '.join(['mine.py:bottom', 'simple+discard:random'] * 2)} (seats" in (
        " ".join(said.out.split())
    )


def test_json_is_one_document_and_nothing_else(tarocchino: Command) -> None:
    said = tarocchino(*SIMULATE, "--out", "run", "--json", "--level", "0.8")
    assert said.status == 0 and said.out.count("\n") == 1
    told = json.loads(said.out)
    assert told == json.loads(json.dumps(summarise("run", level=0.8).to_dict()))
    assert {"rules", "policies", "hands", "rows"} <= set(told)
    assert tarocchino("summary", "run", "--json", "--level", 0.8).out == said.out


def test_what_is_kept_is_chosen(tarocchino: Command) -> None:
    said = tarocchino(*SIMULATE, "--out", "run", "--columns", "score1, dealer", "--log-plays")
    assert said.status == 0  # also where there is little to sum up
    assert "No pagat: the run was made without pagat_seat, pagat_trick, pagat_side." in said.out
    for part in Path("run", "hands").iterdir():
        assert pq.read_schema(part).names == ["hand_id", "dealer", "score1", "plays"]


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_no_byte(tarocchino: Command, threads: int) -> None:
    assert tarocchino(*SIMULATE, "--threads", threads, "--out", "run").status == 0
    assert contents(Path("run")) == contents(made("same"))


def test_charts_are_saved(tarocchino: Command) -> None:
    said = tarocchino(*SIMULATE, "--out", "run", "--chart", "new/declared")
    assert said.out.endswith("Run: run\nChart: new/declared.png\nChart: new/declared.svg\n")
    assert Path("new/declared.svg").read_text().startswith("<?xml")
    said = tarocchino("summary", "run", "--json", "--chart", "declared.pdf")
    assert (json.loads(said.out)["hands"], said.err) == (250, "Chart: declared.pdf\n")
    said = tarocchino("simulate", "--hands", 20, "--rules", "partita", "--chart", "score.png")
    assert said.status == 0 and Path("score.png").read_bytes()[1:4] == b"PNG"


def test_a_chart_that_cannot_be_drawn_loses_nothing(tarocchino: Command) -> None:
    said = tarocchino(*SIMULATE, "--columns", "dealer", "--out", "run", "--chart", "chart")
    assert (said.status, said.line) == (
        2,
        "the run has no scores: expected the columns dealer, score0 and score1",
    )
    assert "Run: run\n" in said.out and Run.open("run").manifest.finished


# ---- what simulate refuses ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--hands", 0], "0 hands: expected 1 to 100000000000"),
        (["--hands", -5], "-5 hands"),
        (["--hands", "1e18"], "1000000000000000000 hands: expected 1 to"),
        (["--hands", "nan"], "'nan' is no count: expected a whole number"),
        (["--hands", "some"], "Invalid value for '--hands': 'some' is no count"),
        (["--seed", -1], "seed -1: expected 0 to 18446744073709551615"),
        (["--seed", 2**64], "seed 18446744073709551616"),
        (["--seed", "x"], "Invalid value for '--seed'"),
        (["--threads", 0], "0 threads: expected at least 1"),
        (["--level", 0], "'0' is no level: expected a number between 0 and 1"),
        (["--level", 2], "Invalid value for '--level'"),
        (["--chart", "chart.gif"], "the suffix .gif: expected .png, .svg, .pdf or none"),
        (["--chart", "mine.py/chart"], "nothing can be written to"),
        (["--rules", "tressette"], "unknown rules 'tressette': expected ottocento"),
        (["--rules", "mine.toml"], "cannot read the rule file mine.toml"),
        (["--columns", "colour"], "unknown column 'colour' for ottocento: expected hand_id"),
        (["--columns", "dealer,"], "unknown column ''"),
        (["--columns", "plays"], "it comes with log_plays"),
        (["--rules", "partita", "--columns", "held0"], "unknown column 'held0' for partita"),
        (["--policy", "clever"], "unknown policy 'clever': expected random, simple, expert, or"),
        (["--policy", ""], "unknown policy ''"),
        (["--policy", "random", "--policy", "random", "--policy", "random"], "3 policies are give"),
        (["--policy", "simple+chat:loud"], "unknown part 'chat'"),
        (["--policy", "simple+play:court"], "unknown play part 'court' in 'simple+play:court'"),
        (["--policy", "simple+"], "cannot be read at ''"),
        (["--policy", "simple(x=1)"], "simple has no parameter 'x'"),
        (["--policy", "mine.py:bottom(x=nan)"], "'x=nan' in 'mine.py:bottom(x=nan)': expected na"),
        (["--policy", "mine.py:bottom(x=1)"], "mine.py:bottom has no parameter 'x'"),
        (["--policy", "mine.py:top"], "the policy file mine.py defines no 'top'"),
        (["--policy", "yours.py:bottom"], "the policy file yours.py cannot be read (No such file"),
    ],
)
def test_wrong_input_writes_nothing(
    tarocchino: Command, folder: Path, arguments: list[object], told: str
) -> None:
    mine = policy_file(folder, LOWEST)
    given = [] if "--policy" in arguments else ["--policy", "random"]
    tarocchino("simulate", "--hands", 20, *given, *arguments).refused(told)
    tarocchino("simulate", "--hands", 20, *given, *arguments, "--json").refused(told)
    assert list(folder.iterdir()) == [mine]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def f(:", "fails when it is loaded: SyntaxError"),
        ("import nothing_like_it", "fails when it is loaded: ModuleNotFoundError: No module"),
        ("raise SystemExit(0)", "fails when it is loaded: SystemExit: 0"),
        ("raise KeyError", "fails when it is loaded: KeyError"),
        ("f = 5", "5 is no policy part: decorate it"),
        ("def f(view, weights): return 1, 0", "'f' is no policy part: decorate it"),
        ("@policy.play\ndef f(view): return 1, 0", "takes (view): expected (view, weights)"),
        ("@policy.signal\ndef f(view, weights): return 0", "expected (view, card, weights)"),
        ("@policy.play(a='x')\ndef f(view, weights): return 1, 0", "could not convert string"),
    ],
)
def test_policy_files_that_fail_are_refused(
    tarocchino: Command, folder: Path, text: str, told: str
) -> None:
    mine = policy_file(folder, text)
    tarocchino("simulate", "--hands", 20, "--policy", "mine.py:f").refused(told)
    assert list(folder.iterdir()) == [mine]


@compiled_only
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("view.luck, 0", "mine.py, line 10: f cannot be compiled: Unknown attribute 'luck'"),
        ("lucky, 0", "mine.py: f cannot be compiled: NameError: name 'lucky' is not defined"),
        ("'SK', 0", "f in mine.py answers (str, int): expected a card and a reason code, both int"),
        ("1.5", "f in mine.py answers float: expected a card and a reason code, both int"),
    ],
)
def test_policies_that_cannot_be_compiled_are_refused(
    tarocchino: Command, folder: Path, answer: str, told: str
) -> None:
    text = f"@policy.play\ndef f(view, weights):\n    return {answer}"
    mine = policy_file(folder, text)
    said = tarocchino("simulate", "--hands", 20, "--policy", "mine.py:f")
    said.refused(told)
    assert len(said.line) < 300  # numba tells more than one can read
    assert list(folder.iterdir()) == [mine]


def no_directory(path: Path) -> None:
    path.write_text("precious")


def other_files(path: Path) -> None:
    path.mkdir()
    (path / "thesis.txt").write_text("precious")


def another_run(path: Path) -> None:
    made(str(path), seed=2)


def this_run_unfinished(path: Path) -> None:
    unfinished(str(path))


@pytest.mark.parametrize(
    ("prepare", "out", "told"),
    [
        (no_directory, "run", "run is no directory: expected a new or empty one"),
        (no_directory, "run/in/it", "run/in/it cannot be written: Not a directory"),
        (other_files, "run", "run holds other files: expected a new or empty directory"),
        (another_run, "run", "run holds another run (seed 2): give another --out"),
        (this_run_unfinished, "run", "holds this run unfinished: go on with --resume run"),
    ],
)
def test_a_directory_that_holds_something_else_is_left_alone(
    tarocchino: Command, folder: Path, prepare: Callable[[Path], None], out: str, told: str
) -> None:
    prepare(Path("run"))
    before = contents(folder)
    tarocchino(*SIMULATE, "--out", out).refused(told)
    assert contents(folder) == before


def test_a_directory_that_cannot_be_made_is_refused(tarocchino: Command) -> None:
    tarocchino(*SIMULATE, "--out", "x" * 300).refused("File name too long")
    if Path("/proc/self").exists():  # where root cannot write either
        tarocchino(*SIMULATE, "--out", "/proc/run").refused("/proc/run cannot be written")
