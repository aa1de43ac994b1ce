"""Winners of tricks, against the columns that the engine wrote."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from analysis.reader import read
from analysis.tricks import winning_place
from sim.rules import OTTOCENTO, PARTITA, RuleSet


@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
def test_each_side_wins_its_tricks(rules: RuleSet) -> None:  # RULES §2
    run = sim.simulate(rules, 3000, seed=2, policies=("simple", "random"), log_plays=True)
    [part] = read(run, ["first_trick_leader", "plays", "tricks0", "tricks1"])
    won, to_lead = np.zeros((2, 3000), int), part["first_trick_leader"].astype(int)
    for first in range(0, part["plays"].shape[1], 4):
        cards = part["plays"][:, first : first + 4].T.astype(np.int64)
        to_lead = (to_lead + winning_place(cards, rules)) % 4
        won[to_lead % 2, np.arange(3000)] += 1
    np.testing.assert_array_equal(won, [part["tricks0"], part["tricks1"]])
