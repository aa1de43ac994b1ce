"""The naive twins against the worked cases, the worked hands and the text of RULES."""

import json
import random
from itertools import combinations as choose
from pathlib import Path
from typing import Any

import pytest

from tests.naive import combinations, discards, packs, rulesets, settlement, tricks
from tests.naive import hand as whole_hand
from tests.naive.rulesets import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, PRESETS

CASE_DIR = Path(__file__).resolve().parent.parent / "cases"
CASES = json.loads((CASE_DIR / "cases_public.json").read_text(encoding="utf-8"))
HANDS = json.loads((CASE_DIR / "hands_public.json").read_text(encoding="utf-8"))
HANDS_BY_ID = {case["id"]: case for case in HANDS}

PACK = packs.pack(OTTOCENTO)
PIEDMONTESE = packs.pack(PARTITA)
NUMBERED = [f"T{number}" for number in range(5, 17)]

# A tarocchino pack counted by pairs, without exchange: allowed by RULES §9.
PAIRS = {**OTTOCENTO, "counting": "point_a_pair", "fool_exchange": "none"}
VARIANTS: dict[str, dict[str, Any]] = {
    **PRESETS,
    "pairs": PAIRS,
    "pairs, no combinations": {**PAIRS, "combinations": False, "trick_combinations": False},
    "no combinations": {**OTTOCENTO, "combinations": False, "trick_combinations": False},
    "no trick combinations": {**OTTOCENTO, "trick_combinations": False},
    "fool in lost trick": {**OTTOCENTO, "fool_in_lost_trick": True},
    "no second wild": {**OTTOCENTO, "suit_second_wild": False},
    "no wild before 16": {**OTTOCENTO, "grande_wild_before_16": False},
    "all or nothing": {**OTTOCENTO, "declare": "all_or_nothing"},
    "last trick 10": {**OTTOCENTO, "last_trick_points": 10},
    "forced exposed": {**OTTOCENTO, "discard_trumps": "forced_exposed"},
    "dealer leads": {**OTTOCENTO, "first_lead": "dealer"},
    "partita with last trick": {**PARTITA, "last_trick_points": 3},
    "partita with free discard": {**PARTITA, "discard_trumps": "free"},
    "partita with exchange": {**PARTITA, "fool_exchange": "end_of_hand"},
}


def names(text: str) -> list[str]:
    return text.split()


def lengths(cards: str, rules: dict[str, Any] = OTTOCENTO) -> dict[str, int]:
    return {kind: n for kind, (n, _) in combinations.sequences(names(cards), rules).items()}


def grande(cards: str, rules: dict[str, Any] = OTTOCENTO) -> int:
    return lengths(cards, rules).get("grande", 0)


def arguments(case: dict[str, Any]) -> dict[str, Any]:
    """A worked hand as the arguments of play_hand."""
    declared = case.get("declared", {})
    withheld = case.get("withheld", {})
    return {
        "rules": PRESETS[case["rules"]],
        "dealer": case["dealer"],
        "hands": [names(case["deal"][f"hand{seat}"]) for seat in range(4)],
        "discard": names(case["discard"]),
        "declared": [set(names(declared.get(f"declared{seat}", ""))) for seat in range(4)],
        "withheld": [set(names(withheld.get(f"withheld{seat}", ""))) for seat in range(4)],
        "plays": names(case["plays"]),
    }


def settled(case: dict[str, Any]) -> tuple[list[set[str]], str | None]:
    given = arguments(case)
    in_play = [set(hand) for hand in given["hands"]]
    in_play[given["dealer"]] -= set(given["discard"])
    played = whole_hand.play_tricks(given["rules"], given["dealer"], in_play, given["plays"])
    return whole_hand.settle_tricks(given["rules"], given["dealer"], given["discard"], played)


