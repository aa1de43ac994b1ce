"""Ways to discard compared: the same deals, the kinds of hand, and intervals that hold together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.discard_kinds import KINDS_OF_HAND
from analysis.discard_strategies import MAIN_DISCARDS, compare_discards, discards_by_kind
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA
from tests.helpers import compiled_only

DEALS, WAYS = 2000, ("low", "void", "courts")


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return compare_discards("simple", OTTOCENTO, DEALS, discards=WAYS, seed=6)


@compiled_only
def test_differences_are_those_of_the_dealers_side_on_the_same_deals(table: pd.DataFrame) -> None:
    won = []
    for name in ("low", "courts"):
        rows = play_hands(OTTOCENTO, parse_policies(f"simple+discard:{name}"), 6, 0, DEALS)
        side = rows.dealer % 2
        at = np.arange(DEALS)
        won.append(rows.score[side, at].astype(int) - rows.score[1 - side, at])
    row = table.query("by == 'all' and discard == 'low' and over == 'courts'").iloc[0]
    assert row["mean"] == pytest.approx((won[0] - won[1]).mean())
    assert (row.n, row.deals, row.share, row.unit) == (DEALS, DEALS, 1, "deal")


@compiled_only
def test_every_deal_is_in_one_band_of_each_kind(table: pd.DataFrame) -> None:
    for by in KINDS_OF_HAND:
        of_kind = table[(table.by == by) & (table.discard == "low") & (table.over == "void")]
        assert of_kind.deals.sum() == DEALS
        whole = table.query("by == 'all' and discard == 'low' and over == 'void'")["mean"].item()
        assert (of_kind["mean"] * of_kind.share).sum() == pytest.approx(whole)


@compiled_only
def test_intervals_are_wider_than_one_alone(table: pd.DataFrame) -> None:
    alone = compare_discards("simple", OTTOCENTO, DEALS, discards=WAYS[:2], seed=6, level=0.5)
    row = table.query("by == 'all' and discard == 'low' and over == 'void'").iloc[0]
    narrow = alone.query("by == 'all'").iloc[0]
    assert narrow["mean"] == row["mean"]
    assert row.high - row.low > narrow.high - narrow.low > 0
    assert set(table.level) == {0.95} and set(table.method) == {"max-t"}


@compiled_only
def test_a_discard_against_itself_makes_no_difference() -> None:
    same = compare_discards("simple", PARTITA, 200, discards=("low", "low"))
    assert (same[["mean", "low", "high"]] == 0).all(axis=None)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"discards": ["low"]}, "discards low: expected two or more of random, low"),
        ({"discards": ["low", "high"]}, "discards low, high: expected"),
        ({"deals": 1}, "1 deals: expected at least 2"),
        ({"level": 0}, "level 0"),
    ],
)
def test_wrong_input_is_refused(options: dict, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        compare_discards("simple", **options)


def test_the_best_discard_is_better_than_the_second_and_marked_where_separated() -> None:
    table = discards_by_kind("simple", OTTOCENTO, 6000, seed=2, threads=2)
    assert len(table) > 10 and set(table.best) <= set(MAIN_DISCARDS)
    assert (table["mean"] >= 0).all() and (table.best != table.second).all()
    assert (table.separated == (table.low > 0)).all()
    assert table.share.sum() <= 1
    assert table.equals(discards_by_kind("simple", OTTOCENTO, 6000, seed=2, threads=1))
