"""Tables of combinations against the same figures counted by pandas, hand by hand; exact odds."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import sim
from analysis.combination_tables import CAPTORS, POOLS
from analysis.estimates import Estimate, mean_of, pooled_proportion, proportion
from analysis.frequencies import Summary, frequencies
from analysis.odds import odds
from sim.cards import TAROCCHINO
from sim.combinations import KINDS, score
from sim.conditions import ROLES
from sim.manifests import PART
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL

POLICIES = ("simple", "random", "simple+declare:nothing", "random")
HANDS = 600


@pytest.fixture(scope="module")
def run() -> sim.Run:
    return sim.simulate(hands=HANDS, seed=5, policies=POLICIES, log_plays=True)


@pytest.fixture(scope="module")
def found(run: sim.Run) -> Summary:
    return frequencies(run, level=0.9)


@pytest.fixture(scope="module")
def hands(run: sim.Run) -> pd.DataFrame:
    return run.to_pandas()


def seat_in(role: str, hand: pd.Series) -> int:
    return (int(hand.dealer) + {"eldest": 1, "second": 2, "third": 3, "dealer": 0}[role]) % 4


def check(table: pd.DataFrame, told: dict[str, object], estimate: Estimate) -> None:
    """The row so told is there once and says the estimate."""
    row = table[np.logical_and.reduce([table[key] == value for key, value in told.items()])]
    assert row.to_dict("records") == [{**told, **estimate.to_dict()}]


def test_seats_together_are_counted_by_deal(found: Summary, hands: pd.DataFrame) -> None:
    table = found.tables["pooled"]
    assert len(table) == 12 * 2 * 2
    for pool, roles in (("non-dealers", ROLES[:3]), ("all", ROLES)):
        for what in ("held", "declared"):
            for bit, combination in enumerate(KINDS):
                deals = np.bincount(
                    [
                        sum(int(hand[f"{what}{seat_in(role, hand)}"]) >> bit & 1 for role in roles)
                        for _, hand in hands.iterrows()
                    ],
                    minlength=len(roles) + 1,
                )
                told = {"combination": combination, "role": pool, "what": what}
                check(table, told, pooled_proportion(deals, 0.9))


def test_policies_are_told_apart(found: Summary, hands: pd.DataFrame) -> None:
    table = found.tables["by_policy"]
    assert len(table) == 12 * 4 * 2 * 3
    for policy in dict.fromkeys(POLICIES):
        for role in ROLES:
            seats = [seat_in(role, hand) for _, hand in hands.iterrows()]
            mine = [POLICIES[seat] == policy for seat in seats]
            bits = [
                int(hand[f"declared{seat}"])
                for (_, hand), seat in zip(hands.iterrows(), seats, strict=True)
            ]
            events = sum(bit >> 10 & 1 for bit, own in zip(bits, mine, strict=True) if own)
            told = {"combination": "moors", "role": role, "what": "declared", "policy": policy}
            check(table, told, proportion(events, sum(mine), 0.9))
    silent = table.query("policy == 'simple+declare:nothing' and what == 'declared'")
    assert (silent["mean"] == 0).all()


def test_one_policy_at_all_seats_has_no_table_of_its_own() -> None:
    assert "by_policy" not in frequencies(sim.simulate(hands=40)).tables


def test_declared_points_are_counted_by_role(found: Summary, hands: pd.DataFrame) -> None:
    means, shares = found.tables["declared_mean"], found.tables["declared_points"]
    for role in ROLES:
        points = np.array(
            [int(hand[f"declared_points{seat_in(role, hand)}"]) for _, hand in hands.iterrows()]
        )
        total, squares = int(points.sum()), int((points**2).sum())
        check(means, {"role": role}, mean_of(total, squares, HANDS, 0.9))
        assert shares[shares.role == role]["mean"].sum() == pytest.approx(1)
        for number in (0, 10, 15):
            events = int((points == number).sum())
            check(shares, {"role": role, "points": number}, proportion(events, HANDS, 0.9))


def captured(hand: pd.Series, captor: str) -> set[str]:
    side = {"dealers": hand.dealer % 2, "others": 1 - hand.dealer % 2, "side 0": 0, "side 1": 1}
    pile = int(hand.won0) if side[captor] == 0 else TAROCCHINO.all ^ int(hand.won0)
    scored = score(pile)
    return {*scored.cricche, *scored.sequences}


def test_piles_are_counted_by_side(found: Summary, hands: pd.DataFrame) -> None:
    table = found.tables["captured"]
    assert len(table) == 12 * 4
    for captor in CAPTORS:
        piles = [captured(hand, captor) for _, hand in hands.iterrows()]
        for kind in KINDS:
            events = sum(kind in pile for pile in piles)
            told = {"combination": kind, "role": captor, "what": "captured"}
            check(table, told, proportion(events, HANDS, 0.9))


def test_tricks_with_points_are_counted_by_side(found: Summary, hands: pd.DataFrame) -> None:
    table, by_kind = found.tables["any_in_tricks"], found.tables["in_tricks"]
    dealers = hands.dealer % 2
    scored = hands[["trick_points0", "trick_points1"]].to_numpy() > 0
    rows = np.arange(HANDS)
    events = {
        "dealers": scored[rows, dealers],
        "others": scored[rows, 1 - dealers],
        "side 0": scored[:, 0],
        "side 1": scored[:, 1],
    }
    for captor, happened in events.items():
        told = {"combination": "any", "role": captor, "what": "in_tricks"}
        check(table, told, proportion(int(happened.sum()), HANDS, 0.9))
        kinds = by_kind[by_kind.role == captor]
        assert kinds["mean"].max() <= happened.mean() <= kinds["mean"].sum()
    assert len(by_kind) == 12 * 4


def test_without_plays_only_the_sum_over_tricks_is_known() -> None:
    summary = frequencies(sim.simulate(hands=40))
    assert "in_tricks" not in summary.tables and "any_in_tricks" in summary.tables
    assert summary.notes == ("No in_tricks: the run was made without plays.",)


def test_tricks_that_do_not_count_are_left_out() -> None:  # RULES §9, trick_combinations
    summary = frequencies(sim.simulate(OTTOCENTO_DIGITAL, 40, log_plays=True))
    assert not {"in_tricks", "any_in_tricks"} & set(summary.tables)
    assert summary.notes == ()


def test_a_game_without_combinations_is_refused() -> None:
    with pytest.raises(sim.RunError, match="partita has no combinations: expected a game with"):
        frequencies(sim.simulate(sim.PARTITA, 40))


def test_json_has_all_rows_of_combinations_together(found: Summary) -> None:
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert {row["what"] for row in told["rows"]} == {"held", "declared", "captured", "in_tricks"}
    tables = [frame for frame in found.tables.values() if "combination" in frame]
    assert len(told["rows"]) == sum(map(len, tables))
    assert {row["role"] for row in told["rows"]} == {*ROLES, *POOLS, *CAPTORS}
    assert told["declared_mean"] and told["declared_points"]


def test_parts_add_up(tmp_path) -> None:
    columns = ["dealer", "won0", *(f"declared_points{seat}" for seat in range(4))]
    run = sim.simulate(
        hands=PART + 500, seed=3, policies="random", columns=columns, out=tmp_path / "run"
    )
    whole = sim.Run(run.manifest, None, (run.to_arrow(),))
    by_parts, at_once = frequencies(run), frequencies(whole)
    assert [*by_parts.tables] == ["declared_mean", "declared_points", "captured"]
    for name, table in at_once.tables.items():
        pd.testing.assert_frame_equal(by_parts.tables[name], table)


# ---- simulation and counting agree ----------------------------------------------------------

MILLION = 1_000_000
ALPHA = 0.01


@pytest.fixture(scope="module")
def million() -> Summary:
    columns = ["dealer"]
    columns += [
        f"{name}{seat}" for name in ("held", "declared", "declared_points") for seat in range(4)
    ]
    run = sim.simulate(hands=MILLION, seed=44, policies="simple+declare:all", columns=columns)
    return frequencies(run, level=1 - ALPHA / len(KINDS))


def test_a_million_deals_hold_what_is_counted(million: Summary) -> None:
    """Every exact probability within its simultaneous interval (Bonferroni)."""
    table, exact = million.tables["pooled"], odds(OTTOCENTO)
    held = table.query("role == 'non-dealers' and what == 'held'").set_index("combination")
    for kind in KINDS:
        assert held.low[kind] < exact.probability(kind) < held.high[kind]
        assert held.high[kind] - held.low[kind] < 0.03 * held["mean"][kind]


def test_declared_points_of_a_million_deals_are_distributed_as_counted(million: Summary) -> None:
    """Chi-square over the whole distribution, rare points together; three roles of 15 cards."""
    distribution = odds(OTTOCENTO).points.distribution
    expected = {points: MILLION * float(p) for points, p in distribution.items()}
    often = [points for points, number in expected.items() if number >= 5]
    assert len(often) > 100
    for counts in million.counts["declared_points"][:3]:
        assert set(np.flatnonzero(counts)) <= set(expected)
        seen = counts[often]
        cells = np.append(seen, MILLION - seen.sum())
        sums = np.array([expected[points] for points in often])
        sums = np.append(sums, MILLION - sums.sum())
        _, p = stats.chisquare(cells, sums)
        assert p > ALPHA / 3
