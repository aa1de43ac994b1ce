"""A run on disk: the schema of the columns, parts in Parquet, and the manifest."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.hands import LARGEST_SEED, Rows
from sim.kernels.state import MOST_HANDS
from sim.rules import RulesError, RuleSet
from sim.signals import SILENCE, Conventions, SignalError

FORMAT = 1
PROGRAM = f"tarocchino {version('tarocchino')}"
# Hands in a part: fixed, so that the same run gives the same files everywhere.
PART = MOST_HANDS
# Hands in a run at most: a million parts, which is what their names have digits for.
LARGEST_RUN = 1_000_000 * MOST_HANDS


class RunError(ValueError):
    """A run directory is not one, is damaged, or holds another run."""


_SEATS, _SIDES = range(4), range(2)
LOGS = ("plays", "signals")  # columns that only come with log_plays
# name, type, present only with combinations, how to take it from rows
_COLUMNS: list[tuple[str, pa.DataType, bool, Callable[[Rows], np.ndarray]]] = [
    ("dealer", pa.uint8(), False, lambda r: r.dealer),
    *((f"hand{s}", pa.uint64(), False, lambda r, s=s: r.hand[s].view(np.uint64)) for s in _SEATS),
    ("discard", pa.uint64(), False, lambda r: r.discard.view(np.uint64)),
    *((f"held{s}", pa.uint16(), True, lambda r, s=s: r.held[s]) for s in _SEATS),
    *((f"declared{s}", pa.uint16(), True, lambda r, s=s: r.declared[s]) for s in _SEATS),
    *(
        (f"declared_points{s}", pa.int16(), True, lambda r, s=s: r.declared_points[s])
        for s in _SEATS
    ),
    *((f"tricks{s}", pa.uint8(), False, lambda r, s=s: r.tricks[s]) for s in _SIDES),
    *((f"trick_points{s}", pa.int16(), True, lambda r, s=s: r.trick_points[s]) for s in _SIDES),
    ("won0", pa.uint64(), False, lambda r: r.won0.view(np.uint64)),
    *((f"cricche{s}", pa.int16(), True, lambda r, s=s: r.cricche[s]) for s in _SIDES),
    *((f"sequences{s}", pa.int16(), True, lambda r, s=s: r.sequences[s]) for s in _SIDES),
    *((f"card_points{s}", pa.int16(), False, lambda r, s=s: r.card_points[s]) for s in _SIDES),
    ("last_trick", pa.uint8(), True, lambda r: r.last_trick),
    *((f"score{s}", pa.int16(), False, lambda r, s=s: r.score[s]) for s in _SIDES),
    *(
        (f"pagat_{what}", pa.uint8(), False, lambda r, i=i: r.pagat[i])
        for i, what in enumerate(("seat", "trick", "side"))
    ),
    *(
        (f"fool_{what}", pa.uint8(), False, lambda r, i=i: r.fool[i])
        for i, what in enumerate(("seat", "trick", "side"))
    ),
    ("first_trick_leader", pa.uint8(), False, lambda r: r.first_trick_leader),
]


def column_names(rules: RuleSet, log_plays: bool = False) -> list[str]:
    """The columns a run of these rules can have, in order, ``hand_id`` first."""
    names = [
        name
        for name, _, of_combinations, _ in _COLUMNS
        if rules.combinations or not of_combinations
    ]
    logs = [] if not log_plays else ["plays"] if rules.signals == SILENCE else ["plays", "signals"]
    return ["hand_id", *names, *logs]


def choose_columns(rules: RuleSet, wanted: Sequence[str] | None, log_plays: bool) -> list[str]:
    """The columns to keep, in order: all, or those wanted, ``hand_id`` and, if logged, ``plays``.

    Raises RunError for a column that this run does not have.
    """
    known = column_names(rules, log_plays)
    if wanted is None:
        return known
    for name in wanted:
        if name not in known:
            hint = f"expected {', '.join(known)}"
            if name in LOGS:
                hint = "it comes with log_plays" + " and --signals" * (name == "signals")
            raise RunError(f"unknown column {name!r} for {rules.name}: {hint}")
    kept = {"hand_id", *wanted, *(LOGS if log_plays else ())}
    return [name for name in known if name in kept]


def rows_table(rows: Rows, first: int, columns: Sequence[str]) -> pa.Table:
    """Rows as an Arrow table with the columns asked for; the arrays are shared, not copied.

    Parameters
    ----------
    rows
        Of hands ``first``, ``first + 1``, …
    columns
        Names out of ``column_names``.

    Source: the run's schema.
    """
    n = len(rows.dealer)
    arrays: dict[str, pa.Array] = {
        "hand_id": pa.array(np.arange(first, first + n, dtype=np.uint64))
    }
    for name, type_, _, take in _COLUMNS:
        if name in columns:
            arrays[name] = pa.array(take(rows), type=type_)
    logs = {"plays": rows.plays, "signals": rows.signals.astype("<u4")}
    for name in (name for name in LOGS if name in columns):
        log = logs[name]
        data, bytes_ = pa.py_buffer(np.ascontiguousarray(log)), log.shape[1] * log.itemsize
        arrays[name] = pa.FixedSizeBinaryArray.from_buffers(pa.binary(bytes_), n, [None, data])
    return pa.table({name: arrays[name] for name in columns})


def _schema(manifest: Manifest) -> pa.Schema:
    """Names and types of the columns of a run."""
    cards = 4 * manifest.rules.tricks
    types = {"hand_id": pa.uint64(), "plays": pa.binary(cards), "signals": pa.binary(4 * cards)}
    types |= {name: type_ for name, type_, _, _ in _COLUMNS}
    return pa.schema([(name, types[name]) for name in manifest.columns])


@dataclass
class Manifest:
    """What a run is, and which of its parts are finished.

    ``parts`` has ``{"file", "hand_range"}`` for each, the range as first and last hand number.
    """

    rules: RuleSet
    seed: int
    hands: int
    policies: list[dict[str, Any]]  # of seats 0 to 3
    columns: list[str]
    program: str = PROGRAM
    pyarrow: str = pa.__version__
    deal: str | None = None
    where: str | None = None
    condition_probability: dict[str, Any] | None = None  # if there is a deal or where
    parts: list[dict[str, Any]] = field(default_factory=list)

    @property
    def ranges(self) -> list[range]:
        """The hand numbers of every part of the finished run."""
        return [range(a, min(a + PART, self.hands)) for a in range(0, self.hands, PART)]

    @property
    def finished(self) -> bool:
        """Whether every part is there."""
        return len(self.parts) == len(self.ranges)

    @property
    def specs(self) -> list[str]:
        """The policies' SPECs, of seats 0 to 3."""
        return [policy["spec"] for policy in self.policies]

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything but the parts: what makes two runs the same."""
        told = {
            "format": FORMAT,
            "program": self.program,
            "pyarrow": self.pyarrow,
            "rules": self.rules.to_dict(),
            "seed": self.seed,
            "hands": self.hands,
            "policies": self.policies,
            "deal": self.deal,
            "where": self.where,
            "columns": self.columns,
        }
        if self.rules.signals != SILENCE:  # runs without any are as before there were signals
            told["signals"] = self.rules.signals.to_dict()
        if self.condition_probability is not None:
            told["condition_probability"] = self.condition_probability
        return told

    def to_dict(self) -> dict[str, Any]:
        """The manifest as it is written."""
        return {**self.identity, "parts": self.parts}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Manifest:
        """The manifest that ``to_dict`` gave. Raises RunError if it is not one."""
        if data.get("format") != FORMAT:
            raise RunError(f"its format is {data.get('format')!r}: expected {FORMAT}")
        try:
            data = {"condition_probability": None, **data}
            fields = {key: data[key] for key in cls.__dataclass_fields__}
            rules = RuleSet.from_dict(data["rules"])
            if "signals" in data:
                rules = rules.with_signals(Conventions.from_dict(data["signals"], rules.pack))
            manifest = cls(**{**fields, "rules": rules})
            sound = manifest._is_sound()
        except KeyError as error:
            raise RunError(f"it lacks {error}") from None
        except RulesError as error:
            raise RunError(f"its rules: {error}") from None
        except SignalError as error:
            raise RunError(f"its signals: {error}") from None
        except (TypeError, ValueError, AttributeError):
            sound = False
        if not sound:
            raise RunError("its entries are not of the expected kinds")
        return manifest

    def _is_sound(self) -> bool:
        """Whether all is as this program writes it; some of what is not raises an exception."""
        at = 0
        for part in self.parts:
            first, last = (index(end) for end in part["hand_range"])
            if not at <= first <= last < self.hands or Path(part["file"]).name != part["file"]:
                return False
            at = last + 1
        return (
            1 <= index(self.hands) <= LARGEST_RUN
            and 0 <= index(self.seed) <= LARGEST_SEED
            and len(self.policies) == 4
            and all(isinstance(policy["spec"], str) for policy in self.policies)
            and all(isinstance(policy["files"], dict) for policy in self.policies)
            and all(isinstance(text, str | None) for text in (self.deal, self.where))
            and isinstance(self.condition_probability, dict | None)
            and isinstance(self.columns, list)
            and len(self.columns) == len(set(self.columns))
            and {"hand_id"} <= set(self.columns) <= set(column_names(self.rules, log_plays=True))
            and isinstance(self.parts, list)
        )


def part_file(index: int) -> str:
    """The name of a part, counted from 0."""
    return f"part-{index:06d}.parquet"


def read_manifest(directory: Path) -> Manifest:
    """The manifest of a run directory. Raises RunError if there is none or it is damaged."""
    path = directory / "manifest.json"
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise RunError(f"{directory} is no run: expected a directory with manifest.json") from None
    except NotADirectoryError:
        raise RunError(f"{directory} is no directory: expected a run directory") from None
    except (ValueError, OSError, RecursionError) as error:
        raise RunError(f"{path} cannot be read: {error}") from None
    try:
        if not isinstance(data, dict):
            raise RunError("it is no JSON object")
        return Manifest.from_dict(data)
    except RunError as error:
        raise RunError(f"{path} is no manifest of a run: {error}") from None


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Write the manifest in one step, so that it is never half there."""
    text = json.dumps(manifest.to_dict(), indent=1, ensure_ascii=False) + "\n"
    replace_file(directory / "manifest.json", lambda path: path.write_text(text, "utf-8"))


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file under a temporary name, flush it to disk, and rename it; or leave nothing."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        write(temporary)
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def write_part(directory: Path, index: int, table: pa.Table, manifest: Manifest) -> None:
    """Write one part of a run to ``hands/``, with the manifest in its metadata."""
    hands = manifest.ranges[index]
    told = {**manifest.identity, "hand_range": [hands[0], hands[-1]]}
    table = table.replace_schema_metadata({"tarocchino": json.dumps(told, ensure_ascii=False)})
    small = [f.name for f in table.schema if f.type in (pa.uint8(), pa.uint16(), pa.int16())]
    replace_file(
        directory / "hands" / part_file(index),
        lambda path: pq.write_table(
            table,
            path,
            compression="zstd",
            compression_level=1,
            use_dictionary=small,
            column_encoding={"hand_id": "DELTA_BINARY_PACKED"},
            write_page_checksum=True,
        ),
    )


