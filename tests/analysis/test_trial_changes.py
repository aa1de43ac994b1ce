"""Advice on one decision is measured on the hands in which it changes something."""

import numpy as np
import pytest

from analysis.margins import points
from analysis.trial_changes import (
    discards,
    no_void_possible,
    numbered_trumps_go,
    one_single_card,
    openings,
    plays,
    void_possible,
)
from analysis.trial_players import Players
from sim.cards import format_cards
from sim.combinations import score
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from sim.rows import Rows
from sim.rules import OTTOCENTO
from sim.run import simulate

HANDS = 1200
SIMPLE = Players("simple", HANDS, seed=5)


def played(spec: str | list[str]) -> Rows:
    return play_hands(OTTOCENTO, parse_policies(spec), 5, 0, HANDS, log_plays=True)


def test_discards_are_compared_where_they_differ() -> None:  # STRATEGY C5
    one, other = (
        simulate(OTTOCENTO, HANDS, seed=5, policies=f"simple+discard:{part}").to_pandas()
        for part in ("void", "low")
    )
    gain = (one.score0 - one.score1.astype(int)) - (other.score0 - other.score1.astype(int))
    gain = gain.where(one.dealer % 2 == 0, -gain)
    differ = one.discard != other.discard
    found = discards("void", "low")(SIMPLE, 0.0).estimate(0.95)
    assert found.n == differ.sum() < HANDS
    assert found.mean == pytest.approx(gain[differ].mean())

    def lengths(hand: int) -> list[int]:
        """Cards of each suit without a King, who may not go."""
        suits = [format_cards(hand & suit).split() for suit in OTTOCENTO.cards.suits]
        return [len(suit) for suit in suits if not any(name[1] == "K" for name in suit)]

    dealt = np.where(one.dealer == 0, one.hand0, 0)
    for seat in (1, 2, 3):
        dealt = np.where(one.dealer == seat, one[f"hand{seat}"], dealt)
    single = np.array([lengths(int(hand)).count(1) == 1 for hand in dealt])
    no_void = np.array([not {1, 2} & {*lengths(int(hand))} for hand in dealt])
    for where, looked_at in (
        (one_single_card, single),
        (no_void_possible, no_void),
        (void_possible, ~no_void),
    ):
        found = discards("void", "low", where=where)(SIMPLE, 0.0).estimate(0.95)
        assert found.n == (differ & looked_at).sum()
        if found.n > 1:
            assert found.mean == pytest.approx(gain[differ & looked_at].mean())


def test_a_part_against_itself_changes_nothing() -> None:
    found = discards("void", "void")(SIMPLE, 0.0)
    assert (found.estimate(0.95).n, found.p) == (0, 1)


def test_openings_count_for_eldests_side() -> None:  # STRATEGY C11
    one, other = played("simple+lead:longest"), played("simple+lead:short(opening=1)")
    differ = one.plays[:, 0] != other.plays[:, 0]
    gain = (points(one, 0) - points(other, 0)) * np.where(one.dealer % 2, 1, -1)
    found = openings("longest", "short(opening=1)")(SIMPLE, 0.0).estimate(0.95)
    assert (found.n, found.mean) == (differ.sum(), pytest.approx(gain[differ].mean()))


def test_trumps_that_break_the_grande_are_looked_at_alone() -> None:  # STRATEGY C9
    one, other = played("simple+discard:pisarri"), played("simple+discard:pips")
    numbered = sum(1 << OTTOCENTO.cards.index[f"t{n}"] for n in range(5, 17))
    trumps = np.array([int(cards) & ~numbered == 0 for cards in one.discard])
    differ = trumps & (one.discard != other.discard)
    found = discards("pisarri", "pips", where=numbered_trumps_go)(SIMPLE, 0.0).estimate(0.95)
    assert found.n == differ.sum() > 50


def test_what_is_taken_from_the_grande_is_counted_in_the_others_pile() -> None:  # RULES §4, Grande
    one, other = played("simple+discard:pisarri"), played("simple+discard:pisarri(bad=-1)")

    def grande(rows: Rows, hand: int) -> int:
        pile = int(rows.won0[hand])
        pile = OTTOCENTO.cards.all ^ pile if rows.dealer[hand] % 2 == 0 else pile
        found = score(pile)
        others = {kind: s.points for kind, s in found.sequences.items() if kind != "grande"}
        doubled = 2 if len(others) >= 3 else 1
        return found.sequence_points - doubled * sum(others.values())

    (differ,) = np.nonzero(one.discard != other.discard)
    taken = [grande(other, hand) - grande(one, hand) for hand in differ]
    found = discards("pisarri", "pisarri(bad=-1)", spoils=True)(SIMPLE, 0.0).estimate(0.95)
    assert (found.n, found.mean) == (len(taken), pytest.approx(np.mean(taken)))


def test_plays_count_for_the_side_that_changes() -> None:  # STRATEGY C13
    habit = "simple+play:simple_sure"
    one, other = played([habit, "simple"]), played("simple")
    differ = (one.plays != other.plays).any(axis=1)
    gain = (points(one, 0) - points(other, 0))[differ]
    found = plays("{0}+play:{0}_sure", "{0}")(SIMPLE, 0.0).estimate(0.95)
    assert (found.n, found.mean) == (differ.sum(), pytest.approx(gain.mean()))
    assert 20 < found.n < HANDS / 2


def test_the_measures_do_not_depend_on_the_threads() -> None:
    one, two = (Players("simple", 9000, threads=threads) for threads in (1, 2))
    measure = discards("void", "low")
    assert measure(one, 0.0).estimate(0.95) == measure(two, 0.0).estimate(0.95)
