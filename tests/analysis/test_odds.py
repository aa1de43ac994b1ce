"""Odds: the values that must come out, two routes to each number, seats, JSON, wrong questions."""

from __future__ import annotations

import json
from fractions import Fraction as F
from math import comb

import numpy as np
import pytest

from analysis.distributions import mean
from analysis.odds import OddsError, middle_trumps, odds, odds_of_seat, worthless_cards
from sim.cards import SUITS, TAROCCHINO, CardError, format_cards, parse_cards
from sim.combinations import KINDS, score
from sim.kernels.combinations import CRICCHE
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RuleSet
from tests.analysis.enumeration import random_hands

MINE = "SK SQ S6 S7 BV B8 B10 C10 CA DK D9 Moon T10 M2 Fool"
DEALT = MINE + " T6 D7"


@pytest.mark.parametrize("rules", [OTTOCENTO, OTTOCENTO_DIGITAL], ids=lambda rules: rules.name)
def test_each_combination_in_fifteen_cards(rules: RuleSet) -> None:
    found = odds(rules)
    for kind in KINDS[:CRICCHE]:
        assert found.probability(kind) == F(4550, 111569)
    for kind in (*SUITS, "grande"):
        assert found.probability(kind) == F(17705415, 245898076)
    for kind in ("moors", "aces"):
        assert found.probability(kind) == F(7523971, 61474519)


def test_three_sequences_are_likelier_than_three_cricche() -> None:  # STRATEGY C19
    found = odds()
    assert found.three_cricche < found.three_sequences
    assert found.three_cricche < found.lengths["kings"][4] == F(comb(58, 11), comb(62, 15))


def test_trumps_and_worthless_cards() -> None:  # STRATEGY C17, C18
    found, hands = odds(), comb(62, 15)
    assert found.trumps == {n: F(comb(21, n) * comb(41, 15 - n), hands) for n in range(16)}
    assert found.trumps_and_fool[8] == F(comb(22, 8) * comb(40, 7), hands)
    assert found.worthless[12] == F(comb(20, 12) * comb(42, 3), hands)
    assert found.worthless_or_middle_trumps[12] == F(comb(31, 12) * comb(31, 3), hands)
    assert found.suits["cups"][0] == F(comb(52, 15), hands)
    assert found.holds("Pagat Fool") == F(15 * 14, 62 * 61)


def test_worthless_cards_by_name() -> None:  # STRATEGY C18
    assert format_cards(worthless_cards(TAROCCHINO)).split()[:5] == ["S6", "S7", "S8", "S9", "S10"]
    assert worthless_cards(TAROCCHINO).bit_count() == 20
    assert format_cards(middle_trumps(TAROCCHINO)) == " ".join(f"T{n}" for n in range(5, 16))
    partita = PARTITA.cards
    assert format_cards(worthless_cards(partita), partita).endswith("D4 D3 D2 DA")
    assert worthless_cards(partita).bit_count() == 16
    assert format_cards(middle_trumps(partita), partita) == " ".join(f"T{n}" for n in range(6, 17))


# ---- two routes to one number ---------------------------------------------------------------


def mixed(cases: list[tuple[F, dict[int, F]]]) -> dict[int, F]:
    """The distribution of which each case, with its odds, has a part."""
    total: dict[int, F] = {}
    for weight, distribution in cases:
        for number, p in distribution.items():
            total[number] = total.get(number, F(0)) + weight * p
    return dict(sorted(total.items()))


@pytest.mark.parametrize("card", ["Pagat", "Angel", "SK", "DA", "M3", "T16", "C8"])
def test_with_a_card_and_without_it_are_all_hands(card: str) -> None:
    known = {"hold": "T15 BQ", "gone": "World S9"}
    all_hands = odds(**known)
    held = odds(hold=known["hold"] + " " + card, gone=known["gone"])
    gone = odds(hold=known["hold"], gone=known["gone"] + " " + card)
    p = all_hands.holds(card)
    cases = [(p, held.points.distribution), (1 - p, gone.points.distribution)]
    assert mixed(cases) == all_hands.points.distribution
    assert all_hands.three_cricche == p * held.three_cricche + (1 - p) * gone.three_cricche
    for kind in KINDS:
        cases = [(p, held.lengths[kind]), (1 - p, gone.lengths[kind])]
        assert mixed(cases) == all_hands.lengths[kind]


@pytest.mark.parametrize(("name", "numbers"), [("trumps", range(16)), ("swords", range(11))])
def test_by_number_of_trumps_or_of_a_suit_are_all_hands(name: str, numbers: range) -> None:
    all_hands = odds()
    weights = all_hands.trumps if name == "trumps" else all_hands.suits[name]
    assert [*weights] == [*numbers]
    cases = [(weights[n], odds(where={name: n})) for n in numbers]
    assert mixed([(p, o.points.distribution) for p, o in cases]) == all_hands.points.distribution
    for kind in KINDS:
        assert mixed([(p, o.lengths[kind]) for p, o in cases]) == all_hands.lengths[kind]


