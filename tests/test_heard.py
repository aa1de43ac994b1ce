"""What a player hears: statements are so, and requests ask for what they say. RULES §6, §7."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from sim.cards import indices
from sim.explanations import start_of
from sim.policies.heard import heard, requests
from sim.policies.play.expert import ASKED
from sim.policies.spec import parse_policies, parse_policy
from sim.positions import Position
from sim.replaying import replay
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from sim.signals import all_signals
from tests.helpers import compiled_only

ALL = [rules.with_signals(all_signals(rules.pack)) for rules in (OTTOCENTO, PARTITA)]
each_game = pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)


def positions(
    rules: RuleSet, hands: range, spec: str = "expert"
) -> Iterator[tuple[Position, int, list[set[str]]]]:
    """Each decision of some hands: how things stand, the card played, and all signals so far."""
    for hand in hands:
        played = replay(rules, parse_policies(spec), 73, hand)
        cards = [card for trick in played.tricks for card in trick.cards]
        position = start_of(played)
        named = [set(names) for names in played.signal_names]
        for k, (card, signals) in enumerate(zip(cards, played.signals, strict=True)):
            # What is said before a lead stands with the card led, and so is known to its player.
            position.table.signals[k] = signals if k % 4 == 0 else 0
            yield position, card, named[: k + 1]
            position.play(card, signals)


@each_game
def test_what_is_heard_is_so(rules: RuleSet) -> None:
    pack, found = rules.cards, {"lacks": 0, "follows": 0, "holds": 0}
    for position, _, _ in positions(rules, range(8)):
        view, gone = position.view(position.seat), sum(int(of) for of in position.table.played)
        told = heard(view)._asdict()
        for who in ("right", "partner", "left"):
            cards = int(position.hidden.hands[getattr(view, who)])
            assert not cards & int(told[f"{who}_lacks"])
            holds = int(told[f"{who}_holds"]) & ~gone
            assert cards & holds == holds
            follows = int(told[f"{who}_follows"])
            for suit in (*pack.suits, pack.trumps):
                assert not follows & suit or cards & suit
            found["lacks"] += told[f"{who}_lacks"] != 0
            found["holds"] += holds != 0
            found["follows"] += follows != 0
    assert found["lacks"]
    if rules.pack == "piedmontese":
        assert found["follows"] and found["holds"]


def test_the_dealer_is_heard_to_hold_what_he_names() -> None:  # RULES §7, has_world
    rules, found = ALL[1], 0
    world = rules.cards.mask(["World"])
    for position, _, named in positions(rules, range(12)):
        table, view = position.table, position.view(position.seat)
        dealer, told = int(table.dealer), heard(view)._asdict()
        says = (int(table.plays[k]) for k, of in enumerate(named[:-1]) if "has_world" in of)
        if any(int(table.played[dealer]) >> card & 1 for card in says):
            for who in ("right", "partner", "left"):
                if getattr(view, who) == dealer:
                    assert int(told[f"{who}_holds"]) & world
                    found += 1
    assert found


def trumps_of(cards: int) -> list[int]:
    """The trumps of Partita among some cards, lowest first."""
    return [*indices(cards & PARTITA.cards.trumps)]


def obeyed(name: str, hands: range) -> Iterator[tuple[Position, int]]:
    """Where the leader asks partner for something with trumps he may play, and what he plays.

    By experts who do what partner asks before all else.
    """
    for position, card, named in positions(ALL[1], hands, "expert(answer=1e6)"):
        table = position.table
        trumps = position.legal & PARTITA.cards.trumps
        if table.position == 2 and trumps and name in named[-3]:
            yield position, card


@compiled_only
def test_a_trump_as_cheap_as_can_be() -> None:  # RULES §7, trump_cheaply
    n = 0
    for position, card in obeyed("trump_cheaply", range(60)):
        trumps, on_table = trumps_of(position.legal), trumps_of(int(position.table.on_table))
        winning = [one for one in trumps if one > max(on_table, default=-1)]
        if winning and not int(position.table.on_table) & PARTITA.cards.equal_trumps:
            assert card == min(winning)
            n += 1
    assert n > 5


@compiled_only
@pytest.mark.parametrize("name", ["not_high_trump", "not_highest_trump"])
def test_a_trump_that_partner_would_rather_keep(name: str) -> None:  # RULES §7
    n = 0
    for position, card in obeyed(name, range(600)):
        pack = PARTITA.cards
        trumps = position.legal & pack.trumps
        high = pack.mask(["T15", "T16", "T17", "Moon", "Sun", "World", "Angel"])
        if name == "not_highest_trump":
            high = 1 << trumps.bit_length() - 1
        if position.legal & ~high:
            assert not high >> card & 1
            n += 1
    assert n > 5


@compiled_only
@pytest.mark.parametrize(("name", "of"), [("piccolo", min), ("grande", max)])
def test_a_trump_led_as_asked(name: str, of: type) -> None:  # RULES §7
    n = 0
    for position, card, named in positions(ALL[1], range(60), "expert(answer=1e6)"):
        trumps = trumps_of(position.legal)
        if position.table.position == 0 and trumps and name in named[-1]:
            assert card == of(trumps)
            n += 1
    assert n > 5


@compiled_only
def test_a_knock_asks_for_the_highest_card_and_for_the_suit_again() -> None:  # RULES §6
    suits, n = OTTOCENTO.cards.suits, {"in its trick": 0, "led again": 0, "later": 0}
    for position, _, named in positions(ALL[0], range(200)):
        table, leads = position.table, position.table.position == 0
        wanted, _ = requests(position.view(position.seat))
        if any("drag" in names for names in named):
            continue
        lead = 4 * (int(table.trick) - leads)
        partner = (position.seat + 2) % 4
        card = int(table.plays[lead])
        knocked = 0 <= lead < len(named) - 1 and "knock" in named[lead]
        if knocked and int(table.played[partner]) >> card & 1:
            suit = position.legal & next(of for of in suits if of >> card & 1)
            assert wanted == (1 << suit.bit_length() - 1 if suit else 0)
            n["led again" if leads else "in its trick"] += 1
        else:
            assert wanted == 0
            n["later"] += any("knock" in names for names in named)
    assert min(n.values()) > 5


@compiled_only
def test_who_does_as_partner_asks_says_so() -> None:  # RULES §7
    n = 0
    for position, card in obeyed("trump_cheaply", range(60)):
        view = position.view(position.seat)
        wanted, _ = requests(view)
        part = parse_policy("expert(answer=1e6)").play
        weights = np.zeros(1, part.weights).view(np.recarray)[0]
        for name, value in part.parameters.items():
            weights[name] = value
        if wanted and position.legal & (position.legal - 1):
            assert tuple(part.function(view, weights)) == (card, ASKED)
            n += 1
    assert n > 5


@compiled_only
def test_suits_that_partner_would_not_have_led() -> None:  # RULES §7, not_this_suit, change_suit
    suits = (*PARTITA.cards.suits, PARTITA.cards.trumps)
    asked = {"not_this_suit": 0, "change_suit": 0}
    for position, _, named in positions(ALL[1], range(200)):
        if position.table.position != 0:
            continue
        mine, partners = (int(position.table.played[(position.seat + turn) % 4]) for turn in (0, 2))
        refused = led_last = 0
        changed = False
        for k, names in enumerate(named[:-1]):
            card = int(position.table.plays[k])
            suit = next((of for of in suits if of >> card & 1), 0)
            if k % 4 == 0 and mine >> card & 1:
                led_last, changed = suit, False
            if partners >> card & 1:
                refused |= suit if "not_this_suit" in names else 0
                changed |= "change_suit" in names
        refused |= led_last if changed else 0
        wanted, unwanted = requests(position.view(position.seat))
        assert unwanted == position.legal & refused & ~wanted
        asked["not_this_suit"] += refused & unwanted != 0 and not changed
        asked["change_suit"] += changed
    assert min(asked.values()) > 5
