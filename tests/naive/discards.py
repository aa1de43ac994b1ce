"""The dealer's discard (RULES §3, §7)."""

from collections.abc import Iterable
from itertools import combinations

from tests.naive import packs
from tests.naive.packs import Rules


def legal_discards(hand: Iterable[str], rules: Rules) -> set[frozenset[str]]:
    """Every pair of cards the dealer may discard from his hand (RULES §3, §7)."""
    allowed = {
        card for card in hand if card not in packs.KINGS and not packs.is_honour(card, rules)
    }
    pairs = {frozenset(pair) for pair in combinations(allowed, 2)}
    if rules["discard_trumps"] == "free":
        return pairs
    assert rules["discard_trumps"] == "forced_exposed"
    # A trump goes only for want of plain cards: as many plain cards as there are, up to two.
    plain = {card for card in allowed if packs.is_plain(card, rules)}
    must_be_plain = min(2, len(plain))
    return {pair for pair in pairs if len(pair & plain) == must_be_plain}


def exposed(discard: Iterable[str], rules: Rules) -> set[str]:
    """The cards of the discard that all players see (RULES §7)."""
    if rules["discard_trumps"] == "free":
        return set()
    return {card for card in discard if packs.is_trump(card, rules)}
