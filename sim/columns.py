"""The schema: columns of hands and of games, their types, and how rows become tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from sim.rows import Rows
from sim.rules import RuleSet
from sim.signals import SILENCE

LOGS = ("plays", "signals")  # columns that only come with log_plays
_SEATS, _SIDES = range(4), range(2)
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


def to_numpy(table: pa.Table) -> dict[str, np.ndarray]:
    """The columns of a table of hands as arrays.

    Each has shape (n,) and the column's type; ``plays`` is uint8 of shape (n, cards played).
    """
    return {name: _array(table.column(name)) for name in table.column_names}


def _array(column: pa.ChunkedArray) -> np.ndarray:
    if not pa.types.is_fixed_size_binary(column.type):
        return column.to_numpy()
    width = column.type.byte_width
    rows = [
        np.frombuffer(chunk.buffers()[1], np.uint8).reshape(-1, width)[chunk.offset :][: len(chunk)]
        for chunk in column.chunks
    ]
    return np.concatenate(rows)


# Columns of games, and those that hands of games have beside their own, after ``hand_id``.
DICTIONARY = pa.dictionary(pa.int8(), pa.string())
GAME_COLUMNS = {
    "game_id": pa.uint64(),
    "first_dealer": pa.uint8(),
    "hands": pa.uint16(),
    "ended": DICTIONARY,
    "score0": pa.int32(),
    "score1": pa.int32(),
    "winner": pa.uint8(),
}
IN_GAME_COLUMNS = {
    "game_id": pa.uint64(),
    "hand_in_game": pa.uint16(),
    "before0": pa.int32(),
    "before1": pa.int32(),
    "stage": DICTIONARY,
}


def game_hand_columns(rules: RuleSet) -> list[str]:
    """The columns that hands of games have, in order."""
    hand_id, *others = column_names(rules)
    return [hand_id, *IN_GAME_COLUMNS, *others]


def hands_schema(rules: RuleSet, columns: Sequence[str]) -> pa.Schema:
    """Names and types of columns of hands."""
    cards = 4 * rules.tricks
    types = {"hand_id": pa.uint64(), "plays": pa.binary(cards), "signals": pa.binary(4 * cards)}
    types |= IN_GAME_COLUMNS | {name: type_ for name, type_, _, _ in _COLUMNS}
    return pa.schema([(name, types[name]) for name in columns])


GAMES_SCHEMA = pa.schema(list(GAME_COLUMNS.items()))

# Columns of a summary (``sim.summaries``): a statistic, what its hands are told apart by, the other
# columns being null, and how many hands these are.
SUMMARY_SCHEMA = pa.schema(
    {
        "statistic": pa.string(),
        **{name: pa.string() for name in ("role", "pool", "combination")},
        **{name: pa.int32() for name in ("seat", "side", "deals", "combinations", "seats")},
        **{name: pa.int32() for name in ("points", "trick", "kept")},
        "hands": pa.int64(),
    }
)
