"""Runs on disk: their columns, what is no run, parts that are damaged."""

import errno
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim import records
from sim.hands import play_hands
from sim.manifests import RunError
from sim.policies.spec import parse_policies
from sim.records import read_manifest, read_part
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from sim.run import Run, resume, simulate
from tests.helpers import each_preset, naive_row, row_dicts

# CONTRACTS, Columns of hands/.
OTTOCENTO_COLUMNS = """
hand_id uint64, dealer uint8, hand0 uint64, hand1 uint64, hand2 uint64, hand3 uint64,
discard uint64,
held0 uint16, held1 uint16, held2 uint16, held3 uint16,
declared0 uint16, declared1 uint16, declared2 uint16, declared3 uint16,
declared_points0 int16, declared_points1 int16, declared_points2 int16, declared_points3 int16,
tricks0 uint8, tricks1 uint8, trick_points0 int16, trick_points1 int16, won0 uint64,
cricche0 int16, cricche1 int16, sequences0 int16, sequences1 int16,
card_points0 int16, card_points1 int16, last_trick uint8, score0 int16, score1 int16,
pagat_seat uint8, pagat_trick uint8, pagat_side uint8,
fool_seat uint8, fool_trick uint8, fool_side uint8, first_trick_leader uint8
"""
PARTITA_COLUMNS = """
hand_id uint64, dealer uint8, hand0 uint64, hand1 uint64, hand2 uint64, hand3 uint64,
discard uint64,
tricks0 uint8, tricks1 uint8, won0 uint64, card_points0 int16, card_points1 int16,
score0 int16, score1 int16, pagat_seat uint8, pagat_trick uint8, pagat_side uint8,
fool_seat uint8, fool_trick uint8, fool_side uint8, first_trick_leader uint8
"""