def check_part(directory: Path, manifest: Manifest, part: dict[str, Any]) -> Path:
    """The path of a part, if it is whole as far as its footer tells.

    Raises RunError if it is missing, damaged, of another run, or has another number of hands.
    """
    path = directory / "hands" / part["file"]
    again = f"make it again with --resume {directory}"
    first, last = part["hand_range"]
    try:
        footer = pq.read_metadata(path)
        schema = footer.schema.to_arrow_schema()
        told = json.loads(schema.metadata[b"tarocchino"])
    except FileNotFoundError:
        raise RunError(f"{path} is missing: {again}") from None
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError):
        raise RunError(f"{path} is damaged: {again}") from None
    if footer.num_rows != last - first + 1:
        raise RunError(f"{path} has {footer.num_rows} hands, expected {last - first + 1}: {again}")
    if told != {**manifest.identity, "hand_range": [first, last]}:
        raise RunError(f"{path} is a part of another run: {again}")
    if not schema.equals(_schema(manifest)):
        raise RunError(f"{path} is damaged (its columns): {again}")
    return path


def read_part(
    directory: Path,
    manifest: Manifest,
    part: dict[str, Any],
    columns: Sequence[str] | None = None,
) -> pa.Table:
    """The hands of a part, with the columns asked for (all), in that order.

    Raises RunError as ``check_part``, or if it cannot be read to its end.
    """
    path = check_part(directory, manifest, part)
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read(columns)
    except (pa.ArrowException, OSError, ValueError) as error:
        told = str(error).splitlines()[0]
        raise RunError(
            f"{path} is damaged ({told}): make it again with --resume {directory}"
        ) from None
    return table if columns is None else table.select(columns)
