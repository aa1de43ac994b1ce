"""What a policy sees: all that a player at the table may know, and nothing else."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.cards import indices
from sim.hands import finish, play_hands
from sim.kernels import streams
from sim.kernels.state import NONE, TABLE, View
from sim.policies.spec import PARTS, parse_policies
from sim.positions import Position
from sim.rules import PARTITA, RuleSet
from tests.helpers import (
    CHOOSY,
    SEATS,
    declare_if_due,
    each_preset,
    kind_names,
    naive_rules,
    names,
    policy_file,
    replay,
    row_dicts,
    with_own_signals,
)
from tests.naive import combinations, discards, tricks
from tests.naive import hand as whole_hand

# ---- the hidden cards reshuffled ----------------------------------------------------------


def consistent(rules: RuleSet, row: dict[str, Any], old: dict[str, Any], cards: int) -> bool:
    """Whether a deal could have been heard and seen as the old one was, up to so many cards.

    Judged by the naive twins: the discard is legal and exposes the same, each declaration is
    legal, shows the same cards and scores the same, and the cards played were legal.
    """
    plain = naive_rules(rules)
    dealer = row["dealer"]
    hands = [set(names(row[f"hand{seat}"], rules)) for seat in SEATS]
    discard = set(names(row["discard"], rules))
    if frozenset(discard) not in discards.legal_discards(hands[dealer], plain):
        return False
    old_discard = names(old["discard"], rules)
    if discards.exposed(discard, plain) != discards.exposed(old_discard, plain):
        return False
    hands[dealer] -= discard
    for seat in SEATS:
        kinds, withheld = kind_names(row.get(f"declared{seat}", 0))
        old_hand = set(names(old[f"hand{seat}"] & ~old["discard"], rules))
        try:
            whole_hand.check_declaration(plain, hands[seat], kinds, withheld)
        except AssertionError:
            return False
        for told in (combinations.cards_shown, combinations.declaration_points):
            if told(hands[seat], kinds, withheld, plain) != told(old_hand, kinds, withheld, plain):
                return False
    return plays_are_legal(rules, row, hands, cards)


def plays_are_legal(rules: RuleSet, row: dict[str, Any], hands: list[set[str]], cards: int) -> bool:
    """Whether so many cards could be played as they were from these hands."""
    plain, leader, trick = naive_rules(rules), row["first_trick_leader"], []
    for card in row["plays"][:cards]:
        name, seat = rules.cards.names[card], (leader + len(trick)) % 4
        if name not in tricks.legal(hands[seat], trick, plain):
            return False
        hands[seat].remove(name)
        trick.append(name)
        if len(trick) == 4:
            leader, trick = (leader + tricks.winner(trick, plain)) % 4, []
    return True


def reshuffled(
    rules: RuleSet, row: dict[str, Any], cards: int, seat: int, rng: random.Random
) -> dict[str, Any]:
    """The same hand to the eyes of a seat after so many cards, with hidden cards elsewhere."""
    new = dict(row)
    played = sum(1 << card for card in row["plays"][:cards])
    places = [f"hand{other}" for other in SEATS if other != seat]
    if row["dealer"] != seat:
        places.append("discard")
    swaps = 0
    for _ in range(60):
        if swaps == 4:
            break
        tried = dict(new)
        one, other = rng.sample(places, 2)
        hidden = {
            place: [c for c in indices(held_in(tried, place)) if not played >> c & 1]
            for place in (one, other)
        }
        if not hidden[one] or not hidden[other]:
            continue
        swap(tried, one, rng.choice(hidden[one]), other, rng.choice(hidden[other]))
        if consistent(rules, tried, row, cards):
            new = tried
            swaps += 1
    return new


def held_in(row: dict[str, Any], place: str) -> int:
    """The cards of a hand without the discard, or the discard."""
    return row[place] if place == "discard" else row[place] & ~row["discard"]


def swap(row: dict[str, Any], one: str, card: int, other: str, another: int) -> None:
    """Two cards change places. The discard is part of the dealer's hand as dealt."""
    for place in (one, other):
        row[place] ^= 1 << card | 1 << another
    if "discard" in (one, other):
        row[f"hand{row['dealer']}"] ^= 1 << card | 1 << another


