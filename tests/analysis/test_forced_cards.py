"""Cards forced upon a player: hands played on from there."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis import forced_cards
from analysis.forced_cards import OPENINGS, SITUATIONS, opening_leads, pagat_choices
from analysis.margins import points
from sim.cards import parse_cards
from sim.hands import play_hands
from sim.kernels.rules_record import rules_record
from sim.kernels.state import HIDDEN, empty_table, records
from sim.kernels.tricks import _put
from sim.policies.spec import parse_policies
from sim.positions import Position
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import compiled_only, each_preset

pytestmark = compiled_only
SIMPLE = parse_policies("simple")


@each_preset
def test_a_hand_in_which_the_policys_own_card_is_forced_ends_as_it_did(rules: RuleSet) -> None:
    rows = play_hands(rules, SIMPLE, 5, 40, 12, log_plays=True)
    asked = []
    for i in range(12):
        asked.append((forced_cards._position(rows, i, rules, 5, 40 + i), int(rows.plays[i, 0])))
    sign = np.where(rows.first_trick_leader % 2 == 0, 1, -1)
    assert (forced_cards._won(asked, SIMPLE) == sign * points(rows, 0)).all()


def test_openings_are_the_cards_that_their_names_say() -> None:
    hand = parse_cards("S6 S8 S10 SK BQ BV C7 D6 D8 D9 D10 Pagat T5 T9 Fool")
    names = OTTOCENTO.cards.names
    found = {OPENINGS[at]: names[c] for at, c in forced_cards._openings(hand, OTTOCENTO).items()}
    assert found == {
        "low from longest suit": "D10",
        "low from shortest suit": "C7",
        "court below the King": "BV",
        "King": "SK",
        "low trump": "T5",
        "highest trump": "T9",
        "Fool": "Fool",
    }


def test_a_hand_lacks_the_openings_that_it_has_no_cards_for() -> None:
    found = forced_cards._openings(parse_cards("S6 Pagat"), OTTOCENTO)
    assert {OPENINGS[at] for at in found} == {"low from longest suit", "low from shortest suit"}


@pytest.mark.parametrize(
    ("trick", "situation"),
    [
        ("", "leading"),
        ("Fool", "leading"),  # what follows the Fool is as good as led
        ("SK S6 S7", "first to trump, last to play: it wins"),
        ("SK S6", "first to trump, others to play"),
        ("SK T9 S6", "under partner's trump"),
        ("T9 T5 Fool", "under an opponent's trump"),
        ("T9 T5", "under partner's trump"),
        ("M1 Fool M2", "under an opponent's trump"),
    ],
)
def test_where_the_pagat_would_be_played(trick: str, situation: str) -> None:  # RULES §2
    rules, names = rules_record(OTTOCENTO), OTTOCENTO.cards.names
    position = Position(OTTOCENTO, empty_table(), records(HIDDEN, 1)[0])
    position.table.leader = 0
    for name in trick.split():
        _put(position.table, position.hidden, position.seat, names.index(name), rules)
    assert SITUATIONS[forced_cards._situation(position, OTTOCENTO.cards.trumps)] == situation


def test_tables_do_not_depend_on_the_threads() -> None:
    for table in (pagat_choices, opening_leads):
        one, two = (table("simple", PARTITA, 600, seed=3, threads=threads) for threads in (1, 2))
        assert len(one) > 0
        pd.testing.assert_frame_equal(one, two)


def test_pagat_is_asked_about_in_every_situation_and_once_a_trick_at_most() -> None:
    table = pagat_choices("simple", OTTOCENTO, 1000, seed=3)
    assert set(table.situation) <= set(SITUATIONS) and table.n.max() <= 1000
    means = table.groupby("situation")["mean"]
    assert means.get_group("leading").iloc[0] < 0  # to lead the Pagat at once gives it away
    assert (means.get_group("under an opponent's trump") < 0).all()
    assert (table.separated == ((table.low > 0) | (table.high < 0))).all()
