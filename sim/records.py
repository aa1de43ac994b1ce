"""A run on disk: its manifest and its parts in Parquet, written and read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from sim.columns import DICTIONARY
from sim.manifests import Manifest, RunError
from sim.stores import StoreError, read_whole, told_by_store, write_object


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
