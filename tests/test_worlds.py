"""Worlds: all that a player cannot tell apart, and each as often. RULES §2-4, §7."""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.cards import indices, parse_cards
from sim.hands import finish, play_hands
from sim.policies.spec import POLICIES, parse_policies
from sim.positions import Position
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RuleSet
from sim.worlds import count_worlds, dealer_worlds, reimagined, worlds
from tests.helpers import (
    CHOOSY,
    SEATS,
    compiled_only,
    each_preset,
    kind_names,
    naive_rules,
    names,
    policy_file,
    replay,
    row_dicts,
)
from tests.naive import packs
from tests.naive import worlds as naive

# The chance that uniform worlds fail a test below.
ALPHA = 1e-3


def positions(
    rules: RuleSet, spec: str, cards: int, seed: int, n: int
) -> Iterator[tuple[dict[str, Any], Position]]:
    """Hands played by a policy, each with its position after so many cards."""
    rows = play_hands(rules, parse_policies(spec), seed, 0, n, log_plays=True)
    for row in row_dicts(rules, rows):
        yield row, replay(rules, row, cards, seed=seed)


def others(seat: int) -> list[int]:
    return [other for other in SEATS if other != seat]


# ---- against all worlds, tried one by one -------------------------------------------------


def heard(position: Position, row: dict[str, Any], cards: int) -> naive.Heard:
    """What all have seen and heard after so many cards."""
    rules, table = position.rules, position.table
    return naive.Heard(
        int(table.dealer),
        int(table.first_leader),
        set(names(int(table.exposed), rules)),
        [kind_names(int(bits))[0] for bits in table.declared],
        [set(names(int(shown), rules)) for shown in table.shown],
        [rules.cards.names[card] for card in row["plays"][:cards]],
    )


def by_name(rules: RuleSet, world: Iterable[int]) -> list[frozenset[str]]:
    """The hands and the discard of a world."""
    return [frozenset(names(int(cards), rules)) for cards in world]


