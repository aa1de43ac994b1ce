"""Shipped parts: plain hands, and that no answer is illegal; those of expert are elsewhere."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from sim.cards import format_cards, indices, parse_cards
from sim.conditions import read_conditions
from sim.hands import play_hands
from sim.kernels.combinations import _combinations
from sim.kernels.decisions import ask_declare, ask_discard, ask_play
from sim.kernels.discard import _may_discard
from sim.kernels.rules_record import rules_record
from sim.kernels.state import View, empty_table
from sim.policies.policy import weights_of
from sim.policies.spec import PARTS, parse_policies, parse_policy
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, PRESETS, RuleSet
from tests.helpers import compiled_only, each_preset, naive_rules, names, row_dicts
from tests.naive import discards

FORCED = OTTOCENTO.replace(discard_trumps="forced_exposed")


def ask(decide: Any, spec: str, view: View) -> Any:
    """What a policy of seat 0 answers."""
    policies = (parse_policy(spec),) * 4
    return decide(tuple(policy.decisions for policy in policies), 0, view, weights_of(policies))


def view_of(rules: RuleSet, hand: int, legal: int, table: np.record | None = None) -> View:
    """What seat 0 knows with these cards."""
    table = empty_table() if table is None else table
    return View(0, 1, 2, 3, hand, legal, 0, np.uint64(7), table, rules_record(rules))


def discarded(part: str, hand: int, rules: RuleSet) -> int:
    legal, _ = _may_discard(hand, rules_record(rules))
    view = view_of(rules, hand, int(legal))
    return int(ask(ask_discard, f"simple+discard:{part}", view))


# ---- discards -------------------------------------------------------------------------------

# Seven trumps that are neither Angel nor neighbours, and one Honour: of middling strength.
TRUMPS = "Pagat M1 M2 T5 T7 T9 T11"


@pytest.mark.parametrize(
    ("part", "hand", "expected"),
    [
        # A suit of two rather than a singleton and another (C8), the one with a court.
        ("void", f"S6 S7 B7 C6 C7 C8 CA D6 D7 D8 {TRUMPS}", "S6 S7"),
        ("void", f"S6 S7 B7 BV C6 C7 C8 CA D6 D7 {TRUMPS}", "B7 BV"),
        # A King cannot go, so that there is no void; a single card and one of the next suit.
        ("void", f"S6 SK B7 C10 C9 C8 CA D9 D8 D7 {TRUMPS}", "S6 B7"),
        ("void", f"S6 B6 B7 B8 C10 C9 C8 D9 D8 D7 {TRUMPS}", "S6 B6"),
        # Courts of different suits, Valets first, no Queen with company (C6, C7).
        ("courts", f"S6 SV SC SQ B6 B7 BC C9 D9 D8 {TRUMPS}", "SV BC"),
        ("courts", f"S6 SV SC BQ C10 C9 C8 D9 D8 D7 {TRUMPS}", "SV BQ"),
        ("courts", f"S6 SV SC SQ B6 B7 B8 C9 D9 D8 {TRUMPS}", "SV SC"),
        ("courts", f"S6 SV SQ B6 B7 B8 BQ C9 D9 D8 {TRUMPS}", "S6 SV"),
        # Of one suit for comparison, the cheapest two; else as without it.
        ("courts(same_suit=1)", f"S6 SV SC SQ B6 BV BC C9 D9 D8 {TRUMPS}", "SV SC"),
        ("courts(same_suit=1)", f"S6 SV B6 B7 BC BV C9 D9 D8 D7 {TRUMPS}", "BV BC"),
        ("courts(same_suit=1)", f"S6 SV SQ B6 B7 BC C9 D9 D8 D7 {TRUMPS}", "SV BC"),
        # Pips of the longest suit.
        ("pips", f"S6 SV B6 B7 C10 C9 C8 C7 C6 DV {TRUMPS}", "C10 C9"),
        # None there: what belongs to no combination (the Grande has not begun).
        ("pips", "SA SV SC SQ SK BA BV BC BQ BK CK DK Pagat Fool Angel T5 T9", "T5 T9"),
        # Kings, Swords, Batons are there, the third Valet and the Moors may be won.
        ("combine", "SK SQ SC SV BK BC BQ CK CV DC DV M1 M2 M3 T5 T9 T6", "T5 T6"),
        # With the Angel the numbered trumps too; a lone Ace and Valet may go.
        ("combine", "SK SQ SC BK BQ DA DV CK M1 M2 M3 T5 T9 Sun Moon T6 Angel", "DA DV"),
        # Middling: a suit of two, unless it has the Queen's company or the King.
        ("pisarri", f"S6 S7 B7 C6 C7 C8 CA D6 D7 D8 {TRUMPS}", "S6 S7"),
        ("pisarri", f"S6 SQ B7 BC BK C9 C8 CV D9 D8 {TRUMPS}", "D9 D8"),
        # A singleton and a court, where there is no suit of two (C5, C6).
        ("pisarri", f"S6 S7 SQ B7 C10 C9 C8 D9 D8 DC {TRUMPS}", "B7 DC"),
        # No void is possible: two courts of different suits, not those of a sequence (C6, C7).
        ("pisarri", f"S6 SC SQ B7 B8 BV DV D7 D8 D9 {TRUMPS}", "BV DV"),
        ("pisarri", f"S6 SC SQ BV BC BK BQ DV D8 D9 {TRUMPS}", "SC DV"),
        # A bad hand: two neighbours of the Grande, so that no contatore fills the gap (C9).
        ("pisarri", "S6 S7 S8 B6 B7 B8 BV C10 C9 C8 CV DK D8 M1 T9 T10 T14", "T9 T10"),
        ("pisarri", "S6 S7 S8 B6 B7 B8 BV C10 C9 C8 CV DK D8 M1 T7 T10 T14", "T10 T14"),
        ("pisarri(bad=4)", "S6 S7 S8 B6 B7 B8 BV C10 C9 C8 CV DK D8 M1 T9 T10 T14", "BV CV"),
        # A very good hand makes no void (C10).
        ("pisarri", "S6 SV B6 B7 C10 C9 C8 D10 DK Fool Pagat T9 T11 T13 Sun World Angel", "SV C10"),
        ("pisarri(good=99)", "S6 SV B6 B7 C10 C9 C8 D10 DK Fool Pagat T9 T11 T13 Sun World Angel",
         "S6 SV"),
        # Without these habits: a suit of two with a Queen, and courts of a sequence (C7).
        ("pisarri(keep_queens=0)", f"S6 SQ B7 BC BK C9 C8 CV D9 D8 {TRUMPS}", "S6 SQ"),
        ("pisarri(keep_combined=0)", f"S6 SC SQ BV BC BK BQ D6 D8 D9 {TRUMPS}", "SC BV"),
    ],
)  # fmt: skip
def test_plain_discards_of_ottocento(part: str, hand: str, expected: str) -> None:
    found = discarded(part, parse_cards(hand, count=17), OTTOCENTO)
    assert format_cards(found) == expected


SEVEN = "Pagat T2 T3 T6 T8 T10 T12"


@pytest.mark.parametrize(
    ("part", "hand", "expected"),
    [
        ("void", f"S7 S8 B7 C4 C3 C2 D4 D3 {SEVEN}", "S7 S8"),
        ("courts", f"S7 SV SC B7 BC C4 C3 DQ {SEVEN}", "SV BC"),
        ("pips", f"S7 SV B7 C4 C3 C2 CA D4 {SEVEN}", "C4 C3"),
        ("combine", f"SK SQ SV B7 C4 C3 C2 DV {SEVEN}", "B7 C4"),  # there are no combinations
        ("pisarri", f"S7 SQ B7 BV C4 C3 C2 D4 {SEVEN}", "B7 BV"),
        # Weak, but there is no Grande to break.
        ("pisarri", "S7 S8 S9 B7 B8 BV B9 C4 C3 D4 D3 D2 T6 T7 T13", "C4 C3"),
        # Trumps are forced: the plain card and the cheapest trump.
        *((part, "S7 SK BK CK DK Pagat T3 T6 T8 T10 T13 Sun World Angel Fool", "S7 T6")
          for part in ("void", "courts", "pips", "combine", "pisarri")),
    ],
)  # fmt: skip
def test_plain_discards_of_partita(part: str, hand: str, expected: str) -> None:  # RULES §7
    cards = parse_cards(hand, PARTITA.cards, count=15)
    assert format_cards(discarded(part, cards, PARTITA), PARTITA.cards) == expected


def hands_to_discard_from(rules: RuleSet, rng: random.Random, plain: int | None) -> int:
    """A dealer's hand; with so many plain cards but Kings, or any."""
    pack = rules.cards
    barred = list(indices(pack.trumps | pack.rank("K") | 1 << pack.fool))
    others = [card for card in range(pack.size) if card not in barred]
    size = pack.hand_size + 2
    if plain is None:
        return sum(1 << card for card in rng.sample(range(pack.size), size))
    return sum(1 << card for card in rng.sample(others, plain) + rng.sample(barred, size - plain))


