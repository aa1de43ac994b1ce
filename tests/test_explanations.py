"""Why a seat decided as it did, in hands played again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.explanations import Choice, explain
from sim.manifests import RunError
from sim.policies.spec import parse_policies
from sim.replaying import replay
from sim.replays import Replay
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RuleSet
from sim.signals import all_signals
from tests.helpers import (
    CHOOSY,
    SEATS,
    each_preset,
    naive_rules,
    names,
    policy_file,
    with_own_signals,
)
from tests.naive import discards, tricks

SIDES = ["simple+discard:pisarri+lead:court", "random+lead:trump"]
MIXES = {"simple": ["simple"], "sides": SIDES, "choosy": [CHOOSY]}


def explained(
    rules: RuleSet, specs: str | list[str], hand: int, seed: int = 7
) -> tuple[Replay, list[list[Choice]]]:
    """A hand, and the choices of each seat."""
    policies = parse_policies(specs)
    played = replay(rules, policies, seed, hand)
    return played, [explain(played, policies, seat) for seat in SEATS]


@each_preset
@pytest.mark.parametrize("mix", MIXES)
def test_every_decision_is_explained_as_it_was_made(rules: RuleSet, mix: str) -> None:
    plain = naive_rules(rules)
    for hand in range(4):
        played, by_seat = explained(rules, MIXES[mix], hand)
        policies = parse_policies(MIXES[mix])
        for seat, choices in enumerate(by_seat):
            held = names(played.dealt[seat], rules)
            expected = ["discard"] * (seat == played.dealer) + ["declare"] * rules.combinations
            assert [choice.decision for choice in choices[: len(expected)]] == expected
            if seat == played.dealer:
                discard = choices[0]
                assert discard.hand == tuple(held)
                assert frozenset(discard.chosen) in discards.legal_discards(held, plain)
                assert discard.chosen == tuple(names(played.discard, rules))
                assert discard.reason == policies[seat].discard.description
                held = [card for card in held if card not in discard.chosen]
            if rules.combinations:
                declaration = choices[len(expected) - 1]
                made = next(made for made in played.declarations if made.seat == seat)
                assert declaration.legal == tuple(made.held)
                assert declaration.chosen == (*made.cricche, *made.sequences)
                assert declaration.withheld == tuple(names(made.withheld, rules))
                assert declaration.part == policies[seat].declare.name
            for trick, choice in zip(played.tricks, choices[len(expected) :], strict=True):
                on_table = [rules.cards.names[card] for card in trick.cards]
                position = (seat - trick.leader) % 4
                assert choice.on_table == tuple(on_table[:position])
                assert choice.chosen == (on_table[position],)
                assert set(choice.hand) == set(held)
                assert set(choice.legal) == tricks.legal(held, list(choice.on_table), plain)
                assert (choice.trick, choice.leader) == (played.tricks.index(trick), trick.leader)
                assert choice.decision == ("play" if position else "lead")
                own = position or policies[seat].lead.name == "own"
                part = policies[seat].play if own else policies[seat].lead
                assert choice.part == part.name and choice.reason in part.reasons
                if set(choice.on_table) - {"Fool"}:
                    first = tricks.winner(list(choice.on_table), plain)
                    assert choice.winning == (trick.leader + first) % 4
                held.remove(on_table[position])


def test_the_habit_is_the_one_that_chose() -> None:
    told = set()
    for hand in range(12):
        played, by_seat = explained(OTTOCENTO, "simple", hand)
        for seat, choices in enumerate(by_seat):
            for choice in choices[1 + (seat == played.dealer) :]:
                told.add(choice.reason)
                if choice.reason == "wins cheaply, playing last":
                    winner = played.tricks[choice.trick].winner
                    assert len(choice.on_table) == 3 and winner == seat
                    assert choice.winning % 2 != seat % 2
                if choice.reason == "gives a good card to a winning partner":
                    assert choice.winning == (seat + 2) % 4
                if choice.reason.startswith("leads"):
                    assert choice.on_table == ()
    assert len(told) >= 6


def test_parameters_are_heard() -> None:
    def reasons(spec: str) -> set[str]:
        return {
            choice.reason
            for hand in range(6)
            for choices in explained(OTTOCENTO, [spec, "simple"], hand)[1]
            for choice in choices
        }

    hoped = "leads a court to a partner who may have the King"
    assert hoped in reasons("simple+lead:court(unprompted=1)")
    assert hoped not in reasons("simple+lead:court")


# What a part knows is what it knew: reason 1 if each signal is there that should have been heard,
# and if whoever should has declared, he himself included.
LISTENING = """
@policy.signal
def talk(view, card, weights):
    return (2 if card == -1 else 1) << 24
@policy.play(reasons=("deaf", "heard"))
def listen(view, weights):
    table = view.table
    k = 4 * table.trick + table.position
    ok = table.signals[k] == (2 if table.position == 0 else 0) << 24
    for j in range(k):
        ok = ok and table.signals[j] == (3 if j % 4 == 0 else 1) << 24
    declared = 0
    for seat in range(4):
        declared += table.has_declared[seat]
    if view.rules.declare_late:
        ok = ok and declared == min(k + 1, 4)
    return (highest(view.legal) if ok else lowest(view.legal)), (1 if ok else 0)
@policy.play
def numbered(view, weights):
    return lowest(view.legal), 5