@compiled_only
@each_preset
@pytest.mark.parametrize("spec", ["simple", CHOOSY], ids=["simple", "choosy"])
def test_all_worlds_of_endgames_are_counted_and_equally_likely(rules: RuleSet, spec: str) -> None:
    tested = 0
    for left in (6, 8):
        cards = 4 * rules.tricks - left
        for row, position in positions(rules, spec, cards, seed=1, n=8):
            seat = (row["hand_id"] // 4 + 2 * left) % 4
            truth = by_name(rules, (*position.hidden.hands, position.hidden.discard))
            found = [
                tuple(packs.mask(place, naive_rules(rules)) for place in world)
                for world in naive.worlds(
                    naive_rules(rules), heard(position, row, cards), truth, seat
                )
            ]
            assert count_worlds(position, seat) == len(found)
            n = 60 * len(found)
            drawn = worlds(position, seat, n, seed=2)
            counts = Counter(
                zip(*(column.tolist() for column in (*drawn.hands.T, drawn.discards)), strict=True)
            )
            assert set(counts) == set(found), "not every world, or another one, is drawn"
            if len(found) > 1:
                tested += 1
                assert stats.chisquare([counts[world] for world in found]).pvalue > ALPHA / 100
    assert tested >= 8


@each_preset
def test_worlds_in_the_middle_of_a_hand_agree_with_all_that_was_seen(rules: RuleSet) -> None:
    for cards in (0, 6, 17, 30):
        for row, position in positions(rules, CHOOSY, cards, seed=16, n=6):
            seen = heard(position, row, cards)
            for seat in SEATS:
                hands, discards = worlds(position, seat, 8, seed=17)
                for world in zip(*hands.T, discards, strict=True):
                    assert naive.agrees(naive_rules(rules), seen, by_name(rules, world))


# ---- large cases --------------------------------------------------------------------------


@compiled_only
@each_preset
@pytest.mark.parametrize("cards", [0, 5, 18, 30])
def test_each_card_is_with_each_player_as_often_as_counted(rules: RuleSet, cards: int) -> None:
    n, z = 20_000, []
    for row, position in positions(rules, "simple", cards, seed=3, n=3):
        seat = (row["hand_id"] + cards) % 4
        drawn, total = worlds(position, seat, n, seed=4), count_worlds(position, seat)
        for other in others(seat):
            for card in range(rules.cards.size):
                p = count_worlds(position, seat, holds={other: 1 << card}) / total
                found = int((drawn.hands[:, other] >> np.uint64(card) & np.uint64(1)).sum())
                if p in (0, 1):
                    assert found == n * p
                else:
                    z.append((found - n * p) / np.sqrt(n * p * (1 - p)))
    assert len(z) > 100
    assert np.abs(z).max() < stats.norm.isf(ALPHA / 2 / len(z))


@each_preset
def test_before_play_the_count_is_a_product_of_binomials(rules: RuleSet) -> None:
    size = rules.tricks
    (row,) = row_dicts(rules, play_hands(rules, parse_policies("random"), 5, 0, 1))
    hands = [row[f"hand{seat}"] for seat in SEATS]
    position = Position.start(rules, 0, hands, row["discard"])
    deals = factorial(3 * size) // factorial(size) ** 3
    assert count_worlds(position, 0) == deals
    # Another seat does not know the discard: it is two of the cards unseen that may go.
    unseen = rules.cards.all & ~row["hand1"]
    kings = rules.cards.rank("K")
    barred = kings | rules.cards.honours | (rules.cards.trumps if rules is PARTITA else 0)
    may_go = (unseen & ~barred).bit_count()
    assert count_worlds(position, 1) == may_go * (may_go - 1) // 2 * deals


@each_preset
@pytest.mark.parametrize("spec", ["simple", CHOOSY], ids=["simple", "choosy"])
def test_the_true_cards_are_always_among_the_worlds(rules: RuleSet, spec: str) -> None:
    for cards in range(0, 4 * rules.tricks, 7):
        for _, position in positions(rules, spec, cards, seed=6 + cards, n=8):
            hands = position.hidden.hands.tolist()
            for seat in SEATS:
                truth = {other: hands[other] for other in others(seat)}
                assert count_worlds(position, seat, holds=truth) == 1


@each_preset
def test_worlds_are_made_of_the_cards_not_played(rules: RuleSet) -> None:
    for _, position in positions(rules, "simple", 10, seed=7, n=4):
        table, hidden = position.table, position.hidden
        left = rules.cards.all & ~sum(table.played.tolist())
        for seat in SEATS:
            hands, discards = worlds(position, seat, 50, seed=8)
            assert (hands.sum(axis=1) + discards == left).all()
            assert (np.bitwise_count(hands) == np.bitwise_count(hidden.hands)).all()
            assert (hands[:, seat] == hidden.hands[seat]).all()
            assert (hands & table.voids.astype(np.uint64) == 0).all()
            shown = (table.shown & ~table.played).astype(np.uint64)
            assert (hands & shown == shown).all()
            if seat == table.dealer:
                assert (discards == hidden.discard).all()
            else:
                barred = rules.cards.rank("K") | rules.cards.honours
                assert not (discards & np.uint64(barred)).any()


# ---- facts one by one ---------------------------------------------------------------------


def dealt(rules: RuleSet, of_dealer: str, discard: str, of_eldest: str = "") -> Position:
    """Dealer 0's cards as named, some of eldest's too, the rest of the pack in order."""
    pack = rules.cards
    fixed = [parse_cards(of_dealer, pack), parse_cards(of_eldest, pack), 0, 0]
    rest = [*indices(pack.all & ~sum(fixed))]
    hands = []
    for seat in SEATS:
        short = rules.tricks + (2 if seat == 0 else 0) - fixed[seat].bit_count()
        hands.append(fixed[seat] | sum(1 << card for card in rest[:short]))
        rest = rest[short:]
    return Position.start(rules, 0, hands, parse_cards(discard, pack))


TRUMPS = "Angel World Sun Moon T17 T16 T15 T14 T13 T12 T11"


def test_who_exposes_a_trump_has_no_plain_card_but_kings() -> None:  # RULES §7
    position = dealt(PARTITA, f"{TRUMPS} SK BK CK D4", "D4 T11")
    pack, plain = PARTITA.cards, sum(PARTITA.cards.suits)
    hands, discards = worlds(position, 1, 200, seed=9)
    kings = pack.rank("K")
    assert not (hands[:, 0] & np.uint64(plain & ~kings)).any()
    assert (discards & np.uint64(pack.trumps) == parse_cards("T11", pack)).all()
    assert (np.bitwise_count(discards & np.uint64(plain & ~kings)) == 1).all()
    assert len(np.unique(discards)) > 3

    position = dealt(PARTITA, f"{TRUMPS} SK BK CK DK", "T12 T11")
    hands, discards = worlds(position, 1, 200, seed=9)
    assert (discards == parse_cards("T12 T11", pack)).all()
    assert not (hands[:, 0] & np.uint64(plain & ~kings)).any()


def declaring(rules: RuleSet, cards: str, declared: int) -> Position:
    """Eldest, seat 1, holds these and has declared these kinds."""
    position = dealt(rules, "SA S6 S7 T5 T6", "T5 T6", cards)
    position.declare(1, declared)
    return position


def test_a_combination_is_declared_with_all_its_cards() -> None:  # RULES §4
    eldest = "BK BQ BV Pagat C6 C7 C8 C9 C10 D6 D7 D8 D9 D10 B6"
    for rules in (OTTOCENTO, OTTOCENTO_DIGITAL):
        pack = rules.cards

        def holds(names: str, position: Position, pack: Any = pack) -> bool:
            cards = parse_cards(names, pack)
            return count_worlds(position, 2, holds={1: cards}) > 0

        position = declaring(rules, eldest, 1 << 6)
        assert count_worlds(position, 2, lacks={1: parse_cards("BQ", pack)}) == 0
        assert holds("B7", position)
        assert not holds("BC", position)
        assert not holds("BA", position)
        # The Fool may have been withheld where one may choose what to declare.
        assert holds("Fool", position) == (rules is OTTOCENTO)


def test_a_grande_tells_where_its_run_stops() -> None:  # RULES §4
    eldest = "Angel World Sun T16 T15 T13 T11 C6 C7 C8 C9 C10 D6 D7 D8"
    position = declaring(OTTOCENTO, eldest, 1 << 9)
    pack = OTTOCENTO.cards
    possible = {
        name
        for name in ["Moon", "T14", "T13", "T12", "T11", "M1", "Pagat"]
        if count_worlds(position, 2, holds={1: parse_cards(name, pack)})
    }
    # Without a contatore the run stops at the missing 14; below, nothing is told.
    assert possible == {"T13", "T12", "T11", "M1", "Pagat"}


def test_what_is_told_beside_restricts_the_worlds() -> None:
    position = dealt(PARTITA, "S7 S8 S9 S10", "S7 S8")
    pack = PARTITA.cards
    king, queen = parse_cards("DK", pack), parse_cards("DQ", pack)
    both = {"holds": {1: king}, "lacks": {2: queen}}
    hands, _ = worlds(position, 0, 100, seed=10, **both)
    assert (hands[:, 1] & np.uint64(king) != 0).all()
    assert not (hands[:, 2] & np.uint64(queen)).any()
    parts = [count_worlds(position, 0, holds={other: king}) for other in (1, 2, 3)]
    assert sum(parts) == count_worlds(position, 0)
    assert len(set(parts)) == 1


def test_a_contradiction_has_no_world() -> None:
    position = dealt(PARTITA, "S7 S8 S9 S10", "S7 S8")
    king = parse_cards("DK", PARTITA.cards)
    own = parse_cards("S9", PARTITA.cards)
    for told in (
        {"holds": {1: king, 2: king}},
        {"holds": {1: king}, "lacks": {1: king}},
        {"holds": {1: own}},
        {"lacks": {1: king, 2: king, 3: king}},
        {"lacks": {1: PARTITA.cards.all}},
    ):
        assert count_worlds(position, 0, **told) == 0
        with pytest.raises(ValueError, match="no world agrees"):
            worlds(position, 0, 1, seed=1, **told)
    for other in (0, 4):
        with pytest.raises(ValueError, match="expected one of the other three"):
            count_worlds(position, 0, lacks={other: king})
    with pytest.raises(ValueError, match="seat 4: expected 0 to 3"):
        count_worlds(position, 4)
    with pytest.raises(ValueError, match="expected none below 0"):
        worlds(position, 0, 1, seed=-1)


# ---- the dealer before he discards --------------------------------------------------------


@compiled_only
@each_preset
def test_before_the_discard_the_dealer_knows_his_cards_only(rules: RuleSet) -> None:
    own = (1 << rules.tricks + 2) - 1
    n = 30_000
    hands, discards = dealer_worlds(rules, own, n, seed=11, dealer=2)
    assert (hands[:, 2] == own).all()
    assert not discards.any()
    assert (np.bitwise_or.reduce(hands, axis=1) == rules.cards.all).all()
    assert (np.bitwise_count(hands[:, [0, 1, 3]]) == rules.tricks).all()
    unseen = [*indices(rules.cards.all & ~own)]
    found = [
        int((hands[:, seat] >> np.uint64(card) & np.uint64(1)).sum())
        for seat in (0, 1, 3)
        for card in unseen
    ]
    z = (np.array(found) - n / 3) / np.sqrt(n * 2 / 9)
    assert np.abs(z).max() < stats.norm.isf(ALPHA / 2 / len(z))
    by_another = dealer_worlds(rules, own, 5, seed=11, dealer=3).hands
    assert (np.roll(by_another, -1, axis=1) == hands[:5]).all()


def test_the_dealers_hand_must_be_whole() -> None:
    for hand in ((1 << 16) - 1, (1 << 16) - 1 | 1 << 62):
        with pytest.raises(ValueError, match="expected 17 cards of the tarocchino pack"):
            dealer_worlds(OTTOCENTO, hand, 1, seed=1)


# ---- streams ------------------------------------------------------------------------------


def test_a_world_depends_on_its_seed_and_number_only() -> None:
    position = dealt(OTTOCENTO, "SA S6 S7 T5 T6", "T5 T6")
    whole = worlds(position, 2, 20, seed=12)
    part = worlds(position, 2, 5, seed=12, first=10)
    assert (part.hands == whole.hands[10:15]).all()
    assert (part.discards == whole.discards[10:15]).all()
    assert len(np.unique(whole.hands[:, 1])) == 20
    assert not (worlds(position, 2, 20, seed=13).hands[:, 1] == whole.hands[:, 1]).any()


# ---- the same view ------------------------------------------------------------------------


@each_preset
@pytest.mark.parametrize("spec", ["simple", "random"])
def test_a_position_imagined_anew_has_the_same_view_and_every_policy_decides_alike(
    rules: RuleSet, spec: str
) -> None:
    asked = [parse_policies(name) for name in POLICIES]
    for cards in (0, 9, 22, 35):
        for row, position in positions(rules, spec, cards, seed=14, n=4):
            seat = position.seat
            other = reimagined(position, seat, seed=row["hand_id"])
            assert other.view(seat).table.tobytes() == position.view(seat).table.tobytes()
            assert other.view(seat)[:8] == position.view(seat)[:8]
            moved = other.hidden.hands != position.hidden.hands
            assert moved.sum() >= 2
            for policies in asked:
                played = [finish([each], policies).plays[0, cards] for each in (position, other)]
                assert played[0] == played[1], policies[0].spec
                assert position.legal >> int(played[0]) & 1
            assert sum(other.hidden.dealt.tolist()) == rules.cards.all


def test_a_policy_can_imagine_worlds(tmp_path: Path) -> None:
    path = policy_file(
        tmp_path,
        """
from sim.kernels.state import HIDDEN
from sim.kernels.worlds import KNOWN, _look, _prepare, _sample_world, _world_key, blank

@policy.play
def dreamer(view, weights):
    known, hidden = blank(KNOWN), blank(HIDDEN)
    _look(view, known)
    if not _prepare(known):
        return -1, 0
    for world in range(3):
        _sample_world(known, hidden, _world_key(view.key, world))
        if hidden.hands[view.right] & view.table.voids[view.right]:
            return -1, 0
    return lowest(view.legal), 0
""",
    )
    play_hands(OTTOCENTO, parse_policies(f"{path}:dreamer"), 15, 0, 4)
