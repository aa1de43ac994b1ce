"""The two packs: card names in canonical order, suits and ranks (RULES §1)."""

from collections.abc import Iterable, Mapping
from typing import Any

Rules = Mapping[str, Any]

PLAIN_SUITS = ("swords", "batons", "cups", "coins")
SUITS = (*PLAIN_SUITS, "trumps")
FOOL = "Fool"

# Every suit from its lowest card to its highest; this is also the canonical order.
SUIT_CARDS: dict[str, dict[str, tuple[str, ...]]] = {
    "tarocchino": {
        "swords": ("SA", "S6", "S7", "S8", "S9", "S10", "SV", "SC", "SQ", "SK"),
        "batons": ("BA", "B6", "B7", "B8", "B9", "B10", "BV", "BC", "BQ", "BK"),
        "cups": ("C10", "C9", "C8", "C7", "C6", "CA", "CV", "CC", "CQ", "CK"),
        "coins": ("D10", "D9", "D8", "D7", "D6", "DA", "DV", "DC", "DQ", "DK"),
        "trumps": (
            *("Pagat", "M1", "M2", "M3", "M4"),
            *("T5", "T6", "T7", "T8", "T9", "T10", "T11", "T12", "T13", "T14", "T15", "T16"),
            *("Moon", "Sun", "World", "Angel"),
        ),
    },
    "piedmontese": {
        "swords": ("S7", "S8", "S9", "S10", "SV", "SC", "SQ", "SK"),
        "batons": ("B7", "B8", "B9", "B10", "BV", "BC", "BQ", "BK"),
        "cups": ("C4", "C3", "C2", "CA", "CV", "CC", "CQ", "CK"),
        "coins": ("D4", "D3", "D2", "DA", "DV", "DC", "DQ", "DK"),
        "trumps": (
            *("Pagat", "T2", "T3", "T4", "T5"),
            *("T6", "T7", "T8", "T9", "T10", "T11", "T12", "T13", "T14", "T15", "T16", "T17"),
            *("Moon", "Sun", "World", "Angel"),
        ),
    },
}

SUIT_OF = {
    name: {card: suit_name for suit_name, cards in suits.items() for card in cards}
    for name, suits in SUIT_CARDS.items()
}

EQUAL_TRUMPS = {
    "tarocchino": frozenset({"M1", "M2", "M3", "M4"}),
    "piedmontese": frozenset({"T2", "T3", "T4", "T5"}),
}

HONOURS = {
    "tarocchino": frozenset({"Angel", "World", "Pagat", FOOL}),
    "piedmontese": frozenset({"Angel", "Pagat", FOOL}),
}

KINGS = frozenset({"SK", "BK", "CK", "DK"})
QUEENS = frozenset({"SQ", "BQ", "CQ", "DQ"})
CAVALIERS = frozenset({"SC", "BC", "CC", "DC"})
VALETS = frozenset({"SV", "BV", "CV", "DV"})
COURTS = KINGS | QUEENS | CAVALIERS | VALETS
ACES = frozenset({"SA", "BA", "CA", "DA"})


def pack(rules: Rules) -> list[str]:
    """All cards of the pack in canonical order, the Fool last (RULES §1)."""
    suits = SUIT_CARDS[rules["pack"]]
    return [card for suit_name in SUITS for card in suits[suit_name]] + [FOOL]


def index(card: str, rules: Rules) -> int:
    """The canonical index of a card (RULES §1)."""
    return pack(rules).index(card)


def mask(cards: Iterable[str], rules: Rules) -> int:
    """A set of cards as a number: 2 to the power of each canonical index (RULES §1)."""
    return sum(2 ** index(card, rules) for card in set(cards))


def in_order(cards: Iterable[str], rules: Rules) -> list[str]:
    """The cards in canonical order (RULES §1)."""
    return sorted(set(cards), key=lambda card: index(card, rules))


def suit(card: str, rules: Rules) -> str | None:
    """The suit of a card, 'trumps' included; None for the Fool (RULES §1)."""
    if card == FOOL:
        return None
    suits = SUIT_OF[rules["pack"]]
    assert card in suits, f"{card} is not in the {rules['pack']} pack"
    return suits[card]


def rank(card: str, rules: Rules) -> int:
    """The place of a card in its suit, higher is better; Moors (II to V) are equal (RULES §1)."""
    suit_name = suit(card, rules)
    assert suit_name is not None, "the Fool has no rank"
    if card in EQUAL_TRUMPS[rules["pack"]]:
        return 1
    return SUIT_CARDS[rules["pack"]][suit_name].index(card)


def is_trump(card: str, rules: Rules) -> bool:
    """Whether the card is a trump; the Fool is none (RULES §2)."""
    return suit(card, rules) == "trumps"


def is_plain(card: str, rules: Rules) -> bool:
    """Whether the card is of a plain suit: neither a trump nor the Fool (RULES §1)."""
    return suit(card, rules) in PLAIN_SUITS


def is_honour(card: str, rules: Rules) -> bool:
    """Whether the card is an Honour; the World is one in Ottocento only (RULES §3, §7)."""
    return card in HONOURS[rules["pack"]]


def is_pip(card: str, rules: Rules) -> bool:
    """Whether the card is a plain card, but neither a court nor an Ace (RULES §3)."""
    return is_plain(card, rules) and card not in COURTS and card not in ACES
