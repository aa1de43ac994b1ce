"""The end of a hand: the Fool, the discard, counting the cards (RULES §3, §7)."""

from collections.abc import Collection, Iterable, Sequence

from tests.naive import combinations, packs
from tests.naive.packs import FOOL, Rules


def card_value(card: str, rules: Rules) -> int:
    """The value of one card (RULES §3, §7); the Fool's is the 5 it counts in either game."""
    if card == FOOL:
        return 5
    if rules["counting"] == "half_point_a_card":
        top, queen, cavalier, valet, other = 5, 4, 3, 2, 1
    else:
        assert rules["counting"] == "point_a_pair"
        top, queen, cavalier, valet, other = 4, 3, 2, 1, 0
    if card in packs.KINGS or packs.is_honour(card, rules):
        return top
    if card in packs.QUEENS:
        return queen
    if card in packs.CAVALIERS:
        return cavalier
    if card in packs.VALETS:
        return valet
    return other


def card_points(cards: Iterable[str], rules: Rules) -> float:
    """Points of any set of cards, without the last trick (RULES §3, §7)."""
    cards = set(cards)
    values = sum(card_value(card, rules) for card in cards)
    if rules["counting"] == "half_point_a_card":
        return values - 0.5 * len(cards)
    besides_the_fool = len(cards - {FOOL})
    pairs, odd_card = divmod(besides_the_fool, 2)
    return float(values + pairs + odd_card)


def _combination_points(pile: set[str], rules: Rules) -> int:
    return sum(combinations.points(pile, rules))


def _best_to_lose(candidates: Iterable[str], owing: set[str], other: set[str], rules: Rules) -> str:
    """The candidate whose loss leaves the owing side the best difference; ties to the lowest."""
    best, best_difference = None, None
    for card in packs.in_order(candidates, rules):
        mine = _combination_points(owing - {card}, rules)
        theirs = _combination_points(other | {card}, rules)
        if best_difference is None or mine - theirs > best_difference:
            best, best_difference = card, mine - theirs
    assert best is not None, "nothing to give"
    return best


def card_given(owing: Iterable[str], other: Iterable[str], rules: Rules) -> str:
    """The card the owing side gives for its Fool, by the three steps of RULES §3.

    Both are whole piles: the Fool is in that of the owing side, the discard in its own.
    """
    owing, other = set(owing), set(other)
    pips = [card for card in packs.in_order(owing, rules) if packs.is_pip(card, rules)]
    if pips:
        return pips[0]
    ones = [
        card
        for card in owing
        if card in packs.ACES or (packs.is_trump(card, rules) and not packs.is_honour(card, rules))
    ]
    if ones:
        return _best_to_lose(ones, owing, other, rules)
    rest = owing - {FOOL}
    lowest_value = min(card_value(card, rules) for card in rest)
    lowest = [card for card in rest if card_value(card, rules) == lowest_value]
    return _best_to_lose(lowest, owing, other, rules)


def settle(
    piles: Sequence[Iterable[str]],
    tricks: Sequence[int],
    discard: Collection[str],
    dealer_side: int,
    fool_side: int,
    fool_side_lost_trick: bool,
    rules: Rules,
) -> tuple[list[set[str]], str | None]:
    """Both piles after settlement and the card given for the Fool, if one is (RULES §3, §7).

    `piles` holds the cards of the tricks each side won. In whichever of them the Fool stands
    (or in none), it and the discard are put where they belong here. `fool_side` is the side
    that played the Fool; `fool_side_lost_trick` says whether the other side won that trick.
    """
    tricks_cards = [set(pile) - {FOOL} - set(discard) for pile in piles]
    stays = rules["fool_exchange"] == "none"
    other_side = 1 - fool_side

    discard_owner = dealer_side
    fool_owner = fool_side
    if not stays and tricks[dealer_side] == 0:
        discard_owner = 1 - dealer_side
    if not stays and tricks[fool_side] == 0:
        fool_owner = other_side

    settled = [set(cards) for cards in tricks_cards]
    settled[discard_owner] |= set(discard)
    settled[fool_owner].add(FOOL)

    owes = not stays and fool_side_lost_trick and tricks[fool_side] > 0
    if not owes:
        return settled, None
    given = card_given(settled[fool_side], settled[other_side], rules)
    settled[fool_side].remove(given)
    settled[other_side].add(given)
    return settled, given
