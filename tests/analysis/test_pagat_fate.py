"""What becomes of the Pagat, against hands followed card by card."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from analysis.pagat_fate import FATES, FOOL_AT, Fate, cells, fates
from sim.cards import indices
from sim.conditions import ROLES
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from sim.rows import Rows
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import compiled_only, naive_rules
from tests.naive import packs, tricks

pytestmark = compiled_only
HANDS = 600
GAMES = [OTTOCENTO, PARTITA]
each_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
each_policy = pytest.mark.parametrize("spec", ["random", "simple", "expert"])
# Any numbers, to follow them into the cells.
PRICES = np.arange(HANDS) % 7 - 2


def played(rules: RuleSet, spec: str = "simple") -> Rows:
    return play_hands(rules, parse_policies(spec), 21, 0, HANDS, log_plays=True)


def fate_by_name(rows: Rows, i: int, rules: RuleSet) -> str:
    """The same told from the names of the cards, trick by trick."""
    fields, names = naive_rules(rules), rules.cards.names
    plays = [names[card] for card in rows.plays[i]]
    leader, holder = int(rows.first_trick_leader[i]), int(rows.pagat[0, i])
    hand = {names[card] for card in indices(int(rows.hand[holder, i] & ~rows.discard[i]))}
    for first in range(0, len(plays), 4):
        trick = plays[first : first + 4]
        place = tricks.winner(trick, fields)
        winner = (leader + place) % 4
        hand -= set(trick)
        if "Pagat" not in trick:
            leader = winner
            continue
        if winner % 2 != rows.pagat[2, i] and (winner - holder) % 2 == 0:
            return "changed sides in the settlement"
        opened = next(card for card in trick if card != "Fool")
        how = "led" if opened == "Pagat" else "trumped"
        if opened != "Pagat" and packs.is_trump(opened, fields):
            how = "trumps led"
        if winner == holder:
            return f"{how}, won the trick"
        if winner % 2 == holder % 2:
            return f"{how}, partner won the trick"
        if how == "led":
            return "led, caught"
        if how == "trumps led":
            left = any(packs.is_trump(card, fields) for card in hand)
            return f"{how}, caught {'with trumps left' if left else 'as the last trump'}"
        later = place > trick.index("Pagat")
        return f"{how}, caught {'by a later trump' if later else 'under a higher trump'}"
    raise AssertionError("the Pagat was not played")


@each_game
@each_policy
def test_fates_are_those_told_trick_by_trick(rules: RuleSet, spec: str) -> None:  # RULES §2
    rows = played(rules, spec)
    told = [fate_by_name(rows, i, rules) for i in range(HANDS)]
    assert [FATES[at] for at in fates(rows, rules)] == told
    assert len(set(told)) >= 8


@each_game
def test_cells_are_of_the_hands_that_they_say(rules: RuleSet) -> None:
    rows = played(rules)
    found = Fate.of(rows, rules, PRICES, -PRICES)
    by_fool: dict[tuple[int, int], list[int]] = {}
    by_role: dict[tuple[int, int], list[int]] = {}
    by_side: dict[tuple[int, ...], list[int]] = {}
    for i in range(HANDS):
        seat = int(rows.pagat[0, i])
        names = [[rules.cards.names[c] for c in indices(int(h))] for h in rows.hand[:, i]]
        trumps = [sum(packs.is_trump(c, naive_rules(rules)) for c in of) for of in names]
        (fool,) = (s for s in range(4) if "Fool" in names[s])
        at = "holder" if fool == seat else "partner" if fool % 2 == seat % 2 else "opponents"
        role = (seat - int(rows.dealer[i]) - 1) % 4
        beside = trumps[seat] - 1
        by_fool.setdefault((FOOL_AT.index(at), beside), []).append(i)
        by_role.setdefault((role, beside), []).append(i)
        by_side.setdefault((trumps[seat] + trumps[seat ^ 2],), []).append(i)
    kept = rows.pagat[2] == rows.pagat[0] % 2
    for table, expected in (
        (found.by_fool, by_fool),
        (found.by_role, by_role),
        (found.by_side, by_side),
    ):
        assert Counter({at: len(of) for at, of in expected.items()}) == Counter(
            {at: int(n) for at, n in np.ndenumerate(table[0]) if n}
        )
        for at, cell in cells(table, 0.9).items():
            hands = expected[at]
            assert cell.n == len(hands) >= 2
            assert cell.kept.mean == kept[hands].mean()
            assert cell.price.mean == pytest.approx(PRICES[hands].mean() / 2)
            half = 1.645 * PRICES[hands].std(ddof=1) / len(hands) ** 0.5 / 2
            assert cell.price.high - cell.price.mean >= 0.99 * half
    roles = found.role_cells(0.9)
    assert tuple(roles) == ROLES
    for i, (cell, partner) in enumerate(roles.values()):
        hands = [h for (role, _), of in by_role.items() if role == i for h in of]
        assert cell.n == len(hands)
        assert partner.mean == pytest.approx(-PRICES[hands].mean())


@each_game
def test_survival_goes_from_the_first_trick_to_what_is_kept(rules: RuleSet) -> None:
    rows = played(rules)
    found = Fate.of(rows, rules, PRICES, PRICES)
    lost = rows.pagat[2] != rows.pagat[0] % 2
    survival = found.survival(0.95)
    assert len(survival) == rules.tricks
    for trick, (held, safe) in enumerate(survival):
        assert held.mean == (rows.pagat[1] > trick).mean()
        assert safe.mean == pytest.approx(1 - (lost & (rows.pagat[1] <= trick)).mean())
    assert survival[-1][0].mean == 0
    assert survival[-1][1] == found.kept(0.95)
    assert found.kept(0.95).mean == pytest.approx(1 - lost.mean())
    assert sum(share.mean for share in found.shares(0.95).values()) == pytest.approx(1)


def test_a_pagat_given_for_the_fool_changes_sides() -> None:  # RULES §3
    rows = played(OTTOCENTO)
    rows = rows._replace(pagat=np.stack([*rows.pagat[:2], 1 - rows.pagat[2]]))
    assert {FATES[at] for at in fates(rows, OTTOCENTO)} == {"changed sides in the settlement"}


def test_hands_counted_in_parts_are_those_of_the_whole() -> None:
    rows = played(OTTOCENTO)
    found = Fate.of(rows, OTTOCENTO, PRICES, PRICES)
    twice = found + found
    assert twice.hands == 2 * found.hands == 2 * HANDS
    assert (twice.by_fool == 2 * found.by_fool).all()
    assert twice.kept(0.95).mean == found.kept(0.95).mean
