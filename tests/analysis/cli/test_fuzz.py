"""Hostile input, made up by hypothesis: one line and a status, or right numbers; no traceback."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sim
from sim.rules import FIELDS
from tests.analysis.cli.conftest import Command, Said

pytestmark = pytest.mark.usefixtures("folder")
# A command takes longer than what most tests try. Fixtures stay from one example to the next.
tried = settings(
    max_examples=settings().max_examples // 5,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
of_runs = settings(tried, max_examples=settings().max_examples // 20)


def withstood(said: Said) -> Said:
    """The command did what it was asked, or said in one line why not."""
    assert said.status in (0, 1, 2), said
    if said.status:
        assert said.line and "Traceback" not in said.err
    return said


def joined(*words: str) -> st.SearchStrategy[str]:
    """Texts of these words, whole or with anything between them; none is all digits."""
    word = st.sampled_from(words) | st.text(max_size=3) | st.integers().map(str)
    return st.lists(word, max_size=8).map("".join) | st.lists(word, max_size=8).map(" ".join)


# ---- texts ----------------------------------------------------------------------------------

CARDS = joined("SK", "Fool", "Pagat", "Angel", "T16", "M", "|", ":", "dealer", "-", "\0", "S K")
CONDITIONS = joined(
    *("dealer", "eldest", ".trumps", ".kings", ">=", "=", " and ", "or", "not", "(", ")", "SK"),
    *(";", ":", "Pagat", ".", "\0", "seat"),
)
SPECS = joined(
    *("expert", "simple", "random", "(", ")", "+", "discard:", "play:", "void", "lead:trump", "="),
    *(",", "protect_pagat=", "1e400", "nan", "-1", "mine.py:f", ".py:", "\0", "/", "..", "%s"),
)


@tried
@given(text=CARDS, rules=st.sampled_from(["ottocento", "partita"]))
@pytest.mark.parametrize(
    "command", [["score", "--"], ["discard", "--"], ["odds", "--mine"]], ids=lambda words: words[0]
)
def test_card_texts(tarocchino: Command, command: list[str], text: str, rules: str) -> None:
    said = withstood(tarocchino(command[0], "--rules", rules, *command[1:], text))
    assert said.status != 1, said


@tried
@given(deal=st.none() | CONDITIONS, where=st.none() | CONDITIONS)
def test_conditions(tarocchino: Command, deal: str | None, where: str | None) -> None:
    shutil.rmtree("run", ignore_errors=True)
    options = [] if deal is None else ["--deal", deal]
    options += [] if where is None else ["--where", where]
    command = ["simulate", "--hands", 8, "--policy", "random", "--out", "run", *options]
    assert withstood(tarocchino(*command)).status != 1
    assert Path("run").exists() == (deal is where is None) or Path("run", "hands").exists()


@tried
@given(spec=SPECS)
def test_specs(tarocchino: Command, spec: str) -> None:
    shutil.rmtree("run", ignore_errors=True)
    said = withstood(tarocchino("simulate", "--hands", 4, "--policy", spec, "--out", "run"))
    assert said.status != 1, said


# ---- TOML -----------------------------------------------------------------------------------

VALUES = st.sampled_from(
    [
        *("1", "-1", "2", "true", '"ottocento"', '""', "[]", "[1]", "{a = 1}", "[{}]", "1e400"),
        *("nan", "-inf", "9" * 5000, "0x" + "f" * 5000, '"\\u0000"', "1979-05-27", "1.0"),
        *("[" * 3000 + "]" * 3000, '"any_card"', '"f.py:g"', '"\\u0000.py:g"', '"void"'),
    ]
)
KEYS = st.sampled_from(
    [*FIELDS, *("base", "names", "own", "moment", "true", "sha256", "a.b", "signals", "self")]
)
LINES = st.tuples(KEYS, VALUES).map(" = ".join) | st.sampled_from(
    ['base = "ottocento"', 'names = ["void"]', "names = []", "[[own]]", "[own]", 'name = "x"']
)
TOML = st.one_of(
    st.binary(max_size=60),
    st.lists(LINES, max_size=6).map(lambda lines: "\n".join(lines).encode()),
    *(
        st.lists(LINES, max_size=4).map(lambda lines, head=head: "\n".join([head, *lines]).encode())
        for head in ('base = "ottocento"', "names = []")
    ),
)


@tried
@given(text=TOML)
def test_rule_files(tarocchino: Command, text: bytes) -> None:
    Path("f.toml").write_bytes(text)
    assert withstood(tarocchino("score", "SK SQ", "--rules", "f.toml")).status != 1


@tried
@given(text=TOML)
def test_convention_files(tarocchino: Command, text: bytes) -> None:
    Path("f.toml").write_bytes(text)
    shutil.rmtree("run", ignore_errors=True)
    command = ["simulate", "--hands", 4, "--policy", "random", "--out", "run"]
    assert withstood(tarocchino(*command, "--signals", "f.toml")).status != 1


# ---- runs -----------------------------------------------------------------------------------

READING = [
    *(["summary", "run"], ["frequencies", "run"], ["replay", "run", 7], ["explain", "run", 7]),
    *(["simulate", "--resume", "run"], ["games", "--resume", "run"]),
]
each_run = pytest.mark.parametrize("kind", ["rows", "summary", "games"])


def made(kind: str) -> None:
    """A small run of a kind, in ``run``."""
    if kind == "games":
        sim.simulate_games(sim.PARTITA, 8, policies="random", keep="hands", out="run")
    else:
        of = {"policies": "random", "keep": kind, "log_plays": True}
        sim.simulate(sim.OTTOCENTO, 120, out="run", **of)  # type: ignore[arg-type]


def reading(tarocchino: Command) -> list[Said]:
    """How every command that reads runs ended."""
    seat = ["--seat", 0]
    return [
        withstood(tarocchino(*command, *(seat if command[0] == "explain" else [])))
        for command in READING
    ]


STRANGE: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 500),
    st.sampled_from([10**30, -(10**30), float("nan"), float("inf"), 0.5, 1.0]),
    st.sampled_from(["", "\0", "../x", "evil.py:f", "random", "ottocento", "\ud800", "part-0"]),
    st.sampled_from([[], {}, [[]], [{}], {"file": 1}, [0, 1, 2], [[[[[[]]]]]]]),
)  # fmt: skip


def changed(data: Any, draw: Callable[..., Any]) -> Any:
    """JSON with one place, at any depth, taken away, doubled or replaced."""
    if isinstance(data, dict | list) and data and draw(st.integers(0, 3)):
        keys = sorted(data) if isinstance(data, dict) else list(range(len(data)))
        key, copy = draw(st.sampled_from(keys)), data.copy()
        what = draw(st.sampled_from(["within", "within", "within", "away", "doubled"]))
        if what == "away":
            del copy[key]
        elif what == "doubled" and isinstance(copy, list):
            copy.insert(key, copy[key])
        else:
            copy[key] = changed(data[key], draw)
        return copy
    return draw(STRANGE)


@of_runs
@given(draw=st.data())
@each_run
def test_manifests(tarocchino: Command, kind: str, draw: st.DataObject) -> None:
    if not Path("run").exists():
        made(kind)
        shutil.copytree("run", "whole")
        Path("expected").write_text(json.dumps([said.out for said in reading(tarocchino)]))
    expected = json.loads(Path("expected").read_text())
    whole = json.loads(Path("whole", "manifest.json").read_text())
    data = changed(whole, draw.draw)
    shutil.rmtree("run")
    shutil.copytree("whole", "run")
    Path("run", "manifest.json").write_text(json.dumps(data))
    for said, told in zip(reading(tarocchino), expected, strict=True):
        # Another run may be unfinished, or made anew; this one has these numbers.
        same = isinstance(data, dict) and data == {**whole, "parts": data.get("parts")}
        if said.status == 0 and same and "unfinished" not in said.out:
            assert said.out == told


@of_runs
@given(draw=st.data())
@each_run
def test_files_that_are_no_parts(tarocchino: Command, kind: str, draw: st.DataObject) -> None:
    if not Path("run").exists():
        made(kind)
        shutil.copytree("run", "whole")
        Path("expected").write_text(json.dumps([said.out for said in reading(tarocchino)]))
    path = draw.draw(st.sampled_from(sorted(Path("run").rglob("*.parquet"))))
    whole = (Path("whole") / path.relative_to("run")).read_bytes()
    what = draw.draw(st.sampled_from(["bytes", "cut", "flipped", "middle", "columns", "no file"]))
    at = draw.draw(st.integers(0, len(whole) - 1))
    if what == "columns":
        columns = {"hand_id": [1, 2], "x": draw.draw(st.lists(st.text(), min_size=2, max_size=2))}
        kept = pq.read_schema(pa.BufferReader(whole)).metadata
        pq.write_table(pa.table(columns).replace_schema_metadata(kept), path)
    elif what == "no file":
        path.unlink()
        path.mkdir()
    else:
        flipped = bytes([whole[at] ^ 1 << draw.draw(st.integers(0, 7))])
        path.write_bytes(
            {
                "bytes": draw.draw(st.binary(max_size=200)),
                "cut": whole[:at],
                "flipped": whole[:at] + flipped + whole[at + 1 :],
                "middle": whole[:at] + whole[at + 1 :],
            }[what]
        )
    told = json.loads(Path("expected").read_text())
    for said, before in zip(reading(tarocchino), told, strict=True):
        if said.status == 0:
            assert said.out == before
    shutil.rmtree("run")
    shutil.copytree("whole", "run")


@of_runs
@given(draw=st.data())
@pytest.mark.parametrize("kind", ["rows", "games"])
def test_rows_that_no_hand_has(tarocchino: Command, kind: str, draw: st.DataObject) -> None:
    """A part of the run by its footer: what can be counted is, nothing beyond its table."""
    if not Path("run").exists():
        made(kind)
        shutil.copytree("run", "whole")
    path = draw.draw(st.sampled_from(sorted(Path("run").rglob("*.parquet"))))
    table = pq.read_table(Path("whole") / path.relative_to("run"))
    numbers = [field.name for field in table.schema if pa.types.is_integer(field.type)]
    name = draw.draw(st.sampled_from(numbers))
    type_ = table.schema.field(name).type
    least = -(1 << type_.bit_width - 1) if pa.types.is_signed_integer(type_) else 0
    value = draw.draw(st.integers(least, least + (1 << type_.bit_width) - 1) | st.none())
    column = [value, *table[name].to_pylist()[1:]]
    at = table.column_names.index(name)
    pq.write_table(table.set_column(at, table.schema.field(name), pa.array(column, type_)), path)
    for said in reading(tarocchino)[:4]:
        assert said.status != 1, said
    shutil.copy(Path("whole") / path.relative_to("run"), path)
