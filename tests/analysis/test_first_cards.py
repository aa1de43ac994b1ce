"""What the first five cards tell: Pisarri's numbers, and two routes to each. STRATEGY C14-C16."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from analysis.distributions import mean
from analysis.first_cards import cards_called, first_cards
from analysis.odds import OddsError, odds
from sim.cards import TAROCCHINO, CardError, parse_cards
from sim.combinations import score_sets
from sim.rules import PARTITA

TRUMPS, FOOL = TAROCCHINO.trumps, 1 << TAROCCHINO.fool
KINGS = TAROCCHINO.rank("K")
FIVE_POINT_CARDS = TAROCCHINO.honours | KINGS


@pytest.mark.parametrize(
    ("trumps", "more", "usual", "in_all", "usual_in_all"),
    [(TRUMPS | FOOL, 3.16, 3.55, 7.16, 5.32), (TRUMPS, 2.98, 3.39, 6.98, 5.08)],
    ids=["with the Fool", "without"],
)
def test_four_trumps_in_the_first_five_are_liars(
    trumps: int, more: float, usual: float, in_all: float, usual_in_all: float
) -> None:  # STRATEGY C15
    rest = mean(first_cards(trumps, 4).rest)
    assert (round(float(rest), 2), round(float(4 + rest), 2)) == (more, in_all)
    assert round(float(mean(odds(n=10).number(trumps))), 2) == usual
    assert round(float(mean(odds(n=15).number(trumps))), 2) == usual_in_all


@pytest.mark.parametrize("of", ["Fool", "SK", "T16"])
def test_one_card_seen_is_a_card_held(of: str) -> None:
    seen = first_cards(of, 1)
    assert seen.probability == Fraction(5, 62)
    assert seen.points == odds(hold=of).points
    assert seen.rest_points == odds(n=10, gone=of).points
    assert seen.rest == {0: 1}


def test_four_kings_seen_are_four_kings_held() -> None:
    seen = first_cards(KINGS, 4)
    assert seen.points == odds(hold="SK BK CK DK").points
    assert seen.rest_points == odds(n=10, gone="SK BK CK DK").points


@pytest.mark.parametrize("of", [FIVE_POINT_CARDS, KINGS, TRUMPS], ids=["fives", "kings", "trumps"])
def test_whatever_the_first_five_are_the_hand_is_a_hand(of: int) -> None:
    """Mixed by their odds, all numbers seen give the unconditional distributions."""
    cases = [first_cards(of, seen) for seen in range(min(5, of.bit_count()) + 1)]
    assert sum(case.probability for case in cases) == 1
    assert sum(case.probability * case.points.mean for case in cases) == odds().points.mean
    assert sum(case.probability * case.rest_points.mean for case in cases) == odds(n=10).points.mean
    of_rest = sum(case.probability * mean(case.rest) for case in cases)
    assert of_rest == Fraction(10 * of.bit_count(), 62)


@pytest.mark.parametrize(("of", "seen"), [(FIVE_POINT_CARDS, 3), (KINGS, 2)])  # C14, C16
def test_points_agree_with_deals_whose_first_five_are_so(of: int, seen: int) -> None:
    rng, cards, n = np.random.default_rng(seen), np.arange(62), 30_000
    inside = cards[(of >> cards.astype(object) & 1).astype(bool)]
    outside = np.setdiff1d(cards, inside)
    first = np.hstack(
        [
            rng.permuted(np.tile(part, (n, 1)), axis=1)[:, :k]
            for part, k in ((inside, seen), (outside, 5 - seen))
        ]
    )
    key = rng.random((n, 62))
    np.put_along_axis(key, first, 2.0, axis=1)  # cards seen are not drawn again
    rest = key.argpartition(10, axis=1)[:, :10]
    case = first_cards(of, seen)
    for drawn, counted in ((np.hstack([first, rest]), case.points), (rest, case.rest_points)):
        masks = np.bitwise_or.reduce(np.uint64(1) << drawn.astype(np.uint64), axis=1)
        found = score_sets(masks)
        points = (found.cricche + found.sequences).astype(float)
        error = float(counted.variance / n) ** 0.5
        assert abs(points.mean() - float(counted.mean)) < 4 * error


def test_pips_have_a_rest_but_no_points() -> None:
    seen = first_cards("S6 B7 C8 SK", 2)
    assert mean(seen.rest) == Fraction(2 * 10, 57)
    with pytest.raises(OddsError, match="plain pips: expected cards that combine"):
        _ = seen.points


def test_partita_has_first_cards_too() -> None:
    trumps = PARTITA.cards.trumps
    assert mean(first_cards(trumps, 4, rules=PARTITA).rest) == Fraction(8 * 17, 49)
    assert first_cards(trumps, 4, rules=PARTITA).points.distribution == {0: 1}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"of": "SK BK", "seen": 3}, "cards seen = 3: expected a whole number from 0 to 2"),
        ({"of": "SK", "seen": -1}, "cards seen = -1: expected"),
        ({"of": (1 << 62) - 1, "seen": 4}, "cards seen = 4: expected a whole number from 5 to 5"),
        ({"of": "SK", "seen": 1, "first": 16}, "cards that come first = 16: expected"),
        ({"of": "SK", "seen": 1, "n": 63}, "cards of the whole hand = 63: expected"),
    ],
)
def test_a_wrong_question_is_refused(asked: dict, told: str) -> None:
    with pytest.raises(OddsError, match=told):
        first_cards(**asked)


def test_cards_are_read_as_names_or_as_a_set() -> None:
    assert first_cards("sk, BK", 1) == first_cards(parse_cards("SK BK"), 1)


def test_cards_are_called_one_by_one_or_many_at_once() -> None:
    kings = TAROCCHINO.rank("K")
    assert cards_called("Trumps fool") == TAROCCHINO.trumps | 1 << TAROCCHINO.fool
    assert cards_called("kings, honours") == kings | TAROCCHINO.honours
    assert cards_called("SK SK kings") == kings
    assert cards_called("trumps T2", PARTITA) == PARTITA.cards.trumps
    with pytest.raises(CardError, match="unknown card 'jokers'"):
        cards_called("kings jokers")


def test_json_has_points_only_where_they_can_be_counted() -> None:
    told = json.loads(json.dumps(first_cards("SK BK CK DK", 2).to_dict()))
    assert (told["seen"], told["first"], told["cards"]) == (2, 5, 15)
    assert told["of"] == ["SK", "BK", "CK", "DK"] and {"points", "rest_points"} <= set(told)
    assert sum(p["probability"] for p in told["rest"].values()) == pytest.approx(1)
    assert "points" not in first_cards("S6 S7", 1).to_dict()
