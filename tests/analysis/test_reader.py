"""A run read part by part, and its hands counted."""

import numpy as np
import pytest

import sim
from analysis.reader import count, read
from sim.manifests import PART
from sim.summaries import statistics


@pytest.fixture(scope="module")
def logged() -> sim.Run:
    return sim.simulate(hands=200, log_plays=True)


@pytest.mark.parametrize("on_disk", [False, True])
def test_a_run_comes_in_parts_with_the_columns_asked_for(on_disk, tmp_path):
    columns = ["dealer", "score0", "hand3"]
    run = sim.simulate(
        sim.PARTITA, PART + 50, policies="random", out=tmp_path / "run" if on_disk else None
    )
    parts = list(read(tmp_path / "run" if on_disk else run, columns))
    assert [len(part["dealer"]) for part in parts] == [PART, 50]
    frame = run.to_pandas(columns)
    for name in columns:
        read_back = np.concatenate([part[name] for part in parts])
        assert read_back.dtype == frame[name].dtype
        np.testing.assert_array_equal(read_back, frame[name])
    assert all(set(part) == set(columns) for part in parts)


def test_a_part_is_read_only_when_it_is_asked_for(tmp_path):
    run = sim.simulate(sim.PARTITA, PART + 50, policies="random", out=tmp_path / "run")
    (tmp_path / "run" / "hands" / "part-000001.parquet").write_bytes(b"no Parquet")
    parts = read(run, ["dealer"])
    assert len(next(parts)["dealer"]) == PART
    with pytest.raises(sim.RunError, match=r"part-000001\.parquet is damaged"):
        next(parts)


def test_plays_are_card_numbers(logged):
    [part] = read(logged, ["plays"])
    expected = [list(cards) for cards in logged.to_pandas()["plays"]]
    assert part["plays"].shape == (200, 60)
    np.testing.assert_array_equal(part["plays"], expected)


def test_plays_of_a_slice_are_its_own(logged):
    [table] = logged.tables
    [part] = read(sim.Run(logged.manifest, None, (table.slice(150, 20),)), ["plays"])
    [whole] = read(logged, ["plays"])
    np.testing.assert_array_equal(part["plays"], whole["plays"][150:170])


@pytest.mark.parametrize("name", ["plays", "trumps"])
def test_a_column_that_the_run_has_not_is_refused_at_once(name):
    run = sim.simulate(hands=10, columns=["dealer"])
    with pytest.raises(sim.RunError, match=rf"no column '{name}': expected one of hand_id, dealer"):
        read(run, ["dealer", name])


def test_a_directory_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(sim.RunError, match="is no run"):
        read(tmp_path, ["dealer"])


def test_hands_are_counted_over_all_parts(tmp_path):
    run = sim.simulate(sim.PARTITA, PART + 50, policies="random", out=tmp_path / "run")
    known = statistics(sim.PARTITA)
    hands, counts = count(run, {name: known[name] for name in ("score", "pagat")})
    assert hands == PART + 50
    assert list(counts) == ["score", "pagat"]
    assert counts["score"].sum() == 2 * hands  # of two sides
    assert counts["pagat"].sum() == hands
    assert count(run, {}) == (hands, {})
