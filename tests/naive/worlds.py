"""Every way in which the hidden cards may lie, by trying all (RULES §2 to §4, §7)."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from tests.naive import combinations as naive_combinations
from tests.naive import discards, tricks
from tests.naive.packs import FOOL, Rules


class Heard(NamedTuple):
    """What all players have seen and heard: cards by name, the plays in order."""

    dealer: int
    first_leader: int
    exposed: set[str]
    kinds: Sequence[Collection[str]]  # declared by each seat
    shown: Sequence[set[str]]  # for that
    plays: Sequence[str]


def subsets(cards: Collection[str]) -> Iterator[tuple[str, ...]]:
    """All subsets of some cards."""
    return chain.from_iterable(combinations(sorted(cards), n) for n in range(len(cards) + 1))


def divisions(cards: frozenset[str], sizes: Sequence[int]) -> Iterator[list[frozenset[str]]]:
    """All ways to divide cards into places of these sizes."""
    if not sizes:
        yield []
        return
    for here in combinations(sorted(cards), sizes[0]):
        for rest in divisions(cards - set(here), sizes[1:]):
            yield [frozenset(here), *rest]


def could_declare(hand: set[str], kinds: Collection[str], shown: set[str], rules: Rules) -> bool:
    """Whether a hand may have declared these kinds and shown these cards (RULES §4).

    What it holds beside is not asked: nothing is inferred from silence.
    """
    may_withhold = {"Pagat", FOOL} & hand if rules["declare"] == "any_subset" else set()
    return not kinds or any(
        set(kinds) <= naive_combinations.held(hand - set(withheld), rules)
        and set(naive_combinations.cards_shown(hand, kinds, withheld, rules)) == shown
        for withheld in subsets(may_withhold)
    )


def played_by(heard: Heard, rules: Rules) -> list[set[str]]:
    """The cards that each seat has played."""
    played: list[set[str]] = [set() for _ in range(4)]
    trick: list[str] = []
    leader = heard.first_leader
    for card in heard.plays:
        played[(leader + len(trick)) % 4].add(card)
        trick.append(card)
        if len(trick) == 4:
            leader, trick = (leader + tricks.winner(trick, rules)) % 4, []
    return played


def could_play(hands: Sequence[set[str]], heard: Heard, rules: Rules) -> bool:
    """Whether the cards played were legal from these hands (RULES §2)."""
    played = played_by(heard, rules)
    left = [set(hand) for hand in hands]
    trick: list[str] = []
    for card in heard.plays:
        (seat,) = (seat for seat in range(4) if card in played[seat])
        if card not in tricks.legal(left[seat], trick, rules):
            return False
        left[seat].remove(card)
        trick = [*trick, card] if len(trick) < 3 else []
    return True


def agrees(rules: Rules, heard: Heard, world: Sequence[frozenset[str]]) -> bool:
    """Whether hands held now, by seat, and a discard agree with all that was seen and heard."""
    played = played_by(heard, rules)
    kept = [set(world[seat]) | played[seat] for seat in range(4)]
    discard = world[4]
    return (
        discard in discards.legal_discards(kept[heard.dealer] | discard, rules)
        and discards.exposed(discard, rules) == heard.exposed
        and all(map(could_declare, kept, heard.kinds, heard.shown, [rules] * 4))
        and could_play(kept, heard, rules)
    )


def worlds(
    rules: Rules, heard: Heard, truth: Sequence[frozenset[str]], seat: int
) -> list[tuple[frozenset[str], ...]]:
    """All hands by seat, then the discard, that a seat cannot tell from the true ones."""
    places = [place for place in range(5) if place not in (seat, 4 if seat == heard.dealer else -1)]
    hidden = [truth[place] - heard.exposed for place in places]
    found = []
    for division in divisions(frozenset().union(*hidden), [len(cards) for cards in hidden]):
        world = list(truth)
        for place, cards in zip(places, division, strict=True):
            world[place] = cards | heard.exposed if place == 4 else cards
        if agrees(rules, heard, world):
            found.append(tuple(world))
    return found
