"""Positions in a hand: made, played on card by card, cut and finished. RULES §2-4, 7, 8."""

import random
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from sim.cards import parse_cards
from sim.hands import finish, play_hands
from sim.policies.spec import parse_policies
from sim.positions import Position
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, PRESETS, RuleSet
from tests.helpers import (
    FOOL_WITHHELD,
    MIXES,
    PAGAT_WITHHELD,
    SEATS,
    WORKED_HANDS,
    declare_if_due,
    differences,
    each_preset,
    kind_names,
    naive_rules,
    names,
    replay,
    row_dicts,
)
from tests.naive import combinations, discards, tricks

RANDOM = parse_policies("random")


# ---- worked hands -------------------------------------------------------------------------


def start_worked_hand(case: dict[str, Any]) -> tuple[Position, list[int]]:
    """A worked hand before the first lead, and the declarations in it."""
    rules = PRESETS[case["rules"]]
    declared = [
        sum(
            1 << combinations.KINDS.index(kind) for kind in case["declared"][f"declared{s}"].split()
        )
        for s in SEATS
        if rules.combinations
    ] or [0] * 4
    for seat in SEATS:
        withheld = case.get("withheld", {}).get(f"withheld{seat}", "").split()
        declared[seat] |= PAGAT_WITHHELD if "Pagat" in withheld else 0
        declared[seat] |= FOOL_WITHHELD if "Fool" in withheld else 0
    hands = [parse_cards(case["deal"][f"hand{seat}"], rules.cards) for seat in SEATS]
    discard = parse_cards(case["discard"], rules.cards, 2)
    return Position.start(rules, case["dealer"], hands, discard, declared), declared


@pytest.mark.parametrize("case", WORKED_HANDS, ids=[case["id"] for case in WORKED_HANDS])
def test_worked_hand_card_by_card(case: dict[str, Any]) -> None:
    position, declared = start_worked_hand(case)
    rules = position.rules
    trick: list[str] = []
    for card, name in zip(case["plays_index"], case["plays"].split(), strict=True):
        declare_if_due(position, declared)
        held = names(position.hidden.hands[position.seat], rules)
        legal = tricks.legal(held, trick, naive_rules(rules))
        assert set(names(position.legal, rules)) == legal
        assert name in legal and rules.cards.names[card] == name
        for revoke in set(held) - legal:
            with pytest.raises(ValueError, match=f"may not play {revoke}"):
                position.play(rules.cards.index[revoke.lower()])
        position.play(card)
        trick = [*trick, name] if len(trick) < 3 else []
    assert position.over
    (row,) = row_dicts(rules, finish([position], RANDOM))
    del row["hand_id"]
    assert list(row.pop("plays")) == case["plays_index"]
    assert row == case["expected"]


# ---- every trick --------------------------------------------------------------------------


def lead_all(rules: RuleSet, hands: list[str], dealer: int, discard: str) -> dict[str, Any]:
    """The row of a hand in which everyone plays the highest card he may."""
    pack = rules.cards
    position = Position.start(
        rules, dealer, [parse_cards(hand, pack) for hand in hands], parse_cards(discard, pack)
    )
    while not position.over:
        position.play(position.legal.bit_length() - 1)
    (row,) = row_dicts(rules, finish([position], RANDOM))
    return row


FIFTEEN_TRUMPS = "T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 Moon Sun World Angel"


@pytest.mark.parametrize("rules", [OTTOCENTO, OTTOCENTO_DIGITAL], ids=lambda rules: rules.name)
@pytest.mark.parametrize("dealer", SEATS)
def test_a_side_that_takes_every_trick_has_939(rules: RuleSet, dealer: int) -> None:  # RULES §4
    eldest = (dealer + 1) % 4
    for seed in range(6):  # the Fool falls to either side
        rest = names(rules.cards.all & ~parse_cards(FIFTEEN_TRUMPS), rules)
        random.Random(seed).shuffle(rest)
        hands = {eldest: FIFTEEN_TRUMPS}
        hands[(dealer + 2) % 4] = " ".join(rest[:15])
        hands[(dealer + 3) % 4] = " ".join(rest[15:30])
        hands[dealer] = " ".join(rest[30:])
        barred = {"SK", "BK", "CK", "DK", "Pagat", "Fool"}
        discard = " ".join([card for card in rest[30:] if card not in barred][:2])
        row = lead_all(rules, [hands[seat] for seat in SEATS], dealer, discard)
        side = eldest % 2
        assert row[f"tricks{side}"] == 15
        assert row["won0"] == (rules.cards.all if side == 0 else 0)
        assert row["pagat_side"] == row["fool_side"] == side
        assert row[f"score{side}"] - row[f"trick_points{side}"] == 939
        assert row[f"cricche{side}"] == 296 and row[f"sequences{side}"] == 550
        assert row[f"card_points{side}"] == 87
        assert row[f"score{1 - side}"] == 0


