"""Tables behind the strategy charts."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.strategy_tables import (
    DISCARDS,
    SUITS,
    _grande_points,
    discards_by_kind,
    hand_kinds,
    middle_trumps,
    part_margins,
)
from sim.cards import parse_cards
from sim.combinations import score
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO
from tests.helpers import compiled_only

pytestmark = compiled_only
TRUMPS = "M1 M2 M3 T5 T6 T7 T8 T9"


@pytest.mark.parametrize(
    ("cards", "suits", "courts"),
    [
        ("S6 BV C10 C9 C8 D10 D9 D8", "1 and 1", 1),
        ("S6 BV BC C10 C9 C8 D10 D9 D8", "1 and 2", 2),
        ("S6 B6 B7 B8 C10 C9 C8 D10 D9 D8", "1", 0),
        ("S6 S7 BQ BV CK D10 D9 D8", "2 and 2", 2),
        ("S6 SK BQ BV CK D10 D9 D8", "2", 2),
        ("SK BK CK DK", "3+", 0),
        ("SV SC SQ BV BC BQ CV CC CQ", "3+", 7),  # nine of them; the fourth suit is void already
    ],
)
def test_hands_are_of_the_kind_that_their_names_say(cards: str, suits: str, courts: int) -> None:
    hand = np.array([parse_cards(f"{cards} {TRUMPS}")])
    kind, held = hand_kinds(hand, OTTOCENTO)[:, 0]
    assert (SUITS[kind], held) == (suits, courts)


def test_the_best_discard_is_better_than_the_second_and_marked_where_separated() -> None:
    table = discards_by_kind("simple", OTTOCENTO, 6000, seed=2, threads=2)
    assert len(table) > 10 and set(table.best) <= set(DISCARDS)
    assert (table["mean"] >= 0).all() and (table.best != table.second).all()
    assert (table.separated == (table.low > 0)).all()
    assert table.share.sum() <= 1
    assert table.equals(discards_by_kind("simple", OTTOCENTO, 6000, seed=2, threads=1))


def test_what_trumps_break_and_make_is_counted_pile_by_pile() -> None:  # RULES §4, Grande
    rows = play_hands(OTTOCENTO, parse_policies("simple"), 1, 0, 30)
    names = OTTOCENTO.cards.names
    card = names.index("T15")
    breaking, making = _grande_points(rows, OTTOCENTO, [card])
    for i, pile in enumerate(map(int, rows.won0)):
        own = pile if pile >> card & 1 else OTTOCENTO.cards.all ^ pile
        other = OTTOCENTO.cards.all ^ own

        def sequences(cards: int) -> int:
            return int(score(cards, OTTOCENTO).sequence_points)

        assert breaking[i] == sequences(other | 1 << card) - sequences(other)
        assert making[i] == sequences(own) - sequences(own ^ 1 << card)


def test_high_trumps_break_more_than_low_ones() -> None:  # STRATEGY C9
    table = middle_trumps("simple", OTTOCENTO, 2000).set_index(["what", "card"])["mean"]
    for what in ("breaking", "making"):
        assert table[what, "T16"] > table[what, "T10"] > table[what, "T5"] >= 0


def test_a_part_against_itself_is_worth_nothing() -> None:
    table = part_margins("declare", ["all", "nothing"], "simple", OTTOCENTO, 800)
    assert table["mean"][0] == table.high[0] == 0 and not table.separated[0]
    assert table["mean"][1] < 0 and table.separated[1]
