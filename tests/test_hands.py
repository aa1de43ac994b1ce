"""Whole hands: rows against the naive twin, and what must hold for every row. RULES §2-4, 7, 8."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.hands import play_blocks, play_deals, play_hands
from sim.players import IllegalAnswer
from sim.policies.discard.fixed import fixed
from sim.policies.policy import part_of
from sim.policies.spec import POLICIES, parse_policies
from sim.rows import Rows
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RuleSet
from tests.helpers import (
    CHOOSY,
    MIXES,
    assert_same,
    compiled_only,
    differences,
    each_preset,
    python,
    row_dicts,
)

EXCHANGED = {"fool_exchange": "end_of_hand"}
KEPT = {"fool_exchange": "none", "counting": "point_a_pair"}
VARIANTS = [
    OTTOCENTO.replace(discard_trumps="forced_exposed"),
    OTTOCENTO.replace(first_lead="dealer"),
    OTTOCENTO.replace(combinations=False),
    OTTOCENTO.replace(trick_combinations=False),
    OTTOCENTO.replace(fool_in_lost_trick=True),
    OTTOCENTO.replace(**KEPT),
    OTTOCENTO.replace(counting="point_a_pair"),
    OTTOCENTO.replace(suit_second_wild=False),
    OTTOCENTO.replace(grande_wild_before_16=False),
    OTTOCENTO.replace(declare="all_or_nothing"),
    OTTOCENTO.replace(declare_when="before_own_first_card"),
    OTTOCENTO.replace(last_trick_points=0),
    OTTOCENTO.replace(pack="piedmontese", combinations=False),
    OTTOCENTO_DIGITAL.replace(declare="any_subset", trick_combinations=True),
    OTTOCENTO_DIGITAL.replace(first_lead="dealer", suit_second_wild=False),
    PARTITA.replace(discard_trumps="free"),
    PARTITA.replace(first_lead="eldest"),
    PARTITA.replace(**EXCHANGED),
    PARTITA.replace(**EXCHANGED, counting="half_point_a_card"),
    PARTITA.replace(last_trick_points=6),
    PARTITA.replace(pack="tarocchino"),
    PARTITA.replace(
        pack="tarocchino",
        combinations=True,
        declare="any_subset",
        declare_when="before_first_trick",
        suit_second_wild=False,
        grande_wild_before_16=True,
    ),
]


# ---- the naive twin -----------------------------------------------------------------------


@each_preset
@pytest.mark.parametrize("mix", MIXES)
@compiled_only
def test_rows_equal_the_naive_twin(rules: RuleSet, mix: str) -> None:
    # 5,000 hands of each mix of policies: 20,000 a preset.
    rows = play_hands(rules, parse_policies(MIXES[mix]), 101, 0, 5_000, log_plays=True)
    assert differences(rules, row_dicts(rules, rows)) == []


@pytest.mark.parametrize("rules", VARIANTS, ids=[rules.name for rules in VARIANTS])
def test_rows_of_variants_equal_the_naive_twin(rules: RuleSet) -> None:  # RULES §9
    for specs in ([CHOOSY], ["simple", "random"]):
        rows = play_hands(rules, parse_policies(specs), 102, 0, 250, log_plays=True)
        assert differences(rules, row_dicts(rules, rows)) == []


# ---- a million hands ----------------------------------------------------------------------


def check_invariants(rules: RuleSet, rows: Rows) -> None:
    """What holds for every hand whatever is played."""
    pack, n = rules.cards, len(rows.dealer)
    hands = np.arange(n)
    count = np.bitwise_count

    assert (np.bitwise_or.reduce(rows.hand) == pack.all).all()
    assert (count(rows.hand).sum(axis=0) == pack.size).all()
    dealt = rows.hand[rows.dealer, hands]
    assert (count(dealt) == rules.tricks + 2).all()
    assert (count(rows.discard) == 2).all()
    assert not (rows.discard & ~dealt).any()
    assert not (rows.discard & (pack.honours | pack.rank("K"))).any()

    assert (rows.tricks.sum(axis=0) == rules.tricks).all()
    assert not (rows.won0 & ~pack.all).any()
    won = np.stack([rows.won0, pack.all ^ rows.won0])
    for name, card in (("pagat", pack.pagat), ("fool", pack.fool)):
        seat, trick, side = getattr(rows, name)
        assert ((rows.hand[seat, hands] & ~rows.discard) >> card & 1).all()
        assert (trick < rules.tricks).all()
        assert (won[side, hands] >> card & 1).all()
    leader = (rows.dealer + 1) % 4 if rules.first_lead == "eldest" else rows.dealer
    np.testing.assert_array_equal(rows.first_trick_leader, leader)

    score = rows.card_points.astype(np.int64)
    if rules.combinations:
        assert (rows.card_points.sum(axis=0) == 87).all()
        assert (count(won[0]) % 2 == 0).all()
        assert ((rows.tricks == 0) <= (won == 0)).all()  # the discard and the Fool go too
        assert (rows.tricks[rows.last_trick, hands] > 0).all()
        assert not (rows.declared & ~rows.held).any()
        assert ((rows.declared == 0) == (rows.declared_points == 0)).all()
        # Each sequence and cricca is of 10 points at least.
        assert (rows.declared_points >= 10 * count(rows.declared)).all()
        score += rows.declared_points[:2] + rows.declared_points[2:]
        score += rows.trick_points + rows.cricche + rows.sequences
        score[rows.last_trick, hands] += 6
        if not rules.trick_combinations:
            assert not rows.trick_points.any()
        if rules.declare == "all_or_nothing":
            assert ((rows.declared == 0) | (rows.declared == rows.held)).all()
    else:
        assert (rows.card_points.sum(axis=0) == 80).all()
        assert (rows.score.sum(axis=0) == 0).all()
        assert (rows.fool[2] == rows.fool[0] % 2).all()
        side = rows.dealer % 2
        assert not (rows.discard & ~won[side, hands]).any()
        score -= 40
    np.testing.assert_array_equal(rows.score, score)


@each_preset
@compiled_only
def test_a_million_hands_keep_the_invariants(rules: RuleSet) -> None:
    for first, spec in zip(range(0, 1_000_000, 100_000), itertools.cycle(["random", "simple"])):
        check_invariants(rules, play_hands(rules, parse_policies(spec), 105, first, 100_000))


def test_rows_that_break_an_invariant_are_found() -> None:
    for column in ("hand", "discard", "won0", "tricks", "card_points", "score", "declared"):
        rows = play_hands(OTTOCENTO, parse_policies("random"), 105, 0, 20)
        getattr(rows, column)[..., 7] += 1
        with pytest.raises(AssertionError):
            check_invariants(OTTOCENTO, rows)


# ---- one hand, many ways ------------------------------------------------------------------


ROWS_DIGEST = """
import hashlib
from sim.hands import play_hands
from sim.kernels import bits, hand
from sim.policies.spec import parse_policies
from sim.rules import PRESETS