@pytest.mark.parametrize("dealer_wins", [True, False])
def test_side_without_a_trick_in_partita(dealer_wins: bool) -> None:  # RULES §8
    # The leader holds the 13 highest trumps; his right neighbour has the Fool.
    trumps = "T9 T10 T11 T12 T13 T14 T15 T16 T17 Moon Sun World Angel"
    rest = names(PARTITA.cards.all & ~parse_cards(trumps + " Fool", PARTITA.cards), PARTITA)
    random.Random(1).shuffle(rest)
    if dealer_wins:
        rules, dealer = PARTITA, 0
        plain = [card for card in rest if card[0] in "SBCD" and card[1] != "K"][:2]
        rest = [card for card in rest if card not in plain]
        hands = [f"{trumps} {' '.join(plain)}", f"Fool {' '.join(rest[:12])}"]
        hands += [" ".join(rest[12:25]), " ".join(rest[25:])]
        discard = " ".join(plain)
    else:  # the eldest leads, the dealer's side is without a trick
        rules, dealer = PARTITA.replace(first_lead="eldest"), 3
        hands = [trumps, f"Fool {' '.join(rest[:12])}", " ".join(rest[12:25]), " ".join(rest[25:])]
        free = [c for c in rest[25:] if c[0] in "SBCD" and c[1] != "K"]
        discard = " ".join(free[:2])
    row = lead_all(rules, hands, dealer, discard)
    assert row["tricks1"] == 0
    kept = "Fool" if dealer_wins else f"Fool {discard}"
    assert rules.cards.all ^ row["won0"] == parse_cards(kept, rules.cards)
    assert row["fool_side"] == 1
    # The Fool alone counts 5; the discard beside it is a pair.
    values = {"Q": 3, "C": 2, "V": 1}
    extra = 0 if dealer_wins else 1 + sum(values.get(card[1:], 0) for card in discard.split())
    assert row["card_points1"] == 5 + extra
    assert row["score1"] == row["card_points1"] - 40


# ---- the Fool's exchange ------------------------------------------------------------------

# The one trick of the Fool's side, by its lowest rank: the card led, the King that wins, two more.
ONE_TRICK = {
    "A": ["SA SK CA BK", "CA CK SQ DV", "SA SK BA DA"],
    "V": ["SV SK BV DQ", "DV DK SV CV", "CV CK CQ CC", "SV SK SC SQ"],
    "C": ["SC SK BC DQ", "BC BK SC DC", "SC SK SQ BK"],
    "Q": ["SQ SK BQ DQ", "CQ CK SK BQ", "DQ DK CQ SK"],
}


@pytest.mark.parametrize("lowest", ONE_TRICK)
@pytest.mark.parametrize("fool_seat", [1, 3])
def test_card_given_for_the_fool_from_one_trick(lowest: str, fool_seat: int) -> None:
    # RULES §3, the Fool, steps 2 and 3. Seat 0 leads fourteen trumps and then loses a trick of
    # courts; pips would be given first, so side 1 has none, and does not deal.
    rules, rng = OTTOCENTO.replace(first_lead="dealer"), random.Random(lowest)
    high = "T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 Moon Sun World Angel"
    for last in ONE_TRICK[lowest]:
        kept = [parse_cards(card) for card in last.split()]
        discard = parse_cards("B6 B7")
        hands = [parse_cards(high) | discard, 0, 0, 0]
        hands[fool_seat] |= parse_cards("Fool")
        rest = names(rules.cards.all & ~sum([*hands, *kept]), rules)
        rng.shuffle(rest)
        for seat in SEATS:
            hands[seat] |= kept[seat]
            while hands[seat].bit_count() < (17 if seat == 0 else 15):
                hands[seat] |= parse_cards(rest.pop())
        position = Position.start(rules, 0, hands, discard)
        while not position.over:
            free = position.legal & ~kept[position.seat] or position.legal
            position.play(free.bit_length() - 1)
        (row,) = row_dicts(rules, finish([position], RANDOM))
        assert row["tricks1"] == 1 and row["fool_trick"] < 14
        (given,) = set(last.split()) & set(names(row["won0"], rules))
        assert given[1:] == lowest
        assert differences(rules, [row]) == []