pytestmark = pytest.mark.usefixtures("small_parts")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run of three parts."""
    return simulate(OTTOCENTO, 250, policies="random", out=tmp_path / "run")


def part(run: Run, index: int) -> Path:
    assert run.directory is not None
    return run.directory / "hands" / f"part-{index:06d}.parquet"


def expected_columns(rules: RuleSet, log_plays: bool) -> list[tuple[str, str]]:
    text = OTTOCENTO_COLUMNS if rules.combinations else PARTITA_COLUMNS
    columns = [(name, type_) for name, type_ in (item.split() for item in text.split(","))]
    plays = f"fixed_size_binary[{60 if rules.pack == 'tarocchino' else 52}]"
    return [*columns, ("plays", plays)] if log_plays else columns


# ---- the schema ---------------------------------------------------------------------------


@each_preset
@pytest.mark.parametrize("log_plays", [False, True])
def test_columns_are_those_others_rely_on(tmp_path: Path, rules: RuleSet, log_plays: bool) -> None:
    simulate(rules, 120, policies="random", log_plays=log_plays, out=tmp_path / "run")
    for path in (tmp_path / "run" / "hands").iterdir():
        schema = pq.read_schema(path)
        found = [(field.name, str(field.type)) for field in schema]
        assert found == expected_columns(rules, log_plays)
        assert set(schema.metadata) == {b"tarocchino"}


@each_preset
def test_what_is_written_is_what_was_played(tmp_path: Path, rules: RuleSet) -> None:
    run = simulate(rules, 250, seed=7, policies="simple", log_plays=True, out=tmp_path / "run")
    rows = play_hands(rules, parse_policies("simple"), 7, 0, 250, log_plays=True)
    assert run.to_arrow().to_pylist() == row_dicts(rules, rows)
    (row,) = run.to_arrow().slice(217, 1).to_pylist()
    assert {k: v for k, v in row.items() if k not in ("hand_id", "plays")} == naive_row(rules, row)


def test_any_program_reads_the_hands(run: Run) -> None:
    assert run.directory is not None
    frame = pd.read_parquet(run.directory / "hands")
    assert frame.hand_id.tolist() == list(range(250))
    assert frame.hand0.dtype == np.uint64 and frame.dealer.dtype == np.uint8
    pd.testing.assert_frame_equal(frame, run.to_pandas(), check_flags=False)
    union = frame.hand0 | frame.hand1 | frame.hand2 | frame.hand3
    assert (union == np.uint64(OTTOCENTO.cards.all)).all()  # the highest card too


def test_columns_come_in_the_order_asked_for(run: Run) -> None:
    wanted = ["score1", "dealer", "hand_id"]
    kept = simulate(OTTOCENTO, 250, policies="random")
    for of in (run, kept):
        assert of.to_arrow(wanted).column_names == wanted
        assert list(of.to_pandas(wanted).columns) == wanted
        with pytest.raises(RunError, match="no column 'colour': expected one of hand_id"):
            of.to_arrow(["colour"])
    assert run.to_arrow().equals(kept.to_arrow())


# ---- the manifest -------------------------------------------------------------------------


def test_the_manifest_stands_in_every_part(run: Run) -> None:
    manifest = run.manifest.to_dict()
    parts = manifest.pop("parts")
    for i, entry in enumerate(parts):
        told = json.loads(pq.read_schema(part(run, i)).metadata[b"tarocchino"])
        assert told == {**manifest, "hand_range": entry["hand_range"]}


def test_an_opened_run_is_the_run(run: Run) -> None:
    assert run.directory is not None
    opened = Run.open(run.directory)
    assert opened.manifest == run.manifest
    assert opened.manifest.finished
    assert opened.to_arrow().equals(run.to_arrow())


@pytest.mark.parametrize("text", ["", "{", "[]", "5", "null", '"run"', "\xff", "[" * 10**5])
def test_what_is_no_manifest_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_bytes(text.encode("latin-1"))
    for use in (Run.open, resume, lambda path: simulate(OTTOCENTO, 250, out=path)):
        with pytest.raises(RunError, match=r"manifest\.json"):
            use(tmp_path)


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for use in (Run.open, resume):
        with pytest.raises(RunError, match="is no run: expected a directory with manifest"):
            use(tmp_path)
        with pytest.raises(RunError, match="is no run"):
            use(tmp_path / "nowhere")
        with pytest.raises(RunError, match="is no directory"):
            use(tmp_path / "file")
    assert not (tmp_path / "nowhere").exists()


# ---- damage -------------------------------------------------------------------------------


def damages(data: bytes) -> Iterator[tuple[str, bytes]]:
    yield "nothing", b""
    yield "the beginning only", data[:2000]
    yield "the last byte lacks", data[:-1]
    yield "zeros", bytes(len(data))
    yield "no Parquet", b"hello" * 100


def test_truncated_parts_are_found_by_name(run: Run) -> None:
    assert run.directory is not None
    whole = part(run, 1).read_bytes()
    for what, data in damages(whole):
        part(run, 1).write_bytes(data)
        for use in (run.to_arrow, lambda: Run.open(run.directory)):  # type: ignore[arg-type]
            with pytest.raises(RunError) as error:
                use()
            assert "part-000001.parquet is damaged" in str(error.value), what
            assert f"--resume {run.directory}" in str(error.value)
            assert len(str(error.value).splitlines()) == 1
        resume(run.directory)
        assert part(run, 1).read_bytes() == whole, what
    part(run, 1).unlink()
    with pytest.raises(RunError, match=r"part-000001\.parquet is missing"):
        Run.open(run.directory)
    resume(run.directory)
    assert part(run, 1).read_bytes() == whole


def test_a_part_with_a_gap_is_found_as_it_is_read(run: Run) -> None:
    whole = part(run, 1).read_bytes()
    part(run, 1).write_bytes(whole[:1000] + whole[1001:])
    with pytest.raises(RunError, match=r"part-000001\.parquet is damaged"):
        run.to_arrow()


def test_flipped_bits_are_found_by_name_or_change_nothing(run: Run) -> None:
    assert run.directory is not None
    whole, rows, rng = part(run, 1).read_bytes(), run.to_arrow(), random.Random(1)
    found = 0
    for place in rng.sample(range(len(whole)), 250):
        data = bytearray(whole)
        data[place] ^= 1 << rng.randrange(8)
        part(run, 1).write_bytes(data)
        try:
            assert Run.open(run.directory).to_arrow().equals(rows), f"byte {place}"
        except RunError as error:
            assert "part-000001.parquet" in str(error)  # noqa: PT017
            assert len(str(error).splitlines()) == 1  # noqa: PT017
            found += 1
    assert found > 150


@pytest.mark.parametrize("keep", ["rows", "summary"])
def test_a_footer_that_leaves_rows_out_is_found(keep: str, tmp_path: Path) -> None:
    """The footer has the number of rows twice, and no checksum."""
    simulate(PARTITA, 50, policies="random", out=tmp_path, keep=keep)
    manifest = read_manifest(tmp_path)
    [folder], [entry] = manifest.schemas, manifest.parts
    path = tmp_path / folder / entry["file"]
    whole, footer = path.read_bytes(), pq.read_metadata(path)
    assert footer.num_rows == footer.row_group(0).num_rows
    found = 0
    for place in range(len(whole) - footer.serialized_size - 8, len(whole) - 8):
        data = whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]
        try:
            flipped = pq.read_metadata(io.BytesIO(data))
        except (pa.ArrowException, OSError):
            continue
        if flipped.num_rows == footer.num_rows != flipped.row_group(0).num_rows:
            path.write_bytes(data)
            with pytest.raises(RunError, match="is damaged"):
                read_part(tmp_path, manifest, entry, folder=folder)
            found += 1
    assert found


def test_a_part_with_a_flipped_bit_is_made_again(run: Run) -> None:
    assert run.directory is not None
    whole = part(run, 1).read_bytes()
    data = bytearray(whole)
    data[len(data) // 3] ^= 4  # among the hands, where the footer does not tell
    part(run, 1).write_bytes(data)
    assert len(list(Run.open(run.directory).manifest.parts)) == 3
    with pytest.raises(RunError, match=r"part-000001\.parquet is damaged"):
        run.to_pandas()
    resume(run.directory)
    assert part(run, 1).read_bytes() == whole


def test_a_part_of_another_run_is_found(run: Run, tmp_path: Path) -> None:
    other = simulate(OTTOCENTO, 250, seed=2, policies="random", out=tmp_path / "other")
    assert run.directory is not None
    whole = part(run, 1).read_bytes()
    for foreign in (part(other, 1), part(run, 0)):
        part(run, 1).write_bytes(foreign.read_bytes())
        with pytest.raises(RunError, match=r"part-000001\.parquet is a part of another run"):
            Run.open(run.directory)
        resume(run.directory)
        assert part(run, 1).read_bytes() == whole
    part(run, 1).write_bytes(part(run, 2).read_bytes())
    with pytest.raises(RunError, match="has 50 hands, expected 100"):
        Run.open(run.directory)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    records.replace_file(path, lambda to: to.write_text("old"))

    def fail(to: Path) -> None:
        to.write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        records.replace_file(path, fail)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
