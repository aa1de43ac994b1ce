"""Compositions of hands under conditions: how many deals there are, and which are dealt."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats

from analysis.odds import odds
from sim import compositions
from sim.cards import parse_cards
from sim.compositions import hand_sizes, plan
from sim.conditions import read_conditions
from sim.hands import play_hands
from sim.kernels.combinations import KINDS
from sim.kernels.state import NONE
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RuleSet
from tests.helpers import compiled_only, each_preset

RANDOM = parse_policies("random")
ALPHA = 1e-4
NAMES = {
    kind: kind if kind in ("honours", "grande") else f"{kind}_{'cricca' if i < 5 else 'sequence'}"
    for i, kind in enumerate(KINDS)
}


def exact(rules: RuleSet, deal: str | None = None, where: str | None = None) -> Fraction:
    """The probability of conditions that are counted."""
    probability = read_conditions(rules, deal, where).probability
    assert probability is not None
    assert probability["probability"] == float(Fraction(probability["exact"]))
    return Fraction(probability["exact"])


# ---- how likely -----------------------------------------------------------------------------


@each_preset
def test_fixed_cards_are_a_product(rules: RuleSet) -> None:
    n, size = rules.cards.size, rules.cards.hand_size
    assert exact(rules, "dealer: Angel") == Fraction(size + 2, n)
    assert exact(rules, "eldest: Angel Fool") == Fraction(size * (size - 1), n * (n - 1))
    assert exact(rules, "dealer: SK; third: BK CK") == Fraction(
        (size + 2) * size * (size - 1), n * (n - 1) * (n - 2)
    )
    # A seat deals in one hand out of four.
    assert exact(rules, "2: Angel") == Fraction(1, 4)


@each_preset
@pytest.mark.parametrize("who", ["second", "dealer"])
def test_a_number_of_cards_is_hypergeometric(rules: RuleSet, who: str) -> None:
    n = rules.cards.hand_size + (2 if who == "dealer" else 0)
    for what, cards in (("trumps", rules.cards.trumps), ("kings", rules.cards.rank("K"))):
        size = cards.bit_count()
        for number in (0, 1, 3):
            expected = Fraction(
                comb(size, number) * comb(rules.cards.size - size, n - number),
                comb(rules.cards.size, n),
            )
            assert exact(rules, where=f"{who}.{what} = {number}") == expected
            assert exact(rules, where=f"{who}.{what} != {number}") == 1 - expected


@pytest.mark.parametrize("rules", [OTTOCENTO, OTTOCENTO_DIGITAL], ids=lambda rules: rules.name)
@pytest.mark.parametrize(("who", "n"), [("eldest", 15), ("dealer", 17)])
def test_combinations_are_as_likely_as_the_odds_say(rules: RuleSet, who: str, n: int) -> None:
    # RULES §4. Counted by other code, from other parts.
    of_pack, of_rest = odds(rules, n), odds(rules, n, hold="Pagat SK", gone="Angel")
    for kind, name in NAMES.items():
        assert exact(rules, where=f"{who}.{name} = 1") == of_pack.probability(kind)
        deal = f"{who}: Pagat SK; third: Angel"
        if of_rest.probability(kind):
            both = exact(rules, deal, f"{who}.{name} = 1")
            assert both == exact(rules, deal) * of_rest.probability(kind), kind
    with_trumps = odds(rules, n, where={"trumps": 7, "cups": 1})
    assert exact(rules, where=f"{who}.trumps = 7 and {who}.cups = 1 and {who}.grande = 1") == (
        exact(rules, where=f"{who}.trumps = 7 and {who}.cups = 1")
        * with_trumps.probability("grande")
    )


def test_two_hands_and_a_side() -> None:
    # Eldest has no King and the dealer has none: none of the 4 in 32 of 62 cards.
    none_of_four = Fraction(comb(58, 32), comb(62, 32))
    assert exact(OTTOCENTO, where="dealer.kings = 0 and eldest.kings = 0") == none_of_four
    assert exact(OTTOCENTO, where="dealers.kings = 0") == none_of_four
    # The dealer has none, eldest has both of two: 15 and 17 of 62 places.
    expected = Fraction(15 * 14, 62 * 61)
    assert exact(OTTOCENTO, where="dealer.SK = 0 and eldest.SK = 1 and eldest.BK = 1") == expected
    # Exactly one hand of the side has the Angel: all that one of them can.
    assert exact(OTTOCENTO, where="others.Angel = 1") == Fraction(30, 62)


def test_probabilities_of_all_numbers_sum_to_one() -> None:
    for what in ("dealer.trumps", "others.trumps", "dealers.grande", "2.aces"):
        total = sum(exact(OTTOCENTO, where=f"{what} = {n}") for n in range(_most(what) + 1))
        assert total == 1, what


def _most(what: str) -> int:
    """The largest number that can come about."""
    return {"dealer.trumps": 17, "others.trumps": 21, "dealers.grande": 1, "2.aces": 4}[what]


# ---- which are dealt -------------------------------------------------------------------------


def dealt(rules: RuleSet, n: int, deal: str | None, where: str | None, seed: int = 1) -> np.ndarray:
    """Hands by role, (4, n), of the dealings of a run under conditions."""
    dealing = read_conditions(rules, deal, where).dealing
    parts = []
    for first in range(0, n, 50_000):
        hands = play_hands(rules, RANDOM, seed, first, 50_000, dealing=dealing).hand
        dealers = (first + np.arange(50_000)) % 4
        by_role = [(dealers + 1 + role) % 4 for role in range(4)]
        parts.append(np.stack([hands[seats, np.arange(50_000)] for seats in by_role]))
    return np.concatenate(parts, axis=1)


def same_distribution(one: np.ndarray, other: np.ndarray) -> float:
    """The p-value of two samples of whole numbers being of one distribution."""
    values = np.union1d(one, other)
    table = np.array([[(sample == value).sum() for value in values] for sample in (one, other)])
    table = table[:, table.sum(axis=0) >= 20]
    return 1.0 if table.shape[1] < 2 else float(stats.chi2_contingency(table).pvalue)


@compiled_only
@pytest.mark.parametrize(
    ("rules", "deal", "where"),
    [
        (OTTOCENTO, None, "dealer.trumps >= 8 and eldest.kings = 0"),
        (OTTOCENTO, "third: Angel; 1: SK", "dealer.grande = 0 and second.aces_sequence = 1"),
        (OTTOCENTO, None, "others.trumps <= 7 and others.kings_cricca >= 1"),
        (PARTITA, "dealer: Fool", "0.cups = 0 and 1.pips < 4"),
    ],
    ids=["counts", "combinations", "side", "seats"],
)
def test_constructive_deals_are_those_of_dealing_again(
    rules: RuleSet, deal: str | None, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    constructive = dealt(rules, 100_000, deal, where, seed=1)
    monkeypatch.setattr(compositions, "MOST_TRIED", 0)
    conditions = read_conditions(rules, deal, where)
    assert conditions.dealing is not None
    assert (conditions.dealing.asked.n_terms > 0).all()
    again = dealt(rules, 100_000, deal, where, seed=2)
    pack, p_values = rules.cards, []
    for one, other in zip(constructive, again, strict=True):
        for cards in (pack.trumps, *pack.suits, pack.rank("K"), pack.rank("A"), pack.equal_trumps):
            p_values.append(
                same_distribution(np.bitwise_count(one & cards), np.bitwise_count(other & cards))
            )
        for card in range(pack.size):
            p_values.append(same_distribution(one >> card & 1, other >> card & 1))
    assert min(p_values) > ALPHA / len(p_values)


def test_what_is_too_much_to_list_is_left_to_dealing_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = (OTTOCENTO.cards.trumps, OTTOCENTO.cards.rank("K"))
    terms = [compositions.Term(1 << i, cards, NONE, 0b1110) for i, cards in enumerate(few)]
    whole = plan(OTTOCENTO, (0, 0, 0, 0), terms)
    assert (whole.left, whole.drawn) == ((), (0, 1))
    monkeypatch.setattr(compositions, "MOST_KEPT", 10)
    partly = plan(OTTOCENTO, (0, 0, 0, 0), terms)
    assert (partly.left, partly.drawn) == ((terms[1],), (0,))
    assert partly.probability > whole.probability > 0
    # Fixed cards count as held, and no card is drawn twice.
    fixed = (parse_cards("Angel SK"), 0, 0, parse_cards("BK"))
    held = plan(OTTOCENTO, fixed, terms[:1])
    assert sum(part.bit_count() for part in held.parts) == 59
    trumps = [part for part in held.parts if part & OTTOCENTO.cards.trumps]
    assert [part.bit_count() for part in trumps] == [20]
    assert set(held.counts[:, 0, held.parts.index(trumps[0])]) == {0, 1, 2}


@each_preset
def test_hands_are_of_the_size_dealt(rules: RuleSet) -> None:  # RULES §3, §7
    assert sum(hand_sizes(rules)) == rules.cards.size
    assert hand_sizes(rules)[3] - hand_sizes(rules)[0] == 2