# Those that decide at once; and the one that plays hands out, in few worlds.
SCRIPTED = [name for name in PARTS["discard"] if name != "sampled"]
SAMPLED = pytest.param("sampled(worlds=2)", marks=compiled_only)


@pytest.mark.parametrize("part", [*SCRIPTED, SAMPLED])
@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA, FORCED], ids=["free", "partita", "forced"])
def test_every_discard_is_legal(rules: RuleSet, part: str) -> None:  # RULES §3, §7
    rng = random.Random(5)
    few = (0, 1, 2, 3)
    for plain in (*few * 15, *[None] * 100):
        hand = hands_to_discard_from(rules, rng, plain)
        found = frozenset(names(discarded(part, hand, rules), rules))
        assert found in discards.legal_discards(names(hand, rules), naive_rules(rules)), plain


@pytest.mark.parametrize("part", [name for name in SCRIPTED if name != "random"])
def test_a_discard_depends_on_the_dealers_hand_alone(part: str) -> None:
    # Other hands differ from deal to deal, and so does the key.
    hand = f"dealer: S6 S7 SQ B7 BV BK C10 C9 CC DV D7 {TRUMPS.replace('M1', '')}"
    dealing = read_conditions(OTTOCENTO, hand, None).dealing
    policies = parse_policies(["simple", f"simple+discard:{part}"])  # called by address
    rows = play_hands(OTTOCENTO, policies, 1, 0, 40, dealing=dealing)
    odd = rows.discard[rows.dealer % 2 == 1]
    assert len(odd) == 20 and len(set(rows.hand[0].tolist())) > 20
    assert set(odd.tolist()) == {discarded(part, int(rows.hand[1, 1]), OTTOCENTO)}


