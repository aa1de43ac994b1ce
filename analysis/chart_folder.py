"""A folder of charts: each a PNG, an SVG and its table as CSV, and one PDF of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from analysis.charts import save, styled
from analysis.results import write_result
from sim.manifests import RunError
from sim.records import replace_file

PDF = "strategy.pdf"


@dataclass(frozen=True)
class Page:
    """One chart: its file's name, its table, where that comes from, and the figure."""

    name: str
    table: pd.DataFrame
    provenance: dict[str, Any]
    figure: Figure


def write_charts(
    out: str | Path, pages: Iterator[Page], told: Callable[[Path], object] = print
) -> None:
    """Write pages to a folder as PNG, SVG and CSV, each file whole, and one PDF of all at the end.

    Parameters
    ----------
    out
        A folder, made if need be.
    pages
        Such as ``analysis.strategy_pages`` makes.
    told
        Called with each CSV or PDF written.

    Raises RunError if the folder holds other files, OSError if it cannot be written.
    """
    folder = check_folder(out)
    figures = []
    for page in pages:
        folder.mkdir(parents=True, exist_ok=True)
        save(page.figure, folder / page.name)
        write_result(folder / f"{page.name}.csv", page.table, page.provenance)
        told(folder / f"{page.name}.csv")
        figures.append(page.figure)
    replace_file(folder / PDF, lambda path: _write_pdf(path, figures))
    told(folder / PDF)


def check_folder(out: str | Path) -> Path:
    """The folder, if charts may be written to it: new, empty, or of charts. Raises RunError."""
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is no directory: expected a new or empty one")
    if folder.is_dir():
        for path in folder.iterdir():
            chart = path.name[:1] == "0" and path.suffix in (".png", ".svg", ".csv")
            if not (chart or path.name == PDF):
                raise RunError(
                    f"{folder} holds {path.name}: expected a new or empty folder, or one of charts"
                )
    return folder


@styled
def _write_pdf(path: Path, figures: list[Figure]) -> None:
    with path.open("wb") as file, PdfPages(file, metadata={"CreationDate": None}) as pdf:
        for figure in figures:
            pdf.savefig(figure)
