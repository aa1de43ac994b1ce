"""What a dealer keeps, drawn for a situation, against the engine's own deals."""

from __future__ import annotations

import json

import numpy as np
import pytest

import sim
from analysis.frequencies import summarise
from analysis.kept import kept_by_dealer, random_hands
from analysis.odds import OddsError, odds
from analysis.situations import Situation
from sim.cards import TAROCCHINO, parse_cards
from sim.combinations import KINDS
from sim.rules import OTTOCENTO, PARTITA
from tests.analysis.enumeration import all_hands


def test_drawn_hands_meet_the_situation_and_are_equally_likely() -> None:
    hold, gone = parse_cards("SK Fool"), TAROCCHINO.all & ~parse_cards("SK Fool S6 S7 S8 M1 M2 BK")
    situation = Situation(OTTOCENTO, 5, hold, gone, (("swords", 2), ("trumps", 1)))
    drawn, counts = np.unique(random_hands(situation, 3000, seed=4), return_counts=True)
    np.testing.assert_array_equal(drawn, np.sort(all_hands(situation)))  # 6 hands
    assert abs(counts - 3000 / len(drawn)).max() < 5 * (3000 / len(drawn)) ** 0.5


def test_a_dealer_keeps_what_dealers_of_a_run_hold() -> None:
    kept = kept_by_dealer(odds(n=17).situation, hands=20_000, level=0.999)
    run = summarise(sim.simulate(hands=40_000, seed=6), level=0.999).tables["combinations"]
    held = run.query("role == 'dealer' and what == 'held'").set_index("combination")
    for kind in KINDS:
        estimate = kept.combinations[kind]
        assert estimate.low < held.high[kind] and held.low[kind] < estimate.high
        assert (estimate.n, estimate.unit) == (20_000, "deal")


def test_cards_that_may_not_go_are_kept() -> None:  # RULES §3
    kept = kept_by_dealer(odds(n=17, hold="SK BK CK DK").situation, hands=50)
    assert kept.combinations["kings"].mean == 1
    assert kept.nothing.mean == 0 and kept.points.low >= 34


def test_the_same_seed_gives_the_same_estimates() -> None:
    situation = odds(n=17, where={"trumps": 6}).situation
    assert kept_by_dealer(situation, hands=200) == kept_by_dealer(situation, hands=200)
    assert kept_by_dealer(situation, hands=200) != kept_by_dealer(situation, hands=200, seed=2)
    told = json.loads(json.dumps(kept_by_dealer(situation, hands=200).to_dict()))
    assert told["policy"] == "simple" and tuple(told["combinations"]) == KINDS


@pytest.mark.parametrize("situation", [odds().situation, odds(PARTITA, 15).situation])
def test_only_the_dealer_of_ottocento_keeps_combinations(situation: Situation) -> None:
    with pytest.raises(OddsError, match=r"keeps of 15 cards under .* and rules with comb"):
        kept_by_dealer(situation)
