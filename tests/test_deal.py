"""Deals: every card to a hand, and uniformly so. RULES §3, §7."""

from functools import cache

import numba
import numpy as np
import pytest
from scipy import stats

from sim.cards import parse_cards
from sim.hands import play_blocks, play_hands
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import SEATS, compiled_only, names
from tests.naive import blocks

pytestmark = compiled_only
each_pack = pytest.mark.parametrize(
    "rules", [OTTOCENTO, PARTITA], ids=["tarocchino", "piedmontese"]
)

DEALS, CHUNK = 2_000_000, 100_000
# The chance that uniform deals fail a test below; each threshold allows for all comparisons.
ALPHA = 1e-3


def role_sizes(rules: RuleSet) -> np.ndarray:
    """Cards dealt to eldest, second, third and dealer."""
    size = rules.cards.hand_size
    return np.array([size, size, size, size + 2])


@numba.njit
def count_together(hands, counts):
    """Add up in how many sets two cards are together (lower one first), and each card is."""
    for cards in hands:
        held = [card for card in range(62) if cards >> card & 1]
        for i in range(len(held)):
            for j in range(i, len(held)):
                counts[held[i], held[j]] += 1


@cache
def counts(rules: RuleSet) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of two million deals: cards and pairs by dealer and role, numbers of trumps by role.

    Shapes (4 dealers, 4 roles, cards), (4 roles, pairs), (4 roles, cards in hand + 1).
    """
    size = rules.cards.size
    pairs = np.zeros((4, 4, size, size), np.int64)
    trumps = np.zeros((4, rules.cards.hand_size + 3), np.int64)
    policies = parse_policies("random")
    for first in range(0, DEALS, CHUNK):
        hands = play_hands(rules, policies, 1, first, CHUNK).hand
        assert (np.bitwise_or.reduce(hands) == rules.cards.all).all()
        assert (hands.sum(axis=0) == rules.cards.all).all()
        for dealer in SEATS:
            dealt = hands[:, dealer::4]
            for role in range(4):
                held = dealt[(dealer + 1 + role) % 4]
                count_together(held, pairs[dealer, role])
                n_trumps = np.bitwise_count(held & rules.cards.trumps)
                trumps[role] += np.bincount(n_trumps, minlength=trumps.shape[1])
    by_card = np.diagonal(pairs, axis1=2, axis2=3)
    return by_card, pairs.sum(axis=0)[:, *np.triu_indices(size, 1)], trumps


def assert_within_chance(z: np.ndarray) -> None:
    """No z-score is larger than the largest of so many would be, but once in 1 / ALPHA times."""
    assert np.abs(z).max() < stats.norm.isf(ALPHA / 2 / z.size)


@each_pack
def test_two_million_deals_are_uniform(rules: RuleSet) -> None:
    # One test for one computation, so that workers do not each make the deals.
    by_card, by_pair, trumps = counts(rules)
    size, sizes = rules.cards.size, role_sizes(rules)

    # Each card goes to each seat, whoever deals, as often as the seat has cards.
    n = DEALS // 4
    p = sizes / size
    z = (by_card - n * p[:, None]) / np.sqrt(n * p * (1 - p))[:, None]
    assert_within_chance(z)

    # Chi-square of card x role for each dealer. The hands' sizes are fixed, so Pearson's sum is
    # (size - 1) / size times chi-square with 3 (size - 1) degrees of freedom.
    for of_dealer in by_card:
        expected = n * p[:, None]
        statistic = ((of_dealer - expected) ** 2 / expected).sum() * (size - 1) / size
        freedom = 3 * (size - 1)
        assert ALPHA / 8 < stats.chi2.sf(statistic, freedom) < 1 - ALPHA / 8

    # Two cards are together in a hand as often as chance has it.
    p = sizes * (sizes - 1) / (size * (size - 1))
    z = (by_pair - DEALS * p[:, None]) / np.sqrt(DEALS * p * (1 - p))[:, None]
    assert_within_chance(z)
    # A hand of k cards has k (k - 1) / 2 pairs, so the z of a role sum to 0; that they vary as
    # they should is seen in their mean square (between 0.9 and 1.1 leaves ample room).
    np.testing.assert_allclose((z**2).mean(axis=1), 1, atol=0.15)

    # How many trumps there are in a hand: more than pairs can tell.
    n_trumps = rules.cards.trumps.bit_count()
    for role in range(4):
        expected = DEALS * stats.hypergeom(size, n_trumps, sizes[role]).pmf(
            np.arange(trumps.shape[1])
        )
        common = expected >= 10
        found = np.append(trumps[role][common], trumps[role][~common].sum())
        wanted = np.append(expected[common], expected[~common].sum())
        assert stats.chisquare(found, wanted).pvalue > ALPHA / 4


@each_pack
def test_one_deal_tells_nothing_of_the_next(rules: RuleSet) -> None:
    policies, n = parse_policies("random"), 4 * CHUNK
    chunks = [play_hands(rules, policies, 3, first, CHUNK).hand for first in range(0, n, CHUNK)]
    hands = np.concatenate(chunks, axis=1)
    size, sizes = rules.cards.size, role_sizes(rules)
    for lag in (1, 4):
        for seat in SEATS:
            before, after = hands[seat, : n - lag], hands[seat, lag:]
            dealer = np.arange(n) % 4
            k = np.where(dealer == seat, sizes[3], sizes[0])
            before_k, after_k = k[: n - lag], k[lag:]
            # Cards in common are hypergeometric, whatever the hands' sizes.
            mean = before_k * after_k / size
            variance = mean * (1 - before_k / size) * (size - after_k) / (size - 1)
            common = np.bitwise_count(before & after)
            z = (common - mean).sum() / np.sqrt(variance.sum())
            assert abs(z) < stats.norm.isf(ALPHA / 2 / 8)


def test_seeds_give_other_deals() -> None:
    policies = parse_policies("random")
    deals = [play_hands(OTTOCENTO, policies, seed, 0, 1_000).hand for seed in (0, 1, 2, 2**64 - 1)]
    assert len(np.unique(np.concatenate(deals, axis=1)[0])) == 4_000


@each_pack
def test_the_dealer_rotates_and_takes_two_more(rules: RuleSet) -> None:  # RULES §3, §7
    rows = play_hands(rules, parse_policies("random"), 4, 1, 400)
    np.testing.assert_array_equal(rows.dealer, np.arange(1, 401) % 4)
    expected = np.where(np.arange(4)[:, None] == rows.dealer, 2, 0) + rules.cards.hand_size
    np.testing.assert_array_equal(np.bitwise_count(rows.hand), expected)


def test_a_known_deal_stays() -> None:
    # Old runs can be dealt again only while this holds.
    hand = play_hands(OTTOCENTO, parse_policies("random"), 1, 0, 1).hand[:, 0]
    expected = [parse_cards(text) for text in KNOWN_DEAL]
    assert [int(cards) for cards in hand] == expected, [names(int(c), OTTOCENTO) for c in hand]


KNOWN_DEAL = (
    "S6 B10 BQ C9 C8 C6 CK D10 D9 DC Pagat M2 T8 T15 T16 Moon Fool",
    "SA S9 S10 SC SQ B8 BC CA D6 DK M4 T9 T13 T14 World",
    "S8 SK BA BV C10 CQ D8 DA DV DQ T5 T7 T12 Sun Angel",
    "S7 SV B6 B7 B9 BK C7 CV CC D7 M1 M3 T6 T10 T11",
)


# ---- blocks ---------------------------------------------------------------------------------


def hands_and_talon(dealt: np.ndarray) -> tuple[list[int], int]:
    """Each seat's cards while the next one deals, and the talon: of int64 (4 seats, 4 dealers)."""
    hands = [int(dealt[seat, (seat + 1) % 4]) for seat in SEATS]
    return hands, int(dealt[0, 0]) ^ hands[0]


