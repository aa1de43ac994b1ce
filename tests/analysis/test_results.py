"""Tables of results and where they come from."""

from pathlib import Path

import pandas as pd
import pytest

from analysis.results import read_provenance, write_result

TABLE = pd.DataFrame({"policy": ["simple", "a, b"], "mean": [1.5, -2.0]})


def test_a_result_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "payoff.csv"
    write_result(path, TABLE, {"seed": 1, "what": "über\nzwei Zeilen"})
    assert read_provenance(path) == {"seed": 1, "what": "über\nzwei Zeilen"}
    pd.testing.assert_frame_equal(pd.read_csv(path, comment="#"), TABLE)


def test_the_old_file_stays_if_the_new_one_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "payoff.csv"
    write_result(path, TABLE, {})
    before = path.read_bytes()
    with pytest.raises(TypeError):
        write_result(path, TABLE, {"seed": object()})
    (tmp_path / "payoff.new").mkdir()
    with pytest.raises(OSError, match="payoff"):
        write_result(path, TABLE, {})
    assert path.read_bytes() == before


def test_a_file_that_does_not_say_where_it_comes_from_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bare.csv"
    TABLE.to_csv(path)
    with pytest.raises(ValueError, match="does not say where it comes from"):
        read_provenance(path)
