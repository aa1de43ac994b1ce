"""Manifests: what they say of a run, and which are refused."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim.manifests import RunError
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from sim.run import Run, resume, simulate

MANIFEST_KEYS = {
    *("format", "program", "pyarrow", "rules", "seed", "hands", "policies", "deal", "where"),
    *("columns", "parts"),
}


pytestmark = pytest.mark.usefixtures("small_parts")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run of three parts."""
    return simulate(OTTOCENTO, 250, policies="random", out=tmp_path / "run")


# ---- what they say ------------------------------------------------------------------------


def test_the_manifest_says_what_the_run_is(run: Run) -> None:
    assert run.directory is not None
    data = json.loads((run.directory / "manifest.json").read_text("utf-8"))
    assert set(data) == MANIFEST_KEYS
    assert data["format"] == 1
    assert data["program"].startswith("tarocchino ")
    assert data["pyarrow"] == pa.__version__
    assert data["rules"] == OTTOCENTO.to_dict()
    assert (data["seed"], data["hands"], data["deal"], data["where"]) == (1, 250, None, None)
    assert [policy["spec"] for policy in data["policies"]] == ["random"] * 4
    assert data["policies"][0]["parts"]["play"] == {
        "name": "random",
        "version": 1,
        "parameters": {},
    }
    assert data["parts"] == [
        {"file": f"part-{i:06d}.parquet", "hand_range": [100 * i, min(100 * i + 99, 249)]}
        for i in range(3)
    ]


def test_nothing_tells_when_or_where_a_run_was_made(tmp_path: Path) -> None:
    texts = []
    for name in ("here", "there"):
        simulate(OTTOCENTO, 30, policies="random", out=tmp_path / name)
        texts.append((tmp_path / name / "manifest.json").read_bytes())
        assert str(tmp_path).encode() not in texts[-1]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (["score1", "dealer"], ["hand_id", "dealer", "score1", "plays"]),
        (["hand_id"], ["hand_id", "plays"]),
        ([], ["hand_id", "plays"]),
        (["plays", "won0"], ["hand_id", "won0", "plays"]),
    ],
)
def test_columns_are_chosen(tmp_path: Path, wanted: list[str], expected: list[str]) -> None:
    run = simulate(
        OTTOCENTO, 20, policies="random", columns=wanted, log_plays=True, out=tmp_path / "run"
    )
    assert pq.read_schema(tmp_path / "run" / "hands" / "part-000000.parquet").names == expected
    whole = simulate(OTTOCENTO, 20, policies="random", log_plays=True)
    assert run.to_arrow().equals(whole.to_arrow(expected))


@pytest.mark.parametrize(
    ("rules", "wanted", "told"),
    [
        (OTTOCENTO, ["colour"], "unknown column 'colour' for ottocento: expected hand_id, dealer"),
        (PARTITA, ["held0"], "unknown column 'held0' for partita"),
        (OTTOCENTO, ["plays"], "it comes with log_plays"),
    ],
)
def test_unknown_columns_are_refused(
    tmp_path: Path, rules: RuleSet, wanted: list[str], told: str
) -> None:
    with pytest.raises(RunError, match=told):
        simulate(rules, 20, columns=wanted, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


# ---- which are refused --------------------------------------------------------------------


def edited(run: Run, **changes: object) -> Path:
    """The run's directory with entries of its manifest changed; None takes one out."""
    assert run.directory is not None
    path = run.directory / "manifest.json"
    data = json.loads(path.read_text("utf-8"))
    data |= changes
    path.write_text(json.dumps({k: v for k, v in data.items() if v != "gone"}), "utf-8")
    return run.directory


PART_0 = {"file": "part-000000.parquet", "hand_range": [0, 99]}
MISTAKEN: list[tuple[str, object]] = [
    ("rules", 5),
    *(("hands", value) for value in ("many", 0, -5, 10**30, None)),
    *(("seed", value) for value in (1.5, -1, 2**64)),
    *(("policies", value) for value in ([], 5, [1, 2, 3, 4], [{"spec": 5, "files": {}}] * 4)),
    ("policies", [{"spec": "random", "files": 5}] * 4),
    *(("columns", value) for value in ("hand_id", [], ["hand_id", "colour"], ["hand_id"] * 2)),
    *(("parts", value) for value in (5, {}, [5], [PART_0, PART_0])),
    *(("parts", [PART_0 | {"file": value}]) for value in ("../x", "/x", 5)),
    *(
        ("parts", [PART_0 | {"hand_range": value}])
        for value in (None, ["a", "b"], [0, 250], [9, 3])
    ),
]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"format": 2}, "its format is 2: expected 1"),
        ({"format": "gone"}, "its format is None: expected 1"),
        ({"seed": "gone"}, "it lacks 'seed'"),
        ({"rules": "gone"}, "it lacks 'rules'"),
        ({"rules": {"name": "x"}}, "the rule field 'pack' is missing"),
        ({"rules": OTTOCENTO.to_dict() | {"discards": 3}}, "62 = 4 x 15 + 2"),
        ({"parts": [{"file": "x"}]}, "it lacks 'hand_range'"),
        *(({key: value}, "not of the expected kinds") for key, value in MISTAKEN),
    ],
)
def test_wrong_manifests_are_refused(run: Run, changes: dict[str, object], told: str) -> None:
    directory = edited(run, **changes)
    for use in (Run.open, resume, lambda path: simulate(OTTOCENTO, 250, out=path)):
        with pytest.raises(RunError) as error:
            use(directory)
        assert told in str(error.value)
        assert "manifest.json is no manifest of a run" in str(error.value)
        assert len(str(error.value).splitlines()) == 1


def test_a_run_of_another_program_is_not_resumed(run: Run) -> None:
    directory = edited(run, program="tarocchino 9.9.9")
    with pytest.raises(RunError, match=r"was made by tarocchino 9\.9\.9: expected tarocchino"):
        resume(directory)