# ---- worked cases -------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_worked_case(case: dict[str, Any]) -> None:
    rules = PRESETS[case["rules"]]
    cards = names(case["cards"])
    cricche = combinations.cricche(cards, rules)
    sequences = combinations.sequences(cards, rules)
    cricche_points, sequence_points = combinations.points(cards, rules)
    found = {
        "rules": case["rules"],
        "cards": packs.in_order(cards, rules),
        "cricche": {kind: {"cards": n, "points": p} for kind, (n, p) in cricche.items()},
        "cricche_points": cricche_points,
        "sequences": {kind: {"length": n, "points": p} for kind, (n, p) in sequences.items()},
        "sequence_points": sequence_points,
        "total": cricche_points + sequence_points,
        "card_points": settlement.card_points(cards, rules),
    }
    assert found == case["expected"]
    simple = {
        **found,
        "cricche": {kind: n for kind, (n, _) in cricche.items()},
        "sequences": {kind: n for kind, (n, _) in sequences.items()},
    }
    for field, value in case["stated"].items():
        if field in ("cricche", "sequences") and value:
            assert value.items() <= simple[field].items()
        else:
            assert simple[field] == value


@pytest.mark.parametrize("case", HANDS, ids=[case["id"] for case in HANDS])
def test_worked_hand(case: dict[str, Any]) -> None:
    given = arguments(case)
    rules = given["rules"]
    assert [packs.index(card, rules) for card in given["plays"]] == case["plays_index"]
    assert whole_hand.play_hand(**given) == case["expected"]


@pytest.mark.parametrize("case", HANDS, ids=[case["id"] for case in HANDS])
def test_worked_hand_settlement(case: dict[str, Any]) -> None:
    piles, card_given = settled(case)
    assert card_given == case["given_for_fool"]
    assert piles[0] == set(names(case["won"]["won0"]))
    assert piles[1] == set(names(case["won"]["won1"]))


# ---- packs and presets --------------------------------------------------------------------


def test_canonical_index() -> None:
    assert len(PACK) == len(set(PACK)) == 62
    assert len(PIEDMONTESE) == len(set(PIEDMONTESE)) == 54
    tarocchino = {"SA": 0, "BA": 10, "C10": 20, "CK": 29, "D10": 30, "Pagat": 40, "M1": 41}
    tarocchino |= {"T5": 45, "T16": 56, "Moon": 57, "Sun": 58, "World": 59, "Angel": 60}
    assert {card: packs.index(card, OTTOCENTO) for card in tarocchino} == tarocchino
    piedmontese = {"S7": 0, "B7": 8, "C4": 16, "DK": 31, "Pagat": 32, "T2": 33, "T6": 37}
    piedmontese |= {"T17": 48, "Moon": 49, "Sun": 50, "World": 51, "Angel": 52, "Fool": 53}
    assert {card: packs.index(card, PARTITA) for card in piedmontese} == piedmontese
    assert packs.mask(PACK, OTTOCENTO) == 2**62 - 1


def test_ranks() -> None:
    for rules in (OTTOCENTO, PARTITA):
        equal = packs.EQUAL_TRUMPS[rules["pack"]]
        assert len({packs.rank(card, rules) for card in equal}) == 1
        assert all(
            packs.rank("Pagat", rules) < packs.rank(card, rules) < packs.rank("T6", rules)
            for card in equal
        )
    assert packs.rank("S10", OTTOCENTO) > packs.rank("S6", OTTOCENTO) > packs.rank("SA", OTTOCENTO)
    assert packs.rank("CA", OTTOCENTO) > packs.rank("C6", OTTOCENTO) > packs.rank("C10", OTTOCENTO)


def test_presets_have_the_same_fields() -> None:
    fields = set(OTTOCENTO)
    assert len(fields) == 18
    assert all(set(preset) == fields for preset in rulesets.PRESETS.values())


# ---- whole packs --------------------------------------------------------------------------


def test_whole_tarocchino_pack() -> None:
    cricche_points, sequence_points = combinations.points(PACK, OTTOCENTO)
    assert (cricche_points, sequence_points) == (296, 550)
    card_points = settlement.card_points(PACK, OTTOCENTO)
    assert card_points == 87
    assert cricche_points + sequence_points + card_points + OTTOCENTO["last_trick_points"] == 939
    assert combinations.held(PACK, OTTOCENTO) == set(combinations.KINDS)


def test_whole_pack_counted_by_pairs() -> None:
    assert settlement.card_points(PIEDMONTESE, PARTITA) == 80
    assert settlement.card_points(PACK, PAIRS) == 88


# ---- RULES §4 -----------------------------------------------------------------------------


def test_complete_grande() -> None:
    trumps = [*NUMBERED, "Moon Sun World Angel Pagat M1 M2 M3 M4 Fool"]
    assert combinations.sequences(names(" ".join(trumps)), OTTOCENTO)["grande"] == (22, 105)