# ---- cutting ------------------------------------------------------------------------------


@each_preset
@pytest.mark.parametrize("mix", ["simple", "seats"])
def test_hands_cut_anywhere_are_finished_to_the_same_rows(rules: RuleSet, mix: str) -> None:
    policies, rng = parse_policies(MIXES[mix]), random.Random(mix)
    rows = play_hands(rules, policies, 201, 0, 30, log_plays=True)
    for row in row_dicts(rules, rows):
        cards = rng.randint(0, 4 * rules.tricks)
        position = replay(rules, row, cards, seed=201)
        before = position.table.tobytes(), position.hidden.tobytes()
        (finished,) = row_dicts(rules, finish([position], policies), row["hand_id"])
        assert finished == row, f"cut after {cards} cards"
        assert (position.table.tobytes(), position.hidden.tobytes()) == before


@each_preset
@pytest.mark.parametrize("cards", [0, 1, 3, 4, 30, -1])
def test_positions_are_finished_together(rules: RuleSet, cards: int) -> None:
    policies = parse_policies(["simple", "random"])
    rows = play_hands(rules, policies, 202, 0, 9, log_plays=True)
    logged = row_dicts(rules, rows)
    positions = [replay(rules, row, cards % (4 * rules.tricks), seed=202) for row in logged]
    assert row_dicts(rules, finish(positions, policies)) == logged


def test_another_seed_or_hand_is_played_on_otherwise() -> None:
    rows = play_hands(OTTOCENTO, RANDOM, 203, 0, 1, log_plays=True)
    (row,) = row_dicts(OTTOCENTO, rows)
    ends = {
        finish([replay(OTTOCENTO, {**row, "hand_id": hand}, 8, seed)], RANDOM).plays.tobytes()
        for hand in (0, 4, 2**53 + 1)
        for seed in (203, 204)
    }
    assert len(ends) == 6


def test_the_run_is_played_on_as_by_hand() -> None:
    # Copies go their own ways.
    (row,) = row_dicts(OTTOCENTO, play_hands(OTTOCENTO, RANDOM, 204, 0, 1, log_plays=True))
    position = replay(OTTOCENTO, row, 10, seed=204)
    copy = position.copy()
    copy.play(row["plays"][10])
    assert position.table.tobytes() != copy.table.tobytes()
    assert row_dicts(OTTOCENTO, finish([position], RANDOM)) == [row]
    assert row_dicts(OTTOCENTO, finish([copy], RANDOM)) == [row]


# ---- what is public -----------------------------------------------------------------------


@each_preset
def test_the_table_shows_what_the_naive_twin_does(rules: RuleSet) -> None:  # RULES §2, 4, 7
    plain = naive_rules(rules)
    rows = play_hands(rules, parse_policies(MIXES["seats"]), 205, 0, 12, log_plays=True)
    for row in row_dicts(rules, rows):
        position = replay(rules, row, 0, seed=205)
        declared = [row.get(f"declared{seat}", 0) for seat in SEATS]
        voids: dict[int, set[str]] = defaultdict(set)
        trick: list[str] = []
        for card in row["plays"]:
            seat, table = position.seat, position.table
            legal = tricks.legal(names(position.hidden.hands[seat], rules), trick, plain)
            assert set(names(position.legal, rules)) == legal
            declare_if_due(position, declared)
            position.play(card)
            trick.append(rules.cards.names[card])
            voids[seat] |= tricks.voids_shown(trick, len(trick) - 1, plain)
            suits = dict(zip(("swords", "batons", "cups", "coins"), rules.cards.suits, strict=True))
            suits["trumps"] = rules.cards.trumps
            for other in SEATS:
                assert table.voids[other] == sum(suits[suit] for suit in voids[other])
            if len(trick) == 4:
                trick = []
        if rules.combinations:
            for seat in SEATS:
                kinds, withheld = kind_names(declared[seat])
                hand = set(names(row[f"hand{seat}"] & ~row["discard"], rules))
                shown = combinations.cards_shown(hand, kinds, withheld, plain)
                assert set(names(table.shown[seat], rules)) == shown


