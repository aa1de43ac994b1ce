"""A summary against the same figures counted by pandas, hand by hand."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import sim
from analysis.estimates import mean_of, proportion
from analysis.frequencies import SCORES, Summary, frequencies, summarise
from sim import manifests
from sim.conditions import ROLES
from sim.kernels.combinations import KINDS
from sim.manifests import PART
from sim.records import read_manifest, write_manifest
from tests.helpers import compiled_only

# Seats differ, one declares nothing, and random players lose Pagat and Fool.
POLICIES = ("simple", "random", "simple+declare:nothing", "random")


@pytest.fixture(scope="module")
def ottocento() -> sim.Run:
    return sim.simulate(hands=1999, seed=5, policies=POLICIES)


@pytest.fixture(scope="module")
def partita() -> sim.Run:
    return sim.simulate(sim.PARTITA, hands=1999, seed=5, policies=POLICIES[:2])


@pytest.fixture(params=["ottocento", "partita"])
def run(request) -> sim.Run:
    return request.getfixturevalue(request.param)


def seat_in(role: str, hand: pd.Series) -> int:
    turn = {"eldest": 1, "second": 2, "third": 3, "dealer": 0}[role]
    return (int(hand.dealer) + turn) % 4


def check(table: pd.DataFrame, told: dict[str, str], estimate) -> None:
    """The row so told is there once and says the estimate."""
    row = table[np.logical_and.reduce([table[key] == value for key, value in told.items()])]
    assert row.to_dict("records") == [{**told, **estimate.to_dict()}]


def test_combinations_are_counted_by_role(ottocento):
    table = summarise(ottocento, level=0.9).tables["combinations"]
    hands = ottocento.to_pandas()
    assert len(table) == 12 * 4 * 2
    for role in ROLES:
        for what in ("held", "declared"):
            bits = [hand[f"{what}{seat_in(role, hand)}"] for _, hand in hands.iterrows()]
            for bit, combination in enumerate(KINDS):
                events = sum(int(b) >> bit & 1 for b in bits)
                told = {"combination": combination, "role": role, "what": what}
                check(table, told, proportion(events, 1999, 0.9))
    sums = table.groupby("what")["mean"].sum()
    assert sums["declared"] < sums["held"]


def test_withheld_cards_are_no_combination(ottocento):
    """Bits 12 and 13 of a declaration say what was withheld."""
    [table] = ottocento.tables
    frame = table.to_pandas()
    for seat in range(4):
        frame[f"declared{seat}"] |= 3 << 12
    marked = sim.Run(ottocento.manifest, None, (table.from_pandas(frame, schema=table.schema),))
    pd.testing.assert_frame_equal(
        summarise(marked).tables["combinations"], summarise(ottocento).tables["combinations"]
    )


def test_scores_are_averaged_by_side_and_by_who_deals(run):
    summary = summarise(run)
    hands = run.to_pandas()
    sides = hands[["score0", "score1"]].astype(int).to_numpy()
    dealers = np.array([sides[i, dealer % 2] for i, dealer in enumerate(hands.dealer)])
    others = sides.sum(axis=1) - dealers
    expected = [sides[:, 0], sides[:, 1], dealers, others, dealers - others]
    assert list(summary.tables["scores"].who) == list(SCORES)
    for who, scores in zip(SCORES, expected, strict=True):
        estimate = mean_of(int(scores.sum()), int((scores**2).sum()), 1999)
        check(summary.tables["scores"], {"who": who}, estimate)
        points, counted = summary.score_counts(who)
        values, counts = np.unique(scores, return_counts=True)
        np.testing.assert_array_equal(points, values)
        np.testing.assert_array_equal(counted, counts)


@pytest.mark.parametrize("card", ["pagat", "fool"])
def test_pagat_and_fool_are_followed_from_their_holder(run, card):
    table = summarise(run).tables[card]
    hands = run.to_pandas()
    assert len(table) == 12
    for role in ROLES:
        mine = hands[[seat_in(role, hand) == hand[f"{card}_seat"] for _, hand in hands.iterrows()]]
        kept = int((mine[f"{card}_seat"] % 2 == mine[f"{card}_side"]).sum())
        trick = mine[f"{card}_trick"].astype(int)
        check(table, {"role": role, "what": "held"}, proportion(len(mine), 1999))
        check(table, {"role": role, "what": "kept"}, proportion(kept, len(mine)))
        check(
            table,
            {"role": role, "what": "trick"},
            mean_of(int(trick.sum()), int((trick**2).sum()), len(mine)),
        )


def test_parts_add_up(tmp_path):
    out = tmp_path / "run"
    run = sim.simulate(hands=PART + 500, policies="random", out=out)
    whole = sim.Run(run.manifest, None, (run.to_arrow(),))
    by_parts, at_once = summarise(out), summarise(whole)
    assert by_parts.hands == at_once.hands == PART + 500
    assert by_parts.notes == ()
    for name, table in at_once.tables.items():
        pd.testing.assert_frame_equal(by_parts.tables[name], table)


def test_an_unfinished_run_is_summed_up_as_far_as_it_goes_and_says_so(tmp_path):
    sim.simulate(sim.PARTITA, PART + 500, policies="random", out=tmp_path)
    manifest = read_manifest(tmp_path)
    manifest.parts = manifest.parts[1:]
    write_manifest(tmp_path, manifest)
    summary = summarise(tmp_path)
    assert summary.hands == 500
    assert set(summary.tables["scores"].n) == {500}
    assert summary.notes == ("The run is unfinished: 500 of 100,500 hands.",)
    manifest.parts = []
    write_manifest(tmp_path, manifest)
    with pytest.raises(sim.RunError, match="no finished part"):
        summarise(tmp_path)


def test_tables_without_their_columns_are_absent_and_said_so():
    columns = ["dealer", "score0", "score1", "pagat_seat", "held0"]
    summary = summarise(sim.simulate(hands=50, columns=columns))
    assert list(summary.tables) == ["scores"]
    assert [note.split(":")[0] for note in summary.notes] == [
        "No combinations",
        "No pagat",
        "No fool",
    ]
    assert "without pagat_trick, pagat_side." in summary.notes[1]
    assert summary.to_dict()["rows"] == summary.to_dict()["pagat"] == []


def test_a_game_without_combinations_misses_none(partita):
    summary = summarise(partita)
    assert list(summary.tables) == ["scores", "pagat", "fool"]
    assert summary.notes == ()


def test_a_run_without_any_needed_column_has_only_notes():
    summary = summarise(sim.simulate(hands=50, columns=["hand0"]))
    assert (summary.hands, summary.tables, len(summary.notes)) == (50, {}, 4)
    scoreless = summarise(sim.simulate(hands=50, columns=["dealer", *_pagat()]))
    with pytest.raises(sim.RunError, match="no scores"):
        scoreless.score_counts("dealers")


def _pagat() -> list[str]:
    return ["pagat_seat", "pagat_trick", "pagat_side"]


def test_a_single_hand_has_frequencies_and_no_means():
    summary = summarise(sim.simulate(hands=1))
    assert len(summary.tables["combinations"]) == 96
    assert summary.tables["scores"].empty
    assert list(summary.tables["pagat"].what).count("held") == 4
    assert set(summary.tables["pagat"].what) == {"held", "kept"}
    json.dumps(summary.to_dict(), allow_nan=False)


def test_a_wrong_level_is_refused_before_reading():
    with pytest.raises(ValueError, match="level 95"):
        summarise("no such run", level=95)


def test_a_summary_is_json_with_the_promised_keys(run):
    summary: Summary = summarise(run)
    told = json.loads(json.dumps(summary.to_dict(), allow_nan=False))
    assert told["rules"] == run.manifest.rules.name
    assert told["policies"] == run.manifest.specs
    assert told["hands"] == 1999
    assert len(told["rows"]) == (96 if run.manifest.rules.combinations else 0)
    estimate = ["mean", "low", "high", "n", "unit", "level", "method"]
    for row in told["rows"]:
        assert list(row) == ["combination", "role", "what", *estimate]
    assert [list(row) for row in told["scores"]] == [["who", *estimate]] * 5
    assert [list(row) for row in told["pagat"]] == [["role", "what", *estimate]] * 12


def test_sim_imports_no_pandas_frequencies_no_matplotlib_and_charts_no_pyplot():
    code = """
