"""Play of a trick (RULES §2)."""

from collections.abc import Iterable, Sequence

from tests.naive import packs
from tests.naive.packs import FOOL, Rules


def suit_led(trick: Sequence[str], rules: Rules) -> str | None:
    """The suit to follow: that of the first card that is not the Fool (RULES §2)."""
    for card in trick:
        if card != FOOL:
            return packs.suit(card, rules)
    return None


def legal(hand: Iterable[str], trick: Sequence[str], rules: Rules) -> set[str]:
    """The cards of the hand that may be played to the cards already in the trick (RULES §2)."""
    hand = set(hand)
    led = suit_led(trick, rules)
    if led is None:
        return hand
    of_suit_led = {card for card in hand if packs.suit(card, rules) == led}
    trumps = {card for card in hand if packs.is_trump(card, rules)}
    obliged = of_suit_led or trumps
    if not obliged:
        return hand
    if FOOL in hand:
        return obliged | {FOOL}
    return obliged


def winner(trick: Sequence[str], rules: Rules) -> int:
    """The position in the trick, 0 to 3, of the card that wins it (RULES §2)."""
    trumps = [card for card in trick if packs.is_trump(card, rules)]
    led = suit_led(trick, rules)
    can_win = trumps or [card for card in trick if packs.suit(card, rules) == led]
    best: str | None = None
    for card in can_win:  # in order of play: the last of equal cards stays the best
        if card != FOOL and (best is None or packs.rank(card, rules) >= packs.rank(best, rules)):
            best = card
    assert best is not None, "no card that can win"
    return list(trick).index(best)


def voids_shown(trick: Sequence[str], position: int, rules: Rules) -> set[str]:
    """The suits that the card at this position shows its player to be void in (RULES §2)."""
    card = trick[position]
    led = suit_led(trick[:position], rules)
    if led is None or card == FOOL:
        return set()
    played = packs.suit(card, rules)
    if played == led:
        return set()
    if played == "trumps":
        return {led}
    return {led, "trumps"}