def test_forced_trumps_are_exposed() -> None:  # RULES §7
    hand = "SK BK CK DK Angel Fool Pagat S7 T6 T7 T8 T9 T10 T11 T12"
    rest = names(PARTITA.cards.all & ~parse_cards(hand, PARTITA.cards), PARTITA)
    others = [" ".join(rest[i : i + 13]) for i in (0, 13, 26)]
    hands = [parse_cards(text, PARTITA.cards) for text in [hand, *others]]
    legal = discards.legal_discards(hand.split(), naive_rules(PARTITA))
    for discard in map(" ".join, legal):
        position = Position.start(PARTITA, 0, hands, parse_cards(discard, PARTITA.cards))
        exposed = discards.exposed(discard.split(), naive_rules(PARTITA))
        assert set(names(position.table.exposed, PARTITA)) == exposed != set()
    for discard in ("T6 T7", "S7 SK", "S7 Pagat", "S7 Fool", "S7"):
        with pytest.raises(ValueError, match="illegal"):
            Position.start(PARTITA, 0, hands, parse_cards(discard, PARTITA.cards))


def test_a_discard_of_trumps_is_hidden_where_it_is_free() -> None:  # RULES §3
    hand = "SK BK CK DK Angel Fool World Pagat S7 T6 T7 T8 T9 T10 T11 T12 T13"
    rest = names(OTTOCENTO.cards.all & ~parse_cards(hand), OTTOCENTO)
    hands = [parse_cards(hand), *(parse_cards(" ".join(rest[i : i + 15])) for i in (0, 15, 30))]
    position = Position.start(OTTOCENTO, 0, hands, parse_cards("T6 T7"))
    assert position.table.exposed == 0


# ---- what is refused ----------------------------------------------------------------------


def dealt(rules: RuleSet, seed: int = 206) -> dict[str, Any]:
    """The arguments of Position.start for a hand dealt at random."""
    (row,) = row_dicts(rules, play_hands(rules, RANDOM, seed, 3, 1))
    hands = [row[f"hand{seat}"] for seat in SEATS]
    return {"rules": rules, "dealer": 3, "hands": hands, "discard": row["discard"]}


@each_preset
def test_what_is_no_deal_is_refused(rules: RuleSet) -> None:
    deal = dealt(rules)
    first, second, third, last = deal["hands"]
    low = first & -first
    for hands in (
        [first, second, third, last & (last - 1)],  # a card lacks
        [first ^ low, second | low, third, last],  # too many and too few
        [first, first, third, last],  # cards twice
        [last, second, third, first],  # another seat deals
        [first, second, third],
    ):
        with pytest.raises(ValueError, match="no deal: expected"):
            Position.start(**{**deal, "hands": hands})


def test_illegal_discards_are_refused() -> None:  # RULES §3
    deal = dealt(OTTOCENTO)
    hand = deal["hands"][3]
    high = OTTOCENTO.cards.honours | OTTOCENTO.cards.rank("K")
    free = names(hand & ~high, OTTOCENTO)
    barred = names(hand & high, OTTOCENTO)
    foreign = names(deal["hands"][0] & ~high, OTTOCENTO)
    assert barred
    for cards in ([], free[:1], free[:3], [free[0], barred[0]], [free[0], foreign[0]]):
        discard = parse_cards(" ".join(cards))
        with pytest.raises(ValueError, match="illegal"):
            Position.start(**{**deal, "discard": discard})


def test_illegal_declarations_are_refused() -> None:  # RULES §4
    kings = "SK BK CK S6 S7 S8 B6 B7 B8 D6 D7 D8 T5 T6 T7"
    rest = names(OTTOCENTO.cards.all & ~parse_cards(kings), OTTOCENTO)
    hands = [parse_cards(kings), *(parse_cards(" ".join(rest[i : i + 15])) for i in (0, 15, 30))]
    hands[3] |= parse_cards(" ".join(rest[45:]))
    discard = parse_cards(" ".join([c for c in names(hands[3], OTTOCENTO) if c[0] == "T"][:2]))

    def declare(declared: int, rules: RuleSet = OTTOCENTO) -> None:
        Position.start(rules, 3, hands, discard, (declared, 0, 0, 0))

    declare(0)
    declare(0b10)
    for declared in (0b1, 0b110, 1 << 9, 1 << 14, 0b10 | PAGAT_WITHHELD, FOOL_WITHHELD, -1):
        with pytest.raises(ValueError, match="seat 0 may not declare"):
            declare(declared)
    queens = OTTOCENTO.replace(declare="all_or_nothing")
    declare(0b10, queens)
    with pytest.raises(ValueError, match="seat 0 may not declare"):
        declare(0b10 | FOOL_WITHHELD, queens)