def test_mean_of_sequences_without_doubling_is_that_of_their_lengths() -> None:
    """Four cards never make three combinations of a sort."""
    found = odds(n=4)
    assert found.three_cricche == found.three_sequences == 0
    points = dict(zip(KINDS, (18, 17, 14, 13, 12), strict=False))
    expected = sum(
        (points[kind] * (n - 2) if kind in points else 5 * n - 5) * p
        for kind, by in found.lengths.items()
        for n, p in by.items()
    )
    assert found.points.mean == expected


# ---- rules and conditions -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hold", "field", "with_it", "without"),
    [
        ("SK SQ Pagat Fool", "suit_second_wild", 15, 10),
        ("Angel World Pagat Fool T15", "grande_wild_before_16", 36 + 20, 36 + 15),
    ],
)
def test_a_flag_of_the_rules_matters(hold: str, field: str, with_it: int, without: int) -> None:
    for value, points in ((True, with_it), (False, without)):
        rules = OTTOCENTO.replace(**{field: value})
        assert odds(rules, len(hold.split()), hold).points.distribution == {points: 1}
        more = odds(rules, 15, hold).points
        assert more.distribution[points] > 0 and min(more.distribution) == points


def test_a_known_hand_has_its_score() -> None:
    found, scored = odds(hold=MINE), score(MINE)
    assert found.points.distribution == {scored.total: 1}
    assert {kind for kind in KINDS if found.probability(kind)} == {
        *scored.cricche,
        *scored.sequences,
    }


def test_the_second_contatore_makes_no_suit_or_grande_likelier() -> None:  # RULES §4
    """One contatore already does for two courts; the second only lengthens."""
    one, both = odds(n=14, hold="Pagat", gone="Fool"), odds(n=15, hold="Pagat Fool")
    for kind in (*SUITS, "grande"):
        assert one.probability(kind) == both.probability(kind)
        longer = {length + 1: p for length, p in one.lengths[kind].items()}
        assert both.lengths[kind] == longer or kind == "grande"


def test_partita_has_no_combinations_but_trumps_suits_and_cards() -> None:  # RULES §7
    found, hands = odds(PARTITA), comb(54, 13)
    assert found.lengths == {}
    assert (found.three_cricche, found.three_sequences, found.nothing) == (0, 0, 1)
    assert found.points.distribution == {0: 1}
    assert found.trumps[5] == F(comb(21, 5) * comb(33, 8), hands)
    assert found.suits["cups"][0] == F(comb(46, 13), hands)
    assert found.worthless[10] == F(comb(16, 10) * comb(38, 3), hands)
    assert odds(PARTITA, hold="T17", where={"trumps": 3}).holds("Angel") == F(2, 20)


# ---- what other seats were dealt ------------------------------------------------------------


@pytest.mark.parametrize("seat", ["partner", "LEFT", "right", "eldest", "0", 3])
def test_another_seat_is_dealt_from_what_i_do_not_hold(seat: str | int) -> None:
    """15 of 47 cards; of 45 if I deal. RULES §3"""
    assert odds_of_seat(MINE, seat).holds("Angel") == F(15, 47)
    assert odds_of_seat(MINE, seat).holds("Angel World") == F(15 * 14, 47 * 46)
    assert odds_of_seat(DEALT, seat).holds("Angel") == F(15, 45)
    assert odds_of_seat(MINE, seat, n=17).holds("Angel") == F(17, 47)
    assert odds_of_seat(MINE, seat, gone="World", hold="Sun").holds("Angel") == F(14, 45)


def test_the_dealer_was_dealt_seventeen() -> None:
    assert odds_of_seat(MINE, "dealer").holds("Angel") == F(17, 47)
    partita = "SK S7 BK B7 CK C4 DK D4 Pagat T2 T3 T17 Sun"
    assert odds_of_seat(partita, "dealer", PARTITA).holds("Angel") == F(15, 41)
    assert odds_of_seat(partita, "partner", PARTITA).holds("Angel") == F(13, 41)


def test_my_cards_and_those_gone_are_nowhere_else() -> None:
    found = odds_of_seat(MINE, "partner", gone="Angel")
    assert found.holds("Fool") == found.holds("Angel") == found.probability("grande") == 0
    assert max(found.suits["swords"]) == 6  # of ten I hold four
    assert found.trumps == odds(gone=MINE + " Angel").trumps


def test_partners_kings_averaged_over_my_hands_are_the_packs() -> None:
    """Exactly: only how many Kings I hold matters to partner's."""
    plain = [suit + pip for suit in "SBC" for pip in ("6", "7", "8", "9", "10")]
    kings = ["SK", "BK", "CK", "DK"]
    cases = []
    for mine, p in odds().number("SK BK CK DK").items():
        hand = " ".join([*kings[:mine], *plain[mine:]])
        cases.append((p, odds_of_seat(hand, "partner").lengths["kings"]))
    assert mixed(cases) == odds().lengths["kings"]


def test_partners_points_averaged_over_random_hands_are_near_the_packs() -> None:
    hands = random_hands(60, 15, seed=8)
    means = np.array([float(odds_of_seat(int(mine), "partner").points.mean) for mine in hands])
    error = means.std(ddof=1) / len(hands) ** 0.5
    assert abs(means.mean() - float(odds().points.mean)) < 3 * error < 0.15 * means.mean()