@compiled_only
def test_sampled_finds_what_is_clearly_the_best() -> None:
    # 85 points before any other under expert, says ``tarocchino discard``.
    hand = parse_cards("Pagat Fool T5 T8 T12 SK SQ S7 S6 BK B8 B7 CV C9 D10 DC DQ")
    assert format_cards(discarded("sampled", hand, OTTOCENTO)) == "C9 CV"


@compiled_only
def test_sampled_imagines_the_same_again_whatever_is_hidden() -> None:
    policies = parse_policies("expert+discard:sampled(worlds=2)")
    whole, part = (play_hands(OTTOCENTO, policies, 9, first, n) for first, n in ((0, 6), (3, 2)))
    np.testing.assert_array_equal(part.discard, whole.discard[3:5])
    np.testing.assert_array_equal(part.score, whole.score[:, 3:5])


# ---- declarations ---------------------------------------------------------------------------


def declared(spec: str, hand: str, rules: RuleSet) -> int:
    cards = parse_cards(hand)
    held, _, _ = _combinations(cards, rules_record(rules))
    return int(ask(ask_declare, f"simple+declare:{spec}", view_of(rules, cards, int(held))))


@pytest.mark.parametrize("rules", [OTTOCENTO, OTTOCENTO_DIGITAL], ids=lambda rules: rules.name)
def test_hide_declares_all_from_its_threshold_on(rules: RuleSet) -> None:  # STRATEGY C20
    of_27, of_nothing = "SK SQ SC SV CK DK T5", "SK S6 S7 T5"  # swords 15, kings 17
    kings, swords = 1 << 1, 1 << 5
    assert declared("hide", of_27, rules) == kings | swords
    assert declared("hide(threshold=32)", of_27, rules) == kings | swords
    assert declared("hide(threshold=33)", of_27, rules) == 0
    assert declared("hide(threshold=0)", of_nothing, rules) == 0


