"""Random numbers keyed by seed, hand and purpose: known values, uniform, not correlated."""

import itertools

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sim.cards import indices
from sim.hands import play_hands
from sim.kernels import streams
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL
from tests.helpers import CHOOSY, SEATS, assert_same, compiled_only, row_dicts

WORD = 2**64
# The chance that a sound generator fails a test below; each threshold allows for all comparisons.
ALPHA = 1e-3
words = st.integers(0, WORD - 1) | st.sampled_from([0, 2**53 + 1, 2**63, 2**63 + 1, WORD - 1])
numbers = st.integers(0, 2**62) | st.sampled_from([0, 1, 2**53 + 1])


@numba.njit
def compiled_words(seed, hand, purpose, step, number):
    key = streams.stream(streams.hand_key(seed, hand), purpose)
    key = streams.step(key, step)
    return streams.mix(seed), streams.draw(key, number), streams.draw_below(key, number, 62)


@numba.njit
def compiled_cards(word):
    return streams.as_cards(word)


@numba.njit
def draws(seed, hands, purposes, steps, numbers):
    """Words, uint64 (stream, hand): one row for each (purpose, step, number)."""
    words = np.empty((len(purposes), hands), np.uint64)
    for hand in range(hands):
        key = streams.hand_key(seed, hand)
        for i in range(len(purposes)):
            of_step = streams.step(streams.stream(key, purposes[i]), steps[i])
            words[i, hand] = streams.draw(of_step, numbers[i])
    return words


def keyed_draws(seed: int, hands: int) -> tuple[list[tuple[int, int, int]], np.ndarray]:
    """Every purpose (players' by seat), with some steps and draw numbers."""
    keys = list(itertools.product(range(16), (0, 1, 14, 60), (0, 1, 63)))
    purposes, steps, numbers = np.array(keys).T.copy()
    return keys, draws(np.uint64(seed), hands, purposes, steps, numbers)


def test_known_values_of_splitmix64() -> None:
    # Published outputs for the seed 0 (Steele, Lea and Flood 2014; java.util.SplittableRandom).
    expected = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]
    assert [streams.draw(0, number) for number in range(1, 5)] == expected


def test_known_values_stay() -> None:
    # Old runs can be dealt again only while these hold.
    key = streams.hand_key(1, 0)
    assert key == 0x7AB40E090F363A7D
    assert streams.draw(streams.stream(key, streams.DEAL), 0) == 0x71CAC37448049CE4
    key = streams.step(streams.stream(streams.hand_key(WORD - 1, 2**53 + 1), streams.PLAY + 3), 14)
    assert streams.draw(key, 63) == 0xD53F243A6B179507


