"""Packs, canonical card numbers, names, and card sets. RULES §1.

A set of cards is an integer with bit ``i`` set for the card of index ``i``; at the border of
the package and in files it is a ``uint64``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

COURTS = ("V", "C", "Q", "K")
SUITS = ("swords", "batons", "cups", "coins")
SUIT_LETTERS = "SBCD"


class CardError(ValueError):
    """A card name is unknown, appears twice, or a set has the wrong number of cards."""


@dataclass(frozen=True)
class Pack:
    """One pack: its cards in canonical order and the sets of cards that the rules speak of.

    Every attribute from ``suits`` on is a set of cards (an integer mask) or a tuple of them.
    The index of a card grows with its power within its suit; trumps follow the four suits; the
    Fool comes last. Source: RULES §1 and, for ``honours``, §3 and §7.
    """

    name: str
    names: tuple[str, ...]
    hand_size: int
    honour_names: tuple[str, ...]
    equal_trump_names: tuple[str, ...]
    index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", {name.lower(): i for i, name in enumerate(self.names)})

    def mask(self, names: Iterable[str]) -> int:
        """The set of the cards called ``names``, which must be of this pack."""
        return sum(1 << self.index[name.lower()] for name in names)

    def describe(self, card: int) -> str:
        """The name of a card, or its number if the pack has none such."""
        return self.names[card] if 0 <= card < self.size else f"card number {card}"

    @property
    def size(self) -> int:
        """Number of cards."""
        return len(self.names)

    @property
    def all(self) -> int:
        """The whole pack."""
        return (1 << self.size) - 1

    @property
    def suits(self) -> tuple[int, ...]:
        """Swords, Batons, Cups, Coins."""
        length = self.pagat // 4
        return tuple(((1 << length) - 1) << (length * i) for i in range(4))

    @property
    def pagat(self) -> int:
        """Index of the Pagat, the lowest trump."""
        return self.index["pagat"]

    @property
    def fool(self) -> int:
        """Index of the Fool."""
        return self.index["fool"]

    @property
    def trumps(self) -> int:
        """All trumps, without the Fool."""
        return self.all ^ (1 << self.fool) ^ ((1 << self.pagat) - 1)

    @property
    def equal_trumps(self) -> int:
        """The four trumps of equal rank (Moors, or II to V)."""
        return self.mask(self.equal_trump_names)

    @property
    def honours(self) -> int:
        """The Honours, the Fool among them."""
        return self.mask(self.honour_names)

    def rank(self, letter: str) -> int:
        """The cards of one plain rank (``"K"``, ``"A"`` …) in the suits that have it."""
        return self.mask(n for n in self.names if n[0] in SUIT_LETTERS and n[1:] == letter)

    @property
    def pips(self) -> int:
        """Plain cards that are neither courts nor Aces."""
        plain = (1 << self.pagat) - 1
        return plain & ~sum(self.rank(letter) for letter in (*COURTS, "A"))


def _suit(letter: str, pips: str) -> list[str]:
    return [letter + rank for rank in (*pips.split(), *COURTS)]


def _pack(
    name: str,
    black: str,
    red: str,
    trumps: Iterable[str],
    hand_size: int,
    honours: str,
    equal_trumps: str,
) -> Pack:
    names = [*_suit("S", black), *_suit("B", black), *_suit("C", red), *_suit("D", red)]
    names += ["Pagat", *trumps, "Moon", "Sun", "World", "Angel", "Fool"]
    return Pack(name, tuple(names), hand_size, tuple(honours.split()), tuple(equal_trumps.split()))


TAROCCHINO = _pack(
    "tarocchino",
    black="A 6 7 8 9 10",
    red="10 9 8 7 6 A",
    trumps=["M1", "M2", "M3", "M4", *(f"T{n}" for n in range(5, 17))],
    hand_size=15,
    honours="Angel World Pagat Fool",
    equal_trumps="M1 M2 M3 M4",
)
PIEDMONTESE = _pack(
    "piedmontese",
    black="7 8 9 10",
    red="4 3 2 A",
    trumps=[f"T{n}" for n in range(2, 18)],
    hand_size=13,
    honours="Angel Pagat Fool",
    equal_trumps="T2 T3 T4 T5",
)
PACKS = {pack.name: pack for pack in (TAROCCHINO, PIEDMONTESE)}


def indices(cards: int) -> Iterator[int]:
    """Card numbers in a set, lowest first."""
    cards = int(cards)
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def parse_card(text: str, pack: Pack = TAROCCHINO) -> int:
    """Index of the card called ``text``, read without regard to case.

    Raises CardError if the pack has no such card. Source: RULES §1.
    """
    try:
        return pack.index[text.lower()]
    except KeyError:
        raise CardError(
            f"unknown card {text!r}: expected one of the {pack.name} pack such as "
            f"{pack.names[0]}, {pack.names[-7]}, Pagat, Angel, Fool"
        ) from None


def parse_cards(text: str, pack: Pack = TAROCCHINO, count: int | None = None) -> int:
    """Read names separated by spaces or commas into a set of cards.

    Parameters
    ----------
    text
        For example ``"SK SQ, Fool"``; case does not matter.
    pack
        The pack whose names are read.
    count
        How many cards are expected; None for any number.

    Returns
    -------
    int
        The set, bit ``i`` for card ``i``.

    Raises
    ------
    CardError
        An unknown name, a card named twice, or a wrong count.

    Source: RULES §1.
    """
    cards = 0
    for name in re.split(r"[\s,]+", text.strip(" \t\r\n,")):
        if not name:
            continue
        card = parse_card(name, pack)
        if cards >> card & 1:
            raise CardError(f"{pack.names[card]} is named twice: expected each card once")
        cards |= 1 << card
    if count is not None and cards.bit_count() != count:
        raise CardError(f"{cards.bit_count()} cards are named: expected {count}")
    return cards


def format_cards(cards: int, pack: Pack = TAROCCHINO) -> str:
    """The names of a set in canonical order, separated by spaces. Source: RULES §1."""
    return " ".join(pack.names[i] for i in indices(cards))
