"""Runs of hands: ``simulate``, ``resume``, and a run as it is read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from sim.columns import rows_table, to_numpy
from sim.conditions import read_conditions
from sim.hands import LARGEST_SEED, play_hands
from sim.kernels.conditional_deal import Dealing
from sim.kernels.state import MOST_HANDS
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies
from sim.records import (
    KEPT,
    Manifest,
    RunError,
    check_part,
    choose_columns,
    read_part,
    run_path,
)
from sim.rules import OTTOCENTO, RuleSet
from sim.run_directory import Tables, complete_run, make_run, manifest_of, run_to_resume
from sim.summaries import (
    add_hands,
    columns_of,
    merged,
    no_hands,
    statistics_from,
    summary_table,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Run:
    """A run of independent hands: on disk, or in memory if ``directory`` is None.

    Any program reads a directory's ``hands/``; ``to_pandas`` and ``to_arrow`` hold it in memory. A
    run that keeps a summary has ``summary/`` instead, and ``summaries`` alone.
    """

    manifest: Manifest
    directory: Path | None
    tables: tuple[pa.Table, ...] = ()

    @classmethod
    def open(cls, directory: str | Path) -> Run:
        """A run directory, its finished parts checked as far as their footers tell.

        Raises RunError if it is none, or a part is missing or damaged.
        """
        directory = run_path(directory)
        manifest = manifest_of(directory, "hand")
        for part in manifest.parts:
            for folder in manifest.schemas:
                check_part(directory, manifest, part, folder)
        return cls(manifest, directory)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """The run part by part, in order, with the columns asked for (all), in that order.

        Raises RunError if there is no such column, a part cannot be read to its end, or the run
        keeps a summary.
        """
        if self.manifest.keep == "summary":
            raise RunError("the run keeps a summary: expected one that keeps its rows")
        columns = list(columns) if columns is not None else None
        for name in columns or ():
            if name not in self.manifest.columns:
                known = ", ".join(self.manifest.columns)
                raise RunError(f"the run has no column {name!r}: expected one of {known}")
        return self._parts("hands", columns)

    def summaries(self) -> Iterator[pa.Table]:
        """The summaries of the parts, in order, of a run that keeps them (``sim.summaries``).

        Raises RunError if a part cannot be read to its end, or the run keeps rows.
        """
        if self.manifest.keep != "summary":
            raise RunError("the run keeps its rows: expected one that keeps a summary")
        return self._parts("summary", None)

    def _parts(self, folder: str, columns: list[str] | None) -> Iterator[pa.Table]:
        for table in self.tables:
            yield table if columns is None else table.select(columns)
        if self.directory is not None:
            for part in self.manifest.parts:
                yield read_part(self.directory, self.manifest, part, columns, folder)

    @property
    def hands(self) -> int:
        """How many hands are there: in an unfinished run, those of the finished parts."""
        if self.directory is None:
            return self.manifest.hands
        ends = (part[self.manifest.range_key] for part in self.manifest.parts)
        return sum(last - first + 1 for first, last in ends)

    def to_arrow(self, columns: Sequence[str] | None = None) -> pa.Table:
        """The whole run as one Arrow table. Raises RunError as ``batches``."""
        return pa.concat_tables(self.batches(columns))

    def to_pandas(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The whole run as a DataFrame, one row a hand. Raises RunError as ``batches``."""
        return self.to_arrow(columns).to_pandas()