@pytest.mark.parametrize("card", [-1, 61, 62, 64, 200])
def test_cards_that_are_not_held_cannot_be_played(card: int) -> None:
    position = Position.start(**dealt(OTTOCENTO))
    assert not position.legal >> 61 & 1
    with pytest.raises(ValueError, match="seat 0 may not play"):
        position.play(card)


def test_finished_hands_take_no_card() -> None:
    (row,) = row_dicts(PARTITA, play_hands(PARTITA, RANDOM, 207, 0, 1, log_plays=True))
    position = replay(PARTITA, row, 52, seed=207)
    assert position.over and position.legal == 0
    with pytest.raises(ValueError, match="may not play"):
        position.play(0)


def test_positions_that_stand_differently_are_not_finished_together() -> None:
    (row,) = row_dicts(OTTOCENTO, play_hands(OTTOCENTO, RANDOM, 208, 0, 1, log_plays=True))
    at_4, at_5 = (replay(OTTOCENTO, row, cards, seed=208) for cards in (4, 5))
    with pytest.raises(ValueError, match="differ"):
        finish([at_4, at_5], RANDOM)
    other = Position.start(**dealt(PARTITA))
    with pytest.raises(ValueError, match="differ"):
        finish([Position.start(**dealt(OTTOCENTO)), other], RANDOM)


@pytest.mark.parametrize("n", [0, 100_001])
def test_no_positions_or_too_many_are_not_finished(n: int) -> None:
    position = Position.start(**dealt(OTTOCENTO))
    with pytest.raises(ValueError, match=f"{n} positions: expected 1 to 100000"):
        finish([position] * n, RANDOM)


@each_preset
def test_cards_are_taken_from_a_run_as_they_are(rules: RuleSet) -> None:
    # The trap: uint64 of a file and int64 of the kernels.
    deal = dealt(rules)
    expected = Position.start(**deal)
    for type_ in (np.uint64, np.int64):
        hands = np.array(deal["hands"], type_)
        position = Position.start(**{**deal, "hands": hands, "discard": type_(deal["discard"])})
        assert position.hidden.tobytes() == expected.hidden.tobytes()


def test_each_declares_just_before_his_first_card() -> None:  # RULES §4, before_own_first_card
    row = next(
        row
        for row in row_dicts(
            OTTOCENTO_DIGITAL,
            play_hands(OTTOCENTO_DIGITAL, parse_policies("random"), 1, 0, 50, True),
        )
        if all(row[f"declared{seat}"] for seat in (1, 2)) and row["dealer"] == 0
    )
    hands = [row[f"hand{seat}"] for seat in SEATS]
    declared = [row[f"declared{seat}"] for seat in SEATS]
    position = Position.start(OTTOCENTO_DIGITAL, 0, hands, row["discard"], declared)
    assert not any(position.table.declared)
    position.play(row["plays"][0])
    assert [*position.table.declared] == [0, declared[1], 0, 0]
    position.play(row["plays"][1])
    assert [*position.table.declared] == [0, declared[1], declared[2], 0]


def test_what_was_withheld_is_no_public_knowledge() -> None:  # RULES §4, declaring
    hands = play_hands(OTTOCENTO, parse_policies("simple"), 5, 0, 400)
    pagat, kinds = OTTOCENTO.cards.mask(["Pagat"]), 0xFFF
    found = 0
    for i in range(400):
        dealer = i % 4
        seat = next(s for s in range(4) if hands.hand[s, i] & pagat)
        withheld = [int(bits) for bits in hands.declared[:, i]]
        withheld[seat] |= PAGAT_WITHHELD
        try:
            position = Position.start(
                OTTOCENTO, dealer, hands.hand[:, i], hands.discard[i], withheld
            )
        except ValueError:  # a combination needs it
            continue
        found += 1
        assert [int(bits) for bits in position.table.declared] == [b & kinds for b in withheld]
        assert position.hidden.declared[seat] == withheld[seat]
        assert not position.table.shown[seat] & pagat
    assert found > 50
