"""How claims are measured: each function here makes one that measures under given players.

All play a number of hands that is fixed before they begin.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np
from numpy.typing import NDArray

from analysis.exchanges import PART as DEALS
from analysis.exchanges import play_exchanges
from analysis.margins import PLAYS, play_margins, points
from analysis.moments import Moments
from analysis.moved import Moved
from analysis.parts import parts
from analysis.trial_estimates import Measured, mean, share, smooth
from analysis.trial_players import PART, Measure, Players, dealers_side, played, seats_of, total
from sim.hands import play_blocks, play_hands
from sim.policies.spec import parse_policy
from sim.rows import Rows
from sim.rules import OTTOCENTO, RuleSet

EXCHANGED = 31  # plays of a deal for the values of cards


def _of_hands(of: Callable[[Rows], NDArray[np.int64]], rules: RuleSet, players: Players) -> Moments:
    """Moments of quantities of hands that the players play, int64 (m, n)."""
    seats = seats_of(players.spec)

    def play(part: range) -> Moments:
        return Moments.of(of(play_hands(rules, seats, players.seed, part.start, len(part))))

    return total(played(play, players.hands, PART, players))


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
        seats = seats_of(players.spec)

        def play(part: range) -> Moments:
            rows = play_blocks(rules, seats, players.seed, part.start, len(part))
            won = dealers_side(rows) * payoff(rows, 0)
            return Moments.of(won.reshape(-1, 4).sum(axis=1)[None])

        found = total(played(play, -(-players.hands // 4), PART // 4, players))
        return mean(found, [1 / 4], more_than, "block")

    return measure


# ---- cards -----------------------------------------------------------------------------------


def worth_more(card: str, than: str) -> Measure:
    """Points by which the exchange value of one card exceeds another's (``analysis.pagat``)."""
    pack = OTTOCENTO.cards

    def measure(players: Players, more_than: float) -> Measured:
        seats = seats_of(players.spec)

        def play(part: range) -> Moments:
            return play_exchanges(OTTOCENTO, seats, players.seed, part)[0].opponents

        deals = DEALS * max(1, round(players.hands / EXCHANGED / DEALS))
        weights = np.zeros(pack.size)
        # A card is exchanged in 4 * 15 of 62 deals.
        weights[[pack.index[card.lower()], pack.index[than.lower()]]] = 1.0, -1.0
        weights *= pack.size / (4 * OTTOCENTO.tricks)
        return mean(total(played(play, deals, DEALS, players)), weights.tolist(), more_than)

    return measure


def card_turns(card: str | None = None) -> Measure:
    """How often a card moved to the other side at the end turns the hand; None: any one card."""

    def measure(players: Players, more_than: float) -> Measured:
        seats = seats_of(players.spec)

        def play(part: range) -> tuple[int, int]:
            rows = play_hands(OTTOCENTO, seats, players.seed, part.start, len(part))
            moved = Moved.of(rows, OTTOCENTO)
            if card is None:
                return moved.any_turned, len(part)
            return int(moved.turned[OTTOCENTO.cards.index[card.lower()]]), len(part)

        # Every hand is counted again 62 times, which takes as long as playing a few.
        found = played(play, -(-players.hands // 4), PART // 4, players)
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
        won = -dealers_side(rows) * points(rows, 0)
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