def simulate(
    rules: RuleSet = OTTOCENTO,
    hands: int = 1_000_000,
    *,
    seed: int = 1,
    policies: str | Policy | Sequence[str | Policy] = "simple",
    deal: str | None = None,
    where: str | None = None,
    out: str | Path | None = None,
    columns: Sequence[str] | None = None,
    log_plays: bool = False,
    keep: str = "rows",
    threads: int | None = None,
    progress: bool = False,
) -> Run:
    """Deal and play hands, and keep a row for each, or sums.

    Parameters
    ----------
    rules
        The game.
    hands
        How many; the dealer rotates.
    seed
        0 to 2^64 - 1. The same seed gives the same deals under any policies.
    policies
        One SPEC or Policy for all seats, two for sides 0 and 1, or four for seats 0 to 3.
    deal, where
        Cards fixed to hands, as in ``"dealer: Pagat Fool; eldest: SK"``, and conditions on what was
        dealt, as in ``"dealer.trumps >= 6"``: the grammar is that of ``sim.conditions``. The
        manifest has their probability; without them all deals are alike.
    out
        A new directory to write the run to; None keeps it in memory. If it holds this very run,
        finished, nothing is done again.
    columns
        Those to keep beside ``hand_id``; None for all.
    log_plays
        Whether to keep every card played (column ``plays``).
    keep
        ``rows``, or ``summary``: how many hands were so and so (``sim.summaries``), from which
        frequencies are the same as from the rows of ``columns``, whatever the number of hands.
    threads, progress
        As in ``sim.parts.map_parts``.

    Raises
    ------
    RunError
        A wrong argument, or a directory that holds something else.
    CardError, ConditionError
        A condition that cannot be read or met, or that is too rare.
    PolicyError
        A policy that cannot be had.
    IllegalAnswer
        A policy answered what the rules forbid.
    OSError
        The disk is full or cannot be written; whole parts stay.

    Source: RULES §2-4, 7, 8.
    """
    if keep not in KEPT:
        raise RunError(f"keep {keep!r}: expected {' or '.join(KEPT)}")
    if not 1 <= hands <= KEPT[keep]:
        raise RunError(f"{hands} hands: expected 1 to {KEPT[keep]}")
    if not 0 <= seed <= LARGEST_SEED:
        raise RunError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    chosen, chosen_columns = parse_policies(policies), choose_columns(rules, columns, log_plays)
    conditions = read_conditions(rules, deal, where)
    manifest = Manifest(
        rules=rules,
        seed=seed,
        hands=hands,
        policies=[policy.to_dict() for policy in chosen],
        columns=chosen_columns,
        deal=conditions.deal,
        where=conditions.where,
        condition_probability=conditions.probability,
        keep=keep,
    )
    make = partial(_make_part, manifest, chosen, conditions.dealing)
    parts = make_run(manifest, chosen, make, out, threads, progress)
    if out is not None:
        return Run.open(out)
    tables: Iterable[pa.Table] = (table for part in parts for table in part.values())
    if keep == "summary":
        tables = [merged(tables, statistics_from(rules, chosen_columns))]
    return Run(manifest, None, tuple(tables))


def resume(
    directory: str | Path,
    *,
    policies: Sequence[str | Policy] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Run:
    """Make the parts that a run lacks, to the same bytes as if it had never stopped.

    Parameters
    ----------
    directory
        A run directory.
    policies
        As for ``simulate``; needed where a policy's file is not in the current folder.
    threads, progress
        As in ``sim.parts.map_parts``.

    Raises RunError if the directory is no run of this program, PolicyError if a policy file has
    changed or is not found, and as ``simulate``.
    """
    manifest, chosen = run_to_resume(directory, policies, "hand")
    dealing = read_conditions(manifest.rules, manifest.deal, manifest.where).dealing
    make = partial(_make_part, manifest, chosen, dealing)
    complete_run(directory, manifest, make, threads, progress)
    return Run.open(directory)


def _make_part(
    manifest: Manifest, policies: Sequence[Policy], dealing: Dealing | None, part: range
) -> Tables:
    def play(hands: range, columns: Sequence[str]) -> pa.Table:
        rows = play_hands(
            manifest.rules,
            policies,
            manifest.seed,
            hands[0],
            len(hands),
            "plays" in manifest.columns,
            dealing=dealing,
        )
        return rows_table(rows, hands[0], columns)

    if manifest.keep == "rows":
        return {"hands": play(part, manifest.columns)}
    of = statistics_from(manifest.rules, manifest.columns)
    columns, counts = columns_of(of.values()), no_hands(of)
    for first in range(0, len(part), MOST_HANDS):
        table = play(part[first : first + MOST_HANDS], columns)
        add_hands(counts, of, to_numpy(table), manifest.rules)
    return {"summary": summary_table(counts, of)}