@each_preset
@pytest.mark.parametrize("spec", ["simple", CHOOSY, "random+declare:nothing"], ids=[*"abc"])
def test_hidden_cards_elsewhere_leave_the_view_as_it_is(rules: RuleSet, spec: str) -> None:
    rng = random.Random(1)
    played_by = parse_policies(spec)
    leads = [f"simple+lead:{name}" for name in PARTS["lead"] if name != "own"]
    asked = [parse_policies(spec) for spec in ("simple", "random")]
    asked += [parse_policies(leads[i:] + leads[:i]) for i in range(4)]  # each at each seat
    moved = 0
    for row in row_dicts(rules, play_hands(rules, played_by, 401, 0, 8, log_plays=True)):
        cards = rng.randrange(4, 4 * rules.tricks - 8)
        cards -= cards % 4 if row["hand_id"] % 2 else 0  # at a lead
        before = replay(rules, row, cards, seed=401)
        seat = before.seat
        for viewer in {seat, (seat + 1) % 4, row["dealer"]}:
            other = reshuffled(rules, row, cards, viewer, rng)
            after = replay(rules, other, cards, seed=401)
            assert after.hidden.hands[viewer] == before.hidden.hands[viewer]
            moved += other != row
            seen, seen_after = before.view(viewer), after.view(viewer)
            assert seen.table.tobytes() == seen_after.table.tobytes()
            assert seen.rules.tobytes() == seen_after.rules.tobytes()
            assert seen[:8] == seen_after[:8]
            if viewer == seat:
                for policies in asked:
                    answers = {
                        int(finish([position], policies).plays[0, cards])
                        for position in (before, after)
                    }
                    assert len(answers) == 1
    assert moved >= 12


def test_the_reshuffle_moves_cards_everywhere() -> None:
    rng, moved = random.Random(1), 0
    policies = parse_policies("random+declare:nothing")
    for row in row_dicts(PARTITA, play_hands(PARTITA, policies, 402, 0, 8, log_plays=True)):
        other = reshuffled(PARTITA, row, 8, (row["dealer"] + 1) % 4, rng)
        moved |= sum(1 << i for i, p in enumerate(("hand0", "hand1", "hand2", "hand3", "discard"))
                     if held_in(row, p) != held_in(other, p))  # fmt: skip
    assert moved == 0b11111


# ---- the view of the hand loop ------------------------------------------------------------

# A policy that sees everything there is in its view: its card depends on each bit of it.
NOSY = """
from sim.kernels.bits import lowest, nth, popcount
from sim.kernels.streams import as_cards, mix
from sim.policies import policy
from sim.policies.declare.all import all_
from sim.policies.discard.random import random as random_discard

@policy.helper
def hash_of(view):
    h = mix(view.key)
    for value in (view.seat, view.right, view.partner, view.left):
        h = mix(as_cards(h) ^ value)
    for value in (view.hand, view.legal, view.discard):
        h = mix(as_cards(h) ^ value)
{fields}
    return h

@policy.play
def nosy(view, weights):
    return nth(view.legal, as_cards(hash_of(view)) % popcount(view.legal)), 0

@policy.signal
def chatty(view, card, weights):
    told = (view.hand ^ as_cards(view.key)) & 0xF
    return told << (28 if card < 0 else 24)

policy_ = policy.Policy.of(discard=random_discard, declare=all_, play=nosy, signal=chatty)
"""


def fold(name: str, shape: tuple[int, ...]) -> str:
    """Lines that put a field of the table, as integers, into the hash."""
    if not shape:
        return f"    h = mix(as_cards(h) ^ int(view.table.{name}))"
    return (
        f"    for i in range({shape[0]}):\n        h = mix(as_cards(h) ^ int(view.table.{name}[i]))"
    )


@pytest.fixture
def nosy(tmp_path: Path) -> Path:
    assert TABLE.names is not None
    fields = "\n".join(fold(name, TABLE[name].shape) for name in TABLE.names)
    path = tmp_path / "nosy.py"
    path.write_text(NOSY.format(fields=fields), "utf-8")
    return path


def hash_of(view: View) -> int:
    """The same hash, of NumPy's values."""
    h = streams.mix(view.key)
    values = [view.seat, view.right, view.partner, view.left, view.hand, view.legal, view.discard]
    assert TABLE.names is not None
    for name in TABLE.names:
        values += np.atleast_1d(view.table[name]).tolist()
    for value in values:
        h = streams.mix(streams.as_cards(h) ^ int(value))
    return h


def signal_coins(position: Position, seat: int, step: int) -> int:
    """What a seat's key is when it is asked for signals, as coins."""
    stream = streams.stream(position.hidden.key, streams.SIGNAL + seat)
    return streams.as_cards(streams.step(stream, step))


