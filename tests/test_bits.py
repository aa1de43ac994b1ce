"""Bits of a mask: compiled instructions against plain Python."""

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.kernels import bits

# Compiled by these wrappers; called as bits.popcount from Python, the plain function runs.
compiled_popcount = numba.njit(lambda mask: bits.popcount(mask))
compiled_lowest = numba.njit(lambda mask: bits.lowest(mask))
compiled_highest = numba.njit(lambda mask: bits.highest(mask))
compiled_scale = numba.njit(lambda word, n: bits.scale(word, n))
compiled_nth = numba.njit(lambda mask, n: bits.nth(mask, n))

DEPOSIT = pytest.param(
    bits._nth_by_deposit,
    marks=pytest.mark.skipif(
        numba.config.DISABLE_JIT or not llvm.get_host_cpu_features().get("bmi2"),
        reason="an instruction of compiled code on processors with bmi2",
    ),
)
each_nth = pytest.mark.parametrize(
    "nth",
    [bits.nth, compiled_nth, bits._nth_by_halves, DEPOSIT],
    ids=["plain", "used", "halves", "deposit"],
)

TOP = 1 << 61
# Sets whose neighbours in a float64 are the same number, and the ends of the range.
CORNERS = [1, 2, 3, TOP, TOP | 1, TOP | 2, 1 << 53 | 1, TOP | 1 << 53 | 1, (1 << 62) - 1, TOP - 1]
card_sets = st.integers(1, (1 << 62) - 1) | st.sampled_from(CORNERS)
words = st.integers(0, 2**64 - 1) | st.sampled_from([2**53 + 1, 2**63, 2**63 + 1, 2**64 - 1])


@given(card_sets)
def test_popcount_counts_the_cards(cards: int) -> None:
    assert bits.popcount(cards) == compiled_popcount(cards) == bin(cards).count("1")


@given(card_sets)
def test_lowest_and_highest_find_the_ends(cards: int) -> None:
    there = [card for card in range(64) if cards >> card & 1]
    assert bits.lowest(cards) == compiled_lowest(cards) == there[0]
    assert bits.highest(cards) == compiled_highest(cards) == there[-1]


@each_nth
@given(cards=card_sets)
def test_nth_finds_every_card_in_order(nth: Callable[[int, int], int], cards: int) -> None:
    there = [card for card in range(64) if cards >> card & 1]
    assert [nth(cards, n) for n in range(len(there))] == there


@each_nth
@pytest.mark.parametrize("card", range(62))
def test_nth_of_a_single_card(nth: Callable[[int, int], int], card: int) -> None:
    assert nth(1 << card, 0) == card
    assert nth((1 << 62) - 1, card) == card


def test_popcount_of_nothing() -> None:
    assert bits.popcount(0) == compiled_popcount(0) == 0


@given(words, st.integers(1, 64))
def test_scale_is_the_upper_word_of_the_product(word: int, n: int) -> None:
    assert bits.scale(word, n) == compiled_scale(np.uint64(word), n) == word * n // 2**64


@pytest.mark.parametrize("n", [1, 2, 17, 62])
def test_scale_reaches_both_ends(n: int) -> None:
    assert compiled_scale(np.uint64(0), n) == 0
    assert compiled_scale(np.uint64(2**64 - 1), n) == n - 1


@pytest.mark.parametrize("cards", CORNERS)
def test_compiled_sets_stay_signed_whatever_comes_in(cards: int) -> None:
    # The trap: uint64 with int64 can become float64, wrong above 2^53.
    for given_as in (int, np.int64, np.uint64):
        mask: Any = given_as(cards)
        assert compiled_popcount(mask) == cards.bit_count()
        assert compiled_highest(mask) == cards.bit_length() - 1
        assert compiled_nth(mask, cards.bit_count() - 1) == cards.bit_length() - 1


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="of compiled code")
def test_instructions_give_integers() -> None:
    for function in (compiled_popcount, compiled_lowest, compiled_highest):
        function(np.int64(5))
        assert function.overloads[(numba.int64,)].signature.return_type == numba.int64
    compiled_scale(np.uint64(5), 3)
    assert compiled_scale.nopython_signatures[0].return_type == numba.int64
