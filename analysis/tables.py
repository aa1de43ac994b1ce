"""What a table of a summary is, whatever its subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.estimates import Estimate
from analysis.reader import Part

Counts = NDArray[np.int64]
# Estimates, each with what it is told by.
Rows = Iterable[tuple[dict[str, Any], Estimate]]


@dataclass(frozen=True)
class Table:
    """One table of a summary: the columns it reads, how a part is counted, what the counts say.

    ``count`` makes of a part an array of whole numbers, always of one shape; ``estimate`` makes
    rows of the sum of these arrays, the number of hands and the level.
    """

    columns: tuple[str, ...]
    count: Callable[[Part], Counts]
    estimate: Callable[[Counts, int, float], Rows]
    of_combinations: bool = False
