"""Tables behind the strategy charts."""

from __future__ import annotations

from analysis.strategy_tables import (
    _grande_points,
    middle_trumps,
    part_margins,
)
from sim.combinations import score
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO
from tests.helpers import compiled_only

pytestmark = compiled_only


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
