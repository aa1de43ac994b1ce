"""Rows of hands played: the columns that the hand loop fills, as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.kernels.rules_record import has_signals
from sim.kernels.state import LOGS, ROWS, records
from sim.rules import RuleSet


class Rows(NamedTuple):
    """Columns of hands played, one array for each group: by seat or side first, hands last.

    Sets of cards are int64 here, as the kernels leave them; points int16; ``pagat`` and ``fool``
    are seat, trick and side.
    """

    dealer: NDArray[np.uint8]  # (n,)
    hand: NDArray[np.int64]  # (4, n)
    discard: NDArray[np.int64]  # (n,)
    held: NDArray[np.uint16]  # (4, n)
    declared: NDArray[np.uint16]  # (4, n)
    declared_points: NDArray[np.int16]  # (4, n)
    tricks: NDArray[np.uint8]  # (2, n)
    trick_points: NDArray[np.int16]  # (2, n)
    won0: NDArray[np.int64]  # (n,)
    cricche: NDArray[np.int16]  # (2, n)
    sequences: NDArray[np.int16]  # (2, n)
    card_points: NDArray[np.int16]  # (2, n)
    last_trick: NDArray[np.uint8]  # (n,)
    score: NDArray[np.int16]  # (2, n)
    pagat: NDArray[np.uint8]  # (3, n)
    fool: NDArray[np.uint8]  # (3, n)
    first_trick_leader: NDArray[np.uint8]  # (n,)
    plays: NDArray[np.uint8]  # (n, cards played), or (0, 0) if not logged
    signals: NDArray[np.uint32]  # likewise; (0, 0) also if no convention is in force


_LOGGED = ("plays", "signals")
_NO_LOGS = records(LOGS, 1)[0]  # where nothing is logged


def _empty(dtype: np.dtype) -> np.record:
    return np.empty(1, dtype).view(np.recarray)[0]


def empty_rows(log_plays: bool) -> np.record:
    """A ROWS record for the hand loop to fill, of hands that belong to no games."""
    rows = _empty(ROWS)
    rows.log_plays, rows.in_games = log_plays, False
    return rows


def empty_logs(log_plays: bool) -> np.record:
    """A LOGS record for the hand loop to fill, if it shall."""
    return _empty(LOGS) if log_plays else _NO_LOGS


def filled_rows(rows: np.record, logs: Any, n: int, rules: RuleSet) -> Rows:
    """The first n hands of a ROWS record, with what was logged of them: LOGS, tables, or None."""
    columns = {name: rows[name][..., :n] for name in Rows._fields if name not in _LOGGED}
    logged = {name: np.empty((0, 0), LOGS[name].base) for name in _LOGGED}
    if logs is not None:
        kept = _LOGGED if has_signals(rules) else _LOGGED[:1]
        logged |= {name: logs[name][:n, : 4 * rules.tricks] for name in kept}
    return Rows(**columns, **logged)
