"""Reading a run of any size part by part, and counting its hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from sim.columns import to_numpy
from sim.run import Run
from sim.summaries import Counts, Statistic, add_hands, add_summary, columns_of, no_hands

Part = dict[str, np.ndarray]


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
    return map(to_numpy, tables)


def count(run: Run, statistics: Mapping[str, Statistic]) -> tuple[int, Counts]:
    """How many hands a run has, and how many were so and so.

    Parameters
    ----------
    run
        A run; of an unfinished one, the finished parts.
    statistics
        Some of ``sim.summaries.statistics`` of its rules that its columns allow, by name.

    Returns
    -------
    (hands, counts)
        The counts by the name of the statistic, int64 with its shape.

    Raises RunError as ``read``, or for what no hand has.
    """
    hands, counts = 0, no_hands(statistics)
    if run.manifest.keep == "summary":
        for summary in run.summaries():
            add_summary(counts, statistics, summary)
        return run.hands, counts
    for part in read(run, columns_of(statistics.values()) or ["hand_id"]):
        hands += len(next(iter(part.values())))
        add_hands(counts, statistics, part, run.manifest.rules)
    return hands, counts