def test_grande_run() -> None:
    assert grande("World Sun Moon T16 Fool Pagat") == 0
    assert grande("Angel T16 T15 Fool Pagat") == 0
    assert grande("Angel World T16") == 0
    assert grande("Angel Sun Moon T16 T15") == 5
    assert grande("Angel Sun Moon T16 T14 T13") == 4
    assert grande("Angel Sun Moon T16 T14 T13 Fool") == 7
    # Two missing in a row stop the run, though two wild cards are there.
    assert grande("Angel World Sun T16 T13 T12 Fool Pagat") == 6
    assert grande("Angel World Sun T15 T13 T12 Fool Pagat") == 8
    # One wild card as the third place, the other as the 16.
    assert grande("Angel Sun T15 T14 Fool Pagat") == 6
    assert grande("Angel Sun T15 T14 Fool Pagat", OTTOCENTO_DIGITAL) == 6
    assert grande("Angel World T15 T14 Fool Pagat") == 6
    assert grande("Angel World T15 T14 Fool Pagat", OTTOCENTO_DIGITAL) == 4
    # Missing 15, not 16: the second wild card may stand there in both presets.
    assert grande("Angel World T16 T14 Fool Pagat", OTTOCENTO_DIGITAL) == 6
    assert grande("Angel World T14 Fool Pagat") == 4


def test_grande_to_the_moors() -> None:
    down_to_6 = "Angel World Sun Moon " + " ".join(NUMBERED[1:])
    assert grande(down_to_6) == 15
    assert grande(down_to_6 + " M1 M2") == 15
    assert grande(down_to_6 + " M1 M2 Fool") == 18  # the Fool is the 5
    assert grande(down_to_6 + " M1 M2 Fool Pagat") == 19
    assert grande(down_to_6 + " T5 M1 M2") == 18
    without_6 = down_to_6.replace(" T6", "")
    assert grande(without_6 + " M1 Fool Pagat") == 16  # the 6 and the 5 are missing
    assert grande(without_6 + " T5 M1 Fool Pagat") == 18


def test_suit_second_wild() -> None:
    once = {**OTTOCENTO, "suit_second_wild": False}
    assert lengths("SK SQ Pagat Fool") == {"swords": 4}
    assert lengths("SK SQ Pagat Fool", once) == {"swords": 3}
    assert lengths("SK SQ SA Pagat Fool", once) == {"swords": 4}
    assert lengths("SK SQ SC Pagat Fool", once) == {"swords": 5}
    assert lengths("SK SA Pagat Fool") == {}
    cards = names("SK SQ SA Pagat Fool")
    shown = combinations.cards_shown(cards, {"swords"}, set(), once)
    assert shown == set(names("SK SQ SA Pagat"))
    shown = combinations.cards_shown(cards, {"swords"}, {"Pagat"}, once)
    assert shown == set(names("SK SQ SA Fool"))
    assert combinations.cards_shown(cards, {"swords"}, set(), OTTOCENTO) == set(cards)


def test_cricche_and_sequences_double_independently() -> None:
    courts = names("SK BK CK SQ BQ CQ DC BC CC")  # K Q of three suits, C in two of them
    assert combinations.points(courts, OTTOCENTO) == (2 * (17 + 14 + 13), 20)
    courts = names("SK SQ SV BK BQ BC CK CC CV")
    assert combinations.points(courts, OTTOCENTO) == (17, 60)


def test_declaring_a_subset() -> None:
    cards = names("SK BK CK SQ BQ CQ SC BC CC SA BA")
    all_kinds = combinations.held(cards, OTTOCENTO)
    assert all_kinds == {"kings", "queens", "cavaliers", "swords", "batons", "cups"}
    assert combinations.declaration_points(cards, all_kinds, set(), OTTOCENTO) == 88 + 80
    two_and_two = {"kings", "queens", "swords", "cups"}
    assert combinations.declaration_points(cards, two_and_two, set(), OTTOCENTO) == 31 + 25
    assert combinations.declaration_points(cards, set(), set(), OTTOCENTO) == 0
    shown = combinations.cards_shown(cards, {"kings", "swords"}, set(), OTTOCENTO)
    assert shown == set(names("SK BK CK SQ SC SA"))


