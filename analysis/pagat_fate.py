"""What becomes of the Pagat: whether its holder's side keeps it, how long, and how it goes."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.estimates import Estimate, mean_of, proportion
from analysis.tricks import winning_place
from sim.cards import indices
from sim.conditions import ROLES
from sim.rows import Rows
from sim.rules import RuleSet

FATES = (
    "led, won the trick",
    "led, partner won the trick",
    "led, caught",
    "trumps led, partner won the trick",
    "trumps led, caught as the last trump",
    "trumps led, caught with trumps left",
    "trumped, won the trick",
    "trumped, partner won the trick",
    "trumped, caught by a later trump",
    "trumped, caught under a higher trump",
    "changed sides in the settlement",
)
FOOL_AT = "holder", "partner", "opponents"
MOST_OF_SIDE = 30  # trumps that two partners may be dealt, and more


def fates(rows: Rows, rules: RuleSet) -> NDArray[np.int64]:
    """How the Pagat went in each hand, as indices of ``FATES``: int64 (n,).

    Parameters
    ----------
    rows
        With ``plays``.
    rules
        The game.

    Returns
    -------
    ndarray
        The Pagat counts as led also where it is played to the Fool led, and sets the suit.
        Source: RULES §2.
    """
    pack, each = rules.cards, np.arange(len(rows.dealer))
    seat, trick, side = rows.pagat.astype(np.int64)
    cards = rows.plays[each, 4 * trick + np.arange(4)[:, None]].astype(np.int64)
    place = (cards == pack.pagat).argmax(axis=0)
    first = (cards[0] == pack.fool).astype(np.int64)
    winner = winning_place(cards, rules)
    led, trumps_led = place == first, (pack.trumps >> cards[first, each] & 1).astype(bool)
    won, partner = winner == place, (winner - place) % 4 == 2
    of_partner = np.where(led, 1, np.where(trumps_led, 3, 7))
    left = np.where(_trumps_left(rows, rules), 5, 4)
    caught = np.where(led, 2, np.where(trumps_led, left, np.where(winner > place, 8, 9)))
    found = np.where(won, np.where(led, 0, 6), np.where(partner, of_partner, caught))
    kept = won | partner
    return np.where(kept == (side == seat % 2), found, len(FATES) - 1)


def _trumps_left(rows: Rows, rules: RuleSet) -> NDArray[np.bool_]:
    """Whether the Pagat's holder has other trumps when he plays it."""
    pack, each = rules.cards, np.arange(len(rows.dealer))
    played = np.full((len(each), pack.size), -1)  # trick; -1: never
    played[each[:, None], rows.plays] = np.arange(rows.plays.shape[1]) // 4
    hand, left = rows.hand[rows.pagat[0], each], np.zeros(len(each), bool)
    for card in indices(pack.trumps):
        left |= (hand >> card & 1).astype(bool) & (played[:, card] > rows.pagat[1])
    return left


class Cell(NamedTuple):
    """Hands of one kind: how many, how often the Pagat is kept in them, its price in points."""

    n: int
    kept: Estimate
    price: Estimate


