"""Streams of random numbers keyed by (seed, hand number, purpose).

A draw is a pure function of its key, its step and its number: no state is kept, so rows do not
depend on threads or parts, and what one player draws never moves the cards or another's draws.
The function is the output of splitmix64 (Steele, Lea and Flood 2014, with the constants of
Stafford's variant 13): ``mix(key + step * STEP + number * DRAW)``.
"""

from __future__ import annotations

import numba
from numba.extending import overload, register_jitable

from sim.kernels.bits import scale

_MASK = (1 << 64) - 1
# Odd constants far from each other's multiples (from the digits of the golden ratio, e and pi), so
# that key, purpose, step and draw number never meet in small combinations.
DRAW = 0x9E3779B97F4A7C15
STEP = 0xADF85458A2BB4A9B
PURPOSE = 0xC90FDAA22168C235

# Purposes: what a stream is for. Players' decisions have one each by seat.
DEAL = 0
DISCARD = 1
DECLARE = 2  # + seat
PLAY = 6  # + seat
SIGNAL = 10  # + seat
WORLDS = 14
PLAYOUTS = 15
PILOT = 16  # deals that are only counted
GAME = 17


def mix(word):
    """A 64-bit word scrambled (a bijection)."""
    word = int(word) & _MASK
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _MASK
    return word ^ (word >> 31)


def as_cards(word):
    """The upper 62 bits of a random word as a set of cards: a coin for each card."""
    return int(word) >> 2


def advance(key, times, constant):
    """``key + times * constant`` modulo 2^64: the key of a purpose, step or draw."""
    return (int(key) + int(times) * constant) & _MASK


if not numba.config.DISABLE_JIT:
    from numba import int64, uint64

    @overload(mix, inline="always")
    def _mix_compiled(word):
        def compiled(word):
            word = uint64(word)
            word = (word ^ (word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
            word = (word ^ (word >> uint64(27))) * uint64(0x94D049BB133111EB)
            return word ^ (word >> uint64(31))

        return compiled

    @overload(as_cards, inline="always")
    def _as_cards_compiled(word):
        return lambda word: int64(word >> uint64(2))

    @overload(advance, inline="always")
    def _advance_compiled(key, times, constant):
        return lambda key, times, constant: uint64(key) + uint64(times) * uint64(constant)


@register_jitable
def hand_key(seed, hand):
    """Key of one hand of a run."""
    return mix(advance(mix(seed), hand, DRAW))


@register_jitable
def game_hand_key(seed, game, hand):
    """Key of one hand of a game, by its number in it."""
    return hand_key(stream(hand_key(seed, game), GAME), hand)


@register_jitable
def stream(key, purpose):
    """Key of the stream for one purpose in a hand."""
    return advance(key, purpose, PURPOSE)


@register_jitable
def step(key, number):
    """Key of one decision within a stream."""
    return advance(key, number, STEP)


@register_jitable
def draw(key, number):
    """The random word of this number at a decision."""
    return mix(advance(key, number, DRAW))


@register_jitable
def draw_below(key, number, n):
    """A uniform integer from 0 to n − 1, n > 0."""
    return scale(draw(key, number), n)