def test_withholding() -> None:
    cards = names("Angel World Pagat Fool M1 M2 SK SQ SC")
    assert combinations.held(cards, OTTOCENTO) == {"honours", "grande", "moors", "swords"}
    assert combinations.declaration_points(cards, {"swords"}, {"Fool"}, OTTOCENTO) == 15
    assert combinations.declaration_points(cards, {"swords"}, {"Fool", "Pagat"}, OTTOCENTO) == 10
    assert combinations.declaration_points(cards, {"honours"}, {"Fool"}, OTTOCENTO) == 18
    with pytest.raises(AssertionError):
        combinations.declaration_points(cards, {"moors"}, {"Fool", "Pagat"}, OTTOCENTO)
    shown = combinations.cards_shown(cards, {"honours", "swords"}, {"Fool"}, OTTOCENTO)
    assert shown == set(names("Angel World Pagat SK SQ SC"))


def test_cards_shown_number_as_many_as_are_counted() -> None:
    rng = random.Random(1)
    for _ in range(300):
        cards = set(rng.sample(PACK, rng.choice((15, 31, 45))))
        for rules in (OTTOCENTO, OTTOCENTO_DIGITAL, VARIANTS["no second wild"]):
            counted = combinations.cricche(cards, rules) | combinations.sequences(cards, rules)
            for kind, (number, _) in counted.items():
                shown = combinations.cards_shown(cards, {kind}, set(), rules)
                assert shown <= cards and len(shown) == number


def test_trick_points() -> None:
    assert combinations.trick_points(names("SK SQ SC SV"), True, OTTOCENTO) == 15
    assert combinations.trick_points(names("SK SQ B7 Fool"), True, OTTOCENTO) == 10
    assert combinations.trick_points(names("SK SQ B7 Fool"), False, OTTOCENTO) == 0
    assert combinations.trick_points(names("Angel World Pagat Fool"), True, OTTOCENTO) == 36 + 15
    assert combinations.trick_points(names("Angel World Pagat Fool"), False, OTTOCENTO) == 18 + 10
    assert combinations.trick_points(names("SK SQ SC SV"), True, OTTOCENTO_DIGITAL) == 0


# ---- RULES §2 -----------------------------------------------------------------------------


def test_legal_plays() -> None:
    hand = names("S6 SK B7 Pagat T9 Fool")
    assert tricks.legal(hand, [], OTTOCENTO) == set(hand)
    assert tricks.legal(hand, ["S7"], OTTOCENTO) == {"S6", "SK", "Fool"}
    assert tricks.legal(hand, ["C7", "T16"], OTTOCENTO) == {"Pagat", "T9", "Fool"}
    assert tricks.legal(hand, ["Moon", "C7"], OTTOCENTO) == {"Pagat", "T9", "Fool"}
    assert tricks.legal(names("S6 B7"), ["Moon"], OTTOCENTO) == {"S6", "B7"}


def test_winner() -> None:
    assert tricks.winner(names("SA S10 S6 CK"), OTTOCENTO) == 1
    assert tricks.winner(names("C10 C6 CA C7"), OTTOCENTO) == 2
    assert tricks.winner(names("SK Pagat SQ Fool"), OTTOCENTO) == 1
    assert tricks.winner(names("Fool S7 SK BK"), OTTOCENTO) == 2
    assert tricks.winner(names("World Angel Sun Moon"), PARTITA) == 1


def test_voids_shown() -> None:
    def shown(cards: str) -> list[set[str]]:
        trick = names(cards)
        return [tricks.voids_shown(trick, place, OTTOCENTO) for place in range(len(trick))]

    both = {"swords", "trumps"}
    assert shown("S6 S7 T9 B7") == [set(), set(), {"swords"}, both]
    assert shown("T9 B7 Fool Pagat") == [set(), {"trumps"}, set(), set()]
    assert shown("Fool S7 B7 M1") == [set(), set(), both, {"swords"}]


# ---- RULES §3, §7: discard ----------------------------------------------------------------


def test_discards_in_ottocento() -> None:
    hand = names("SK BK CK DK Angel World Pagat Fool S6 S7 CQ M1 T5 Sun Moon T8 T9")
    legal = discards.legal_discards(hand, OTTOCENTO)
    assert len(legal) == 9 * 8 // 2
    assert frozenset({"Sun", "M1"}) in legal
    assert not any(pair & set(hand[:8]) for pair in legal)
    assert discards.exposed({"Sun", "M1"}, OTTOCENTO) == set()


