"""What a statement tells partner: how many deals it rules out, counted exactly. RULES §6, §7."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import log2

from sim.cards import indices
from sim.explanations import start_of
from sim.policies.policy import Policy
from sim.positions import Position
from sim.replaying import replay
from sim.rules import RuleSet
from sim.signals import Signal
from sim.worlds import count_worlds

# Sets of cards that the maker then holds and lacks; of several, exactly one is so.
Alternatives = list[tuple[int, int]]
MOST_SUBSETS = 8  # cards of which all subsets are gone through


def bits_told(
    rules: RuleSet, policies: tuple[Policy, ...], seed: int, hand: int
) -> Iterator[tuple[str, float]]:
    """The statements made in a hand to a partner, each with what it tells him in bits.

    That is log2 of the number of deals consistent with what partner knew before, less that with
    the statement taken literally. He knows his cards, what was played, shown or exposed, and
    earlier statements that named cards held or lacked. Statements that cannot be counted (the
    dealer's on the highest cards, whose discard is unknown; trumps as a long suit) are left out.
    """
    played = replay(rules, policies, seed, hand)
    position = start_of(played)
    cards = [card for trick in played.tricks for card in trick.cards]
    holds, lacks = dict.fromkeys(range(4), 0), dict.fromkeys(range(4), 0)
    by_bit = rules.signals.by_bit(rules.pack)
    for card, bits in zip(cards, played.signals, strict=True):
        maker, leads = position.seat, position.table.position == 0
        position.play(card, bits)
        gone = sum(int(of) for of in position.table.played)
        holds[maker] &= ~gone
        if position.over or not bits:
            continue
        listener = (maker + 2) % 4
        others = [seat for seat in range(4) if seat != listener]
        known = {seat: holds[seat] & ~gone for seat in others}
        missing = {seat: lacks[seat] for seat in others}
        before = count_worlds(position, listener, lacks=missing, holds=known)
        for bit in indices(bits):
            told = alternatives(by_bit[bit], position, maker, listener, card, leads)
            if told is None:
                continue
            after = sum(
                count_worlds(
                    position,
                    listener,
                    lacks={**missing, maker: missing[maker] | lacking},
                    holds={**known, maker: known[maker] | holding},
                )
                for holding, lacking in told
            )
            yield by_bit[bit].name, log2(before) - log2(after)
            if len(told) == 1:
                holds[maker] |= told[0][0]
                lacks[maker] |= told[0][1]


def alternatives(
    signal: Signal, position: Position, maker: int, listener: int, card: int, leads: bool
) -> Alternatives | None:
    """What a true statement lets the maker hold and lack; None: a request, or not to be counted."""
    rules, table, hidden = position.rules, position.table, position.hidden
    pack = rules.cards
    played = sum(int(of) for of in table.played) | int(table.exposed)
    suit = next((of for of in (*pack.suits, pack.trumps) if of >> card & 1), 0)
    left = suit & ~played
    own = int(hidden.hands[listener])
    own |= int(hidden.discard) if listener == table.dealer else 0
    away = pack.all & ~(played | own)
    what, of_dealer = signal.statement, maker == table.dealer
    if what == "request":
        return None
    if what == "void":
        return [(0, suit & away)]
    if what == "holds":
        return [(1 << pack.names.index(signal.card), 0)]
    if what == "holds_queen":
        return [(suit & pack.rank("Q"), 0)]
    if what == "one_more":
        return [(1 << one, left & away & ~(1 << one)) for one in indices(left & away)]
    if what == "pagat_at_risk":
        pagat, others = 1 << pack.pagat, pack.trumps & away & ~(1 << pack.pagat)
        found = _subsets(others, 0, rules.pagat_risk_trumps or 0)
        return [(pagat | some, others & ~some) for some in found]
    if what == "long_suit":
        if (left & away).bit_count() > MOST_SUBSETS:
            return None
        found = _subsets(left & away, (rules.long_suit_min or 1) - 1, MOST_SUBSETS)
        return [(some, left & away & ~some) for some in found]
    if of_dealer:
        return None
    if what == "all_but_one":
        found = _subsets(left, left.bit_count() - 1, left.bit_count())
        return [(some, left & away & ~some) for some in found if not some & ~away]
    about = suit if signal.moment == "plain_suit" else pack.trumps
    return _top(1 if what == "top" else 2, about & ~played, away, pack.equal_trumps)


def _subsets(cards: int, least: int, most: int) -> list[int]:
    """The subsets of a set of cards with so many cards."""
    bits = [1 << card for card in indices(cards)]
    sizes = range(max(least, 0), min(most, len(bits)) + 1)
    return [sum(some) for size in sizes for some in combinations(bits, size)]


def _top(number: int, left: int, away: int, equal: int) -> Alternatives | None:
    """The so many highest cards left are held; of equal trumps any one may be the last of them."""
    order = sorted(indices(left), reverse=True)
    if len(order) < number:
        return None
    sure, last = sum(1 << card for card in order[: number - 1]), 1 << order[number - 1]
    if not last & equal:
        return [(sure | last, 0)]
    if sure & equal:
        return None
    ones = [1 << card for card in indices(left & away & equal)]
    return [(sure | one, sum(ones[:i])) for i, one in enumerate(ones)]
