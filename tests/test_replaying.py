"""Hands played again, against the naive twins and against stored runs. RULES §2-4, §7."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from sim.cards import indices
from sim.columns import rows_table
from sim.hands import play_hands
from sim.manifests import RunError
from sim.policies import policy
from sim.policies.declare.all import all_
from sim.policies.discard.low import low
from sim.policies.play.random import random
from sim.policies.policy import Policy
from sim.policies.signal.silent import silent
from sim.policies.spec import parse_policies
from sim.replaying import check_against, replay
from sim.replays import Replay
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, PRESETS, RuleSet
from sim.run import Run, simulate
from tests.naive import combinations as naive
from tests.naive import hand as whole_hand

VARIANTS = [
    *PRESETS.values(),
    OTTOCENTO.replace(fool_in_lost_trick=True, suit_second_wild=False),
    OTTOCENTO.replace(first_lead="dealer", declare_when="before_own_first_card"),
    OTTOCENTO.replace(combinations=False),
]


@policy.declare
def coy(view, weights):
    """Withholds the Fool and declares nothing; without it, declares one combination."""
    if view.hand & view.rules.fool:
        return 1 << 13
    return view.legal & -view.legal


@policy.discard
def greedy(view, weights):
    """Discards the highest two cards, as if Kings and Honours might go. Illegal."""
    return view.hand & view.rules.kings | view.hand & view.rules.honours


@policy.declare
def boastful(view, weights):
    """Declares everything there is unless he is the first to declare. Illegal."""
    passed = 0
    for seat in range(4):
        passed += view.table.has_declared[seat]
    return 0 if passed == 0 else 0xFFF


@policy.play
def revoking(view, weights):
    """Random, but in trick 3 the second player plays a card that is not there. Illegal."""
    if view.table.trick == 3 and view.table.position == 1:
        return 63, 0
    return random(view, weights)


def playing(discard=low, declare=all_, play=random, spec: str = "tested") -> list[Policy]:
    return [Policy.of(spec, discard=discard, declare=declare, play=play, signal=silent)] * 4


def names(cards: Iterable[int], rules: RuleSet) -> list[str]:
    return [rules.cards.names[card] for card in cards]


def of_set(cards: int, rules: RuleSet) -> set[str]:
    return set(names(indices(cards), rules))


def agrees_with_twin(played: Replay) -> None:
    rules = played.rules
    fields = rules.to_dict()
    hands = [of_set(hand, rules) for hand in played.dealt]
    discard = of_set(played.discard, rules)
    plays = [name for trick in played.tricks for name in names(trick.cards, rules)]
    declared: list[set[str]] = [set()] * 4
    withheld: list[set[str]] = [set()] * 4
    for made in played.declarations:
        declared[made.seat] = {*made.cricche, *made.sequences}
        withheld[made.seat] = of_set(made.withheld, rules)
    row = whole_hand.play_hand(fields, played.dealer, hands, discard, declared, withheld, plays)
    stored = rows_table(played.row, played.hand, [*row]).to_pylist()[0]
    assert row == {column: stored[column] for column in row}

    hands[played.dealer] -= discard
    tricks = whole_hand.play_tricks(fields, played.dealer, hands, plays)
    assert [(t.leader, t.winner) for t in tricks] == [(t.leader, t.winner) for t in played.tricks]
    piles, given = whole_hand.settle_tricks(fields, played.dealer, discard, tricks)
    for side, count in enumerate(played.counts):
        assert of_set(count.pile.cards, rules) == piles[side]
        in_tricks = [t.points for t in played.tricks if t.winner % 2 == side]
        assert count.in_tricks == sum(in_tricks) == row.get(f"trick_points{side}", 0)
        parts = (count.declared, count.in_tricks, count.pile.total, count.last_trick)
        par = 40 if rules.counting == "point_a_pair" else 0
        assert count.total == row[f"score{side}"] == sum(parts) + count.pile.card_points - par
        if count.tricks:
            assert of_set(played.given[side], rules) in (set(), {given})
    for made in played.declarations:
        told = (hands[made.seat], declared[made.seat], withheld[made.seat], fields)
        assert made.points == naive.declaration_points(*told)
        assert of_set(made.shown, rules) == naive.cards_shown(*told)
        assert set(made.held) == naive.held(hands[made.seat], fields)


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name)
@pytest.mark.parametrize("spec", ["random", "simple", "simple+declare:nothing"])
def test_replays_equal_their_twins(rules: RuleSet, spec: str) -> None:
    for hand in range(30):
        agrees_with_twin(replay(rules, parse_policies(spec), seed=3, hand=hand))


def test_withheld_and_chosen_combinations_equal_their_twins() -> None:  # RULES §4, Declaring
    seen = set()
    for hand in range(30):
        played = replay(OTTOCENTO, playing(declare=coy), seed=3, hand=hand)
        agrees_with_twin(played)
        for made in played.declarations:
            seen.add((bool(made.withheld), len(made.held) > 1, made.points > 0))
    assert {(True, True, False), (False, True, True)} <= seen


@pytest.mark.parametrize(
    ("rules", "hand"), [(OTTOCENTO, 1298), (PARTITA, 1503)], ids=["ottocento", "partita"]
)
def test_a_side_without_a_trick(rules: RuleSet, hand: int) -> None:  # RULES §3, §7, §8
    played = replay(rules, parse_policies("random"), seed=1, hand=hand)
    agrees_with_twin(played)
    (loser,) = (side for side, count in enumerate(played.counts) if count.tricks == 0)
    gives_up = of_set(played.discard, rules) | {"Fool"} if rules == OTTOCENTO else set()
    assert of_set(played.given[loser], rules) == gives_up
    assert played.given[1 - loser] == 0


def test_late_declarations_come_from_the_first_leader_on() -> None:  # RULES §4, declare_when
    dealer_leads = VARIANTS[4]
    for rules, first in ((OTTOCENTO, 1), (OTTOCENTO_DIGITAL, 1), (dealer_leads, 0)):
        played = replay(rules, parse_policies("random"), seed=1, hand=4)
        assert [made.seat for made in played.declarations] == [(first + i) % 4 for i in range(4)]


# ---- hands that a policy breaks off ---------------------------------------------------------


def test_an_illegal_discard_leaves_the_deal() -> None:
    played = replay(OTTOCENTO, playing(discard=greedy), seed=1, hand=2)
    assert "hand 2, seat 2" in str(played.error)
    assert "discards" in str(played.error)
    assert sum(played.dealt) == OTTOCENTO.cards.all
    assert (played.discard, played.declarations, played.tricks) == (0, (), ())
    assert (played.counts, played.row) == ((), None)


def test_an_illegal_declaration_leaves_those_before() -> None:
    early = replay(OTTOCENTO, playing(declare=boastful), seed=1, hand=2)
    assert [made.seat for made in early.declarations] == [3]
    assert early.error.seat == 0
    assert early.tricks == ()
    late = replay(OTTOCENTO_DIGITAL, playing(declare=boastful), seed=1, hand=2)
    assert [made.seat for made in late.declarations] == [3]
    assert late.error.seat == 0
    (trick,) = late.tricks
    assert (trick.leader, len(trick.cards), trick.winner) == (3, 1, None)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_an_illegal_card_leaves_the_tricks_before(rules: RuleSet) -> None:
    played = replay(rules, playing(play=revoking), seed=1, hand=2)
    assert played.error.trick == 3
    assert [len(trick.cards) for trick in played.tricks] == [4, 4, 4, 1]
    as_without = replay(rules, playing(), seed=1, hand=2)
    assert played.tricks[:3] == as_without.tricks[:3]
    assert played.tricks[3].leader == as_without.tricks[3].leader
    assert played.error.seat == (played.tricks[3].leader + 1) % 4
    assert played.legal >> as_without.tricks[3].cards[1] & 1
    assert json.dumps(played.to_dict())


# ---- against a stored run -------------------------------------------------------------------


def test_a_replay_is_the_hand_that_the_run_holds(tmp_path: Path) -> None:
    for rules in PRESETS.values():
        run = simulate(rules, 8, seed=5, policies="random", out=tmp_path / rules.name)
        in_memory = simulate(rules, 8, seed=5, policies="random", log_plays=True)
        for hand in range(8):
            played = replay(rules, parse_policies("random"), 5, hand)
            check_against(run, hand, played)
            check_against(in_memory, hand, played)


def test_another_hand_than_the_stored_one_is_refused() -> None:
    run = simulate(OTTOCENTO, 8, seed=5, policies="random", log_plays=True)
    played = replay(OTTOCENTO, parse_policies("random"), 5, 3)
    column = run.tables[0].column_names.index("score1")
    scores = run.tables[0]["score1"].to_pylist()
    changed = run.tables[0].set_column(
        column, "score1", pa.array([s + (i == 3) for i, s in enumerate(scores)], pa.int16())
    )
    told = f"hand 3 has score1 = {scores[3] + 1} in the run, but {scores[3]} when played again"
    with pytest.raises(RunError, match=told):
        check_against(replace(run, tables=(changed,)), 3, played)
    check_against(
        replace(run, tables=(changed,)), 2, replay(OTTOCENTO, parse_policies("random"), 5, 2)
    )
    with pytest.raises(RunError, match="hand 8: expected one of the run's, 0 to 7"):
        check_against(run, 8, played)


def test_a_hand_that_is_now_broken_off_is_refused() -> None:
    run = simulate(OTTOCENTO, 4, seed=1, policies="random")
    played = replay(OTTOCENTO, playing(play=revoking), seed=1, hand=2)
    with pytest.raises(RunError, match="hand 2 was finished in the run, but not now: hand 2, seat"):
        check_against(run, 2, played)


def test_a_hand_of_an_unfinished_part_is_not_compared(tmp_path: Path) -> None:
    run = simulate(OTTOCENTO, 4, seed=1, policies="random", out=tmp_path / "run")
    other = replay(OTTOCENTO, parse_policies("random"), seed=2, hand=1)
    with pytest.raises(RunError):
        check_against(run, 1, other)
    unfinished = Run(replace(run.manifest, parts=[]), run.directory)
    check_against(unfinished, 1, other)


def test_a_replay_is_the_hand_of_a_long_call() -> None:
    rows = play_hands(OTTOCENTO, parse_policies("simple"), 9, 0, 50, log_plays=True)
    played = replay(OTTOCENTO, parse_policies("simple"), 9, 37)
    assert played.row.plays[0].tolist() == rows.plays[37].tolist()
    assert played.row.won0[0] == rows.won0[37]