def test_discards_in_partita() -> None:
    barred = "SK BK CK DK Angel Pagat Fool"
    two = names(barred + " S7 CQ T2 T3 T4 T5 T6 World")
    assert discards.legal_discards(two, PARTITA) == {frozenset({"S7", "CQ"})}
    one = names(barred + " S7 T7 T2 T3 T4 T5 T6 World")
    legal = discards.legal_discards(one, PARTITA)
    assert len(legal) == 7 and all("S7" in pair for pair in legal)
    assert frozenset({"S7", "World"}) in legal
    assert discards.exposed({"S7", "World"}, PARTITA) == {"World"}
    none = names(barred + " T8 T7 T2 T3 T4 T5 T6 World")
    assert len(discards.legal_discards(none, PARTITA)) == 8 * 7 // 2
    assert discards.exposed({"T8", "T7"}, PARTITA) == {"T8", "T7"}


# ---- RULES §3: settlement -----------------------------------------------------------------


def pay(owing: str, rules: dict[str, Any] = OTTOCENTO) -> str:
    mine = set(names(owing)) | {"Fool"}
    return settlement.card_given(mine, set(PACK) - mine, rules)


def test_card_given_for_the_fool() -> None:
    assert pay("SK SA T9 C6 D10") == "C6"  # index 24, before the 10 of coins
    assert pay("SA BA CA DA Sun") == "Sun"  # the Aces are worth more
    assert pay("SA T9 SK") == "SA"  # either lengthens one sequence of the other side: a tie
    assert pay("DV SV CC DQ") == "SV"  # a tie again
    assert pay("SK BQ Angel") == "BQ"
    assert pay("SK World") == "World"  # the King would complete more than the World
    combinations_off = VARIANTS["no combinations"]
    assert pay("BA DA CA Sun", combinations_off) == "BA"


def test_discard_of_a_side_without_a_trick() -> None:
    rest = set(PACK) - {"Fool", "S6", "S7"}
    for rules, side in ((OTTOCENTO, 0), (PAIRS, 1)):
        piles, given = settlement.settle([rest, set()], [15, 0], {"S6", "S7"}, 1, 0, False, rules)
        assert given is None
        assert {"S6", "S7"} <= piles[side]
        assert "Fool" in piles[0]


# ---- RULES §8, row by row -----------------------------------------------------------------


def test_corner_fool_led() -> None:
    """The second card is free and sets the suit; if it is a trump, trumps must be followed."""
    hand = names("S6 B7 T9")
    assert tricks.legal(hand, ["Fool"], OTTOCENTO) == set(hand)
    assert tricks.legal(hand, ["Fool", "B6"], OTTOCENTO) == {"B7"}
    assert tricks.suit_led(["Fool", "T5"], OTTOCENTO) == "trumps"
    assert tricks.legal(hand, ["Fool", "T5"], OTTOCENTO) == {"T9"}
    assert tricks.winner(names("Fool B6 BK T9"), OTTOCENTO) == 3


def test_corner_fool_and_nothing_of_the_suit_led_or_trumps() -> None:
    """Any card may be played, the Fool too."""
    hand = names("S6 B7 Fool")
    assert tricks.legal(hand, ["C6"], OTTOCENTO) == set(hand)
    assert tricks.legal(hand, ["T6"], OTTOCENTO) == set(hand)


def test_corner_last_card_is_the_fool() -> None:
    """It is played, and settled like any other."""
    assert tricks.legal(["Fool"], ["C6", "T9"], OTTOCENTO) == {"Fool"}
    case = HANDS_BY_ID["fool-last-trick-lost"]
    row = whole_hand.play_hand(**arguments(case))
    assert row["fool_trick"] == 14 and row["last_trick"] == 1 and row["fool_side"] == 0
    assert settled(case)[1] == "S10"


def test_corner_fools_side_took_its_only_trick_later() -> None:
    """It owes its card all the same, from that trick."""
    case = HANDS_BY_ID["no-plain-pip"]
    row = whole_hand.play_hand(**arguments(case))
    assert row["fool_trick"] == 1 and row["tricks1"] == 1
    piles, given = settled(case)
    assert given == "T13"
    assert piles[1] == {"SA", "T14", "T16", "Fool"}


