"""What is told of a user's policy or statement that raises: where, what, and in which hand."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from sim.kernels.user_code import CodeError
from sim.policies.policy import Policy
from sim.rules import RuleSet


class PolicyFailure(RuntimeError):
    """A user's policy or statement raised an exception while it was playing."""


@contextmanager
def playing(
    rules: RuleSet,
    policies: Sequence[Policy],
    find: Callable[[], tuple[str, np.record]] | None = None,
) -> Iterator[None]:
    """Within it, what a user's policy or statement raises is told as such.

    ``find`` says which hand it is that raises, and the table at which it stands.
    """
    try:
        yield
    except Exception as error:
        statements = {str(s.predicate.path.resolve()) for s in rules.signals.own if s.predicate}
        files = statements | {str(file) for policy in policies for file in policy.files}
        if not files:
            raise
        # numba adds the user's own line to the traceback.
        lines = [
            line for line in traceback.extract_tb(error.__traceback__) if line.filename in files
        ]
        where, what = "a policy or a table's statement", f"{type(error).__name__}: {error}"
        if lines:
            where = f"{Path(lines[-1].filename).name}, line {lines[-1].lineno}: {lines[-1].name}"
        told = str(error) if isinstance(error, CodeError) else f"{where} raises {what}"
        if find is not None:
            hand, table = find()
            if lines and lines[-1].filename in statements:
                hand += f", trick {table.trick}, of what seat {_speaker(table)} might signal"
            told = f"{hand}: {told}"
        raise PolicyFailure(told) from error


def _speaker(table: np.record) -> int:
    """The seat whose signals are being judged: it has just played, or its partner is to lead."""
    return int(table.leader + (table.position - 1 if table.position else 2)) & 3


def which_raises(play: Callable[[int], object], n: int) -> int:
    """The number of the first of n hands that raises, by playing fewer of them until it is found.

    ``play(k)`` plays the first k of them. It raises last with that one as the last.
    """
    before, among = 0, n  # none of the first ``before`` hands raises, one of ``among`` does
    while among - before > 1:
        middle = (before + among) // 2
        try:
            play(middle)
            before = middle
        except Exception:
            among = middle
    with suppress(Exception):
        play(among)
    return before
