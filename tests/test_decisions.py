"""Golden decisions: what a club player would call plain, ``expert`` plays, and by which habit."""

import pytest

from sim.cards import format_cards
from sim.rules import OTTOCENTO, PARTITA
from sim.worlds import count_worlds
from tests.decisions import Decision, decisions, parse_decisions

DECISIONS = decisions()
HABITS = [(decision, *without) for decision in DECISIONS for without in decision.without]


def label(value: object) -> str:
    """A decision's game and title; parameters as they are; nothing of sets of cards."""
    if isinstance(value, Decision):
        return f"{value.rules.name}-{value.title}"
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize("decision", DECISIONS, ids=label)
def test_the_position_is_possible(decision: Decision) -> None:
    position, rules = decision.position(), decision.rules
    on_table = sum(1 << card for _, card in decision.table)
    sets = [decision.hand, decision.discard, decision.ours, decision.theirs, on_table]
    assert sum(sets) == sets[0] | sets[1] | sets[2] | sets[3] | sets[4], "a card is in two places"
    assert (decision.ours | decision.theirs).bit_count() == 4 * decision.trick
    assert (decision.discard.bit_count() == rules.discards) == (decision.dealer == 0)
    assert position.seat == 0 and position.table.position == len(decision.table)
    assert count_worlds(position, 0) > 0, "no hands of the others agree with it"
    assert decision.expected & ~position.legal == 0 != decision.expected
    for _, cards in decision.without:
        assert cards & ~(position.legal & ~decision.expected) == 0 != cards


@pytest.mark.parametrize("decision", DECISIONS, ids=label)
def test_expert_decides_as_a_club_player(decision: Decision) -> None:
    chosen = 1 << decision.choice()
    pack = decision.rules.cards
    assert chosen & decision.expected, (
        f"{format_cards(chosen, pack)} is played: expected {format_cards(decision.expected, pack)}"
    )


@pytest.mark.parametrize(("decision", "parameters", "cards"), HABITS, ids=label)
def test_the_habit_makes_the_difference(decision: Decision, parameters: str, cards: int) -> None:
    assert 1 << decision.choice(parameters) & cards


def test_both_games_and_the_habits_are_shown() -> None:
    assert sum(decision.rules == OTTOCENTO for decision in DECISIONS) >= 15
    assert sum(decision.rules == PARTITA for decision in DECISIONS) >= 7
    habits = {parameters.partition("=")[0] for _, parameters, _ in HABITS}
    assert habits >= {
        *("feed", "withhold", "protect_pagat", "hunt_pagat", "protect_fool", "save_trumps"),
        *("complete", "deny", "grande", "use_declared", "infer_voids", "count_cards", "lead_sure"),
    }


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("  hand SK", "'hand' is unknown or stands twice"),
        ("  glove SK", "'glove' is unknown or stands twice"),
        ("  table left C99", "unknown card 'C99'"),
        ("  void left hearts", "hearts"),
        ("  shown north SK", "'north'"),
    ],
)
def test_a_wrong_line_is_told_with_its_entry(line: str, told: str) -> None:
    with pytest.raises(ValueError, match=f"^A title: .*{told}"):
        parse_decisions(f"A title\n  dealer left\n  hand SQ\n{line}\n", OTTOCENTO)
