"""How claims are measured: each function here makes one that measures under given players.

All play a number of hands that is fixed before they begin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.exchanges import PART as DEALS
from analysis.exchanges import play_exchanges
from analysis.margins import PLAYS, play_margins, points
from analysis.moments import Moments
from analysis.moved import Moved
from analysis.parts import parts
from analysis.trial_estimates import Measured, mean, share, smooth
from sim.hands import Rows, compiled, play_blocks, play_hands
from sim.parts import map_parts
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies, parse_policy
from sim.rules import OTTOCENTO, RuleSet

PART = 4000  # hands
EXCHANGED = 31  # plays of a deal for the values of cards


@dataclass(frozen=True)
class Players:
    """Under what a claim is measured: a policy by SPEC, and how many hands are played."""

    spec: str
    hands: int
    seed: int = 1
    threads: int | None = None
    progress: bool = False


# Of players, and of the number that the claim says is exceeded.
Measure = Callable[[Players, float], Measured]
T = TypeVar("T")


def _played(play: Callable[[range], T], units: int, part: int, players: Players) -> list[T]:
    """What comes of each part of so many units, in order."""
    ranges = [range(i, min(i + part, units)) for i in range(0, units, part)]
    found = map_parts(play, ranges, threads=players.threads, progress=players.progress)
    return [each for _, each in found]


def _seats(spec: str) -> tuple[Policy, ...]:
    """The policy at all seats, compiled here and not in several threads."""
    seats = parse_policies(spec)
    compiled(seats)
    return seats


def _of_hands(of: Callable[[Rows], NDArray[np.int64]], rules: RuleSet, players: Players) -> Moments:
    """Moments of quantities of hands that the players play, int64 (m, n)."""
    seats = _seats(players.spec)

    def play(part: range) -> Moments:
        return Moments.of(of(play_hands(rules, seats, players.seed, part.start, len(part))))

    return _sum(_played(play, players.hands, PART, players))


def _sum(found: Sequence[Moments]) -> Moments:
    total = found[0]
    for more in found[1:]:
        total = total + more
    return total


def _dealers_side(rows: Rows) -> NDArray[np.int64]:
    """1 where the dealer is of side 0, else -1."""
    return 1 - 2 * (rows.dealer.astype(np.int64) % 2)


# ---- one decision changed --------------------------------------------------------------------


def discards(
    first: str,
    second: str,
    rules: RuleSet = OTTOCENTO,
    *,
    no_void: bool = False,
    single: bool = False,
) -> Measure:
    """Points that the first discard part wins the dealer's side over the second, where they differ.

    All seats have the same policy otherwise, and the same cards. A hand in which both parts discard
    alike says nothing and is left out, which is settled before a card is played; so are, with
    ``no_void``, those in which two cards can void a suit, and with ``single`` those without a suit
    of one card that may go.
    """

    def changes(one: Rows, other: Rows) -> NDArray[np.bool_]:
        hands = one.hand[one.dealer, np.arange(len(one.dealer))]
        differ: NDArray[np.bool_] = one.discard != other.discard
        lengths = _lengths_without_king(hands, rules)
        if no_void:
            differ &= ~((lengths == 1) | (lengths == 2)).any(axis=0)
        if single:
            differ &= (lengths == 1).any(axis=0)
        return differ

    return _changed(f"+discard:{first}", f"+discard:{second}", changes, 1, rules)


def openings(first: str, second: str) -> Measure:
    """Points that the first opening lead wins Eldest's side over the second, where they differ.

    Lead parts by SPEC, which are to differ in the first trick alone.
    """

    def changes(one: Rows, other: Rows) -> NDArray[np.bool_]:
        return one.plays[:, 0] != other.plays[:, 0]

    return _changed(f"+lead:{first}", f"+lead:{second}", changes, -1, OTTOCENTO)


def _lengths_without_king(hands: NDArray[np.int64], rules: RuleSet) -> NDArray[np.int64]:
    """Cards of each plain suit, 0 where the King is among them, who may not go: (4, n)."""
    pack = rules.cards
    suits = np.array(pack.suits, np.int64)[:, None]
    lengths = np.bitwise_count(hands & suits).astype(np.int64)
    return np.where(hands & suits & np.int64(pack.rank("K")), 0, lengths)


def _changed(
    first: str,
    second: str,
    changes: Callable[[Rows, Rows], NDArray[np.bool_]],
    dealers: int,
    rules: RuleSet,
) -> Measure:
    def measure(players: Players, more_than: float) -> Measured:
        both = [_seats(players.spec + part) for part in (first, second)]

        def play(part: range) -> Moments:
            one, other = (
                play_hands(rules, seats, players.seed, part.start, len(part), log_plays=True)
                for seats in both
            )
            gain = dealers * _dealers_side(one) * (points(one, 0) - points(other, 0))
            return Moments.of(gain[None, changes(one, other)])

        return mean(_sum(_played(play, players.hands, PART, players)), [1.0], more_than)

    return measure


# ---- policies in blocks ----------------------------------------------------------------------


def margin(
    first: str, second: str, against: str | None = None, rules: RuleSet = OTTOCENTO
) -> Measure:
    """Points a hand by which the first policy beats the second; or beats a third by more than it.

    SPECs in which ``{}`` stands for the players' own.
    """

    def measure(players: Players, more_than: float) -> Measured:
        named = (first, second) if against is None else (first, second, against)
        policies = [parse_policy(spec.format(players.spec)) for spec in named]
        one, other, third = (*policies, policies[1])[:3]
        pairs = [(one, third)] if against is None else [(one, third), (other, third)]
        blocks = range(-(-players.hands // PLAYS))
        found = play_margins(
            *(rules, pairs, players.seed, blocks, points),
            threads=players.threads,
            progress=players.progress,
        )
        weights = [1 / PLAYS, -1 / PLAYS][: len(pairs)]
        return mean(found.moments, weights, more_than, "block")

    return measure


def dealers_margin(
    payoff: Callable[[Rows, int], NDArray[np.int64]] = points, rules: RuleSet = OTTOCENTO
) -> Measure:
    """What the dealer's side gets a hand, less the other: each seat deals in turn to one deal."""

    def measure(players: Players, more_than: float) -> Measured:
        seats = _seats(players.spec)

        def play(part: range) -> Moments:
            rows = play_blocks(rules, seats, players.seed, part.start, len(part))
            won = _dealers_side(rows) * payoff(rows, 0)
            return Moments.of(won.reshape(-1, 4).sum(axis=1)[None])

        found = _sum(_played(play, -(-players.hands // 4), PART // 4, players))
        return mean(found, [1 / 4], more_than, "block")

    return measure


# ---- cards -----------------------------------------------------------------------------------


def worth_more(card: str, than: str) -> Measure:
    """Points by which the exchange value of one card exceeds another's (``analysis.pagat``)."""
    pack = OTTOCENTO.cards

    def measure(players: Players, more_than: float) -> Measured:
        seats = _seats(players.spec)

        def play(part: range) -> Moments:
            return play_exchanges(OTTOCENTO, seats, players.seed, part)[0].opponents

        deals = DEALS * max(1, round(players.hands / EXCHANGED / DEALS))
        weights = np.zeros(pack.size)
        # A card is exchanged in 4 * 15 of 62 deals.
        weights[[pack.index[card.lower()], pack.index[than.lower()]]] = 1.0, -1.0
        weights *= pack.size / (4 * OTTOCENTO.tricks)
        return mean(_sum(_played(play, deals, DEALS, players)), weights.tolist(), more_than)

    return measure


def card_turns(card: str | None = None) -> Measure:
    """How often a card moved to the other side at the end turns the hand; None: any one card."""

    def measure(players: Players, more_than: float) -> Measured:
        seats = _seats(players.spec)

        def play(part: range) -> tuple[int, int]:
            rows = play_hands(OTTOCENTO, seats, players.seed, part.start, len(part))
            moved = Moved.of(rows, OTTOCENTO)
            if card is None:
                return moved.any_turned, len(part)
            return int(moved.turned[OTTOCENTO.cards.index[card.lower()]]), len(part)

        # Every hand is counted again 62 times, which takes as long as playing a few.
        found = _played(play, -(-players.hands // 4), PART // 4, players)
        events, n = (sum(each) for each in zip(*found, strict=True))
        return share(events, n, more_than)

    return measure


# ---- scores of hands -------------------------------------------------------------------------


def share_of_parts(*names: str) -> Measure:
    """Share of some parts of the score: Cov(part, D) / Var(D), D a hand's difference of score."""

    def of(rows: Rows) -> NDArray[np.int64]:
        by_part = parts(rows, 0, OTTOCENTO)
        part, whole = sum((by_part[name] for name in names), np.int64(0)), points(rows, 0)
        return np.stack([part, whole, part * whole, whole * whole])

    def measure(players: Players, more_than: float) -> Measured:
        found = _of_hands(of, OTTOCENTO, players)
        part, whole, product, square = found.sums.astype(float) / found.n
        variance = square - whole**2
        value = (product - part * whole) / variance
        slopes = np.array([-whole, 2 * value * whole - part, 1.0, -value]) / variance
        return smooth(found, value, slopes.tolist(), more_than)

    return measure


def after_first_five(of: int, seen: int) -> Measure:
    """Points that Eldest's side wins a hand more when ``seen`` of his first five are of a set.

    Which five of his cards came first is left to chance: each hand weighs by its chance of so many.
    """

    def quantities(rows: Rows) -> NDArray[np.int64]:
        eldest = (rows.dealer + 1) % 4
        held = np.bitwise_count(rows.hand[eldest, np.arange(len(eldest))] & of)
        ways = [comb(k, seen) * comb(15 - k, 5 - seen) for k in range(16)]
        weight = np.array(ways, np.int64)[held]
        won = -_dealers_side(rows) * points(rows, 0)
        return np.stack([weight * won, weight, won])

    def measure(players: Players, more_than: float) -> Measured:
        found = _of_hands(quantities, OTTOCENTO, players)
        weighted, weight, won = found.sums.astype(float) / found.n
        given = weighted / weight
        return smooth(found, given - won, [1 / weight, -given / weight, -1.0], more_than)

    return measure


def losers_combinations(players: Players, more_than: float) -> Measured:
    """Points of combinations a hand that the side scored which lost it."""

    def of(rows: Rows) -> NDArray[np.int64]:
        declared = rows.declared_points[:2] + rows.declared_points[2:]
        scored = declared.astype(np.int64) + rows.trick_points + rows.cricche + rows.sequences
        margin = points(rows, 0)
        return np.where(margin > 0, scored[1], np.where(margin < 0, scored[0], 0))[None]

    return mean(_of_hands(of, OTTOCENTO, players), [1.0], more_than)
