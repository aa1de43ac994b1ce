"""Statistics against the same counted hand by hand, and summaries that add up."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import sim
from sim.columns import to_numpy
from sim.conditions import ROLES
from sim.kernels.combinations import KINDS
from sim.manifests import RunError
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from sim.summaries import (
    POOLS,
    SUMMARY_SCHEMA,
    Counts,
    add_hands,
    add_summary,
    columns_of,
    no_hands,
    statistics,
    summary_table,
)
from tests.helpers import naive_rules
from tests.naive import combinations, tricks

HANDS = 120
# Seats differ, one declares nothing, and random players lose Pagat and Fool.
POLICIES = ("simple", "random", "simple+declare:nothing", "random")
FOOL_COUNTS = OTTOCENTO.replace(fool_in_lost_trick=True)
each_game = pytest.mark.parametrize("rules", [OTTOCENTO, FOOL_COUNTS, PARTITA], ids=str)
SEATS, SIDES = range(4), range(2)


def hands_of(rules: RuleSet, hands: int = HANDS, seed: int = 5) -> pa.Table:
    run = sim.simulate(rules, hands, seed=seed, policies=POLICIES, log_plays=True)
    return run.to_arrow()


def counted(rules: RuleSet, *tables: pa.Table) -> Counts:
    of = statistics(rules)
    counts = no_hands(of)
    for table in tables:
        add_hands(counts, of, to_numpy(table), rules)
    return counts


def role(seat: int, hand: dict[str, Any]) -> str:
    return ROLES[(seat - hand["dealer"] - 1) % 4]


def bits(kinds: set[str]) -> int:
    return sum(1 << bit for bit, kind in enumerate(KINDS) if kind in kinds)


def of_a_hand(rules: RuleSet, hand: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What a hand is counted as: a statistic's name and what stands on its axes."""
    told: list[tuple[Any, ...]] = []
    deals = {side: int(hand["dealer"] % 2 == side) for side in SIDES}
    for card in ("pagat", "fool"):
        seat, side = hand[f"{card}_seat"], hand[f"{card}_side"]
        told.append((card, role(seat, hand), hand[f"{card}_trick"], int(seat % 2 == side)))
    points = ["card_points", "score"]
    if rules.combinations:
        points += ["trick_points", "cricche", "sequences"]
        for what in ("held", "declared"):
            of = {seat: hand[f"{what}{seat}"] % 4096 for seat in SEATS}
            told += [(what, seat, role(seat, hand), of[seat]) for seat in SEATS]
            for pool in POOLS:
                seats = [s for s in SEATS if pool == "all" or s != hand["dealer"]]
                for bit, kind in enumerate(KINDS):
                    having = sum(of[seat] >> bit & 1 for seat in seats)
                    told.append((f"{what}_together", pool, kind, having))
        told += [("declared_points", role(s, hand), hand[f"declared_points{s}"]) for s in SEATS]
        naive, pile0 = naive_rules(rules), hand["won0"]
        for side, pile in enumerate((pile0, rules.cards.all ^ pile0)):
            cards = sim.format_cards(pile, rules.cards).split()
            told.append(("captured", side, deals[side], bits(combinations.held(cards, naive))))
        found = in_tricks(rules, hand)
        told += [("in_tricks", side, deals[side], bits(found[side])) for side in SIDES]
    told += [(name, side, deals[side], hand[f"{name}{side}"]) for name in points for side in SIDES]
    dealers = hand["dealer"] % 2
    difference = hand[f"score{dealers}"] - hand[f"score{1 - dealers}"]
    return [*told, ("difference", dealers, difference)]


def in_tricks(rules: RuleSet, hand: dict[str, Any]) -> list[set[str]]:
    """The combinations that each side scores inside its tricks. RULES §4."""
    naive, found, leader = naive_rules(rules), [set[str](), set[str]()], hand["first_trick_leader"]
    names = [rules.cards.names[card] for card in hand["plays"]]
    for first in range(0, len(names), 4):
        trick = names[first : first + 4]
        winner = tricks.winner(trick, naive)
        if not rules.fool_in_lost_trick and "Fool" in trick:
            own = trick.index("Fool") % 2 == winner % 2
            trick = [card for card in trick if own or card != "Fool"]
        leader = (leader + winner) % 4
        found[leader % 2] |= combinations.held(trick, naive)
    return found


def by_name(summary: pa.Table) -> dict[tuple[Any, ...], int]:
    """The rows of a summary, told as ``of_a_hand`` tells them."""
    told = {}
    for row in summary.to_pylist():
        axes = [axis.name for axis in statistics(OTTOCENTO)[row["statistic"]].axes]
        assert {name for name, key in row.items() if key is not None} == {
            "statistic",
            "hands",
            *axes,
        }
        told[row["statistic"], *(row[axis] for axis in axes)] = row["hands"]
    return told


