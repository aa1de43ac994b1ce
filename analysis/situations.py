"""The hands that may be drawn from what is left of a pack, and how many of them there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import comb, prod
from typing import NamedTuple

from sim.cards import SUITS, Pack
from sim.rules import RuleSet

WHERE = (*SUITS, "trumps")
POOL = "pool"


class Group(NamedTuple):
    """Open cards (a set), and how many of them the hand has."""

    free: int
    draw: int

    @property
    def ways(self) -> int:
        """Ways to draw them."""
        return choose(self.free.bit_count(), self.draw)


@dataclass(frozen=True)
class Situation:
    """Which hands may be drawn, all of them equally likely.

    Attributes
    ----------
    rules
        The pack, and what combinations there are.
    n
        Cards in the hand.
    hold, gone
        Sets of cards: surely in the hand, and surely elsewhere.
    where
        How many cards of a suit, or trumps (the Fool is none), the hand has in all:
        ``(("trumps", 6), ("cups", 0))``.
    """

    rules: RuleSet
    n: int
    hold: int = 0
    gone: int = 0
    where: tuple[tuple[str, int], ...] = ()

    @property
    def free(self) -> int:
        """The open cards: neither held nor gone."""
        return self.rules.cards.all & ~self.hold & ~self.gone

    @cached_property
    def groups(self) -> dict[str, Group]:
        """Disjoint sets of open cards from which the hand draws independently.

        One for each name in ``where``, and POOL for the cards that ``where`` leaves alone.
        """
        groups, blocks = {}, blocks_of(self.rules.cards)
        pool, to_draw = self.free, self.n - self.hold.bit_count()
        for name, number in self.where:
            draw = number - (self.hold & blocks[name]).bit_count()
            groups[name] = Group(pool & blocks[name], draw)
            pool, to_draw = pool & ~blocks[name], to_draw - draw
        return {**groups, POOL: Group(pool, to_draw)}

    @property
    def ways(self) -> int:
        """Number of hands."""
        return prod(group.ways for group in self.groups.values())

    def with_cards(self, hold: int, gone: int = 0) -> Situation:
        """The same with more known cards; without any hand if they contradict those known."""
        if (self.hold | hold) & (self.gone | gone):
            return replace(self, n=-1)
        return replace(self, hold=self.hold | hold, gone=self.gone | gone)

    def number(self, of: int) -> dict[int, int]:
        """Number of hands by how many cards they have out of the set ``of``, from the fewest."""
        hands = Counter({(self.hold & of).bit_count(): 1})
        for free, draw in self.groups.values():
            inside = (free & of).bit_count()
            outside = free.bit_count() - inside
            before, hands = hands, Counter()
            for (had, ways), drawn in product(before.items(), range(inside + 1)):
                hands[had + drawn] += ways * comb(inside, drawn) * choose(outside, draw - drawn)
        return {number: ways for number, ways in sorted(hands.items()) if ways}


def blocks_of(pack: Pack) -> dict[str, int]:
    """The sets of cards that a situation's ``where`` may speak of, by name."""
    return dict(zip(WHERE, (*pack.suits, pack.trumps), strict=True))


def choose(n: int, k: int) -> int:
    """Ways to draw k cards out of n, 0 if that cannot be done."""
    return comb(n, k) if k >= 0 else 0


def subsets(cards: int) -> Iterator[int]:
    """All sets of some, none or all of ``cards``."""
    subset = cards
    while subset:
        yield subset
        subset = (subset - 1) & cards
    yield 0