@given(words)
def test_mixing_is_undone(word: int) -> None:
    def undo_shift(word: int, by: int) -> int:
        found = word
        for _ in range(64 // by + 1):
            found = word ^ (found >> by)
        return found

    mixed = undo_shift(streams.mix(word), 31)
    mixed = undo_shift(mixed * pow(0x94D049BB133111EB, -1, WORD) % WORD, 27)
    assert undo_shift(mixed * pow(0xBF58476D1CE4E5B9, -1, WORD) % WORD, 30) == word


@given(words, numbers, st.integers(0, 15), st.integers(0, 130), st.integers(0, 200))
def test_compiled_words_equal_plain_ones(
    seed: int, hand: int, purpose: int, step: int, number: int
) -> None:
    # The trap: uint64 with int64 can become float64, wrong above 2^53.
    key = streams.step(streams.stream(streams.hand_key(seed, hand), purpose), step)
    expected = streams.mix(seed), streams.draw(key, number), streams.draw_below(key, number, 62)
    assert compiled_words(np.uint64(seed), hand, purpose, step, number) == expected
    assert all(isinstance(word, int) and 0 <= word < WORD for word in expected)


@given(words)
def test_a_word_gives_a_coin_for_each_card(word: int) -> None:
    assert streams.as_cards(word) == compiled_cards(np.uint64(word)) == word // 4


def test_hands_and_seeds_above_2_to_53_are_told_apart() -> None:
    policies = parse_policies("random")
    first = 2**53
    rows = play_hands(OTTOCENTO, policies, WORD - 1, first, 3)
    assert len({int(hand) for hand in rows.hand[0]}) == 3
    for i in range(3):
        alone = play_hands(OTTOCENTO, policies, WORD - 1, first + i, 1)
        assert [int(hand) for hand in alone.hand[:, 0]] == [int(h) for h in rows.hand[:, i]]
    other = play_hands(OTTOCENTO, policies, WORD - 2, first, 3)
    assert not (other.hand == rows.hand).any()


@compiled_only
def test_words_are_uniform() -> None:
    _, words = keyed_draws(seed=2, hands=20_000)
    n_tests = 8 * len(words)
    for byte in range(8):
        for row in (words >> np.uint64(8 * byte)).astype(np.uint8):
            assert stats.chisquare(np.bincount(row, minlength=256)).pvalue > ALPHA / n_tests


@compiled_only
@pytest.mark.parametrize("n", [2, 3, 7, 17, 62])
def test_numbers_below_n_are_uniform(n: int) -> None:
    _, words = keyed_draws(seed=3, hands=2_000)
    drawn = [streams.scale(word, n) for word in words[::7].ravel()]
    counts = np.bincount(drawn, minlength=n)
    assert len(counts) == n
    assert stats.chisquare(counts).pvalue > ALPHA / 5


@compiled_only
def test_no_word_comes_twice() -> None:
    # Of 3.8 million words two would be equal by chance once in a million times.
    _, words = keyed_draws(seed=4, hands=20_000)
    assert len(np.unique(words)) == words.size


@compiled_only
@pytest.mark.parametrize("lag", [0, 1, 2, 4])
def test_purposes_seats_steps_and_hands_do_not_correlate(lag: int) -> None:
    keys, words = keyed_draws(seed=5, hands=50_000)
    uniform = (words.astype(np.float64) / WORD - 0.5) * np.sqrt(12)
    n = uniform.shape[1] - lag
    z = uniform[:, :n] @ uniform[:, lag:].T / np.sqrt(n)
    compared = z[np.triu_indices(len(keys), 1)] if lag == 0 else z.ravel()
    assert np.abs(compared).max() < stats.norm.isf(ALPHA / 2 / compared.size)
    # All the coefficients together: their squares would sum to as many as there are.
    assert stats.chi2.sf((compared**2).sum(), compared.size) > ALPHA
    assert stats.chi2.cdf((compared**2).sum(), compared.size) > ALPHA


@compiled_only
def test_coins_of_different_streams_do_not_correlate() -> None:
    keys, words = keyed_draws(seed=6, hands=20_000)
    for i, j in itertools.islice(itertools.combinations(range(0, len(keys), 5), 2), 400):
        equal = np.bitwise_count(~(words[i] ^ words[j])).sum()
        n = 64 * words.shape[1]
        assert abs(equal - n / 2) / np.sqrt(n / 4) < stats.norm.isf(ALPHA / 2 / 400)


def test_deals_do_not_depend_on_the_policies() -> None:
    expected = play_hands(OTTOCENTO, parse_policies("random"), 8, 0, 200)
    for specs in ("simple", ["random", "simple"], ["random+declare:nothing"]):
        rows = play_hands(OTTOCENTO, parse_policies(specs), 8, 0, 200)
        np.testing.assert_array_equal(rows.hand, expected.hand)


def test_a_change_at_one_seat_moves_no_coin_of_another() -> None:
    # Seat 3 plays otherwise; the discards of seats 0 to 2, drawn at random, stay.
    policies = parse_policies(["random", "random", "random", "random"])
    changed = parse_policies(["random", "random", "random", "simple"])
    expected = play_hands(OTTOCENTO, policies, 9, 0, 400, log_plays=True)
    rows = play_hands(OTTOCENTO, changed, 9, 0, 400, log_plays=True)
    others = rows.dealer != 3
    np.testing.assert_array_equal(rows.discard[others], expected.discard[others])
    assert (rows.discard[~others] != expected.discard[~others]).any()
    # Until seat 3 plays, so do the cards: with dealer 3 it is the last to the first trick.
    dealt_by_3 = rows.dealer == 3
    np.testing.assert_array_equal(rows.plays[dealt_by_3, :3], expected.plays[dealt_by_3, :3])


def test_each_decision_draws_from_its_own_stream() -> None:
    # Discards and declarations, from the draws that their streams give (plays: test_views).
    rules, seed = OTTOCENTO_DIGITAL, 10
    barred = rules.cards.honours | rules.cards.rank("K")
    for row in row_dicts(rules, play_hands(rules, parse_policies(CHOOSY), seed, 0, 200)):
        key = streams.hand_key(seed, row["hand_id"])
        allowed = list(indices(row[f"hand{row['dealer']}"] & ~barred))
        of_discard = streams.stream(key, streams.DISCARD)
        discard = [allowed.pop(streams.draw_below(of_discard, n, len(allowed))) for n in (0, 1)]
        assert list(indices(row["discard"])) == sorted(discard)
        for seat in SEATS:
            coin = streams.draw_below(streams.stream(key, streams.DECLARE + seat), 0, 1 << 16) & 1
            assert row[f"declared{seat}"] == coin * row[f"held{seat}"]


def test_the_same_seed_gives_the_same_rows_again() -> None:
    policies = parse_policies("random")
    assert_same(
        play_hands(OTTOCENTO, policies, 11, 0, 50), play_hands(OTTOCENTO, policies, 11, 0, 50)
    )
