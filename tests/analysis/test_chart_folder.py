"""A folder of charts: what it may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.chart_folder import check_folder
from sim.manifests import RunError


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "01_discards.csv").touch()
    assert check_folder(tmp_path) == tmp_path
    (tmp_path / "letter.txt").touch()
    with pytest.raises(RunError, match=r"holds letter\.txt: expected a new or empty"):
        check_folder(tmp_path)
    with pytest.raises(RunError, match="is no directory"):
        check_folder(tmp_path / "letter.txt")