@pytest.mark.parametrize("rules", [OTTOCENTO, OTTOCENTO_DIGITAL], ids=lambda rules: rules.name)
def test_hide_is_legal_and_hides(rules: RuleSet) -> None:
    policies = parse_policies(["simple+declare:hide", "simple"])
    rows = play_hands(rules, policies, 11, 0, 300)
    points = rows.declared_points[::2]
    assert points[points > 0].min() >= 30
    assert ((rows.declared[::2] == 0) & (rows.held[::2] != 0)).any()
    assert (rows.declared[1::2] == rows.held[1::2]).all()


# ---- leads ----------------------------------------------------------------------------------


def led(
    part: str, hand: str, rules: RuleSet = OTTOCENTO, trick: int = 0, **known: Any
) -> tuple[str, str]:
    """The card that seat 0 leads, and why; ``known`` are fields of the table, by seat."""
    pack, table = rules.cards, empty_table()
    table.trick = trick
    for name, by_seat in known.items():
        for seat, cards in by_seat.items():
            table[name][seat] = parse_cards(cards, pack) if isinstance(cards, str) else cards
    cards = parse_cards(hand, pack)
    spec = f"simple+lead:{part}"
    card, reason = ask(ask_play, spec, view_of(rules, cards, cards, table))
    return pack.names[card], parse_policy(spec).lead.reasons[reason]


SWORDS, BATONS, CUPS, COINS = OTTOCENTO.cards.suits
ALL_TRUMPS = OTTOCENTO.cards.trumps
LONG, NO_PLAIN = PARTS["lead"]["longest"].reasons
HOPING = "court(unprompted=1)"
TRUMPED, TAKEN, HOPED, _, _ = PARTS["lead"]["court"].reasons
SURE, DRAW, _, _ = PARTS["lead"]["trump"].reasons
SHORT, LATER, _ = PARTS["lead"]["short"].reasons


def test_longest_and_short() -> None:  # STRATEGY C11
    assert led("longest", "S6 SK C10 C9 C8 T5 T6 T7 T8") == ("C10", LONG)
    assert led("longest", "SQ SK C9 T5") == ("SQ", LONG)
    assert led("short", "S6 S7 C9 C8 D7 DA DK T5") == ("S6", SHORT)
    assert led("short", "S6 S7 CQ T5") == ("CQ", SHORT)


def test_an_opening_lead_is_of_the_first_trick_only() -> None:  # STRATEGY C11
    hand = "S6 S7 CQ M1 M2 T7 T9 T11 T12 Angel"
    for trick, short, draws in (
        (0, ("CQ", SHORT), ("Angel", SURE)),
        (1, ("S6", LATER), ("S6", LONG)),
    ):
        assert led("short(opening=1)", hand, trick=trick) == short
        assert led("trump(opening=1)", hand, trick=trick) == draws


def test_a_court_goes_to_a_partner_who_is_void() -> None:  # STRATEGY C12
    hand = "SV SQ S6 C10 C9 C8 CC"
    assert led("court", hand, voids={2: SWORDS}) == ("SQ", TRUMPED)
    # Not where an opponent would trump it, or partner has no trump.
    for right_or_left in (1, 3):
        voids = {2: SWORDS, right_or_left: SWORDS}
        assert led(HOPING, hand, voids=voids) == ("CC", HOPED)
        voids[right_or_left] |= ALL_TRUMPS
        assert led("court", hand, voids=voids) == ("SQ", TRUMPED)
    assert led(HOPING, hand, voids={2: SWORDS | ALL_TRUMPS})[1] == HOPED


