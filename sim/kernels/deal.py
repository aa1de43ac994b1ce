"""Dealing by random masks. RULES §3, §7."""

from __future__ import annotations

from sim.kernels.bits import nth, popcount
from sim.kernels.compiling import kernel
from sim.kernels.streams import DEAL, as_cards, draw, draw_below, hand_key, stream

# Draws set aside for one split: one word, then one for each card added or dropped.
DRAWS = 64


@kernel
def _split(cards, size, key, first_draw):
    """A uniform subset of ``size`` cards.

    A coin for each card, then cards are dropped or added at random until the size is right: given
    its size, the coins' subset is uniform, and dropping or adding a uniform card keeps it so. To
    add cards is to drop them from the rest.
    """
    chosen = cards & as_cards(draw(key, first_draw))
    excess = popcount(chosen) - size
    too_many = cards ^ chosen if excess < 0 else chosen
    for number in range(first_draw + 1, first_draw + 1 + abs(excess)):
        too_many ^= 1 << nth(too_many, draw_below(key, number, popcount(too_many)))
    return cards ^ too_many if excess < 0 else too_many


@kernel
def _divide(cards, eldest, second, third, key):
    """Divide cards at random: so many to three players in turn, the rest to the fourth."""
    pair = _split(cards, eldest + second, key, 0)
    of_eldest = _split(pair, eldest, key, DRAWS)
    rest = cards ^ pair
    of_third = _split(rest, third, key, 2 * DRAWS)
    return of_eldest, pair ^ of_eldest, of_third, rest ^ of_third


@kernel
def _deal(hidden, dealer, rules, key):
    """Deal the pack to ``hidden``: two cards more to the dealer."""
    size = rules.hand_size
    hands = _divide(rules.whole_pack, size, size, size, key)
    for role in range(4):
        hidden.dealt[(dealer + 1 + role) & 3] = hands[role]


@kernel
def _deal_hands(rows, seed, first, n, hidden, rules):
    """Deal hands ``first`` to ``first + n - 1`` of a run into rows."""
    for i in range(n):
        _deal(hidden, (first + i) & 3, rules, stream(hand_key(seed, first + i), DEAL))
        for seat in range(4):
            rows.hand[seat, i] = hidden.dealt[seat]


@kernel
def _deal_blocks(rows, seed, first, n, rules):
    """Deal blocks ``first`` to ``first + n - 1`` into rows, four hands each.

    Four hands are dealt once, and two cards more go to each seat in turn, which deals.
    """
    size = rules.hand_size
    for block in range(n):
        key = stream(hand_key(seed, first + block), DEAL)
        hands = _divide(rules.whole_pack, size, size, size, key)
        talon = _split(hands[3], 2, key, 3 * DRAWS)
        for dealer in range(4):
            i = 4 * block + dealer
            for seat in range(4):
                rows.hand[seat, i] = hands[seat]
            rows.hand[3, i] ^= talon
            rows.hand[dealer, i] |= talon
