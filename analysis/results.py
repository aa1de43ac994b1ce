"""Tables of results in files that say where they come from."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pandas as pd


def write_result(path: str | Path, table: pd.DataFrame, provenance: dict[str, Any]) -> None:
    """Write a table as CSV under one line ``# {…}``, its provenance as JSON: whole or not at all.

    ``pandas.read_csv(path, comment="#")`` reads the table, ``read_provenance`` the line.
    Raises OSError if the file cannot be written.
    """
    path = Path(path)
    text = io.StringIO()
    text.write(f"# {json.dumps(provenance)}\n")
    table.to_csv(text, index=False, float_format="%.6g", lineterminator="\n")
    new = path.with_suffix(".new")
    try:
        new.write_text(text.getvalue(), encoding="utf-8")
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def read_provenance(path: str | Path) -> dict[str, Any]:
    """What ``write_result`` wrote on a file's first line. Raises ValueError if there is none."""
    with Path(path).open(encoding="utf-8") as file:
        first = file.readline()
    if not first.startswith("# {"):
        raise ValueError(
            f"{path} does not say where it comes from: expected a first line '# {{…}}'"
        )
    return dict(json.loads(first[2:]))