def test_corner_partner_wins_the_trick_of_the_fool() -> None:
    """No exchange."""
    mine, other = set(names("S6 S7 SK")), set(names("B6 B7 BK BA"))
    for lost, expected in ((False, None), (True, "S6")):
        piles, given = settlement.settle([mine, other], [1, 1], (), 0, 0, lost, OTTOCENTO)
        assert given == expected
        assert "Fool" in piles[0]
    assert whole_hand.Trick(1, names("S6 Fool S7 SK"), 0).seat_of("Fool") == 2


def test_corner_several_moors_in_one_trick() -> None:
    """With no higher trump, the last Moor played wins."""
    assert tricks.winner(names("M4 M1 Pagat M2"), OTTOCENTO) == 3
    assert tricks.winner(names("M4 M1 M3 Pagat"), OTTOCENTO) == 2
    assert tricks.winner(names("S6 M1 M3 T5"), OTTOCENTO) == 3
    assert tricks.winner(names("T5 T2 S7 Pagat"), PARTITA) == 1
    assert tricks.winner(names("T5 T3 T6 T2"), PARTITA) == 2


def test_corner_lone_pagat_when_a_trump_is_due() -> None:
    """It must be played."""
    hand = names("S6 SK Pagat")
    assert tricks.legal(hand, ["B7"], OTTOCENTO) == {"Pagat"}
    assert tricks.legal(hand, ["Angel"], OTTOCENTO) == {"Pagat"}


def test_corner_combination_declared_and_later_captured() -> None:
    """It scores at each stage."""
    row = whole_hand.play_hand(**arguments(HANDS_BY_ID["no-trick-dealer-fool"]))
    declared = row["declared_points0"] + row["declared_points2"]
    assert declared == 15 + 20 and row["trick_points0"] == 20
    assert row["score0"] == declared + 20 + 296 + 550 + 87 + 6


def test_corner_side_without_a_trick_in_partita() -> None:
    """It keeps its Fool, and the dealer's side its discard."""
    rest = set(PIEDMONTESE) - {"Fool", "S7", "C4"}
    piles, given = settlement.settle([rest, set()], [13, 0], {"S7", "C4"}, 1, 1, True, PARTITA)
    assert given is None
    assert piles == [rest, {"Fool", "S7", "C4"}]
    assert settlement.card_points(piles[0], PARTITA) == 74
    assert settlement.card_points(piles[1], PARTITA) == 6


def test_corner_three_cricche_in_a_single_trick() -> None:
    """Impossible with four cards; so are three sequences."""
    cricca_cards = sorted(packs.COURTS | packs.HONOURS["tarocchino"])
    assert all(len(combinations.cricche(trick, OTTOCENTO)) < 2 for trick in choose(cricca_cards, 4))
    sequence_cards = sorted(set(PACK) - {c for c in PACK if packs.is_pip(c, OTTOCENTO)})
    rng = random.Random(2)
    for _ in range(3000):
        assert len(combinations.sequences(rng.sample(sequence_cards, 4), OTTOCENTO)) < 3


# ---- whole hands: what is refused, and what always holds ----------------------------------


def refused(case_id: str, **changes: Any) -> None:
    with pytest.raises(AssertionError):
        whole_hand.play_hand(**{**arguments(HANDS_BY_ID[case_id]), **changes})


def test_illegal_hands_are_refused() -> None:
    given = arguments(HANDS_BY_ID["fool-led"])
    none: list[set[str]] = [set(), set(), set(), set()]
    refused("fool-led", discard=["CK", "S10"])
    refused("fool-led", discard=["S10"])
    refused("fool-led", discard=["S10", "S7"])
    refused("fool-led", declared=[{"kings"}, set(), set(), set()])
    refused("fool-led", withheld=[{"Pagat"}, set(), set(), set()])
    refused("fool-led", withheld=[set(), set(), set(), {"Moon"}])
    refused("fool-led", plays=given["plays"][:-1])
    refused("fool-led", plays=[*given["plays"][1::-1], *given["plays"][2:]])
    refused("fool-led", hands=[given["hands"][0][1:], *given["hands"][1:]])
    refused("fool-led", dealer=0)
    refused("digital", declared=[set(), set(), {"kings"}, set()])
    refused("digital", declared=none, withheld=[set(), set(), set(), {"Fool"}])
    refused("partita-fool-led", declared=[{"kings"}, set(), set(), set()])
    refused("partita-forced-trump", discard=["T2", "T3"])
    # A card that does not follow suit although it could.
    revoke = given["plays"].copy()
    assert revoke[:3] == ["B7", "BA", "BK"] and "CQ" in given["hands"][2]
    there = revoke.index("CQ")
    revoke[2], revoke[there] = "CQ", "BK"
    refused("fool-led", plays=revoke)


