"""Packs, names and card sets. RULES §1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.cards import (
    PACKS,
    PIEDMONTESE,
    TAROCCHINO,
    CardError,
    Pack,
    format_cards,
    indices,
    parse_card,
    parse_cards,
)
from tests.naive import packs

each_pack = pytest.mark.parametrize("pack", PACKS.values(), ids=PACKS)
any_pack = st.sampled_from(list(PACKS.values()))

# The table of RULES §1, index by index.
TABLE = {
    "tarocchino": """
        SA S6 S7 S8 S9 S10 SV SC SQ SK BA B6 B7 B8 B9 B10 BV BC BQ BK
        C10 C9 C8 C7 C6 CA CV CC CQ CK D10 D9 D8 D7 D6 DA DV DC DQ DK
        Pagat M1 M2 M3 M4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 Moon Sun World Angel Fool""",
    "piedmontese": """
        S7 S8 S9 S10 SV SC SQ SK B7 B8 B9 B10 BV BC BQ BK
        C4 C3 C2 CA CV CC CQ CK D4 D3 D2 DA DV DC DQ DK
        Pagat T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 Moon Sun World Angel Fool""",
}


@each_pack
def test_names_stand_at_their_canonical_index(pack: Pack) -> None:  # RULES §1
    assert list(pack.names) == TABLE[pack.name].split()
    assert list(pack.names) == packs.pack({"pack": pack.name})
    assert [parse_card(name, pack) for name in pack.names] == list(range(pack.size))


def test_size_and_marked_cards_of_each_pack() -> None:  # RULES §1
    assert (TAROCCHINO.size, TAROCCHINO.hand_size) == (62, 15)
    assert (TAROCCHINO.pagat, TAROCCHINO.fool) == (40, 61)
    assert (PIEDMONTESE.size, PIEDMONTESE.hand_size) == (54, 13)
    assert (PIEDMONTESE.pagat, PIEDMONTESE.fool) == (32, 53)


@each_pack
def test_sets_of_a_pack_are_those_of_the_naive_twin(pack: Pack) -> None:  # RULES §1, 3, 7
    rules = {"pack": pack.name}

    def cards(wanted: object) -> int:
        return packs.mask([name for name in pack.names if wanted(name)], rules)  # type: ignore[operator]

    assert pack.all == cards(lambda name: True)
    assert pack.trumps == cards(lambda name: packs.is_trump(name, rules))
    assert pack.equal_trumps == packs.mask(packs.EQUAL_TRUMPS[pack.name], rules)
    assert pack.honours == packs.mask(packs.HONOURS[pack.name], rules)
    assert pack.pips == cards(lambda name: packs.is_pip(name, rules))
    for suit, of_suit in zip(packs.PLAIN_SUITS, pack.suits, strict=True):
        assert of_suit == cards(lambda name, suit=suit: packs.suit(name, rules) == suit)
    ranks = {"K": packs.KINGS, "Q": packs.QUEENS, "C": packs.CAVALIERS, "V": packs.VALETS}
    for letter, of_rank in ranks.items():
        assert pack.rank(letter) == packs.mask(of_rank, rules)
    assert pack.rank("A") == packs.mask(packs.ACES & set(pack.names), rules)


def test_world_is_an_honour_in_ottocento_only() -> None:  # RULES §7, ruling
    assert TAROCCHINO.honours & TAROCCHINO.mask(["World"])
    assert not PIEDMONTESE.honours & PIEDMONTESE.mask(["World"])


@given(any_pack, st.data())
def test_printed_cards_are_read_back(pack: Pack, data: st.DataObject) -> None:
    cards = data.draw(st.integers(0, pack.all))
    assert parse_cards(format_cards(cards, pack), pack, cards.bit_count()) == cards


@given(st.lists(st.sampled_from(TAROCCHINO.names), unique=True), st.randoms())
def test_case_order_and_separators_do_not_matter(names: list[str], random) -> None:  # RULES §1
    expected = sum(1 << TAROCCHINO.names.index(name) for name in names)
    random.shuffle(names)
    spelt = [random.choice([str.upper, str.lower, str.title])(name) for name in names]
    text = "".join(name + random.choice([" ", ",", ", ", " ,", "\t", "\n"]) for name in spelt)
    assert parse_cards(f" {text} ") == expected


def test_cards_are_printed_in_canonical_order() -> None:
    assert format_cards(parse_cards("fool SK dA pagat c10")) == "SK C10 DA Pagat Fool"
    assert format_cards(0) == ""
    assert parse_cards("") == parse_cards(" , ") == 0


@pytest.mark.parametrize("cards", [1 << 61 | 1 << 53 | 1, (1 << 62) - 1])
def test_sets_above_2_to_53_are_exact_whatever_the_integer(cards: int) -> None:
    assert parse_cards(format_cards(cards)) == cards
    assert format_cards(np.uint64(cards)) == format_cards(np.int64(cards)) == format_cards(cards)  # type: ignore[arg-type]
    assert sum(1 << card for card in indices(np.uint64(cards))) == cards  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "pack", "count", "told"),
    [
        ("SK XX", TAROCCHINO, None, "unknown card 'XX': expected one of the tarocchino pack"),
        ("S2", TAROCCHINO, None, "unknown card 'S2'"),
        ("M1", PIEDMONTESE, None, "unknown card 'M1': expected one of the piedmontese pack"),
        ("SA", PIEDMONTESE, None, "unknown card 'SA'"),
        ("SK.SQ", TAROCCHINO, None, "unknown card 'SK.SQ'"),
        ("SK SQ sk", TAROCCHINO, None, "SK is named twice"),
        ("fool, FOOL", TAROCCHINO, None, "Fool is named twice"),
        ("SK SQ", TAROCCHINO, 3, "2 cards are named: expected 3"),
        ("", TAROCCHINO, 2, "0 cards are named: expected 2"),
    ],
)
def test_wrong_cards_are_refused(text: str, pack: Pack, count: int | None, told: str) -> None:
    with pytest.raises(CardError) as error:
        parse_cards(text, pack, count)
    assert told in str(error.value)
    assert len(str(error.value).splitlines()) == 1
