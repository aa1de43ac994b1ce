"""A card moved at the end, against the piles counted one by one."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.exchanges import card_groups
from analysis.moved import QUANTILES, Moved, pile_points
from sim.combinations import score
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from sim.rows import Rows
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import compiled_only

pytestmark = compiled_only
HANDS = 40
each_game = pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)


def played(rules: RuleSet, n: int = HANDS) -> Rows:
    return play_hands(rules, parse_policies("simple"), 4, 0, n)


def margin(pile: int, rules: RuleSet) -> float:
    """Points of a pile less those of the rest, counted one by one."""
    own, other = (score(cards, rules) for cards in (pile, rules.cards.all ^ pile))
    return own.total + own.card_points - other.total - other.card_points


@each_game
def test_effects_are_those_of_piles_counted_one_by_one(rules: RuleSet) -> None:
    rows = played(rules)
    found = Moved.of(rows, rules)
    turned = np.zeros((rules.cards.size, HANDS), bool)
    for card in range(rules.cards.size):
        total = 0.0
        for hand, pile in enumerate(map(int, rows.won0)):
            sign = 1 if pile >> card & 1 else -1
            effect = sign * (margin(pile, rules) - margin(pile ^ 1 << card, rules))
            assert effect >= 0  # a card never hurts
            total += effect
            before = sign * (int(rows.score[0, hand]) - int(rows.score[1, hand]))
            turned[card, hand] = before > 0 > before - effect
        assert found.effects.sums[card] == 2 * total
        assert found.turned[card] == turned[card].sum()
    assert found.any_turned == turned.any(axis=0).sum() > 0


@each_game
def test_piles_as_they_were_are_worth_what_was_scored(rules: RuleSet) -> None:  # RULES §3, §7
    rows = played(rules)
    of_piles = rows.cricche + rows.sequences + rows.card_points
    np.testing.assert_array_equal(pile_points(rows.won0, rules), 2 * (of_piles[0] - of_piles[1]))


def test_estimates_are_of_these_counts() -> None:
    found = Moved.of(played(OTTOCENTO, 200), OTTOCENTO)
    groups = card_groups(OTTOCENTO)
    means = dict(zip(groups, found.means(0.95, [*groups.values()]), strict=True))
    pagat = OTTOCENTO.cards.pagat
    assert means["Pagat"].mean == pytest.approx(found.effects.sums[pagat] / 2 / 200)
    assert means["pips"].mean == 1  # half a point to either side
    assert (means["Pagat"].n, means["Pagat"].unit) == (200, "deal")
    assert found.turns(pagat, 0.95).mean == found.turned[pagat] / 200
    assert found.any_turns(0.95).mean == found.any_turned / 200
    effects = np.repeat(np.arange(found.counts.shape[1]) / 2, found.counts[pagat])
    assert len(effects) == 200
    for q, value in found.quantiles(pagat).items():
        assert value == np.quantile(effects, float(q), method="inverted_cdf")
    assert len(found.quantiles(pagat)) == len(QUANTILES)
    twice = found + found
    assert (twice.effects.n, twice.any_turned) == (400, 2 * found.any_turned)
    assert (twice.counts == 2 * found.counts).all() and (twice.turned == 2 * found.turned).all()
