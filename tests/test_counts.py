"""The count of a finished hand in columns. RULES §3, §4, §7."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sim.cards import parse_cards
from sim.combinations import score
from sim.counts import combination_lines, pile_lines, score_lines
from sim.policies.spec import parse_policies
from sim.replaying import replay
from sim.replays import Replay
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, PRESETS, RuleSet


def played(rules: RuleSet, hand: int = 5) -> Replay:
    return replay(rules, parse_policies("simple"), seed=1, hand=hand)


def with_piles(rules: RuleSet, pile0: int) -> Replay:
    """A hand whose piles are these, its other figures being those of some hand."""
    some = played(rules)
    piles = (pile0, rules.cards.all ^ pile0)
    counts = (c._replace(pile=score(p, rules)) for c, p in zip(some.counts, piles, strict=True))
    return replace(some, counts=tuple(counts))


def columns(lines: list[str]) -> list[list[str]]:
    """The cells of a table of columns nine wide after a margin of two, read down."""
    rows = [[line[start : start + 9].strip() for start in range(2, 47, 9)] for line in lines]
    return [[cell for cell in column if cell] for column in zip(*rows, strict=True)]


def test_all_cards_of_ottocento_in_columns() -> None:
    lines = pile_lines(with_piles(OTTOCENTO, OTTOCENTO.cards.all))
    trumps = [f"T{n}" for n in range(16, 4, -1)]
    assert columns(lines[1:]) == [
        [
            "trumps",
            "Angel",
            "World",
            "Sun",
            "Moon",
            *trumps,
            "M4",
            "M3",
            "M2",
            "M1",
            "Pagat",
            "Fool",
        ],
        ["swords", "SK", "SQ", "SC", "SV", "SA", "S10", "S9", "S8", "S7", "S6"],
        ["batons", "BK", "BQ", "BC", "BV", "BA", "B10", "B9", "B8", "B7", "B6"],
        ["cups", "CK", "CQ", "CC", "CV", "CA", "C6", "C7", "C8", "C9", "C10"],
        ["coins", "DK", "DQ", "DC", "DV", "DA", "D6", "D7", "D8", "D9", "D10"],
    ]


def test_all_cards_of_partita_in_columns() -> None:
    lines = pile_lines(with_piles(PARTITA, PARTITA.cards.all))
    trumps = [f"T{n}" for n in range(17, 1, -1)]
    assert columns(lines[1:]) == [
        ["trumps", "Angel", "World", "Sun", "Moon", *trumps, "Pagat", "Fool"],
        ["swords", "SK", "SQ", "SC", "SV", "S10", "S9", "S8", "S7"],
        ["batons", "BK", "BQ", "BC", "BV", "B10", "B9", "B8", "B7"],
        ["cups", "CK", "CQ", "CC", "CV", "CA", "C2", "C3", "C4"],
        ["coins", "DK", "DQ", "DC", "DV", "DA", "D2", "D3", "D4"],
    ]


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_gap_stands_where_a_card_is_of_side_1(rules: RuleSet) -> None:
    hand = played(rules)
    full = columns(pile_lines(with_piles(rules, rules.cards.all))[1:])
    found = columns(pile_lines(hand)[1:])
    shown = [cell for column in found for cell in column[1:] if cell != "."]
    assert parse_cards(" ".join(shown), rules.cards) == hand.counts[0].pile.cards
    for whole, column in zip(full, found, strict=True):
        assert len(whole) == len(column)
        assert all(cell in (".", card) for cell, card in zip(column, whole, strict=True))


def test_combinations_of_both_sides_with_doubling() -> None:  # RULES §4
    pile0 = parse_cards("SK BK CK DK SQ BQ CQ SV BV CV M1 M2 M3 CA DA Fool")
    lines = combination_lines(with_piles(OTTOCENTO, pile0))
    assert [line.split() for line in lines[1:]] == [
        ["honours", "-", "3", "cards", "18"],
        ["kings", "4", "cards", "34", "-"],
        ["queens", "3", "cards", "14", "-"],
        ["cavaliers", "-", "4", "cards", "26"],
        ["valets", "3", "cards", "12", "-"],
        ["swords", "4", "cards", "15", "-"],
        ["batons", "4", "cards", "15", "-"],
        ["cups", "5", "cards", "20", "-"],
        ["grande", "-", "18", "cards", "85"],
        ["moors", "4", "cards", "15", "-"],
        ["aces", "3", "cards", "10", "3", "cards", "10"],
        ["all", "cricche", "2", "x", "60", "=", "120", "44"],
        ["all", "sequences", "2", "x", "75", "=", "150", "95"],
    ]


def rows(hand: Replay) -> dict[str, list[str]]:
    return {line[:26].strip(): line[26:].split() for line in score_lines(hand)[1:]}


def test_the_score_of_ottocento() -> None:  # RULES §3
    assert rows(played(OTTOCENTO)) == {
        "declared": ["35", "0"],
        "in tricks": ["10", "0"],
        "cricche": ["32", "13"],
        "sequences": ["40", "20"],
        "card points": ["45", "42"],
        "last trick": ["6", "0"],
        "total": ["168", "75"],
    }
    assert "in tricks" not in rows(played(OTTOCENTO_DIGITAL))


def test_the_score_of_partita() -> None:  # RULES §7: values, pairs, the Fool, less 40
    assert rows(played(PARTITA)) == {
        "values of the cards": ["29", "19"],
        "pairs": ["27", "cards", "14", "26", "cards", "13"],
        "the Fool": ["0", "5"],
        "less 40": ["-40", "-40"],
        "total": ["3", "-3"],
    }


def test_the_score_of_variants() -> None:  # RULES §9
    pairs = OTTOCENTO.replace(counting="point_a_pair", fool_exchange="none", combinations=False)
    assert [*rows(played(pairs))][:3] == ["values of the cards", "pairs", "the Fool"]
    assert "last trick" in rows(played(pairs))
    assert "last trick" not in rows(played(OTTOCENTO.replace(last_trick_points=0)))
