"""What it matters which side gets a card, against the combinations counted one by one."""

import random
from itertools import product

import numpy as np
import pytest

from sim.cards import TAROCCHINO, indices
from sim.combinations import score
from sim.kernels.rules_record import rules_record
from sim.policies.spec import parse_policy
from sim.policies.worth import contatori, worth
from sim.rules import OTTOCENTO, PARTITA, RuleSet

EXPERT = parse_policy("expert").play
NEUTRAL = EXPERT.with_parameters({"sequences": 1, "cricche": 1})
RULES = rules_record(OTTOCENTO)


def number_of(card: str, rules: RuleSet) -> int:
    return rules.cards.mask([card]).bit_length() - 1


def compiled_weights(**changed: float) -> np.record:
    """The expert's parameters, without doubling, as its parts read them."""
    part = NEUTRAL.with_parameters({**NEUTRAL.parameters, **changed})
    record = np.zeros(1, part.weights).view(np.recarray)[0]
    for name, value in part.parameters.items():
        record[name] = value
    return record


def expected_difference(card: str, kinds: list[str], cards: str, ours: int, theirs: int) -> float:
    """By how much a card for us, and not for them, betters combinations, others at even chance."""
    bit, whole = TAROCCHINO.mask([card]), TAROCCHINO.mask(cards.split())
    unknown = [1 << other for other in indices(whole & ~(ours | theirs | bit))]
    total = 0.0
    for places in product((0, 1), repeat=len(unknown)):
        more = sum(other for other, place in zip(unknown, places, strict=True) if place)
        rest = sum(unknown) - more
        for sign, we, they in ((1, ours | bit, theirs), (-1, ours, theirs | bit)):
            total += sign * (
                points(whole & (we | more), kinds) - points(whole & (they | rest), kinds)
            )
    return total / 2 ** len(unknown)


def points(cards: int, kinds: list[str]) -> int:
    found = score(cards, OTTOCENTO)
    return sum(found.sequences[kind].points for kind in kinds if kind in found.sequences) + sum(
        found.cricche[kind].points for kind in kinds if kind in found.cricche
    )


def piles(cards: str, without: str, rng: random.Random) -> tuple[int, int]:
    """Some of the cards in our pile, some in theirs, the rest and ``without`` in neither."""
    masks = [TAROCCHINO.mask([name]) for name in cards.split() if name != without]
    places = [rng.randrange(3) for _ in masks]
    return tuple(  # type: ignore[return-value]
        sum(mask for mask, place in zip(masks, places, strict=True) if place == side)
        for side in (1, 2)
    )


SUIT = "SA SV SC SQ SK Pagat Fool"
CASES = [
    ("SK", {SUIT: ["swords"], "SK BK CK DK": ["kings"]}, 9),
    ("CV", {"CA CV CC CQ CK Pagat Fool": ["cups"], "SV BV CV DV": ["valets"]}, 3),
    ("BA", {"BA BV BC BQ BK Pagat Fool": ["batons"], "SA BA CA DA Pagat Fool": ["aces"]}, 1),
    ("M3", {"M1 M2 M3 M4 Pagat Fool": ["moors"]}, 1),
]


@pytest.mark.parametrize(("card", "combinations", "card_points"), CASES)
def test_a_card_is_worth_what_it_adds_and_what_it_denies(  # RULES §4
    card: str, combinations: dict[str, list[str]], card_points: int
) -> None:
    rng = random.Random(card)
    concerned = " ".join(dict.fromkeys(" ".join(combinations).split()))
    number = number_of(card, OTTOCENTO)
    for _ in range(40):
        ours, theirs = piles(concerned, card, rng)
        expected = card_points + sum(
            expected_difference(card, kinds, cards, ours & TAROCCHINO.mask(cards.split()), theirs)
            for cards, kinds in combinations.items()
        )
        found = worth(number, ours, theirs, contatori(ours, theirs), RULES, compiled_weights())
        assert found == pytest.approx(expected, abs=1e-4)


def test_minding_only_ones_own_combinations_or_only_theirs_adds_up() -> None:
    ours, theirs = TAROCCHINO.mask(["SK", "BK"]), TAROCCHINO.mask(["DK", "SQ"])
    king = number_of("CK", OTTOCENTO)

    def value(complete: int, deny: int) -> float:
        weights = compiled_weights(complete=complete, deny=deny)
        return float(worth(king, ours, theirs, 0, RULES, weights))

    assert value(1, 0) > value(0, 1) > value(0, 0) == 9  # card points alone
    assert value(1, 0) + value(0, 1) - value(0, 0) == pytest.approx(value(1, 1), abs=1e-4)


def test_in_partita_a_card_is_worth_its_card_points() -> None:  # RULES §7
    rules, weights = rules_record(PARTITA), compiled_weights()
    worths = [
        worth(number_of(name, PARTITA), 0, 0, 0, rules, weights)
        for name in ("SK", "Angel", "Pagat", "SQ", "SC", "SV", "S7", "World", "T9")
    ]
    assert worths == [8, 8, 8, 6, 4, 2, 0, 0, 0]