@dataclass(frozen=True, eq=False)
class Fate:
    """Counts over hands, whole numbers.

    Attributes
    ----------
    fates
        Hands by fate, (FATES,).
    in_hand, not_caught
        Hands in which after each trick the holder still has the Pagat; and in which his side does,
        or will not lose it, (tricks,).
    by_fool, by_role, by_side
        Hands, those whose holder's side keeps it, and sums and squares of twice its price (first
        axis); by who has the Fool (``FOOL_AT``) and trumps beside the Pagat; by the holder's role
        (``ROLES``) and trumps beside it; by the trumps of his side, all as dealt.
    by_partner
        The same by role, the price that of an exchange with the partner's hand, once.
    """

    fates: NDArray[np.int64]
    in_hand: NDArray[np.int64]
    not_caught: NDArray[np.int64]
    by_fool: NDArray[np.int64]
    by_role: NDArray[np.int64]
    by_side: NDArray[np.int64]
    by_partner: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        rows: Rows,
        rules: RuleSet,
        price: NDArray[np.int64],
        partner_price: NDArray[np.int64],
    ) -> Fate:
        """Of hands with ``plays``, and what exchanges of the Pagat cost in each, int64 (n,)."""
        pack, each = rules.cards, np.arange(len(rows.dealer))
        seat, trick, side = rows.pagat.astype(np.int64)
        kept = (side == seat % 2).astype(np.int64)
        tricks = np.arange(rules.tricks)[:, None]
        in_hand, caught = trick > tricks, (kept == 0) & (trick <= tricks)
        trumps = np.bitwise_count(rows.hand & pack.trumps).astype(np.int64)
        beside = trumps[seat, each] - 1
        fool_seat = (rows.hand >> pack.fool & 1).argmax(axis=0)
        fool = np.array([0, 2, 1, 2])[(fool_seat - seat) % 4]
        role = (seat - rows.dealer - 1) % 4
        told, of_partner = (
            np.stack([np.ones_like(kept), kept, of, of * of]) for of in (price, partner_price)
        )
        most = pack.trumps.bit_count()
        return cls(
            np.bincount(fates(rows, rules), minlength=len(FATES)),
            in_hand.sum(axis=1),
            (~caught).sum(axis=1),
            _tally(told, (fool, beside), (len(FOOL_AT), most)),
            _tally(told, (role, beside), (len(ROLES), most)),
            _tally(told, (trumps[seat, each] + trumps[seat ^ 2, each],), (MOST_OF_SIDE,)),
            _tally(of_partner, (role,), (len(ROLES),)),
        )

    def __add__(self, other: Fate) -> Fate:
        return Fate(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def hands(self) -> int:
        """Hands counted."""
        return int(self.fates.sum())

    def kept(self, level: float) -> Estimate:
        """How often the holder's side has the Pagat in the end."""
        return proportion(int(self.by_role[1].sum()), self.hands, level)

    def shares(self, level: float) -> dict[str, Estimate]:
        """How often each of ``FATES`` comes."""
        return {
            name: proportion(int(events), self.hands, level)
            for name, events in zip(FATES, self.fates, strict=True)
        }

    @property
    def by_beside(self) -> NDArray[np.int64]:
        """As ``by_role``, by trumps beside the Pagat alone."""
        return self.by_role.sum(axis=1)

    def role_cells(self, level: float) -> dict[str, tuple[Cell, Estimate]]:
        """Of each role that holds it, and its price to a hand rather than to his partner's."""
        alone, partner = cells(self.by_role.sum(axis=2), level), cells(self.by_partner, level, 1)
        return {role: (alone[i,], partner[i,].price) for i, role in enumerate(ROLES)}

    def survival(self, level: float) -> list[tuple[Estimate, Estimate]]:
        """By trick, how often it is still in hand after it, and how often not caught so far."""
        return [
            (proportion(int(held), self.hands, level), proportion(int(safe), self.hands, level))
            for held, safe in zip(self.in_hand, self.not_caught, strict=True)
        ]


def cells(
    table: NDArray[np.int64], level: float, exchanges: int = 2
) -> dict[tuple[int, ...], Cell]:
    """What a table of ``Fate`` says, by index, of every cell that has 2 hands or more.

    ``exchanges`` is how many its prices are sums of. Each interval is on its own.
    """
    found = {}
    for at in np.ndindex(table.shape[1:]):
        n, kept, total, squares = (int(row[at]) for row in table)
        if n >= 2:
            sums = mean_of(total, squares, n, level)
            mean, low, high = (end / exchanges for end in (sums.mean, sums.low, sums.high))
            price = replace(sums, mean=mean, low=low, high=high)
            found[at] = Cell(n, proportion(kept, n, level), price)
    return found


def _tally(
    told: NDArray[np.int64], cells: tuple[NDArray[np.int64], ...], shape: tuple[int, ...]
) -> NDArray[np.int64]:
    """Sums of each row of ``told`` by cell: int64 (rows, *shape)."""
    sums = np.zeros((len(told), *shape), np.int64)
    for row, values in zip(sums, told, strict=True):
        np.add.at(row, cells, values)
    return sums