def random_hand(rules: dict[str, Any], dealer: int, rng: random.Random) -> dict[str, Any]:
    """The arguments of play_hand for a random deal, declared and played at random."""
    cards = packs.pack(rules)
    rng.shuffle(cards)
    size = (len(cards) - 2) // 4
    hands = []
    for seat in range(4):
        number = size + 2 if seat == dealer else size
        hands.append(cards[:number])
        cards = cards[number:]
    legal = sorted(sorted(pair) for pair in discards.legal_discards(hands[dealer], rules))
    discard = rng.choice(legal)
    left = [set(hand) for hand in hands]
    left[dealer] -= set(discard)

    declared: list[set[str]] = [set(), set(), set(), set()]
    withheld: list[set[str]] = [set(), set(), set(), set()]
    for seat in range(4):
        if rules["combinations"] and rules["declare"] == "any_subset":
            wild = sorted(left[seat] & {"Pagat", "Fool"})
            withheld[seat] = {card for card in wild if rng.random() < 0.3}
            there = combinations.held(left[seat] - withheld[seat], rules)
            declared[seat] = {kind for kind in sorted(there) if rng.random() < 0.7}
        elif rules["combinations"] and rng.random() < 0.7:
            declared[seat] = combinations.held(left[seat], rules)

    plays: list[str] = []
    leader = dealer if rules["first_lead"] == "dealer" else (dealer + 1) % 4
    while any(left):
        trick: list[str] = []
        for position in range(4):
            seat = (leader + position) % 4
            trick.append(rng.choice(sorted(tricks.legal(left[seat], trick, rules))))
            left[seat].remove(trick[-1])
        leader = (leader + tricks.winner(trick, rules)) % 4
        plays += trick
    return {
        "rules": rules,
        "dealer": dealer,
        "hands": hands,
        "discard": discard,
        "declared": declared,
        "withheld": withheld,
        "plays": plays,
    }


@pytest.mark.parametrize("name", VARIANTS)
def test_random_hands(name: str) -> None:
    rules = VARIANTS[name]
    total_cards = settlement.card_points(packs.pack(rules), rules)
    rng = random.Random(name)
    for number in range(40):
        row = whole_hand.play_hand(**random_hand(rules, number % 4, rng))
        assert row["tricks0"] + row["tricks1"] == (len(packs.pack(rules)) - 2) // 4
        assert row["card_points0"] + row["card_points1"] == total_cards
        expected = total_cards + rules["last_trick_points"]
        if rules["counting"] == "point_a_pair":
            expected -= total_cards
        if rules["combinations"]:
            for side in range(2):
                expected += row[f"declared_points{side}"] + row[f"declared_points{side + 2}"]
                expected += row[f"trick_points{side}"]
                expected += row[f"cricche{side}"] + row[f"sequences{side}"]
        else:
            assert not any(column.startswith("declared") for column in row)
            assert "last_trick" not in row and "trick_points0" not in row
        assert row["score0"] + row["score1"] == expected
        assert (row["won0"] >> packs.index("Fool", rules)) % 2 == 1 - row["fool_side"]
        if rules["fool_exchange"] == "end_of_hand":
            assert row["won0"].bit_count() % 2 == 0


def test_columns_of_each_game() -> None:
    ottocento = whole_hand.play_hand(**random_hand(OTTOCENTO, 0, random.Random(3)))
    partita = whole_hand.play_hand(**random_hand(PARTITA, 0, random.Random(3)))
    assert set(ottocento) == set(HANDS_BY_ID["fool-led"]["expected"])
    assert set(partita) == set(HANDS_BY_ID["partita-fool-led"]["expected"])
    assert all(type(value) is int for value in (ottocento | partita).values())