import sys
import sim
assert not {"pandas", "matplotlib", "analysis"} & set(sys.modules)
import analysis.frequencies
assert "matplotlib" not in sys.modules
import analysis.charts
assert "matplotlib.pyplot" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_run_under_conditions_says_so_and_how_rare_they_are():
    run = sim.simulate(hands=40, deal="dealer: Fool Pagat")
    summary = summarise(run)
    assert summary.conditions.startswith("only deals with dealer: Pagat Fool (7.19 % of all)")
    told = summary.to_dict()
    assert told["deal"] == "dealer: Pagat Fool" and told["where"] is None
    assert told["condition_probability"] == run.manifest.condition_probability
    assert summarise(sim.simulate(hands=40)).conditions == ""


# ---- runs that keep a summary ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        (sim.OTTOCENTO, {}),
        (sim.OTTOCENTO, {"log_plays": True}),
        (sim.OTTOCENTO_DIGITAL, {}),
        (sim.PARTITA, {}),
        (sim.OTTOCENTO, {"deal": "dealer: Pagat Fool", "where": "eldest.kings >= 1"}),
        (sim.OTTOCENTO, {"columns": ["dealer", "score0", "score1", "won0", "held2"]}),
        (sim.OTTOCENTO, {"columns": ["hand0"]}),
    ],
)
@pytest.mark.parametrize("on_disk", [False, True])
@pytest.mark.usefixtures("small_parts")
@compiled_only
def test_a_summary_tells_the_very_numbers_that_rows_do(
    rules, options, on_disk, tmp_path, monkeypatch
):
    monkeypatch.setattr(manifests, "FEWEST_SUMMARIES", 3)
    rows, summary = (
        sim.simulate(
            rules,
            1150,
            seed=8,
            policies=POLICIES,
            keep=keep,
            out=tmp_path / keep if on_disk else None,
            **options,
        )
        for keep in ("rows", "summary")
    )
    told = [json.dumps(summarise(run, 0.9).to_dict()) for run in (rows, summary)]
    assert told[0] == told[1]
    if rules.combinations:
        found = [frequencies(run, 0.9) for run in (rows, summary)]
        assert json.dumps(found[0].to_dict()) == json.dumps(found[1].to_dict())
        assert found[0].notes == found[1].notes


@pytest.mark.usefixtures("small_parts")
def test_an_unfinished_summary_is_read_as_far_as_it_goes(tmp_path, monkeypatch):
    monkeypatch.setattr(manifests, "FEWEST_SUMMARIES", 3)
    sim.simulate(hands=650, policies="random", keep="summary", out=tmp_path)  # parts of 200
    manifest = read_manifest(tmp_path)
    del manifest.parts[0]
    write_manifest(tmp_path, manifest)
    summary = summarise(tmp_path)
    assert (summary.hands, set(summary.tables["scores"].n)) == (450, {450})
    assert summary.notes == ("The run is unfinished: 450 of 650 hands.",)
    manifest.parts = []
    write_manifest(tmp_path, manifest)
    with pytest.raises(sim.RunError, match="no finished part"):
        summarise(tmp_path)