@each_preset
def test_the_loop_shows_what_the_position_does_and_signals_are_heard(
    rules: RuleSet, nosy: Path
) -> None:
    policies, rules = parse_policies(f"{nosy}:policy_"), with_own_signals(rules, 4, 4)
    for row in row_dicts(rules, play_hands(rules, policies, 403, 0, 16, log_plays=True)):
        position = replay(rules, row, 0, seed=403)
        declared = [row.get(f"declared{seat}", 0) for seat in SEATS]
        for k, card in enumerate(row["plays"]):
            declare_if_due(position, declared)
            table, seat = position.table, position.seat
            if table.position == 0:  # the leader's partner has spoken
                partner = (seat + 2) % 4
                told = int(position.hidden.hands[partner]) ^ signal_coins(position, partner, k)
                table.signals[k] = (told & 0xF) << 28
            legal = list(indices(position.legal))
            choice = streams.as_cards(hash_of(position.view(seat))) % len(legal)
            assert card == legal[choice], f"hand {row['hand_id']}, card {k}"
            coins = signal_coins(position, seat, k + 4 * rules.tricks)
            told = int(position.hidden.hands[seat]) ^ 1 << card ^ coins
            position.play(card, int(table.signals[k]) | (told & 0xF) << 24)


def test_signals_are_asked_of_the_player_and_of_the_leaders_partner(tmp_path: Path) -> None:
    # Bit 24 with a card, bit 25 before partner leads; each player follows high if he hears
    # the signals that there should be, else low.
    path = tmp_path / "talk.py"
    path.write_text(
        """
from sim.kernels.bits import highest, lowest
from sim.policies import policy
from sim.policies.declare.all import all_
from sim.policies.discard.random import random as random_discard
@policy.signal
def talk(view, card, weights):
    return (2 if card == -1 else 1) << 24
@policy.play
def listen(view, weights):
    table = view.table
    k = 4 * table.trick + table.position
    ok = table.signals[k] == (2 if table.position == 0 else 0) << 24
    for j in range(k):
        ok = ok and table.signals[j] == (3 if j % 4 == 0 else 1) << 24
    return (highest(view.legal) if ok else lowest(view.legal)), 0
both = policy.Policy.of(discard=random_discard, declare=all_, play=listen, signal=talk)
""",
        "utf-8",
    )
    rules = with_own_signals(PARTITA, 1, 1)
    rows = play_hands(rules, parse_policies(f"{path}:both"), 404, 0, 8, log_plays=True)
    for row in row_dicts(PARTITA, rows):
        position = replay(PARTITA, row, 0, seed=404)
        for card in row["plays"]:
            assert card == position.legal.bit_length() - 1
            position.play(card)


@each_preset
def test_a_view_says_who_is_who_and_whose_turn_it_is(rules: RuleSet) -> None:
    (row,) = row_dicts(
        rules, play_hands(rules, parse_policies("random"), 405, 2, 1, log_plays=True), 2
    )
    position = replay(rules, row, 6, seed=405)
    for seat in SEATS:
        view = position.view(seat)
        assert (view.seat, view.right, view.partner, view.left) == (
            seat,
            (seat + 1) % 4,
            (seat + 2) % 4,
            (seat + 3) % 4,
        )
        assert view.hand == position.hidden.hands[seat]
        assert view.legal == (position.legal if seat == position.seat else 0)
        assert view.discard == (row["discard"] if seat == row["dealer"] else 0)


@each_preset
def test_nothing_is_known_of_what_was_not_played(rules: RuleSet) -> None:
    (row,) = row_dicts(rules, play_hands(rules, parse_policies("random"), 406, 0, 1))
    position = replay(rules, {**row, "plays": b""}, 0, seed=406)
    table = position.view(0).table
    for name in ("exposed", "played", "voids", "won", "tricks", "signals"):
        assert not np.any(table[name])
    assert table.pagat_seat == table.fool_seat == NONE


@each_preset
def test_the_dealer_does_not_see_an_earlier_discard(rules: RuleSet, tmp_path: Path) -> None:
    path = policy_file(
        tmp_path,
        """
from sim.policies.discard.low import low

@policy.discard
def forgetful(view, weights):
    return 0 if view.discard else low(view, weights)
""",
    )
    play_hands(rules, parse_policies(f"{path}:forgetful"), 407, 0, 20)