def test_a_court_goes_to_the_best_card_that_partner_has_shown() -> None:
    hand = "SV SQ S6 C10 C9 C8 C7"
    assert led("court", hand, shown={2: "SK BK CK"}) == ("SQ", TAKEN)
    # He has played it since; or another has it.
    assert led("court", hand, shown={2: "SK"}, played={2: "SK"}) == ("C10", LONG)
    assert led(HOPING, hand, shown={1: "SK"})[1] == HOPED
    # He has not shown the best.
    assert led(HOPING, hand, shown={2: "SC"}) == ("SV", HOPED)
    assert led("court", hand, shown={2: "SC"}, played={1: "SK"}) == ("SQ", TAKEN)


def test_no_queen_is_led_without_a_sign() -> None:
    assert led(HOPING, "SV SQ S6 C10 C9 C8") == ("SV", HOPED)
    assert led("court", "SV SQ S6 C10 C9 C8 C7") == ("C10", LONG)
    assert led(HOPING, "SQ S6 C10 C9 C8") == ("C10", LONG)
    # The King is one's own, or gone.
    assert led(HOPING, "SV SK C10 C9 C8") == ("C10", LONG)
    assert led(HOPING, "SV S6 C10 C9 C8", played={3: "SK"}) == ("C10", LONG)


def test_queens_are_led_without_a_sign_to_see_what_they_cost() -> None:  # STRATEGY C12
    queens = "court(unprompted_queens=1)"
    assert led(queens, "SV SQ S6 C10 C9 C8 C7") == ("SQ", HOPED)
    assert led(queens, "SV S6 C10 C9 C8") == ("C10", LONG)
    assert led(queens, "SQ SK C10 C9 C8") == ("C10", LONG)
    assert led("court(unprompted=1,unprompted_queens=1)", "SV SQ S6 C10 C9 C8") == ("SV", HOPED)


def test_trumps_are_drawn_by_who_has_many() -> None:
    many = "S6 S7 Pagat M1 M2 T7 T9 T11"
    assert led("trump", f"{many} Angel") == ("Angel", SURE)
    assert led("trump", f"{many} World") == ("T7", DRAW)  # rather than a Moor
    assert led("trump", f"{many} World", played={1: "Angel"}) == ("World", SURE)
    assert led("trump", "S7 S8 Pagat T2 T3 T7 T9 T11 World", PARTITA) == ("T2", DRAW)
    # The Pagat does not count, nor does the Fool.
    assert led("trump", f"{many} Fool") == ("S6", LONG)
    assert led("trump(enough=5)", f"{many} Fool") == ("T7", DRAW)
    # Not the Pagat, and not where there is nothing to draw.
    assert led("trump(enough=0)", "S6 S7 Pagat Fool C9") == ("S6", LONG)
    assert led("trump", f"{many} Angel", voids={1: ALL_TRUMPS}) == ("Angel", SURE)
    out = {1: ALL_TRUMPS, 3: ALL_TRUMPS}
    assert led("trump", f"{many} Angel", voids=out) == ("S6", LONG)


def test_no_equal_trump_is_sure_while_another_is_out() -> None:  # RULES §2
    above = "T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 Moon Sun World Angel"
    assert led("trump(enough=1)", "S6 M4", played={1: above}) == ("M4", DRAW)
    assert led("trump(enough=1)", "S6 M4", played={1: above, 2: "M1 M2 M3"}) == ("M4", SURE)


@each_preset
@pytest.mark.parametrize("part", [name for name in PARTS["lead"] if name != "own"])
def test_every_hand_has_a_lead(rules: RuleSet, part: str) -> None:
    for hand in ("Fool", "Pagat", "Fool Pagat", "Pagat Angel Fool", "SK", "CA Fool"):
        card, _ = led(part, hand, rules)
        assert card in hand.split()
    assert led(part, "Fool")[0] == "Fool"
    assert led(part, "Fool Pagat") == ("Pagat", NO_PLAIN)


LEADS = [name if name != "court" else HOPING for name in PARTS["lead"] if name != "own"]


