"""Saving the chart of a command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def save_chart(ax: Axes, path: Path, as_json: bool) -> None:
    """Save what was drawn and print where; on standard error beside a JSON document."""
    from analysis.charts import save

    path.parent.mkdir(parents=True, exist_ok=True)
    for saved in save(cast("Figure", ax.figure), path):
        print(f"Chart: {saved}", file=sys.stderr if as_json else sys.stdout)
