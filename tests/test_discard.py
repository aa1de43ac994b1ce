"""What the dealer may discard, and that he can do no other. RULES §3, §7."""

from pathlib import Path

import numpy as np
import pytest

from sim.hands import play_hand, play_hands
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import (
    compiled_only,
    differences,
    each_preset,
    illegal_answer,
    naive_rules,
    names,
    row_dicts,
)
from tests.naive import discards

PLAIN_PARTITA = naive_rules(PARTITA)


@compiled_only
def test_forced_discards_equal_the_naive_twin() -> None:  # RULES §7, a trump may go only where
    # Fewer than two plain cards may go in one deal of 31,000: they are picked out of many.
    plain = PARTITA.cards.all & ~(
        PARTITA.cards.trumps | PARTITA.cards.honours | PARTITA.cards.rank("K")
    )
    n = 100_000
    for spec in ("random", "simple"):
        policies, found = parse_policies(spec), 0
        for first in range(0, 5 * n, n):
            rows = play_hands(PARTITA, policies, 103, first, n)
            hands = rows.hand[rows.dealer, np.arange(n)]
            for i in first + np.flatnonzero(np.bitwise_count(hands & plain) < 2):
                position, row, _ = play_hand(PARTITA, policies, 103, int(i))
                assert differences(PARTITA, row_dicts(PARTITA, row, int(i))) == []
                assert row.discard[0] & PARTITA.cards.trumps
                exposed = discards.exposed(names(int(row.discard[0]), PARTITA), PLAIN_PARTITA)
                assert set(names(position.table.exposed, PARTITA)) == exposed
                found += 1
        assert found > 5


@each_preset
@compiled_only
def test_every_discard_may_be_made(rules: RuleSet) -> None:  # RULES §3, §7
    seen = set()
    rows = play_hands(rules, parse_policies("random"), 104, 0, 3_000)
    for dealer, hand, discard in zip(rows.dealer, rows.hand.T, rows.discard, strict=True):
        cards = frozenset(names(int(discard), rules))
        assert cards in discards.legal_discards(names(int(hand[dealer]), rules), naive_rules(rules))
        seen |= cards
    barred = rules.cards.honours | rules.cards.rank("K")
    if rules.discard_trumps == "forced_exposed":
        barred |= rules.cards.trumps
    assert seen == set(names(rules.cards.all & ~barred, rules))


@pytest.mark.parametrize(
    "answer",
    ["0", "-1", "1", "view.legal", "view.rules.kings", "1 << 61", "3 << 61", "-(1 << 63)",
     "view.rules.pagat | (view.legal & -view.legal)"],
)  # fmt: skip
@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
def test_illegal_discards_stop_the_hands(tmp_path: Path, rules: RuleSet, answer: str) -> None:
    error = illegal_answer(tmp_path, rules, "discard", answer)
    assert (error.hand, error.trick) == (14, 0)  # the first that seat 2 deals
    assert f"hand {error.hand}, seat 2" in str(error)
    assert "discards" in str(error) and str(error).endswith("which is illegal")
