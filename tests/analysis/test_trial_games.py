"""Claims about whole games are measured as the games are. STRATEGY C24."""

from __future__ import annotations

from collections import Counter

import pytest

from analysis.trial_games import end_before_the_count, lengths_differ
from analysis.trial_players import Players
from sim.games import play_games
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO

PLAYERS = Players("random", 600, seed=5)


def test_shares_are_those_of_the_games() -> None:
    games, _ = play_games(OTTOCENTO, parse_policies("random"), 5, 0, 60)
    early = sum(end in (0, 1) for end in games.ended)
    assert 0 < early < 60
    assert end_before_the_count()(PLAYERS, 0.1).estimate(0.95).mean == early / 60
    most = max(Counter(games.hands.tolist()).values())
    assert lengths_differ()(PLAYERS, 0.5).estimate(0.95).mean == pytest.approx(1 - most / 60)
