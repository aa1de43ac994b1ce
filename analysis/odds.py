"""Exact odds of what a hand holds: counted, not simulated, so that every one is a fraction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from numbers import Integral
from operator import index
from typing import Any

from analysis.counting import declarable, lengths
from analysis.distributions import (
    Distribution,
    Points,
    distribution_json,
    probability_json,
    shares,
)
from analysis.situations import WHERE, Situation, blocks_of
from sim.cards import SUITS, TAROCCHINO, Pack, format_cards, parse_cards
from sim.combinations import _within_pack
from sim.rules import OTTOCENTO, RuleSet

SEATS = ("partner", "left", "right", "dealer", "eldest", "0", "1", "2", "3")


class OddsError(ValueError):
    """Odds are asked of something that cannot be; the message says what was expected."""


@dataclass(frozen=True)
class Odds:
    """Odds of a hand, all hands of the situation being equally likely; each counted when asked for.

    Made by ``odds`` and ``odds_of_seat``. A distribution has the probability of each number that
    can come about.
    """

    situation: Situation

    @cached_property
    def lengths(self) -> dict[str, Distribution]:
        """Of each of the 12 combinations, how likely it is with each number of cards."""
        ways = self.situation.ways
        return {
            kind: {length: Fraction(hands, ways) for length, hands in by.items()}
            for kind, by in lengths(self.situation).items()
        }

    def probability(self, kind: str) -> Fraction:
        """Odds of a combination of any length. Raises OddsError for an unknown one."""
        if kind not in self.lengths:
            known = ", ".join(self.lengths) or "no combinations under these rules"
            raise OddsError(f"unknown combination {kind!r}: expected {known}")
        return sum(self.lengths[kind].values(), Fraction(0))

    @cached_property
    def _declarable(self) -> dict[tuple[int, int, int, int], int]:
        return declarable(self.situation)

    @property
    def three_cricche(self) -> Fraction:
        """Odds of three cricche or more, whose points are doubled."""
        hands = sum(ways for (_, cricche, _, _), ways in self._declarable.items() if cricche)
        return Fraction(hands, self.situation.ways)

    @property
    def three_sequences(self) -> Fraction:
        """Odds of three sequences or more, whose points are doubled."""
        hands = sum(ways for (_, _, sequences, _), ways in self._declarable.items() if sequences)
        return Fraction(hands, self.situation.ways)

    @property
    def nothing(self) -> Fraction:
        """Odds of no combination at all."""
        return 1 - self.points.tail(1)

    @cached_property
    def points(self) -> Points:
        """Points of all combinations, as if all are declared."""
        hands: Counter[int] = Counter()
        for (_, _, _, points), ways in self._declarable.items():
            hands[points] += ways
        return Points(shares(hands))

    def number(self, cards: str | int) -> Distribution:
        """How many cards of a set the hand has. Raises CardError."""
        return shares(self.situation.number(read_cards(cards, self.situation.rules)))

    def holds(self, cards: str | int) -> Fraction:
        """Odds that the hand has all these cards. Raises CardError."""
        held = self.situation.with_cards(read_cards(cards, self.situation.rules))
        return Fraction(held.ways, self.situation.ways)

    @property
    def trumps(self) -> Distribution:
        """Number of trumps; the Fool is none."""
        return self.number(self.situation.rules.cards.trumps)

    @property
    def trumps_and_fool(self) -> Distribution:
        """Number of trumps, the Fool counted as one."""
        pack = self.situation.rules.cards
        return self.number(pack.trumps | 1 << pack.fool)

    @property
    def suits(self) -> dict[str, Distribution]:
        """Number of cards of each suit: 0 is a void."""
        suits = zip(SUITS, self.situation.rules.cards.suits, strict=True)
        return {name: self.number(suit) for name, suit in suits}

    @property
    def worthless(self) -> Distribution:
        """Number of worthless cards (STRATEGY C18): see ``worthless_cards``."""
        return self.number(worthless_cards(self.situation.rules.cards))

    @property
    def worthless_or_middle_trumps(self) -> Distribution:
        """Number of worthless cards and middle trumps, T5 to T15: see ``middle_trumps``."""
        pack = self.situation.rules.cards
        return self.number(worthless_cards(pack) | middle_trumps(pack))

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON: probabilities as a number and as a fraction."""
        pack = self.situation.rules.cards
        return {
            "rules": self.situation.rules.name,
            "cards": self.situation.n,
            "hold": format_cards(self.situation.hold, pack).split(),
            "gone": format_cards(self.situation.gone, pack).split(),
            "where": dict(self.situation.where),
            "combinations": {
                kind: {**probability_json(self.probability(kind)), "lengths": distribution_json(by)}
                for kind, by in self.lengths.items()
            },
            "three_cricche": probability_json(self.three_cricche),
            "three_sequences": probability_json(self.three_sequences),
            "nothing": probability_json(self.nothing),
            "points": self.points.to_dict(),
            "trumps": distribution_json(self.trumps),
            "trumps_and_fool": distribution_json(self.trumps_and_fool),
            "suits": {suit: distribution_json(number) for suit, number in self.suits.items()},
            "worthless": distribution_json(self.worthless),
            "worthless_or_middle_trumps": distribution_json(self.worthless_or_middle_trumps),
        }