# ---- JSON -----------------------------------------------------------------------------------


def test_json_has_the_agreed_keys_and_exact_values() -> None:
    found = odds(n=17, hold="Pagat SK", gone="Angel", where={"trumps": 6})
    told = json.loads(json.dumps(found.to_dict()))
    assert told["rules"] == "ottocento" and told["cards"] == 17
    assert (told["hold"], told["gone"]) == (["SK", "Pagat"], ["Angel"])
    assert told["where"] == {"trumps": 6} and told["trumps"] == {"6": told["trumps"]["6"]}
    assert tuple(told["combinations"]) == KINDS
    kings = told["combinations"]["kings"]
    assert F(kings["exact"]) == found.probability("kings")
    assert kings["probability"] == float(found.probability("kings"))
    assert [*kings["lengths"]] == ["3", "4"]
    assert sum(F(p["exact"]) for p in told["points"]["distribution"].values()) == 1
    assert F(told["points"]["mean"]["exact"]) == found.points.mean
    assert told["nothing"] == told["points"]["distribution"]["0"]
    for key in ("three_cricche", "three_sequences"):
        assert F(told[key]["exact"]) == getattr(found, key)


def test_json_of_partita() -> None:
    told = json.loads(json.dumps(odds(PARTITA).to_dict()))
    assert told["combinations"] == {} and told["nothing"] == {"probability": 1.0, "exact": "1/1"}
    assert told["points"]["distribution"] == {"0": {"probability": 1.0, "exact": "1/1"}}


# ---- wrong questions ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"hold": "SK Fool", "gone": "Fool Angel"}, "both held and gone: Fool; expected"),
        ({"n": 2, "hold": "SK SQ SC"}, "3 cards are held: expected at most the 2 of the hand"),
        ({"n": 0}, "cards of the hand = 0: expected a whole number from 1 to 62"),
        ({"n": 61, "gone": "SK BK"}, "of the hand = 61: expected a whole number from 1 to 60"),
        ({"n": 15.0}, "cards of the hand = 15.0: expected a whole number"),
        ({"n": True}, "cards of the hand = True: expected a whole number"),
        ({"rules": PARTITA, "n": 55}, "from 1 to 54"),
        ({"where": {"hearts": 2}}, "unknown condition 'hearts': expected one of swords, batons"),
        ({"where": {"trumps": 22}}, "trumps = 22: expected a whole number from 0 to 21"),
        ({"where": {"trumps": -1}}, "trumps = -1: expected a whole number from 0 to 21"),
        ({"where": {"cups": 0}, "hold": "CK"}, "cups = 0: expected a whole number from 1 to 10"),
        ({"where": {"cups": 10}, "gone": "CK"}, "cups = 10: expected a whole number from 0 to 9"),
        ({"where": {"cups": 9, "trumps": 7}}, "no hand of 15 cards has cups = 9, trumps = 7"),
        ({"where": {"cups": 9}, "hold": "SK SQ SV SA S6 S7 S8"}, "no hand of 15 cards has cups"),
    ],
)  # fmt: skip
def test_a_wrong_question_is_refused_in_one_line(asked: dict, told: str) -> None:
    with pytest.raises(OddsError, match=told) as error:
        odds(**asked)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"mine": "SK"}, "one's own hand has 1 cards: expected 15, or 17 as dealer"),
        ({"seat": "north"}, "unknown seat 'north': expected partner, left, right"),
        ({"seat": 4}, "unknown seat 4"),
        ({"hold": "SK Angel"}, "held by that seat and in one's own hand: SK; expected one place"),
        ({"mine": DEALT, "seat": "dealer"}, "with 17 cards one is the dealer: expected another"),
        ({"mine": DEALT, "n": 17}, "cards of that seat = 17: expected a whole number from 1 to 15"),
        ({"n": 18}, "cards of that seat = 18: expected a whole number from 1 to 17"),
        ({"hold": "Angel", "gone": "Angel"}, "both held and gone: Angel"),
    ],
)
def test_a_wrong_question_of_a_seat_is_refused(asked: dict, told: str) -> None:
    with pytest.raises(OddsError, match=told):
        odds_of_seat(**{"mine": MINE, "seat": "partner", **asked})


def test_unknown_cards_and_combinations_are_refused() -> None:
    with pytest.raises(CardError, match="unknown card 'X'"):
        odds(hold="X")
    with pytest.raises(CardError, match="expected bits 0 to 53"):
        odds(PARTITA, hold=1 << 54)
    with pytest.raises(OddsError, match="unknown combination 'jokers': expected honours, kings"):
        odds().probability("jokers")
    with pytest.raises(OddsError, match="expected no combinations under these rules"):
        odds(PARTITA).probability("kings")


def test_cards_are_read_as_names_or_as_a_set() -> None:
    assert odds(hold="sk, Fool") == odds(hold=parse_cards("SK Fool"))
    assert mean(odds().number(TAROCCHINO.trumps)) == F(15 * 21, 62)
