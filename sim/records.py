"""A run on disk: parts in Parquet, and the manifest."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from operator import index
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from sim.columns import (
    DICTIONARY,
    GAMES_SCHEMA,
    LOGS,
    SUMMARY_SCHEMA,
    column_names,
    game_hand_columns,
    hands_schema,
)
from sim.hands import LARGEST_SEED
from sim.kernels.state import MOST_HANDS
from sim.rules import RulesError, RuleSet
from sim.signals import SILENCE, Conventions, SignalError
from sim.stores import StoreError, read_whole, told_by_store, write_object

FORMAT = 1
PROGRAM = f"tarocchino {version('tarocchino')}"
# Hands in a part, or games: fixed, so that the same run gives the same files everywhere.
PART, GAMES_PART = MOST_HANDS, MOST_HANDS // 5
# Of a summary a part is several of these: at most so many, and fewer where a run would have fewer
# parts than this, so that small runs too are made by several threads.
SUMMARY_PARTS, FEWEST_SUMMARIES = 40, 64
# Hands, or games, in a run at most: a million parts, which is what their names have digits for.
LARGEST_RUN, MOST_GAMES = 1_000_000 * PART, 1_000_000 * GAMES_PART
# What a run keeps of its hands, a row of each or sums, and how many there may be.
KEPT = {"rows": LARGEST_RUN, "summary": SUMMARY_PARTS * LARGEST_RUN}


class RunError(ValueError):
    """A run directory is not one, is damaged, or holds another run."""


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


@dataclass
class Manifest:
    """What a run is, and which of its parts are finished.

    It is a run of hands, or of games: then ``hands`` is 0, and ``columns`` are those of the hands
    that are kept beside the games, or none. ``parts`` has ``{"file", "hand_range"}`` for each, the
    range as first and last hand number; of games ``{"file", "game_range", "hands"}``. A run that
    keeps a ``summary`` of its hands has sums of ``columns`` and no rows.
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
    games: int = 0
    keep: str = "rows"

    @property
    def unit(self) -> str:
        """What the run counts: ``hand`` or ``game``."""
        return "game" if self.games else "hand"

    @property
    def range_key(self) -> str:
        """What a part calls the first and last number of its hands, or games."""
        return f"{self.unit}_range"

    @property
    def schemas(self) -> dict[str, pa.Schema]:
        """Columns by the folder of their parts, the run's own folder first."""
        hands = {"hands": hands_schema(self.rules, self.columns)}
        if self.games:
            return {"games": GAMES_SCHEMA} | (hands if self.columns else {})
        if self.keep == "summary":
            return {"summary": SUMMARY_SCHEMA}
        return hands

    @property
    def size(self) -> int:
        """How many hands, or games, the finished run has."""
        return self.games or self.hands

    @property
    def part_size(self) -> int:
        """How many hands, or games, are in a part; in the last one, what is left."""
        if self.games:
            return GAMES_PART
        if self.keep == "rows":
            return PART
        return PART * min(max(1, self.hands // (FEWEST_SUMMARIES * PART)), SUMMARY_PARTS)

    @property
    def ranges(self) -> Iterator[range]:
        """The numbers of the hands, or games, of every part of the finished run, in order."""
        numbers, length = range(self.size), self.part_size
        return (numbers[first : first + length] for first in range(0, self.size, length))

    @property
    def part_count(self) -> int:
        """How many parts the finished run has."""
        return -(-self.size // self.part_size)

    def entry(self, part: range) -> dict[str, Any]:
        """A part by its numbers as ``parts`` tells of it, but for the hands of games."""
        return {"file": part_file(part[0] // self.part_size), self.range_key: [part[0], part[-1]]}

    @property
    def finished(self) -> bool:
        """Whether every part is there."""
        return len(self.parts) == self.part_count

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
            "hands": self.hands or None,
            "policies": self.policies,
            "deal": self.deal,
            "where": self.where,
            "columns": self.columns,
        }
        if self.rules.signals != SILENCE:  # runs without any are as before there were signals
            told["signals"] = self.rules.signals.to_dict()
        if self.condition_probability is not None:
            told["condition_probability"] = self.condition_probability
        if self.games:
            told["games"] = self.games
        if self.keep != "rows":
            told["keep"] = self.keep
        return told

    def to_dict(self) -> dict[str, Any]:
        """The manifest as it is written."""
        return {**self.identity, "parts": self.parts}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Manifest:
        """The manifest that ``to_dict`` gave. Raises RunError if it is not one."""
        if data.get("format") != FORMAT:
            raise RunError(f"its format is {data.get('format')!r}: expected {FORMAT}")
        told = data
        try:
            data = {"condition_probability": None, "games": 0, "keep": "rows", **data}
            data["hands"] = data["hands"] or 0
            fields = {key: data[key] for key in cls.__dataclass_fields__}
            rules = RuleSet.from_dict(data["rules"])
            if "signals" in data:
                rules = rules.with_signals(Conventions.from_dict(data["signals"], rules.pack))
            manifest = cls(**{**fields, "rules": rules})
            # Nothing else stands there than what would be written: no path of a file, say.
            sound = manifest._is_sound() and _same_json(manifest.to_dict(), told)
        except KeyError as error:
            raise RunError(f"it lacks {error}") from None
        except RulesError as error:
            raise RunError(f"its rules: {error}") from None
        except SignalError as error:
            raise RunError(f"its signals: {error}") from None
        except (TypeError, ValueError, AttributeError, RecursionError):
            sound = False
        if not sound:
            raise RunError("its entries are not of the expected kinds")
        return manifest

    def _is_sound(self) -> bool:
        """Whether all is as this program writes it; some of what is not raises an exception."""
        at = 0
        for part in self.parts:
            first, last = (index(end) for end in part[self.range_key])
            if not at <= first <= last < self.size or Path(part["file"]).name != part["file"]:
                return False
            if self.games and self.columns and index(part["hands"]) < 0:
                return False
            at = last + 1
        if self.games:
            known = game_hand_columns(self.rules)
            counted = index(self.hands) == 0 and 1 <= index(self.games) <= MOST_GAMES
            fitting = counted and self.columns in ([], known) and self.keep == "rows"
        else:
            known = column_names(self.rules, log_plays=True)
            counted = self.keep in KEPT and 1 <= index(self.hands) <= KEPT[self.keep]
            fitting = counted and {"hand_id"} <= set(self.columns) <= set(known)
        return (
            fitting
            and 0 <= index(self.seed) <= LARGEST_SEED
            and len(self.policies) == 4
            and all(isinstance(policy["spec"], str) for policy in self.policies)
            and all(isinstance(policy["files"], dict) for policy in self.policies)
            and all(isinstance(text, str | None) for text in (self.deal, self.where))
            and isinstance(self.condition_probability, dict | None)
            and isinstance(self.columns, list)
            and len(self.columns) == len(set(self.columns))
            and isinstance(self.parts, list)
        )


def _same_json(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether they are written alike: 1, 1.0 and True are not."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def run_path(directory: str | Path) -> Path:
    """The path of a run directory: of a local folder, or of an URL such as ``s3://bucket/run``.

    The latter is a path of universal_pathlib, over fsspec.

    Raises RunError if that, or what it needs for such an URL, is not installed.
    """
    if isinstance(directory, Path) or "://" not in str(directory):
        return Path(directory)
    try:
        from upath import UPath

        path = UPath(directory, use_listings_cache=False)  # others may write there
        kinds = path.fs.protocol
    except ModuleNotFoundError:
        raise RunError(
            f"{directory} needs more packages: install them with pip install 'tarocchino[cluster]'"
        ) from None
    except (ImportError, ValueError) as error:
        raise RunError(f"{directory} cannot be written or read: {error}") from None
    if "file" in kinds:
        return Path(path.path)
    if not path.path.strip("/"):
        raise RunError(f"{directory} names no place: expected an URL such as s3://bucket/run")
    return cast(Path, path)  # as far as runs go


def part_file(index: int) -> str:
    """The name of a part, counted from 0."""
    return f"part-{index:06d}.parquet"


def read_manifest(directory: Path) -> Manifest:
    """The manifest of a run directory. Raises RunError if there is none or it is damaged."""
    path = directory / "manifest.json"
    try:
        data = json.loads(read_whole(path).decode())
    except FileNotFoundError:
        raise RunError(f"{directory} is no run: expected a directory with manifest.json") from None
    except NotADirectoryError:
        raise RunError(f"{directory} is no directory: expected a run directory") from None
    except StoreError as error:
        raise RunError(str(error)) from None
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
    if not isinstance(path, Path):  # an URL: what is put there appears as a whole
        with TemporaryDirectory() as folder:
            local = Path(folder, path.name)
            write(local)
            write_object(path, local.read_bytes())
        return
    # Of several workers that make the same part, none writes to another's file.
    temporary = path.with_name(f".{path.name}.{uuid4().hex}.tmp")
    try:
        write(temporary)
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


@contextmanager
def _readable(path: Path) -> Iterator[Any]:
    """What Arrow reads a file from: its path, or a stream of an URL."""
    if isinstance(path, Path):
        yield path
    else:
        damaged = pa.ArrowException, ValueError
        with told_by_store(path, FileNotFoundError, *damaged), path.open("rb") as file:
            yield file


def write_part(
    directory: Path, part: range, table: pa.Table, manifest: Manifest, folder: str = "hands"
) -> None:
    """Write one part of a run, by its numbers, to a folder of it, the manifest in its metadata."""
    entry = manifest.entry(part)
    told = {**manifest.identity, manifest.range_key: entry[manifest.range_key]}
    table = table.replace_schema_metadata({"tarocchino": json.dumps(told, ensure_ascii=False)})
    types = (pa.uint8(), pa.uint16(), pa.int16(), DICTIONARY, pa.string())
    small = [f.name for f in table.schema if f.type in types]
    ids = [name for name in table.column_names[:1] if name.endswith("_id")]
    replace_file(
        directory / folder / entry["file"],
        lambda path: pq.write_table(
            table,
            path,
            compression="zstd",
            compression_level=1,
            use_dictionary=small,
            column_encoding=dict.fromkeys(ids, "DELTA_BINARY_PACKED"),
            write_page_checksum=True,
        ),
    )


def check_part(
    directory: Path, manifest: Manifest, part: dict[str, Any], folder: str = "hands"
) -> Path:
    """The path of a part in a folder of the run, if it is whole as far as its footer tells.

    Raises RunError if it is missing, damaged, of another run, or has another number of rows.
    """
    path = directory / folder / part["file"]
    again = f"make it again with --resume {directory}"
    first, last = part[manifest.range_key]
    rows = part["hands"] if manifest.games and folder == "hands" else last - first + 1
    try:
        with _readable(path) as source:
            footer = pq.read_metadata(source)
        schema = footer.schema.to_arrow_schema()
        told = json.loads(schema.metadata[b"tarocchino"])
    except FileNotFoundError:
        raise RunError(f"{path} is missing: {again}") from None
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError):
        raise RunError(f"{path} is damaged: {again}") from None
    if folder != "summary" and footer.num_rows != rows:
        raise RunError(f"{path} has {footer.num_rows} {folder}, expected {rows}: {again}")
    if told != {**manifest.identity, manifest.range_key: [first, last]}:
        raise RunError(f"{path} is a part of another run: {again}")
    if not schema.equals(manifest.schemas[folder]):
        raise RunError(f"{path} is damaged (its columns): {again}")
    return path


def read_part(
    directory: Path,
    manifest: Manifest,
    part: dict[str, Any],
    columns: Sequence[str] | None = None,
    folder: str = "hands",
) -> pa.Table:
    """The rows of a part in a folder, with the columns asked for (all), in that order.

    Raises RunError as ``check_part``, or if it cannot be read to its end.
    """
    path = check_part(directory, manifest, part, folder)
    try:
        with (
            _readable(path) as source,
            pq.ParquetFile(source, page_checksum_verification=True) as file,
        ):
            table = file.read(columns)
            if len(table) != file.metadata.num_rows:
                raise ValueError(f"{len(table)} rows of {file.metadata.num_rows}")
    except (pa.ArrowException, OSError, ValueError) as error:
        told = str(error).splitlines()[0]
        raise RunError(
            f"{path} is damaged ({told}): make it again with --resume {directory}"
        ) from None
    return table if columns is None else table.select(columns)
