"""Runs of whole games: their tables, on disk or in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sim.columns import (
    GAME_COLUMNS,
    GAMES_SCHEMA,
    column_names,
    game_hand_columns,
    hands_schema,
    rows_table,
)
from sim.games import (
    COUNT,
    DECLARATIONS,
    ENDS,
    MOST_HANDS_OF_GAME,
    Games,
    HandOfGames,
    play_games,
)
from sim.hands import LARGEST_SEED
from sim.manifests import MOST_GAMES, Manifest, RunError
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies
from sim.records import check_part, read_part, run_path
from sim.rules import OTTOCENTO, RuleSet
from sim.run_directory import Tables, complete_run, make_run, manifest_of, run_to_resume

if TYPE_CHECKING:
    import pandas as pd

# What a run can keep.
KEPT = ("games", "hands")
# Columns of hands that are known only once all tricks are played, and once the piles are counted.
_PLAYED = (
    *("tricks", "trick_points", "last_trick", "first_trick_leader"),
    *("pagat_seat", "pagat_trick", "fool_seat", "fool_trick"),
)
_COUNTED = ("won0", "cricche", "sequences", "card_points", "score", "pagat_side", "fool_side")


def games_table(games: Games) -> pa.Table:
    """Games as an Arrow table, a row each: the columns of ``games/``."""
    arrays = {
        "game_id": games.game,
        "first_dealer": games.game % 4,
        "hands": games.hands,
        "ended": _ends(games.ended),
        "score0": games.score[0],
        "score1": games.score[1],
        "winner": games.winner,
    }
    return pa.table([pa.array(arrays[name]) for name in GAME_COLUMNS], schema=GAMES_SCHEMA)


def game_hands_table(rules: RuleSet, hands: Sequence[HandOfGames]) -> pa.Table:
    """Hands of games as an Arrow table, game by game: what was not played or counted is null.

    ``hand_id`` is 65536 game_id + hand_in_game.
    """
    names = game_hand_columns(rules)
    table = pa.concat_tables(_one_number(rules, names, hand) for hand in hands)
    return table.sort_by("hand_id").combine_chunks()


def _one_number(rules: RuleSet, names: Sequence[str], hand: HandOfGames) -> pa.Table:
    table = rows_table(hand.rows, 0, column_names(rules))
    arrays = dict(zip(table.column_names, table.columns, strict=True))
    arrays |= {
        "hand_id": pa.array((MOST_HANDS_OF_GAME + 1) * hand.game + hand.number, pa.uint64()),
        "game_id": pa.array(hand.game, pa.uint64()),
        "hand_in_game": pa.array(np.full(len(hand.game), hand.number), pa.uint16()),
        "before0": pa.array(hand.before[0], pa.int32()),
        "before1": pa.array(hand.before[1], pa.int32()),
        "stage": _ends(hand.stage),
    }
    known = ((_PLAYED, hand.stage != DECLARATIONS), (_COUNTED, hand.stage == COUNT))
    for columns, there in known:
        for name in names:
            if {name, name.rstrip("01")} & set(columns):
                array = arrays[name]
                arrays[name] = pc.if_else(pa.array(there), array, pa.scalar(None, array.type))
    return pa.table([arrays[name] for name in names], schema=hands_schema(rules, names))


def _ends(places: NDArray[np.int8]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int8()), pa.array(ENDS))


@dataclass(frozen=True)
class GamesRun:
    """A run of games: on disk, or in memory if ``directory`` is None.

    Any program reads a directory's ``games/``, and ``hands/`` if hands are kept.
    """

    manifest: Manifest
    directory: Path | None
    tables: tuple[Tables, ...] = ()

    @classmethod
    def open(cls, directory: str | Path) -> GamesRun:
        """A run directory, its finished parts checked as far as their footers tell.

        Raises RunError if it is none of games, or a part is missing or damaged.
        """
        directory = run_path(directory)
        manifest = manifest_of(directory, "game")
        for part in manifest.parts:
            for folder in manifest.schemas:
                check_part(directory, manifest, part, folder)
        return cls(manifest, directory)

    def batches(self, folder: str = "games") -> Iterator[pa.Table]:
        """The rows of a folder (``games`` or ``hands``) part by part, in order.

        Raises RunError if there is no such folder, or a part cannot be read to its end.
        """
        if folder not in self.manifest.schemas:
            raise RunError(
                f"the run keeps no {folder}: expected {', '.join(self.manifest.schemas)}"
            )
        for tables in self.tables:
            yield tables[folder]
        if self.directory is not None:
            for part in self.manifest.parts:
                yield read_part(self.directory, self.manifest, part, folder=folder)

    def to_arrow(self, folder: str = "games") -> pa.Table:
        """All rows of a folder as one Arrow table. Raises RunError as ``batches``."""
        return pa.concat_tables(self.batches(folder))

    def to_pandas(self, folder: str = "games") -> pd.DataFrame:
        """All rows of a folder as a DataFrame. Raises RunError as ``batches``."""
        return self.to_arrow(folder).to_pandas()


def simulate_games(
    rules: RuleSet = OTTOCENTO,
    games: int = 100_000,
    *,
    seed: int = 1,
    policies: str | Policy | Sequence[str | Policy] = "simple",
    keep: str = "games",
    out: str | Path | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> GamesRun:
    """Play whole games, and keep a row for each.

    Parameters
    ----------
    rules
        The game: to a target, over four hands, or a single one.
    games
        How many; the first dealer rotates.
    seed
        0 to 2^64 - 1. The same seed gives the same deals under any policies.
    policies
        One SPEC or Policy for all seats, two for sides 0 and 1, or four for seats 0 to 3.
    keep
        ``games``, or ``hands`` to keep these too.
    out
        A new directory to write the run to; None keeps it in memory. If it holds this very run,
        finished, nothing is done again.
    threads, progress
        As in ``sim.parts.map_parts``.

    Raises
    ------
    RunError
        A wrong argument, or a directory that holds something else.
    PolicyError
        A policy that cannot be had.
    IllegalAnswer, GamesError
        As ``play_games``.
    OSError
        The disk is full or cannot be written; whole parts stay.

    Source: RULES §5, §7.
    """
    if not 1 <= games <= MOST_GAMES:
        raise RunError(f"{games} games: expected 1 to {MOST_GAMES}")
    if not 0 <= seed <= LARGEST_SEED:
        raise RunError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    if keep not in KEPT:
        raise RunError(f"keep {keep!r}: expected {' or '.join(KEPT)}")
    chosen = parse_policies(policies)
    manifest = Manifest(
        rules=rules,
        seed=seed,
        hands=0,
        policies=[policy.to_dict() for policy in chosen],
        columns=game_hand_columns(rules) if keep == "hands" else [],
        games=games,
    )
    tables = make_run(
        manifest, chosen, partial(_make_part, manifest, chosen), out, threads, progress
    )
    return GamesRun.open(out) if out is not None else GamesRun(manifest, None, tuple(tables))


def resume_games(
    directory: str | Path,
    *,
    policies: Sequence[str | Policy] | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> GamesRun:
    """Make the parts that a run of games lacks, to the same bytes as if it had never stopped.

    Parameters, and what it raises, as ``sim.run.resume``, and as ``simulate_games``.
    """
    manifest, chosen = run_to_resume(directory, policies, "game")
    make = partial(_make_part, manifest, chosen)
    complete_run(directory, manifest, make, threads, progress)
    return GamesRun.open(directory)


def _make_part(manifest: Manifest, policies: Sequence[Policy], part: range) -> Tables:
    keeps = "hands" in manifest.schemas
    games, hands = play_games(
        manifest.rules, policies, manifest.seed, part[0], len(part), keep_hands=keeps
    )
    tables = {"games": games_table(games)}
    if keeps:
        tables["hands"] = game_hands_table(manifest.rules, hands)
    return tables
