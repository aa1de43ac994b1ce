"""How many cards of each kind the hands of a deal have under conditions: counted, to deal from.

A condition depends on a few disjoint parts of the pack only. The numbers of cards that hands have
of each part are their composition; compositions are few, and each comes about in a number of ways
that is a product of binomials. So the odds of a condition are a fraction, and a deal that meets it
is made by drawing a composition first and then the cards of each part.

Hands are numbered by role: 0 eldest, 1 second, 2 third, 3 the dealer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, factorial, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.cards import TAROCCHINO, indices
from sim.combinations import score_sets
from sim.kernels.combinations import (
    ACES,
    ANGEL,
    CONTATORI,
    COURTS,
    CRICCA_CARDS,
    KINGS,
    MOORS,
    UPPER,
)
from sim.kernels.conditional_deal import ASKED, MOST_PARTS, Dealing
from sim.kernels.state import NONE, records
from sim.rules import RuleSet

Ints = NDArray[np.int64]
# Beyond these one deals again until the condition is met: compositions looked at, and kept.
MOST_TRIED, MOST_KEPT = 1 << 18, 1 << 16
WORDS = 1 << 64
_CHOOSE = np.array([[comb(n, k) for k in range(64)] for n in range(64)], object)
# By kind of combination: the sets of cards whose numbers decide whether a hand has it (RULES §4).
_DECIDE = (
    *((cards,) for cards in CRICCA_CARDS),
    *((suit & KINGS, suit & COURTS, CONTATORI) for suit in TAROCCHINO.suits),
    *((ANGEL, UPPER, CONTATORI), (MOORS, CONTATORI), (ACES, CONTATORI)),
)


class Term(NamedTuple):
    """A condition: the number of cards, or of hands with a combination, is one of those allowed."""

    hands: int  # bit set, by role
    cards: int  # set: those that count
    kind: int  # the combination that counts, NONE if cards do
    allowed: int  # bit set of numbers


@dataclass(frozen=True, eq=False)
class Plan:
    """How to deal: compositions to draw from, and terms that only dealing again can meet.

    ``probability`` is that of the fixed cards and of all terms but those left.
    """

    fixed: tuple[int, ...]  # sets of cards by hand
    probability: Fraction
    drawn: tuple[int, ...]  # hands
    parts: tuple[int, ...]  # disjoint sets of the cards that are not fixed
    ends: NDArray[np.uint64]  # (k,) upper ends of the words that draw each composition
    counts: NDArray[np.uint8]  # (k, hands drawn, parts)
    left: tuple[Term, ...] = ()


def hand_sizes(rules: RuleSet) -> tuple[int, ...]:
    """Cards dealt to each hand, by role. RULES §3, §7."""
    size = rules.cards.hand_size
    return size, size, size, size + rules.discards


def plan(rules: RuleSet, fixed: Sequence[int], terms: Sequence[Term]) -> Plan:
    """How to deal with cards fixed to hands, so that the terms are met.

    Parameters
    ----------
    rules
        The pack, and what combinations there are.
    fixed
        Sets of cards by role, disjoint, none larger than the hand.
    terms
        Taken into the compositions as long as these are not too many, in order.

    Returns
    -------
    Plan
        With probability 0 if nothing meets the fixed cards and these terms.
    """
    sizes = hand_sizes(rules)
    open_sizes = [size - cards.bit_count() for size, cards in zip(sizes, fixed, strict=True)]
    of_fixed = Fraction(_deals(open_sizes), _deals(sizes))
    best = _compose(rules, fixed, open_sizes, terms)
    if best is None:
        taken: list[Term] = []
        for term in terms:
            if _compose(rules, fixed, open_sizes, [*taken, term]) is not None:
                taken.append(term)
        best = _compose(rules, fixed, open_sizes, taken)
        assert best is not None
        best = replace(best, left=tuple(term for term in terms if term not in taken))
    return replace(best, probability=of_fixed * best.probability)


def _deals(sizes: Iterable[int]) -> int:
    """Ways to deal cards into hands of these sizes."""
    sizes = tuple(sizes)
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


def _compose(
    rules: RuleSet, fixed: Sequence[int], sizes: Sequence[int], terms: Sequence[Term]
) -> Plan | None:
    """The compositions that meet all terms; None if they are too many. ``sizes``: cards to draw."""
    free = rules.cards.all & ~sum(fixed)
    parts = _parts(free, terms)
    drawn = tuple(hand for hand in range(4) if any(term.hands >> hand & 1 for term in terms))
    if len(parts) > MOST_PARTS:
        return None
    room = np.array([part.bit_count() for part in parts])
    counts = np.zeros((1, 0, len(parts)), np.int64)
    numbers = np.zeros((1, len(terms)), np.int64)
    for hand in drawn:
        of_hand = _of_one_hand(room, sizes[hand])
        if of_hand is None:
            return None
        found = _numbers(rules, fixed[hand], parts, of_hand, terms, hand)
        own = [i for i, term in enumerate(terms) if term.hands == 1 << hand]
        good = _allowed(found, terms, own)
        of_hand, found = of_hand[good], found[good]
        if len(counts) * len(of_hand) > MOST_TRIED:
            return None
        before = np.repeat(np.arange(len(counts)), len(of_hand))
        now = np.tile(np.arange(len(of_hand)), len(counts))
        numbers = numbers[before] + found[now]
        counts = np.concatenate([counts[before], of_hand[now][:, None]], axis=1)
        fits = (counts.sum(axis=1) <= room).all(axis=1)
        counts, numbers = counts[fits], numbers[fits]
    counts = counts[_allowed(numbers, terms, range(len(terms)))]
    if len(counts) > MOST_KEPT:
        return None
    ways, total, cards = np.ones(len(counts), object), 1, free.bit_count()
    for i, hand in enumerate(drawn):
        available = room - counts[:, :i].sum(axis=1)
        ways *= _CHOOSE[available, counts[:, i]].prod(axis=1)
        total *= comb(cards, sizes[hand])
        cards -= sizes[hand]
    to_here = np.add.accumulate(ways)
    all_ways = int(to_here[-1]) if len(ways) else 0
    ends = [min(WORDS * int(way) // all_ways, WORDS - 1) for way in to_here]
    return Plan(
        tuple(fixed),
        Fraction(all_ways, total),
        drawn,
        tuple(parts),
        np.array(ends, np.uint64),
        counts.astype(np.uint8),
    )


def _parts(free: int, terms: Sequence[Term]) -> list[int]:
    """The free cards, cut so that within a part no term tells one card from another."""
    parts = [free]
    for term in terms:
        for cards in (term.cards,) if term.kind == NONE else _DECIDE[term.kind]:
            parts = [cut for part in parts for cut in (part & cards, part & ~cards) if cut]
    return parts


def _of_one_hand(room: Ints, size: int) -> Ints | None:
    """All compositions of a hand of so many cards, (m, parts); None if they are too many."""
    largest = int(room.argmax())
    others = [min(int(n), size) + 1 for i, n in enumerate(room) if i != largest]
    if prod(others) > MOST_TRIED:
        return None
    counts = np.indices([*others, 1]).reshape(len(others) + 1, -1)[:-1].T
    counts = np.insert(counts, largest, size - counts.sum(axis=1), axis=1)
    within = (counts[:, largest] >= 0) & (counts[:, largest] <= room[largest])
    return counts[within]


def _numbers(
    rules: RuleSet,
    fixed: int,
    parts: Sequence[int],
    counts: Ints,
    terms: Sequence[Term],
    hand: int,
) -> Ints:
    """What a hand of each composition adds to the number of each term, (m, terms)."""
    sets = np.full(len(counts), fixed, np.int64)  # any one hand of that composition
    for part, of_part in zip(parts, counts.T, strict=True):
        lowest = np.cumsum([0, *(1 << card for card in indices(part))])
        sets |= lowest[of_part]
    numbers = np.zeros((len(counts), len(terms)), np.int64)
    kinds: Any = None
    for i, term in enumerate(terms):
        if not term.hands >> hand & 1:
            continue
        if term.kind == NONE:
            numbers[:, i] = np.bitwise_count(sets & term.cards)
        else:
            kinds = score_sets(sets, rules).kinds if kinds is None else kinds
            numbers[:, i] = kinds >> term.kind & 1
    return numbers


def _allowed(numbers: Ints, terms: Sequence[Term], of: Iterable[int]) -> NDArray[np.bool_]:
    """Which rows of numbers meet the terms of these places."""
    good = np.ones(len(numbers), np.bool_)
    for i in of:
        good &= (terms[i].allowed >> numbers[:, i] & 1).astype(np.bool_)
    return good


def dealing(plans: Sequence[Plan]) -> Dealing:
    """Plans by dealer as the kernels take them; what equal plans share is there once."""
    asked = records(ASKED, 4)
    ends, counts, rows = [np.empty(0, np.uint64)], [np.empty((0, 4, MOST_PARTS), np.uint8)], 0
    for dealer, at in enumerate(plans):
        if at in plans[:dealer]:
            asked[dealer] = asked[plans.index(at)]
            continue
        one = asked[dealer]
        one.fixed[:] = at.fixed
        one.n_drawn, one.n_parts, one.n_terms = len(at.drawn), len(at.parts), len(at.left)
        one.drawn[: one.n_drawn], one.parts[: one.n_parts] = at.drawn, at.parts
        for i, term in enumerate(at.left):
            one.hands[i], one.cards[i], one.kind[i], one.allowed[i] = term
        one.first, one.last = rows, rows + len(at.ends) - 1
        rows += len(at.ends)
        wide = np.zeros((len(at.ends), 4, MOST_PARTS), np.uint8)
        wide[:, : one.n_drawn, : one.n_parts] = at.counts
        ends.append(at.ends)
        counts.append(wide)
    return Dealing(asked, np.concatenate(ends), np.concatenate(counts))
