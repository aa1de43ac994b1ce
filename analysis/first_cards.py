"""What the first cards of a deal tell of the rest: Pisarri's questions. STRATEGY C14, C15, C16."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from analysis.counting import declarable
from analysis.distributions import (
    Distribution,
    Points,
    distribution_json,
    probability_json,
    shares,
)
from analysis.odds import OddsError, read_cards, whole_number
from analysis.situations import Situation, blocks_of, choose
from sim.cards import format_cards, parse_cards
from sim.rules import OTTOCENTO, RuleSet


@dataclass(frozen=True)
class FirstCards:
    """A hand of which the first cards have a known number of some kind. Made by ``first_cards``.

    Attributes
    ----------
    rules
        The pack and the combinations.
    of
        The set of cards that the question is about.
    seen
        How many of them are among the first cards.
    first, n
        How many cards come first, and how many the whole hand has.
    """

    rules: RuleSet
    of: int
    seen: int
    first: int
    n: int

    @property
    def probability(self) -> Fraction:
        """Odds that the first cards have just so many."""
        pack, of = self.rules.cards.size, self.of.bit_count()
        ways = choose(of, self.seen) * choose(pack - of, self.first - self.seen)
        return Fraction(ways, choose(pack, self.first))

    @property
    def rest(self) -> Distribution:
        """How many more are among the other cards."""
        pack, of, more = self.rules.cards.size, self.of.bit_count() - self.seen, self.n - self.first
        others = pack - self.first - of
        return shares({k: choose(of, k) * choose(others, more - k) for k in range(more + 1)})

    @cached_property
    def points(self) -> Points:
        """Points of all combinations of the whole hand. Raises OddsError: see ``rest_points``."""

        def firsts(number: int) -> int:
            return choose(number, self.seen) * choose(self.n - number, self.first - self.seen)

        return self._points(self.n, firsts)

    @cached_property
    def rest_points(self) -> Points:
        """Points of the other cards alone.

        Raises OddsError if the question is about pips, which the count of points leaves out.
        """
        pack, of, rest = self.rules.cards.size, self.of.bit_count(), self.n - self.first

        def firsts(number: int) -> int:
            others = pack - of - (rest - number)
            return choose(of - number, self.seen) * choose(others, self.first - self.seen)

        return self._points(rest, firsts)

    @property
    def has_points(self) -> bool:
        """Whether ``points`` and ``rest_points`` can be counted."""
        return self.rules.combinations and not self.of & self.rules.cards.pips

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON; points only where they can be counted."""
        points = {}
        if self.has_points:
            points = {"points": self.points.to_dict(), "rest_points": self.rest_points.to_dict()}
        return {
            "rules": self.rules.name,
            "cards": self.n,
            "first": self.first,
            "seen": self.seen,
            "of": format_cards(self.of, self.rules.cards).split(),
            **probability_json(self.probability),
            "rest": distribution_json(self.rest),
            **points,
        }

    def _points(self, n: int, firsts: Callable[[int], int]) -> Points:
        """Points of n cards, each hand as often as first cards go with its number of ``of``."""
        if self.rules.combinations and self.of & self.rules.cards.pips:
            raise OddsError("points beside a number of plain pips: expected cards that combine")
        hands: Counter[int] = Counter()
        for (number, _, _, points), ways in declarable(Situation(self.rules, n), self.of).items():
            hands[points] += ways * firsts(number)
        return Points(shares(hands))


def cards_called(text: str, rules: RuleSet = OTTOCENTO) -> int:
    """The set of some cards, each named, or by a name of many: ``trumps Fool``, ``honours kings``.

    Raises CardError for an unknown name.
    """
    pack, cards = rules.cards, 0
    many = {**blocks_of(pack), "honours": pack.honours, "kings": pack.rank("K")}
    for name in text.lower().replace(",", " ").split():
        cards |= many[name] if name in many else parse_cards(name, pack)
    return cards


def first_cards(
    of: str | int, seen: int, first: int = 5, n: int | None = None, rules: RuleSet = OTTOCENTO
) -> FirstCards:
    """What a player may expect who finds ``seen`` cards of a set among the first that he is dealt.

    Parameters
    ----------
    of
        The set: names, or a mask. Which of its cards were seen is left open.
    seen
        How many of them are among the first cards.
    first
        Cards that come first: a packet of five.
    n
        Cards of the whole hand, as many as are dealt if not given.
    rules
        The pack and the combinations.

    Returns
    -------
    FirstCards
        How many more come, and the distributions of points, exactly.

    Raises
    ------
    CardError
        A name is unknown or appears twice, or the set has cards that the pack lacks.
    OddsError
        A number out of range.

    Source: STRATEGY C14, C15, C16.
    """
    of, pack = read_cards(of, rules), rules.cards
    n = whole_number("cards of the whole hand", pack.hand_size if n is None else n, 1, pack.size)
    first = whole_number("cards that come first", first, 1, n)
    least = max(0, first - (pack.size - of.bit_count()))
    seen = whole_number("cards seen", seen, least, min(first, of.bit_count()))
    return FirstCards(rules, of, seen, first, n)
