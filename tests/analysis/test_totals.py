"""Parts add up, whatever the threads, and kinds of hand are kept apart."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.moments import Moments
from analysis.totals import ByKind, total


def squares(part: range) -> ByKind[str]:
    """Squares of numbers, odd ones and even ones apart; of 0 and 1 apart too."""
    found: ByKind[str] = ByKind()
    for number in part:
        kind = "small" if number < 2 else "odd" if number % 2 else "even"
        found += ByKind({kind: Moments.of(np.array([[number * number]]))})
    return found


@pytest.mark.parametrize("threads", [1, 3])
def test_every_number_is_in_its_kind_once(threads: int) -> None:
    found = total(squares, 10, 4, threads=threads)
    assert {kind: (each.n, each.sums.tolist()) for kind, each in found.items()} == {
        "small": (2, [1]),
        "even": (4, [4 + 16 + 36 + 64]),
        "odd": (4, [9 + 25 + 49 + 81]),
    }


def test_the_last_part_is_what_is_left() -> None:
    parts: list[range] = []

    def play(part: range) -> int:
        parts.append(part)
        return len(part)

    assert total(play, 10, 4, threads=1) == 10
    assert parts == [range(4), range(4, 8), range(8, 10)]