both = policy.Policy.of(discard=random_discard, declare=all_, play=listen, signal=talk)
"""


@pytest.mark.parametrize("rules", [OTTOCENTO_DIGITAL, PARTITA], ids=lambda rules: rules.name)
def test_signals_and_declarations_are_heard_again(tmp_path: Path, rules: RuleSet) -> None:
    path = policy_file(tmp_path, LISTENING)
    rules = with_own_signals(rules, 1, 1)
    for hand in range(2):
        _, by_seat = explained(rules, f"{path}:both", hand)
        cards = [choice for choices in by_seat for choice in choices if choice.trick is not None]
        assert len(cards) == 4 * rules.tricks
        assert {choice.reason for choice in cards} == {"heard"}


@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
def test_signals_are_told_by_who_made_them_and_who_heard_them(rules: RuleSet) -> None:
    rules = rules.with_signals(all_signals(rules.pack))  # RULES §6, §7
    played, by_seat = explained(rules, "expert", 3)
    said = {}  # by seat and trick, in the order they were made
    for number, trick in enumerate(played.tricks):
        for k, card in enumerate(trick.cards):
            for name in played.signal_names[4 * number + k]:
                seat = trick.seat_of(card) if name not in ("piccolo", "grande") else -1
                maker = seat if seat >= 0 else (trick.leader + 2) % 4
                said.setdefault((maker, number), []).append(name)
    for seat, choices in enumerate(by_seat):
        cards = [choice for choice in choices if choice.trick is not None]
        made = {(seat, each.trick): [*each.signals] for each in cards if each.signals}
        assert made == {key: names for key, names in said.items() if key[0] == seat}
        heard = [(each, choice.trick) for choice in cards for each in choice.heard]
        assert heard and all(each.trick in (trick, trick - 1) for each, trick in heard)
        by_maker: dict[tuple[int, int], list[str]] = {}
        for each, _ in heard:  # partner's of one trick may come twice, before one leads and after
            by_maker.setdefault((each.seat, each.trick), []).extend(each.signals)
        assert all(names == said[key] for key, names in by_maker.items())
        last = cards[-1].on_table  # what is played after his last card he does not hear
        seats = [(cards[-1].leader + k) % 4 for k in range(len(last))]
        known = {key for key in said if key[0] != seat}
        assert {*by_maker} == {key for key in known if key[1] < rules.tricks - 1 or key[0] in seats}


def test_before_one_leads_one_hears_what_partner_wishes() -> None:  # RULES §7, piccolo, grande
    rules = PARTITA.with_signals(all_signals(PARTITA.pack))
    found = 0
    for hand in range(4):
        played, by_seat = explained(rules, "expert", hand)
        for number, trick in enumerate(played.tricks):
            wishes = {"piccolo", "grande"} & {*played.signal_names[4 * number]}
            if wishes:
                leads, partner = (
                    next(choice for choice in by_seat[seat] if choice.trick == number)
                    for seat in (trick.leader, (trick.leader + 2) % 4)
                )
                assert wishes <= {name for each in leads.heard for name in each.signals}
                assert wishes <= {*partner.signals} and not wishes & {*leads.signals}
                found += 1
    assert found


def test_a_reason_without_a_name_is_a_number(tmp_path: Path) -> None:
    path = policy_file(tmp_path, LISTENING)
    _, by_seat = explained(PARTITA, f"{path}:numbered", 1)
    assert by_seat[2][-1].reason == "reason 5"


def test_another_policy_than_the_one_that_played_is_refused() -> None:
    played = replay(OTTOCENTO, parse_policies("random"), 7, 1)
    told = r"hand 1, trick \d+: seat 2 played \w+, but its policy simple now plays \w+: expected"
    with pytest.raises(RunError, match=told):
        explain(played, parse_policies("simple"), 2)


REVOKING = """
@policy.play
def f(view, weights):
    return (-1 if view.table.trick == 3 and view.seat == 2 else lowest(view.legal)), 0
@policy.discard
def g(view, weights):
    return view.hand
"""


def test_a_hand_is_explained_up_to_where_it_broke_off(tmp_path: Path) -> None:
    path = policy_file(tmp_path, REVOKING)
    played, by_seat = explained(OTTOCENTO_DIGITAL, f"{path}:f", 1)
    assert played.error
    for seat, choices in enumerate(by_seat):
        made = [choice.chosen[0] for choice in choices if choice.trick is not None]
        tricks_of_seat = [
            trick for trick in played.tricks if seat in map(trick.seat_of, trick.cards)
        ]
        assert len(made) == len(tricks_of_seat) in (3, 4)
        assert any(choice.decision == "declare" for choice in choices)
    assert len(by_seat[2]) == 4  # a declaration, and three tricks
    played, by_seat = explained(OTTOCENTO, f"{path}:g", 1)
    assert played.error and by_seat == [[]] * 4


def test_the_habits_are_those_without_which_another_card_is_played(tmp_path: Path) -> None:
    path = policy_file(
        tmp_path,
        """
@policy.play(high=1, unused=1, off=0)
def tall(view, weights):
    return (highest(view.legal) if weights.high else lowest(view.legal)), 0
""",
    )
    played, by_seat = explained(PARTITA, f"{path}:tall", 3)
    for choices in by_seat:
        for choice in choices:
            if choice.decision in ("lead", "play"):
                lowest = min(choice.legal, key=PARTITA.cards.names.index)
                expected = (("high", lowest),) if len(choice.legal) > 1 else ()
                assert choice.habits == expected
    assert played.error is None


def test_the_expert_is_explained_by_its_habits() -> None:
    found = set()
    for hand in range(3):
        _, by_seat = explained(OTTOCENTO, "expert", hand)
        for choices in by_seat:
            found |= {habit for choice in choices for habit, _ in choice.habits}
    assert {"feed", "withhold", "save_trumps"} <= found
