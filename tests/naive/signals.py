"""Which statements may be made with a card and are true, with sets of names (RULES §6, §7)."""

from tests.naive.packs import EQUAL_TRUMPS, FOOL, QUEENS, SUIT_CARDS, SUIT_OF

HELD = {"has_world": "World", "has_sun": "Sun", "has_moon": "Moon"} | {
    f"has_{number}": f"T{number}" for number in (15, 16, 17)
}


def holds_highest(number: int, suit: set[str], order: list[str], hand: set[str], away: set[str]):
    """Whether the so many highest cards left of a suit are in a hand, if none beats them."""
    mine = sorted(hand & suit, key=order.index, reverse=True)
    if len(mine) < number:
        return False
    last = mine[number - 1]
    equal = next((e for e in EQUAL_TRUMPS.values() if last in e and e <= suit), frozenset())
    return not any(order.index(c) > order.index(last) and c not in equal for c in away & suit)


def statements(rules: dict, card: str, leads: bool, hand: set[str], gone: set[str]) -> set[str]:
    """The true statements that go with a card.

    ``hand``: what its player holds after it; ``gone``: what he knows to be in nobody's hand.
    """
    if card == FOOL:
        return set()
    pack = rules["pack"]
    suits = SUIT_CARDS[pack]
    name = SUIT_OF[pack][card]
    order = list(suits[name])
    suit = set(order)
    everything = {c for cards in suits.values() for c in cards} | {FOOL}
    away = everything - hand - gone
    plain, last = name != "trumps", not hand & suit
    found = set()
    if pack == "tarocchino":
        return {"throw"} if plain and last else set()
    if leads and len(hand & suit) + 1 >= rules["long_suit_min"]:
        found.add("long_suit")
    if leads and len(away & suit) <= 1:
        found.add("all_but_one")
    if len(hand & suit) == 1:
        found.add("one_more")
    trumps = list(suits["trumps"])
    if not plain:
        if last:
            found.add("last_trump")
        if "Pagat" in hand and len(hand & suit) <= 1 + rules["pagat_risk_trumps"]:
            found.add("pagat_at_risk")
    if not plain or last:
        for number, key in ((1, "top_trump"), (2, "top_two_trumps")):
            if holds_highest(number, set(trumps), trumps, hand, away):
                found.add(key)
        found |= {key for key, held in HELD.items() if held in hand}
    if plain:
        if last:
            found.add("void")
        if holds_highest(1, suit, order, hand, away):
            found.add("top_of_suit")
        if hand & suit & QUEENS:
            found.add("has_queen")
    return found
