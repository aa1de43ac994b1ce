"""Reading a run of any size part by part, and the roles of its seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sim.run import Run

Part = dict[str, np.ndarray]
Seat = TypeVar("Seat", int, np.ndarray)


def open_run(run: Run | str | Path) -> Run:
    """A run, opened if it is given by its directory. Raises RunError as ``Run.open``."""
    return run if isinstance(run, Run) else Run.open(run)


def read(run: Run | str | Path, columns: Sequence[str]) -> Iterator[Part]:
    """Read some columns of a run, never holding more than a part of it.

    Parameters
    ----------
    run
        A run or its directory.
    columns
        Names of columns.

    Yields
    ------
    dict
        For each part in order, an array of all its hands for each column: shape (n,) and the
        column's type, or for ``plays`` uint8 of shape (n, cards played).

    Raises
    ------
    RunError
        A column that the run does not have; a part that cannot be read.
    """
    tables = open_run(run).batches(columns)
    return ({name: _to_numpy(table.column(name)) for name in columns} for table in tables)


def _to_numpy(column: pa.ChunkedArray) -> np.ndarray:
    if not pa.types.is_fixed_size_binary(column.type):
        return column.to_numpy()
    width = column.type.byte_width
    rows = [
        np.frombuffer(chunk.buffers()[1], np.uint8).reshape(-1, width)[chunk.offset :][: len(chunk)]
        for chunk in column.chunks
    ]
    return np.concatenate(rows)


def role_of(seat: Seat, dealer: np.ndarray) -> np.ndarray:
    """The role of a seat, as its place in ``ROLES`` of ``sim.conditions``.

    The arguments have one shape or broadcast.
    """
    return (seat + 3 - dealer) % 4


def by_role(part: Part, column: str) -> NDArray:
    """Columns kept by seat (``held`` for ``held0`` … ``held3``) by role instead, shape (4, n).

    The part needs the column ``dealer``.
    """
    seats = (part["dealer"] + np.arange(1, 5, dtype=np.uint8)[:, None]) % 4
    return np.take_along_axis(np.stack([part[f"{column}{s}"] for s in range(4)]), seats, axis=0)


def by_side(part: Part, column: str) -> NDArray:
    """Columns kept by side (``score``), the dealer's side first and the other next, shape (2, n).

    The part needs the column ``dealer``.
    """
    sides = (part["dealer"] + np.arange(2, dtype=np.uint8)[:, None]) % 2
    return np.take_along_axis(np.stack([part[f"{column}{s}"] for s in range(2)]), sides, axis=0)