@each_preset
def test_no_lead_is_illegal_and_each_is_led(rules: RuleSet) -> None:
    # One part a seat, called by address; ``random`` brings about positions of every sort.
    policies = parse_policies([f"random+lead:{name}" for name in LEADS])
    rows = play_hands(rules, policies, 12, 0, 300, log_plays=True)
    alone = play_hands(rules, parse_policies("random"), 12, 0, 300, log_plays=True)
    assert (rows.plays != alone.plays).any(axis=1).mean() > 0.9
    for row in row_dicts(rules, rows)[:100]:
        first, leader = row["plays"][0], row["first_trick_leader"]
        if leader == LEADS.index("longest"):
            hand = row[f"hand{leader}"] & ~row["discard"]
            lengths = [(hand & suit).bit_count() for suit in rules.cards.suits]
            of = [
                n for n, suit in zip(lengths, rules.cards.suits, strict=True) if suit >> first & 1
            ]
            assert of == [max(lengths)]


def test_longest_is_how_simple_leads() -> None:
    rows = [
        play_hands(PRESETS["partita"], parse_policies(spec), 13, 0, 200, log_plays=True).plays
        for spec in ("simple", "simple+lead:longest")
    ]
    assert (rows[0] == rows[1]).all()


# ---- throwing cards away --------------------------------------------------------------------


def thrown(part: str, hand: str, **known: Any) -> str:
    """The card that seat 0 plays last, to a trick that the left player wins."""
    pack, table = OTTOCENTO.cards, empty_table()
    table.position, table.leader, table.led = 3, 1, SWORDS
    table.on_table = parse_cards("S7 S8 S10", pack)
    table.best = pack.index["s10"] << 2 | 3
    for name, by_seat in known.items():
        for seat, cards in by_seat.items():
            table[name][seat] = parse_cards(cards, pack) if isinstance(cards, str) else cards
    cards = parse_cards(hand, pack)
    legal = cards & SWORDS or cards & ALL_TRUMPS or cards
    card, _ = ask(ask_play, f"simple+play:{part}", view_of(OTTOCENTO, cards, legal, table))
    return pack.names[card]


@pytest.mark.parametrize("part", ["simple_sure", "expert_sure"])
def test_the_partner_of_the_strong_hand_keeps_suits_with_sure_cards(part: str) -> None:  # C13
    # In Batons the King is sure, in Cups there is nothing; without the habit B10 goes as readily.
    hand, without = "BK B10 C9 CA", part.removesuffix("_sure")
    assert thrown(without, "BK B10 CQ CV") == "B10"
    assert thrown(part, "BK B10 CQ CV") in ("CV", "CQ")
    assert thrown(part, hand) == "C9"
    # The Queen is sure once the King is gone.
    assert thrown(part, "BQ B10 CQ CV") == "B10"
    assert thrown(part, "BQ B10 CQ CV", played={2: "BK"}) in ("CV", "CQ")
    # All suits have sure cards, or partner has no trumps either: as without the habit.
    for cards, known in (("BK B10 CK CQ", {}), (hand, {"voids": {2: ALL_TRUMPS}})):
        assert thrown(part, cards, **known) == thrown(without, cards, **known)
    # Who follows or trumps throws nothing.
    assert thrown(part, "S6 BK B10 C9") == "S6"
    assert thrown(part, "T5 BK B10 C9") == "T5"


@pytest.mark.parametrize("part", ["simple_sure", "expert_sure"])
def test_only_once_trumps_are_drawn_if_asked(part: str) -> None:  # STRATEGY C13
    hand = "BK B10 CQ CV"
    assert thrown(f"{part}(drawn=1)", hand) == "B10"
    assert thrown(f"{part}(drawn=1)", hand, voids={1: ALL_TRUMPS}) == "B10"
    out = {1: ALL_TRUMPS, 3: ALL_TRUMPS}
    assert thrown(f"{part}(drawn=1)", hand, voids=out) in ("CV", "CQ")


@each_preset
@pytest.mark.parametrize("part", ["simple_sure", "expert_sure"])
def test_no_card_thrown_is_illegal_and_few_hands_differ(rules: RuleSet, part: str) -> None:
    played = [
        play_hands(rules, parse_policies(f"simple+play:{name}"), 14, 0, 400, log_plays=True).plays
        for name in (part.removesuffix("_sure"), part)
    ]
    assert 0 < (played[0] != played[1]).any(axis=1).mean() < 0.5
