"""Scores of sets of cards, against the worked cases and the naive twins. RULES §3, §4, §7."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cards import TAROCCHINO, CardError, indices, parse_cards
from sim.combinations import KINDS, Cricca, Sequence, kind_names, score, score_sets
from sim.kernels import combinations as kernels
from sim.kernels.rules_record import rules_record
from sim.rules import OTTOCENTO, PARTITA, PRESETS, RuleSet
from tests.naive import combinations as naive
from tests.naive import packs, settlement

CASES = json.loads(
    (Path(__file__).parent / "cases" / "cases_public.json").read_text(encoding="utf-8")
)
# Every ruling of RULES §4 that a table might decide otherwise, both ways.
VARIANTS = [
    OTTOCENTO.replace(suit_second_wild=second, grande_wild_before_16=before_16)
    for second in (True, False)
    for before_16 in (True, False)
]
RECORD = rules_record(OTTOCENTO)


def names(cards: int, rules: RuleSet) -> set[str]:
    return {rules.cards.names[card] for card in indices(cards)}


def twin(cards: int, rules: RuleSet) -> dict[str, Any]:
    """The score JSON as the naive twins give it."""
    held, fields = names(cards, rules), rules.to_dict()
    cricche, sequences = naive.cricche(held, fields), naive.sequences(held, fields)
    cricche_points, sequence_points = naive.points(held, fields)
    return {
        "rules": rules.name,
        "cards": packs.in_order(held, fields),
        "cricche": {kind: {"cards": n, "points": p} for kind, (n, p) in cricche.items()},
        "cricche_points": cricche_points,
        "sequences": {kind: {"length": n, "points": p} for kind, (n, p) in sequences.items()},
        "sequence_points": sequence_points,
        "total": cricche_points + sequence_points,
        "card_points": settlement.card_points(held, fields),
    }


# No deadline: the first example may have to compile.
examples = settings(deadline=None, max_examples=200)


@st.composite
def card_sets(draw: st.DrawFn) -> int:
    """Any set of cards, thin or dense, or cards of a few kinds that combine."""
    pack, contatori = TAROCCHINO, parse_cards("Pagat Fool")
    regions = (
        pack.all,
        pack.all & ~pack.pips,
        pack.trumps | contatori,
        pack.trumps & ~pack.mask(["Sun", "Moon"]) | contatori,
        pack.equal_trumps | pack.rank("A") | contatori,
        *(suit & ~pack.pips | contatori for suit in pack.suits),
    )
    region = [*indices(draw(st.sampled_from(regions)))]
    density, coin = draw(st.sampled_from((0.3, 0.7, 0.9))), draw(st.randoms())
    return sum(1 << card for card in region if coin.random() < density)


def random_sets(rules: RuleSet, n: int, seed: int) -> np.ndarray:
    """Masks of hands of 15 and 17 cards and of piles, uint64 (n,)."""
    rng, size = np.random.default_rng(seed), rules.cards.size
    order = rng.random((n, size)).argsort(axis=1)
    kept = np.arange(size) < rng.choice([15, 17, size // 2], size=(n, 1))
    bits = np.where(kept, np.uint64(1) << order.astype(np.uint64), np.uint64(0))
    return np.bitwise_or.reduce(bits, axis=1)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_worked_case_to_the_letter(case: dict[str, Any]) -> None:
    found = score(case["cards"], PRESETS[case["rules"]])
    assert json.dumps(found.to_dict()) == json.dumps(case["expected"])


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_random_sets_equal_their_twins(rules: RuleSet) -> None:
    masks = random_sets(rules, 20_000, seed=4)
    found = score_sets(masks, rules)
    fields = rules.to_dict()
    for i, mask in enumerate(masks):
        held = names(int(mask), rules)
        assert set(kind_names(found.kinds[i])) == naive.held(held, fields)
        assert (found.cricche[i], found.sequences[i]) == naive.points(held, fields)
        assert found.card_points[i] == settlement.card_points(held, fields)


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name)
@examples
@given(cards=card_sets())
def test_any_set_equals_its_twin(rules: RuleSet, cards: int) -> None:
    assert score(cards, rules).to_dict() == twin(cards, rules)


@examples
@given(cards=card_sets())
def test_one_set_and_many_agree(cards: int) -> None:
    one, many = score(cards), score_sets(np.array([cards], np.uint64))
    assert kind_names(many.kinds[0]) == [*one.cricche, *one.sequences]
    assert (many.cricche[0], many.sequences[0]) == (one.cricche_points, one.sequence_points)
    assert many.card_points[0] == one.card_points


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name)
@examples
@given(cards=card_sets(), chosen=st.integers(0, 0xFFF), withheld=st.integers(0, 3))
def test_declarations_equal_their_twins(
    rules: RuleSet, cards: int, chosen: int, withheld: int
) -> None:
    record, fields = rules_record(rules), rules.to_dict()
    counted = kernels._declarable(cards, withheld << 12)
    kinds = kernels._combinations(counted, record)[0] & chosen
    kept_back = [card for bit, card in enumerate(("Pagat", "Fool")) if withheld >> bit & 1]
    told = (names(cards, rules), kind_names(kinds), kept_back, fields)
    assert sum(kernels._points(counted, record, kinds)) == naive.declaration_points(*told)
    assert names(kernels._shown(counted, kinds, record), rules) == naive.cards_shown(*told)


@examples
@given(cards=card_sets(), coin=st.randoms())
def test_tricks_equal_their_twins(cards: int, coin: random.Random) -> None:
    held = [*indices(cards)]
    trick = sum(1 << card for card in coin.sample(held, min(4, len(held))))
    found = kernels._trick_points(trick, RECORD)
    assert found == naive.trick_points(names(trick, OTTOCENTO), True, OTTOCENTO.to_dict())


# ---- the highest cards, where a mask that became a float would go wrong ----------------------


def test_a_trick_is_passed_over_only_if_it_has_no_combination() -> None:  # RULES §4, in tricks
    cards = np.array([*itertools.combinations(range(62), 4)])
    if numba.config.DISABLE_JIT:
        cards = cards[::500]
    found = score_sets(np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64), axis=1))
    weights = kernels.TALLY[cards].sum(axis=1)
    heaviest = np.max([weights >> 4 * kind & 15 for kind in range(len(KINDS))], axis=0)
    assert (heaviest[found.kinds > 0] >= 7).all()
    few = range(0, len(cards), len(cards) // 100)
    passed = [kernels._may_combine(cards[i].astype(np.uint8), 0) for i in few]
    np.testing.assert_array_equal(passed, heaviest[few] >= 7)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_each_card_counts_up_to_the_highest(rules: RuleSet) -> None:
    """A set with and without each single card, the Fool (bit 61 or 53) last."""
    pack = rules.cards
    masks = [pack.all, *(pack.all ^ 1 << card for card in range(pack.size))]
    masks += [1 << card for card in range(pack.size)]
    found = score_sets(np.array(masks, np.uint64), rules)
    for i, mask in enumerate(masks):
        expected = twin(mask, rules)
        assert kind_names(found.kinds[i]) == [*expected["cricche"], *expected["sequences"]]
        assert found.cricche[i] == expected["cricche_points"]
        assert found.sequences[i] == expected["sequence_points"]
        assert found.card_points[i] == expected["card_points"]


@pytest.mark.parametrize(
    ("without", "fool_adds"),
    [
        ("SK SQ Pagat", {"swords": (3, 4)}),
        ("M1 M2 Pagat", {"moors": (3, 4)}),
        ("SA BA", {"aces": (0, 3)}),
        ("Angel Sun", {"grande": (0, 3)}),
        ("Angel World", {"grande": (0, 3), "honours": (0, 3)}),
    ],
)
def test_the_fool_counts_in_every_kind(without: str, fool_adds: dict[str, tuple[int, int]]) -> None:
    """The highest bit of all, in each kernel that reads it. RULES §4."""
    before, after = score(without), score(without + " Fool")
    for kind, lengths in fool_adds.items():
        found = [(s.cricche | s.sequences).get(kind, (0, 0))[0] for s in (before, after)]
        assert tuple(found) == lengths
    shown = kernels._shown(after.cards, 1 << KINDS.index(next(iter(fool_adds))), RECORD)
    assert shown >> TAROCCHINO.fool & 1
    assert kernels._declarable(after.cards, kernels.FOOL_WITHHELD) == before.cards
    assert kernels._trick_points(after.cards, RECORD) == after.total


# ---- RULES §4 by name -----------------------------------------------------------------------


def test_two_moors_and_both_contatori_make_four() -> None:  # RULES §4, Moors
    assert score("M1 M3 Pagat Fool").sequences["moors"] == Sequence(length=4, points=15)


def test_a_contatore_fills_the_missing_5_whatever_moors_there_are() -> None:  # RULES §4, Grande
    above = "Angel World Sun Moon T16 T15 T14 T13 T12 T11 T10 T9 T8 T7 T6"
    assert score(above + " Pagat M1").sequences["grande"].length == 15 + 1 + 1
    assert score(above + " Pagat M4").sequences["grande"].length == 15 + 1 + 1
    assert score(above + " M1 M4").sequences["grande"].length == 15


def test_a_second_contatore_that_adds_nothing_is_not_shown() -> None:  # RULES §4, Declaring
    cards, swords = parse_cards("SK SQ SA Pagat Fool"), 1 << KINDS.index("swords")
    shown = [kernels._shown(cards, swords, rules_record(rules)) for rules in VARIANTS]
    both, one = cards, parse_cards("SK SQ SA Pagat")
    assert shown == [both, both, one, one]


def test_three_cricche_are_doubled() -> None:  # RULES §4, cricche
    three = score("SK BK CK SQ BQ CQ SV BV CV")
    assert three.cricche["queens"] == Cricca(cards=3, points=14)
    assert three.cricche_points == 2 * (17 + 14 + 12)
    assert score("SK BK CK SQ BQ CQ").cricche_points == 17 + 14


def test_the_whole_pack() -> None:  # RULES §4, §3: 296 and 550, 87 card points
    pack = score(TAROCCHINO.all)
    assert (pack.cricche_points, pack.sequence_points, pack.card_points) == (296, 550, 87)
    assert pack.sequences["grande"] == Sequence(length=22, points=105)


def test_partita_has_no_combinations() -> None:  # RULES §7, 80 points in all
    pack = score(PARTITA.cards.all, PARTITA)
    assert (pack.cricche, pack.sequences, pack.total, pack.card_points) == ({}, {}, 0, 80)
    assert not any(score_sets([PARTITA.cards.all], PARTITA)[:3])


# ---- wrong input ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "rules", "told"),
    [
        ("SK Sq X", OTTOCENTO, "unknown card 'X'"),
        ("SK sk", OTTOCENTO, "SK is named twice"),
        ("M1", PARTITA, "unknown card 'M1'"),
        (1 << 62, OTTOCENTO, "expected bits 0 to 61"),
        (1 << 54, PARTITA, "expected bits 0 to 53"),
        (-1, OTTOCENTO, "expected bits 0 to 61"),
    ],
)
def test_a_wrong_set_is_refused(cards: str | int, rules: RuleSet, told: str) -> None:
    with pytest.raises(CardError, match=told):
        score(cards, rules)


@pytest.mark.parametrize(
    ("masks", "told"),
    [
        (np.array([1, 1 << 62], np.uint64), "expected bits 0 to 61"),
        (np.array([-1]), "expected bits 0 to 61"),
        (np.array([1.0]), "sets of cards as float64"),
        (np.zeros((2, 2), np.uint64), r"of shape \(2, 2\): expected uint64 of shape \(n,\)"),
    ],
)
def test_wrong_arrays_are_refused(masks: np.ndarray, told: str) -> None:
    with pytest.raises(CardError, match=told):
        score_sets(masks)


def test_no_sets_have_no_scores() -> None:
    assert [len(array) for array in score_sets(np.array([], np.uint64))] == [0, 0, 0, 0]
