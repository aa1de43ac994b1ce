"""What each card is worth: two cards of a deal exchanged between hands, and everything replayed.

Deals are shuffled packs, the hands in columns. The j-th card of one hand goes for the j-th of
another: as good as drawn at random, and every pair of hands weighs the same, for the dealer's two
more cards stay where they are. What an exchange takes from one card it gives to the other, so the
values of the pack add up to 0 deal by deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.estimates import Estimate
from analysis.margins import points
from analysis.moments import Moments
from sim.cards import COURTS, indices
from sim.hands import play_deals
from sim.policies.policy import Policy
from sim.rows import Rows
from sim.rules import RuleSet

# Deals in a part: whole rounds of dealers, hands that exchange, and holders of the Pagat.
PART = 960
DEALERS, PARTNERS = 4, 2
# What packs are shuffled for: no deal serves twice.
CARDS, PAGAT = range(2)
ROUND = 3 * DEALERS  # deals in which each two hands have exchanged, whoever deals


class Deals(NamedTuple):
    """Shuffled packs as they are dealt: ``dealer`` (n,) a seat, ``order`` int64 (pack, n)."""

    dealer: NDArray[np.int64]
    order: NDArray[np.int64]

    @property
    def cards(self) -> NDArray[np.int64]:
        """By role, the dealer 0, eldest 1, and the next two: (4, tricks, n); two cards are left."""
        tricks = len(self.order) // 4
        return self.order[: 4 * tricks].reshape(4, tricks, -1)

    @property
    def hands(self) -> NDArray[np.int64]:
        """Sets of cards dealt to seats 0 to 3: int64 (4, n). The dealer has the two left too."""
        by_role = (np.int64(1) << self.cards).sum(axis=1)
        by_role[0] += (np.int64(1) << self.order[4 * self.cards.shape[1] :]).sum(axis=0)
        roles = (np.arange(4)[:, None] - self.dealer) % 4
        return np.take_along_axis(by_role, roles, axis=0)

    def with_first(self, role: NDArray[np.int64], card: int) -> Deals:
        """The same with the card given to a role, (n,), as its first, for the card it had there.

        All deals in which the role has the card are equally likely, if all deals were.
        """
        order, each = self.order.copy(), np.arange(len(role))
        first = role * self.cards.shape[1]
        order[(order == card).argmax(axis=0), each] = order[first, each]
        order[first, each] = card
        return Deals(self.dealer, order)


def deal_pack(rules: RuleSet, seed: int, purpose: int, deals: range) -> Deals:
    """Shuffled packs, all orders equally likely; the dealer is the deal's number modulo 4.

    A deal depends on the seed, the purpose, its place in the part and where the part starts, so
    parts are to start at fixed numbers. Source: RULES §3, §7.
    """
    rng = np.random.default_rng([seed, purpose, deals.start])
    order = rng.random((len(deals), rules.cards.size)).argsort(axis=1).T.astype(np.int64)
    return Deals(np.array(deals, np.int64) % 4, order)


def exchanged(
    hands: NDArray[np.int64],
    seats: tuple[NDArray[np.int64], NDArray[np.int64]],
    cards: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> NDArray[np.int64]:
    """The hands, int64 (4, n), after the first seat's card, each (n,), went for the second's."""
    result, each = hands.copy(), np.arange(hands.shape[1])
    both = np.int64(1) << cards[0] | np.int64(1) << cards[1]
    for seat in seats:
        result[seat, each] ^= both
    return result


def side_sign(seat: NDArray[np.int64]) -> NDArray[np.int64]:
    """1 for a seat of side 0, -1 for one of side 1."""
    return 1 - 2 * (seat % 2)


@dataclass(frozen=True, eq=False)
class Exchanges:
    """What exchanges add up to, card by card.

    ``opponents`` has what a deal gives each card where two opponents' hands exchange;
    ``dealer`` and ``eldest`` where the dealer's, or eldest's, hand exchanges with his partner's:
    what the card is worth there rather than in his partner's hand.
    """

    rules: RuleSet
    opponents: Moments
    dealer: Moments
    eldest: Moments

    def __add__(self, other: Exchanges) -> Exchanges:
        return Exchanges(
            self.rules,
            self.opponents + other.opponents,
            self.dealer + other.dealer,
            self.eldest + other.eldest,
        )

    def values(
        self, of: str = "opponents", level: float = 0.95, groups: Sequence[Sequence[int]] = ()
    ) -> list[Estimate]:
        """The mean value of each card, or of the cards of each group, intervals together.

        Parameters
        ----------
        of
            ``opponents``, ``dealer`` or ``eldest``.
        level
            That all intervals together hold their values.
        groups
            Cards by index; none: each card of the pack by itself.
        """
        size = self.rules.cards.size
        # A card is among those exchanged in as many of `size` deals.
        among = (4 if of == "opponents" else 2) * self.rules.tricks
        weights, whole = group_weights(groups or [[card] for card in range(size)], size)
        moments: Moments = getattr(self, of)
        return moments.combined(size * weights).estimates(among * whole, level, "deal")


def play_exchanges(
    rules: RuleSet, policies: Sequence[Policy], seed: int, deals: range
) -> tuple[Exchanges, Rows]:
    """Play deals, and each again after every exchange of two hands' cards.

    Parameters
    ----------
    rules, policies, seed
        As for ``sim.hands.play_deals``.
    deals
        Their numbers, n of them: at least a ROUND.

    Returns
    -------
    (exchanges, rows)
        What the cards are worth, and the rows of the deals as dealt.

    Source: the definition of the exchange value, in ``analysis.pagat``.
    """
    dealt = deal_pack(rules, seed, CARDS, deals)
    hands, each = dealt.hands, np.arange(len(deals))
    rows = play_deals(rules, policies, seed, deals.start, hands)
    score = points(rows, 0)
    shift = 1 + np.array(deals) // DEALERS % 3
    # The dealer's hand exchanges with one, and the other two with each other.
    firsts = np.zeros_like(shift), np.where(shift == PARTNERS, 1, 2)
    values = np.zeros((2, rules.cards.size, len(deals)), np.int64)
    for pair, first in enumerate(firsts):
        roles = first, (first + shift) % 4
        seats = (dealt.dealer + roles[0]) % 4, (dealt.dealer + roles[1]) % 4
        for j in range(rules.tricks):
            cards = dealt.cards[roles[0], j, each], dealt.cards[roles[1], j, each]
            again = play_deals(rules, policies, seed, deals.start, exchanged(hands, seats, cards))
            lost = side_sign(seats[0]) * (score - points(again, 0))
            values[pair, cards[0], each] = lost
            values[pair, cards[1], each] = -lost
    partners = shift == PARTNERS
    of_partners = (Moments.of(values[pair][:, partners]) for pair in range(2))
    return Exchanges(rules, Moments.of(values.sum(axis=0)[:, ~partners]), *of_partners), rows


def group_weights(groups: Sequence[Sequence[int]], size: int) -> tuple[NDArray[np.int64], int]:
    """Whole weights of the pack's cards, (groups, size), that give the mean of each group's.

    The second number is what the weighted sums are to be divided by.
    """
    whole = int(np.lcm.reduce([len(group) for group in groups]))
    weights = np.zeros((len(groups), size), np.int64)
    for row, group in zip(weights, groups, strict=True):
        row[list(group)] = whole // len(group)
    return weights, whole


def card_groups(rules: RuleSet) -> dict[str, list[int]]:
    """Cards by what players call them: those that stand alone, and those that are alike.

    The Fool and the trumps from the highest down, the equal ones together; then the plain ranks.
    """
    pack = rules.cards
    alone = [pack.fool, *reversed([*indices(pack.trumps & ~pack.equal_trumps)])]
    groups = {pack.names[card]: [card] for card in alone}
    equal = pack.equal_trump_names
    pagat = groups.pop("Pagat")
    groups = {"Pagat": pagat, **groups}
    groups["Moors" if equal[0] == "M1" else f"{equal[0]} to {equal[-1]}"] = [
        *indices(pack.equal_trumps)
    ]
    ranks = zip(("Valets", "Cavaliers", "Queens", "Kings"), COURTS, strict=True)
    groups |= {name: [*indices(pack.rank(letter))] for name, letter in reversed([*ranks])}
    return {**groups, "Aces": [*indices(pack.rank("A"))], "pips": [*indices(pack.pips)]}
