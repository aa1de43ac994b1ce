"""What a table of a summary is, whatever its subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from analysis.estimates import Estimate

# Estimates, each with what it is told by.
Rows = Iterable[tuple[dict[str, Any], Estimate]]


@dataclass(frozen=True)
class Table:
    """One table of a summary: the statistics it needs (``sim.summaries``), and what they say.

    ``estimate`` makes rows of their counts, in the order of ``statistics``, the number of hands and
    the level.
    """

    statistics: tuple[str, ...]
    estimate: Callable[..., Rows]
