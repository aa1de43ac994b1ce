"""Counted combinations against all hands of small situations, and against random hands."""

from __future__ import annotations

import random
from math import comb

import pytest
from scipy import stats

from analysis.counting import declarable, lengths
from analysis.situations import Situation, blocks_of
from sim.cards import SUITS, TAROCCHINO, indices, parse_cards
from sim.combinations import KINDS
from sim.kernels.combinations import CRICCHE
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RuleSet
from tests.analysis.enumeration import (
    all_hands,
    counted_declarable,
    counted_lengths,
    random_hands,
)

VARIANTS = [
    OTTOCENTO.replace(suit_second_wild=second, grande_wild_before_16=before_16)
    for second in (True, False)
    for before_16 in (True, False)
]
COMBINING = TAROCCHINO.all & ~TAROCCHINO.pips
COURTS = sum(TAROCCHINO.rank(letter) for letter in "VCQK")
# Where combinations come about: hands drawn mostly from one of these have many of them.
REGIONS = (
    COMBINING,
    TAROCCHINO.trumps,
    COURTS | TAROCCHINO.rank("A"),
    parse_cards("Angel World T16 T15 T14 T13 T7 T6 T5 M1 M2"),
    parse_cards("Angel Sun Moon T16 T14 T13 T12 T11 T10 T9 T8 T7 T6 T5 M1 M3"),
)


def random_situation(seed: int) -> tuple[Situation, int]:
    """A hand of which two or three cards are open, conditions that it meets, and marked cards."""
    coin = random.Random(seed)
    region = REGIONS[seed % len(REGIONS)] | TAROCCHINO.honours
    order = [card for card in indices(region) if coin.random() < 0.8]
    coin.shuffle(order)
    order += [card for card in coin.sample(range(62), 62) if card not in order]
    n = coin.randint(3, 20)
    hand = sum(1 << card for card in order[:n])
    hold = sum(1 << card for card in order[: n - 2 - seed % 2])
    gone = sum(1 << card for card in coin.sample(order[n:], 36 * (seed % 2) or coin.randint(0, 9)))
    names = coin.sample([*blocks_of(TAROCCHINO)], coin.choice((0, 0, 1, 2)))
    where = tuple((name, (hand & blocks_of(TAROCCHINO)[name]).bit_count()) for name in names)
    marked = sum(1 << card for card in coin.sample([*indices(COMBINING)], coin.randint(0, 42)))
    return Situation(coin.choice(VARIANTS), n, hold, gone, where), marked


@pytest.mark.parametrize("seed", range(20))
def test_all_hands_with_two_or_three_open_cards(seed: int) -> None:
    """Every length, every number of points, every marked card, under every variant. RULES §4"""
    situation, marked = random_situation(seed)
    hands = all_hands(situation)
    assert situation.ways == len(hands) > 0
    assert declarable(situation, marked) == counted_declarable(hands, situation, marked)
    assert {kind: by for kind, by in lengths(situation).items() if by} == counted_lengths(
        hands, situation
    )


@pytest.mark.parametrize("rules", [OTTOCENTO, OTTOCENTO_DIGITAL], ids=lambda rules: rules.name)
def test_all_hands_of_four_cards(rules: RuleSet) -> None:
    situation, honours = Situation(rules, 4), TAROCCHINO.honours
    hands = all_hands(situation)
    assert len(hands) == 557_845 == situation.ways
    assert declarable(situation, honours) == counted_declarable(hands, situation, honours)


@pytest.mark.parametrize(
    ("hold", "n"),
    [
        ("SK SQ BK BQ CK CQ SV BV CV Angel Pagat", 15),  # three cricche near, one contatore
        ("SK SQ BK BC CV DV SA BA M1 M2 Fool Pagat DK", 17),  # three sequences, both contatori
        ("Angel World T16 T14 T13 T11 T10 T9 T7 T6 M1 M2 M3", 17),  # a Grande with gaps
    ],
)
@pytest.mark.parametrize("rules", VARIANTS[::3], ids=lambda rules: rules.name)
def test_all_hands_around_what_is_held(rules: RuleSet, hold: str, n: int) -> None:
    """Rich hands, where points are doubled. RULES §4"""
    situation = Situation(rules, n, parse_cards(hold))
    hands = all_hands(situation)
    found = declarable(situation)
    assert found == counted_declarable(hands, situation)
    assert sum(hands for (_, c, s, _), hands in found.items() if c or s) > len(hands) / 1000


@pytest.mark.parametrize("n", [15, 17])
def test_points_of_random_hands_are_distributed_as_counted(n: int) -> None:
    situation, hands = Situation(OTTOCENTO, n), random_hands(200_000, n, seed=n)
    counted, found = declarable(situation), counted_declarable(hands, situation)
    assert found.keys() <= counted.keys()
    expected, observed, few, rest = [], [], 0.0, 0
    for outcome, ways in counted.items():
        mean = len(hands) * ways / situation.ways
        if mean >= 5:
            expected.append(mean)
            observed.append(found[outcome])
        else:
            few, rest = few + mean, rest + found[outcome]
    assert len(expected) > 100
    assert stats.chisquare([*observed, rest], [*expected, few]).pvalue > 0.001


@pytest.mark.parametrize("n", [15, 17, 31, 62])
def test_every_hand_is_counted_once(n: int) -> None:
    """Also with the largest numbers of all: C(62, 31) hands."""
    situation = Situation(OTTOCENTO, n)
    assert sum(declarable(situation).values()) == comb(62, n)


@pytest.mark.parametrize("rules", [OTTOCENTO, OTTOCENTO_DIGITAL], ids=lambda rules: rules.name)
def test_lengths_have_closed_forms(rules: RuleSet) -> None:  # RULES §4
    found = lengths(Situation(rules, 15))
    assert tuple(found) == KINDS
    for kind in KINDS[:CRICCHE]:
        assert found[kind] == {n: comb(4, n) * comb(58, 15 - n) for n in (3, 4)}
    for kind in ("moors", "aces"):
        assert found[kind] == {
            length: sum(
                comb(4, length - wild) * comb(2, wild) * comb(56, 15 - length)
                for wild in range(3)
                if 2 <= length - wild <= 4
            )
            for length in range(3, 7)
        }
    # Four courts, the Ace and both contatori.
    assert [found[suit][7] for suit in SUITS] == [comb(55, 8)] * 4
    assert max(found["grande"]) == 15  # every card and both contatori


def test_the_whole_pack() -> None:  # RULES §4: 296 in cricche and 550 in sequences
    pack = Situation(OTTOCENTO, 62)
    assert declarable(pack, COMBINING) == {(42, 1, 1, 846): 1}
    assert lengths(pack) == {
        **{cricca: {4: 1} for cricca in KINDS[:CRICCHE]},
        **{suit: {7: 1} for suit in SUITS},
        **{"grande": {22: 1}, "moors": {6: 1}, "aces": {6: 1}},
    }


def test_without_combinations_hands_are_worth_nothing() -> None:  # RULES §7
    situation = Situation(PARTITA, 13)
    assert lengths(situation) == {}
    assert declarable(situation) == {(0, 0, 0, 0): comb(54, 13)}
    trumps = declarable(situation, PARTITA.cards.trumps)
    assert trumps[5, 0, 0, 0] == comb(21, 5) * comb(33, 8)