def digest():
    told = hashlib.sha256()
    for rules in PRESETS.values():
        for spec in ("simple", "random"):
            policies = parse_policies(spec)
            rows = [play_hands(rules, policies, 106, 5, 23, log_plays=True)]
            for first in (6, 7):
                rows.append(play_hands(rules, policies, 106, first, 1, log_plays=True))
            for each in rows:
                for column in each._fields:
                    told.update(bytes(memoryview(getattr(each, column).copy())))
    return told.hexdigest()
"""
OTHER_MACHINE = """
import llvmlite.binding as llvm
features = llvm.get_host_cpu_features
llvm.get_host_cpu_features = lambda: type(features())({**features(), "bmi2": False})
"""


@pytest.mark.parametrize("lanes", [1, 3])
def test_rows_depend_neither_on_the_lanes_nor_on_the_pick(lanes: int, tmp_path: Path) -> None:
    here: dict[str, Any] = {}
    exec(ROWS_DIGEST, here)
    check = f"hand.LANES = {lanes}\nassert bits._nth is bits._nth_by_halves\nprint(digest())"
    there = python(OTHER_MACHINE + ROWS_DIGEST + check, NUMBA_CACHE_DIR=str(tmp_path))
    assert there.strip() == here["digest"]()


@each_preset
def test_a_hand_is_played_again_by_its_number(rules: RuleSet) -> None:
    policies = parse_policies(["simple", "random"])
    together = row_dicts(rules, play_hands(rules, policies, 107, 100, 40, log_plays=True), 100)
    for row in together:
        alone = play_hands(rules, policies, 107, row["hand_id"], 1, log_plays=True)
        assert row_dicts(rules, alone, row["hand_id"]) == [row]


@each_preset
def test_logging_the_plays_changes_nothing_else(rules: RuleSet) -> None:
    policies = parse_policies("simple")
    plain = play_hands(rules, policies, 108, 0, 50)
    logged = play_hands(rules, policies, 108, 0, 50, log_plays=True)
    assert len(plain.plays) == 0
    assert logged.plays.shape == (50, 4 * rules.tricks)
    assert_same(logged._replace(plays=plain.plays), plain)


@pytest.mark.parametrize(
    ("seed", "first", "n", "told"),
    [
        (-1, 0, 1, "seed -1: expected 0 to 18446744073709551615"),
        (2**64, 0, 1, "seed 18446744073709551616"),
        (1, -1, 5, "from -1"),
        (1, 0, 0, "0 hands"),
        (1, 0, -3, "-3 hands"),
        (1, 0, 100_001, "expected 1 to 100000"),
        (1, 2**63 - 1, 1, "from 9223372036854775807"),
    ],
)
def test_seeds_and_ranges_out_of_bounds_are_refused(
    seed: int, first: int, n: int, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        play_hands(OTTOCENTO, parse_policies("random"), seed, first, n)


# ---- compiled or not ----------------------------------------------------------------------

PLAY = """
import json, sys
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from sim.rules import PRESETS
from tests.helpers import row_dicts
told = []
for rules in PRESETS.values():
    for specs in (["random"], ["simple", "random"], ["expert"]):
        rows = play_hands(rules, parse_policies(specs), 109, 2**53, 12, log_plays=True)
        told.append([{k: str(v) for k, v in row.items()} for row in row_dicts(rules, rows)])
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def compiled_rows() -> str:
    return python(PLAY)


