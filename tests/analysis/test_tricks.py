"""Tricks read off the plays, against the columns that the engine wrote."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from analysis.reader import read
from analysis.tricks import tricks
from sim.combinations import score_sets
from sim.rules import OTTOCENTO, PARTITA, RuleSet

FOOL_COUNTS = OTTOCENTO.replace(fool_in_lost_trick=True)


def part_of(rules: RuleSet) -> dict[str, np.ndarray]:
    run = sim.simulate(rules, 3000, seed=2, policies=("simple", "random"), log_plays=True)
    columns = ["first_trick_leader", "plays", "tricks0", "tricks1"]
    if rules.combinations:
        columns += ["trick_points0", "trick_points1"]
    [part] = read(run, columns)
    return part


@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
def test_each_side_wins_its_tricks(rules: RuleSet) -> None:  # RULES §2
    part = part_of(rules)
    won = np.zeros((2, 3000), int)
    for side, _ in tricks(part["plays"], part["first_trick_leader"], rules):
        won[side, np.arange(3000)] += 1
    np.testing.assert_array_equal(won, [part["tricks0"], part["tricks1"]])


@pytest.mark.parametrize("rules", [OTTOCENTO, FOOL_COUNTS], ids=["without the Fool", "with it"])
def test_cards_of_tricks_score_what_was_scored(rules: RuleSet) -> None:
    part = part_of(rules)  # RULES §4, combinations inside a trick
    points = np.zeros((2, 3000), int)
    for side, cards in tricks(part["plays"], part["first_trick_leader"], rules):
        found = score_sets(cards, rules)
        points[side, np.arange(3000)] += found.cricche + found.sequences
    np.testing.assert_array_equal(points, [part["trick_points0"], part["trick_points1"]])
    assert points.any()
