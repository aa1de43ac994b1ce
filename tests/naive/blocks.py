"""A block of deals: the talon goes to each seat in turn, which deals (RULES §3, §7)."""

from collections.abc import Collection, Sequence


def deals(hands: Sequence[Collection[str]], talon: Collection[str]) -> list[list[list[str]]]:
    """The four deals of a block, by dealer; in each the cards of seats 0 to 3, sorted."""
    block = []
    for dealer in range(4):
        deal = [set(hand) for hand in hands]
        deal[dealer] |= set(talon)
        block.append([sorted(hand) for hand in deal])
    return block