def test_uncompiled_rows_are_the_same(compiled_rows: str) -> None:
    assert python(PLAY, NUMBA_DISABLE_JIT="1") == compiled_rows


@compiled_only
def test_no_index_is_out_of_bounds(compiled_rows: str, tmp_path) -> None:
    # numba's cache does not tell code with this check from code without.
    checked = python(PLAY, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
    assert checked == compiled_rows


# ---- blocks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
def test_hands_of_blocks_equal_the_naive_twin(rules: RuleSet) -> None:  # RULES §2-4, §7
    policies = parse_policies(["random", "simple"])
    blocks = play_blocks(rules, policies, 21, 20, 10)
    rows = play_deals(rules, policies, 21, 80, blocks.hand, log_plays=True)
    assert_same(rows._replace(plays=blocks.plays), blocks)
    assert differences(rules, row_dicts(rules, rows, 80)) == []


def test_blocks_do_not_depend_on_where_one_begins() -> None:
    policies = parse_policies(["random", "simple"])
    whole, part = (play_blocks(OTTOCENTO, policies, 22, first, n) for first, n in ((0, 9), (4, 3)))
    inside = [column[..., 16:28] for column in whole[:-2]]
    assert_same(part, Rows(*inside, whole.plays, whole.signals))


def test_a_seat_draws_the_same_whoever_plays_against_it() -> None:
    others = ("simple", "random", "simple+declare:nothing")
    played = [
        play_blocks(OTTOCENTO, parse_policies(["random", other]), 23, 0, 50) for other in others
    ]
    for rows in played[1:]:
        np.testing.assert_array_equal(rows.hand, played[0].hand)
        own = rows.dealer % 2 == 0  # random discards
        np.testing.assert_array_equal(rows.discard[own], played[0].discard[own])
        np.testing.assert_array_equal(rows.declared[0::2], played[0].declared[0::2])


@pytest.mark.parametrize(("first", "n"), [(-1, 1), (0, 0), (0, 25_001)])
def test_blocks_out_of_bounds_are_refused(first: int, n: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 100000, from 0 up"):
        play_blocks(OTTOCENTO, parse_policies("random"), 1, first, n)


# ---- deals given ---------------------------------------------------------------------------


@each_preset
def test_deals_given_are_played_as_if_dealt(rules: RuleSet) -> None:
    policies = parse_policies(["simple", "random"])
    dealt = play_hands(rules, policies, 7, 5, 60, log_plays=True)
    assert_same(play_deals(rules, policies, 7, 5, dealt.hand, log_plays=True), dealt)
    every_fourth = dealt.hand[:, ::4]
    played = play_deals(rules, policies, 7, 5, every_fourth, log_plays=True, stride=4)
    columns = [column[..., ::4] for column in dealt[:-2]]
    assert_same(played, Rows(*columns, dealt.plays[::4], dealt.signals))


def test_what_is_no_deal_is_refused() -> None:
    policies = parse_policies("simple")
    hands = play_hands(OTTOCENTO, policies, 7, 0, 2).hand.copy()
    for wrong in (hands[:3], hands[:, ::-1], np.where(hands == hands[1, 0], hands[2, 0], hands)):
        with pytest.raises(ValueError, match="no deals: expected"):
            play_deals(OTTOCENTO, policies, 7, 0, wrong)


def test_two_given_cards_are_discarded() -> None:
    part = part_of(fixed).with_parameters({"first": 2, "second": 13})
    policies = [replace(POLICIES["simple"], discard=part)] * 4
    dealt = play_hands(OTTOCENTO, parse_policies("simple"), 7, 0, 400).hand
    both = 1 << 2 | 1 << 13
    fits = [i for i in range(400) if dealt[i % 4, i] & both == both]
    assert fits
    for i in fits:
        assert play_deals(OTTOCENTO, policies, 7, i, dealt[:, i : i + 1]).discard[0] == both
    with pytest.raises(IllegalAnswer):
        play_deals(OTTOCENTO, policies, 7, 0, dealt)