@each_pack
def test_the_talon_goes_round_and_all_other_cards_stay(rules: RuleSet) -> None:  # RULES §3, §7
    rows = play_blocks(rules, parse_policies("random"), 5, 17, 200)
    np.testing.assert_array_equal(rows.dealer, np.arange(800) % 4)
    for block in range(200):
        hands, talon = hands_and_talon(rows.hand[:, 4 * block : 4 * block + 4])
        deals = blocks.deals([names(hand, rules) for hand in hands], names(talon, rules))
        for dealer, deal in enumerate(deals):
            found = [names(int(cards), rules) for cards in rows.hand[:, 4 * block + dealer]]
            assert [sorted(hand) for hand in found] == deal
            assert len(found[dealer]) == rules.cards.hand_size + 2
            assert sorted(card for hand in found for card in hand) == sorted(rules.cards.names)


@each_pack
def test_blocks_are_dealt_uniformly(rules: RuleSet) -> None:
    n, size = 25_000, rules.cards.size
    rows = play_blocks(rules, parse_policies("random"), 6, 0, n)
    talon = (rows.hand & np.roll(rows.hand, 1, axis=1))[:, 1::4]  # by seat, when 0 and 1 deal
    talon = rows.hand[0, 0::4] & ~talon[0]
    places = [rows.hand[seat, (seat + 1) % 4 :: 4] for seat in SEATS]
    sizes = np.array([*[rules.cards.hand_size] * 4, 2])
    counts = np.array([[(cards >> card & 1).sum() for card in range(size)]
                       for cards in (*places, talon)])  # fmt: skip
    p = (sizes / size)[:, None]
    assert_within_chance((counts - n * p) / np.sqrt(n * p * (1 - p)))
    assert len(np.unique(places[0])) == n