@each_game
def test_every_statistic_is_what_is_counted_hand_by_hand(rules: RuleSet) -> None:
    hands = hands_of(rules)
    expected = Counter(key for hand in hands.to_pylist() for key in of_a_hand(rules, hand))
    found = by_name(summary_table(counted(rules, hands), statistics(rules)))
    assert found == expected
    assert {key[0] for key in expected} == set(statistics(rules))


def test_withheld_cards_are_no_combination() -> None:
    """Bits 12 and 13 of a declaration say what was withheld."""
    hands = hands_of(OTTOCENTO)
    frame = hands.to_pandas()
    for seat in SEATS:
        frame[f"declared{seat}"] |= 3 << 12
    marked = counted(OTTOCENTO, pa.Table.from_pandas(frame, schema=hands.schema))
    for name, counts in counted(OTTOCENTO, hands).items():
        np.testing.assert_array_equal(marked[name], counts, err_msg=name)


@each_game
def test_summaries_add_up_in_any_order(rules: RuleSet) -> None:
    of, hands = statistics(rules), hands_of(rules)
    cuts = [hands.slice(at, n) for at, n in ((90, 30), (0, 17), (17, 73))]
    summaries = [summary_table(counted(rules, cut), of) for cut in cuts]
    whole = counted(rules, hands)
    for order in ([0, 1, 2], [2, 0, 1]):
        counts = no_hands(of)
        for i in order:
            add_summary(counts, of, summaries[i])
        for name in of:
            np.testing.assert_array_equal(counts[name], whole[name], err_msg=name)
    at_once = no_hands(of)
    add_summary(at_once, of, pa.concat_tables(summaries))
    assert summary_table(at_once, of).equals(summary_table(whole, of))


def test_a_summary_of_no_hands_has_no_rows() -> None:
    of = statistics(OTTOCENTO)
    table = summary_table(no_hands(of), of)
    assert (len(table), table.schema) == (0, SUMMARY_SCHEMA)
    assert summary_table({}, {}).schema == SUMMARY_SCHEMA


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("dealer", 4, "dealer has 4: expected 0 to 3"),
        ("pagat_seat", 4, "pagat_seat has 4: expected 0 to 3"),
        ("fool_trick", 15, "fool_trick has 15: expected 0 to 14"),
        ("pagat_side", 2, "pagat_side has 2: expected 0 to 1"),
        ("first_trick_leader", 255, "expected 0 to 3"),
        ("plays", b"\0" * 59 + b"\x3e", "plays has 62: expected 0 to 61"),
        ("trick_points1", -1, "trick_points1 has -1: expected no points below 0"),
        ("score0", None, "score0 has empty places"),
    ],
)
def test_what_no_hand_has_is_refused(column: str, value: object, told: str) -> None:
    hands = hands_of(OTTOCENTO, 20)
    values = hands[column].to_pylist()
    values[11] = value
    at = hands.column_names.index(column)
    wrong = hands.set_column(at, column, pa.array(values, hands.schema.field(column).type))
    with pytest.raises(RunError, match=told):
        counted(OTTOCENTO, wrong)


@pytest.mark.parametrize("name", ["score0", "score1"])
def test_any_score_has_its_place(name: str) -> None:
    hands = hands_of(OTTOCENTO, 4).to_pandas()
    hands["score0"], hands["score1"] = 0, 0
    hands[name] = np.array([-(1 << 15), (1 << 15) - 1, 1, -1])
    table = pa.Table.from_pandas(hands, schema=hands_of(OTTOCENTO, 4).schema)
    found = by_name(summary_table(counted(OTTOCENTO, table), statistics(OTTOCENTO)))
    side = int(name[-1])
    scores = {key[3] for key in found if key[0] == "score" and key[1] == side}
    assert scores == set(hands[name])


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("seat", 4, "no seat"),
        ("points", -(1 << 20), "no points"),
        ("role", "king", "without role"),
        ("role", None, "without role"),
        ("hands", None, "without hands"),
    ],
)
def test_a_summary_with_what_no_hand_has_is_refused(column: str, value: object, told: str) -> None:
    of = statistics(OTTOCENTO)
    rows = summary_table(counted(OTTOCENTO, hands_of(OTTOCENTO, 20)), of).to_pylist()
    for row in rows:
        if row[column] is not None:
            row[column] = value
            break
    wrong = pa.Table.from_pylist(rows, schema=SUMMARY_SCHEMA)
    with pytest.raises(RunError, match=told):
        add_summary(no_hands(of), of, wrong)


def test_the_columns_of_statistics_are_those_of_runs() -> None:
    assert set(columns_of(statistics(OTTOCENTO).values())) < set(
        hands_of(OTTOCENTO, 1).schema.names
    )
    assert columns_of([]) == []
