"""Cricche, sequences and declarations (RULES §4)."""

from collections.abc import Iterable

from tests.naive import packs
from tests.naive.packs import Rules

CRICCA_CARDS = {
    "honours": packs.HONOURS["tarocchino"],
    "kings": packs.KINGS,
    "queens": packs.QUEENS,
    "cavaliers": packs.CAVALIERS,
    "valets": packs.VALETS,
}
CRICCA_POINTS = {
    "honours": {4: 36, 3: 18},
    "kings": {4: 34, 3: 17},
    "queens": {4: 28, 3: 14},
    "cavaliers": {4: 26, 3: 13},
    "valets": {4: 24, 3: 12},
}
CRICCA_KINDS = ("honours", "kings", "queens", "cavaliers", "valets")
SEQUENCE_KINDS = ("swords", "batons", "cups", "coins", "grande", "moors", "aces")
KINDS = CRICCA_KINDS + SEQUENCE_KINDS  # in the order of the combination bits

WILD = ("Pagat", "Fool")
SUIT_LETTER = {"swords": "S", "batons": "B", "cups": "C", "coins": "D"}
MOORS = ("M1", "M2", "M3", "M4")


def _wild_in(cards: set[str]) -> list[str]:
    return [card for card in WILD if card in cards]


def _suit_cards(suit: str, cards: set[str], rules: Rules) -> list[str]:
    """The cards that a suit sequence counts; none if there is no sequence."""
    letter = SUIT_LETTER[suit]
    wild = _wild_in(cards)
    courts = [letter + rank for rank in "KQCV" if letter + rank in cards]
    if letter + "K" not in courts:
        return []
    exists = len(courts) >= 3 or (len(courts) == 2 and len(wild) >= 1)
    if not exists:
        return []
    if len(courts) == 2 and not rules["suit_second_wild"]:
        wild = wild[:1]  # the Pagat, if both are there
    ace = [letter + "A"] if letter + "A" in cards else []
    return courts + ace + wild


def _grande_cards(cards: set[str], rules: Rules) -> list[str]:
    """The cards that the Grande counts; none if there is no Grande."""
    unused = _wild_in(cards)
    top = [card for card in ("World", "Sun", "Moon") if card in cards]
    if "Angel" not in cards or not top:
        return []
    run = ["Angel", *top]
    wild_next_to_16 = False
    if len(top) == 1:
        if not unused:
            return []
        run.append(unused.pop(0))
        wild_next_to_16 = top == ["World"]
    passed_the_5 = True
    for number in range(16, 4, -1):
        if f"T{number}" in cards:
            run.append(f"T{number}")
            continue
        may_fill = bool(unused) and (number == 5 or f"T{number - 1}" in cards)
        if number == 16 and wild_next_to_16 and not rules["grande_wild_before_16"]:
            may_fill = False
        if not may_fill:
            passed_the_5 = False
            break
        run.append(unused.pop(0))
    if passed_the_5:
        run.extend(card for card in MOORS if card in cards)
    run.extend(unused)
    return run


def _equals_cards(members: Iterable[str], cards: set[str]) -> list[str]:
    """The cards that a sequence of Moors or of Aces counts; none if there is no sequence."""
    real = [card for card in members if card in cards]
    wild = _wild_in(cards)
    if len(real) >= 2 and len(real) + len(wild) >= 3:
        return real + wild
    return []


def _cards_of_kind(kind: str, cards: set[str], rules: Rules) -> list[str]:
    """The cards that a combination counts; none if the combination is not there."""
    if not rules["combinations"]:
        return []
    if kind in CRICCA_KINDS:
        present = [card for card in CRICCA_CARDS[kind] if card in cards]
        return present if len(present) >= 3 else []
    if kind == "grande":
        return _grande_cards(cards, rules)
    if kind == "moors":
        return _equals_cards(MOORS, cards)
    if kind == "aces":
        return _equals_cards(("SA", "BA", "CA", "DA"), cards)
    return _suit_cards(kind, cards, rules)


def _sum_doubled(points: list[int]) -> int:
    return 2 * sum(points) if len(points) >= 3 else sum(points)


def cricche(cards: Iterable[str], rules: Rules) -> dict[str, tuple[int, int]]:
    """Each cricca in the cards: how many cards, undoubled points (RULES §4)."""
    found = {}
    for kind in CRICCA_KINDS:
        n_cards = len(_cards_of_kind(kind, set(cards), rules))
        if n_cards > 0:
            found[kind] = (n_cards, CRICCA_POINTS[kind][n_cards])
    return found


def sequences(cards: Iterable[str], rules: Rules) -> dict[str, tuple[int, int]]:
    """Each sequence in the cards: its length, undoubled points (RULES §4)."""
    found = {}
    for kind in SEQUENCE_KINDS:
        length = len(_cards_of_kind(kind, set(cards), rules))
        if length > 0:
            found[kind] = (length, 10 + 5 * (length - 3))
    return found


def held(cards: Iterable[str], rules: Rules) -> set[str]:
    """The kinds of combination in the cards (RULES §4)."""
    cards = set(cards)
    return set(cricche(cards, rules)) | set(sequences(cards, rules))


def points(cards: Iterable[str], rules: Rules) -> tuple[int, int]:
    """Points of the cricche and of the sequences, doubling included (RULES §4)."""
    cards = set(cards)
    return (
        _sum_doubled([value for _, value in cricche(cards, rules).values()]),
        _sum_doubled([value for _, value in sequences(cards, rules).values()]),
    )


def declaration_points(
    cards: Iterable[str], kinds: Iterable[str], withheld: Iterable[str], rules: Rules
) -> int:
    """Points of declaring only `kinds`, from the cards less those withheld (RULES §4)."""
    shown_from = set(cards) - set(withheld)
    cricche_there = cricche(shown_from, rules)
    sequences_there = sequences(shown_from, rules)
    kinds = set(kinds)
    assert kinds <= set(cricche_there) | set(sequences_there), "declared but not held"
    cricche_points = [cricche_there[kind][1] for kind in kinds if kind in cricche_there]
    sequence_points = [sequences_there[kind][1] for kind in kinds if kind in sequences_there]
    return _sum_doubled(cricche_points) + _sum_doubled(sequence_points)


def cards_shown(
    cards: Iterable[str], kinds: Iterable[str], withheld: Iterable[str], rules: Rules
) -> set[str]:
    """All the cards that the declared combinations count (RULES §4)."""
    shown_from = set(cards) - set(withheld)
    shown: set[str] = set()
    for kind in kinds:
        counted = _cards_of_kind(kind, shown_from, rules)
        assert counted, "declared but not held"
        shown |= set(counted)
    return shown


def trick_points(cards_in_trick: Iterable[str], fool_counts: bool, rules: Rules) -> int:
    """Points of the combinations inside a trick, 0 if the rules do not count them (RULES §4).

    `fool_counts`: the Fool, if it is there, is read as part of the trick.
    """
    if not rules["trick_combinations"]:
        return 0
    cards = set(cards_in_trick)
    if not fool_counts:
        cards.discard("Fool")
    return sum(points(cards, rules))