def odds(
    rules: RuleSet = OTTOCENTO,
    n: int | None = None,
    hold: str | int = 0,
    gone: str | int = 0,
    where: Mapping[str, int] | None = None,
) -> Odds:
    """Odds of a hand of ``n`` cards out of the pack, or of what is left of it.

    Parameters
    ----------
    rules
        The pack, and what combinations there are: none in Partita.
    n
        Cards in the hand, 1 to all that are not gone; a hand as dealt if not given.
    hold, gone
        Cards surely in the hand, and cards known to be elsewhere: names, or a set.
    where
        How many trumps (the Fool is none) or cards of a suit the hand has:
        ``{"trumps": 6, "cups": 0}``.

    Returns
    -------
    Odds
        Exact, each of its parts counted when it is asked for.

    Raises
    ------
    CardError
        A name is unknown or appears twice, or a set has cards that the pack lacks.
    OddsError
        A card both held and gone, more held than ``n``, ``n`` out of range, an unknown condition,
        or conditions that no hand meets.

    Source: RULES §4.
    """
    hold, gone, where = read_cards(hold, rules), read_cards(gone, rules), where or {}
    n = rules.cards.hand_size if n is None else n
    if hold & gone:
        both = format_cards(hold & gone, rules.cards)
        raise OddsError(f"both held and gone: {both}; expected each card in one place")
    most = rules.cards.size - gone.bit_count()
    n = whole_number("cards of the hand", n, 1, most)
    if hold.bit_count() > n:
        raise OddsError(f"{hold.bit_count()} cards are held: expected at most the {n} of the hand")
    situation = Situation(rules, n, hold, gone)
    conditions = tuple(_condition(name, number, situation) for name, number in where.items())
    situation = replace(situation, where=conditions)
    if not situation.ways:
        told = ", ".join(f"{name} = {number}" for name, number in conditions)
        raise OddsError(f"no hand of {n} cards has {told}: expected numbers that go together")
    return Odds(situation)


def odds_of_seat(
    mine: str | int,
    seat: str | int,
    rules: RuleSet = OTTOCENTO,
    n: int | None = None,
    hold: str | int = 0,
    gone: str | int = 0,
    where: Mapping[str, int] | None = None,
) -> Odds:
    """Odds of what another seat was dealt, for a player who looks at his own hand.

    Parameters
    ----------
    mine
        One's own hand: 15 cards (13 in Partita), or the two more that one was dealt as dealer.
    seat
        One of ``SEATS``. All seats are alike but for the number of cards dealt.
    rules
        The pack, and what combinations there are.
    n
        Cards asked about. If not given: as many as that seat was dealt, with the dealer's two more
        only for ``dealer``; give 17 for another name of the seat that deals.
    hold, gone, where
        As for ``odds``: of that seat's hand. A dealer who has discarded gives his discard as gone.

    Returns
    -------
    Odds
        Of the cards dealt. What a dealer keeps depends on his policy and cannot be counted.

    Raises
    ------
    CardError
        As for ``odds``.
    OddsError
        As for ``odds``; one's own hand has another number of cards or one that is held there; the
        seat is unknown, is one's own, or was dealt fewer than ``n`` cards.

    Source: RULES §3, §7.
    """
    mine, hold, gone = (read_cards(cards, rules) for cards in (mine, hold, gone))
    usual = rules.cards.hand_size
    dealers = usual + rules.discards
    if mine.bit_count() not in (usual, dealers):
        raise OddsError(
            f"one's own hand has {mine.bit_count()} cards: expected {usual}, or {dealers} as dealer"
        )
    if str(seat).lower() not in SEATS:
        raise OddsError(f"unknown seat {seat!r}: expected {', '.join(SEATS)}")
    if mine & hold:
        both = format_cards(mine & hold, rules.cards)
        raise OddsError(f"held by that seat and in one's own hand: {both}; expected one place")
    seat_deals = str(seat).lower() == "dealer"
    if seat_deals and mine.bit_count() == dealers:
        raise OddsError(f"with {dealers} cards one is the dealer: expected another seat")
    most = usual if mine.bit_count() == dealers else dealers
    n = (dealers if seat_deals else usual) if n is None else n
    n = whole_number("cards of that seat", n, 1, most)
    return odds(rules, n, hold, mine | gone, where)


def worthless_cards(pack: Pack) -> int:
    """The plain pips; in Partita the red Aces too, which combine with nothing there.

    20 cards (16 in Partita). Source: STRATEGY C18; RULES §7.
    """
    return pack.pips if pack is TAROCCHINO else pack.pips | pack.rank("A")


def middle_trumps(pack: Pack) -> int:
    """The numbered trumps above the equal ones, but the highest: T5 to T15 (Partita: T6 to T16).

    Source: STRATEGY C18.
    """
    numbered = [name for name in pack.names if name[0] == "T"]
    return pack.mask(numbered[:-1]) & ~pack.equal_trumps


def read_cards(cards: str | int, rules: RuleSet) -> int:
    """A set of cards from names or from itself. Raises CardError."""
    if isinstance(cards, str):
        return parse_cards(cards, rules.cards)
    return _within_pack(index(cards), rules)


def whole_number(what: str, number: object, low: int, high: int) -> int:
    """The number itself. Raises OddsError unless it is a whole one from low to high."""
    if isinstance(number, Integral) and not isinstance(number, bool) and low <= int(number) <= high:
        return int(number)
    raise OddsError(f"{what} = {number!r}: expected a whole number from {low} to {high}")


def _condition(name: str, number: int, situation: Situation) -> tuple[str, int]:
    blocks = blocks_of(situation.rules.cards)
    if name not in blocks:
        raise OddsError(f"unknown condition {name!r}: expected one of {', '.join(WHERE)}")
    held = (situation.hold & blocks[name]).bit_count()
    free = (situation.free & blocks[name]).bit_count()
    return name, whole_number(name, number, held, held + free)
