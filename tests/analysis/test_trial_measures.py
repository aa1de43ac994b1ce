"""How claims are measured, each against a plainer way to the same number."""

import numpy as np
import pytest
from scipy.stats import hypergeom

from analysis.compare import compare
from analysis.estimates import proportion
from analysis.margins import points
from analysis.moved import Moved
from analysis.pagat import price_cards
from analysis.parts import PARTS
from analysis.trial_measures import (
    after_first_five,
    card_turns,
    dealers_margin,
    losers_combinations,
    margin,
    share_of_parts,
    worth_more,
)
from analysis.trial_players import Players
from sim.hands import play_hands
from sim.policies.spec import parse_policies
from sim.rows import Rows
from sim.rules import OTTOCENTO, PARTITA

HANDS = 1200
SIMPLE = Players("simple", HANDS, seed=5)


def played(spec: str) -> Rows:
    return play_hands(OTTOCENTO, parse_policies(spec), 5, 0, HANDS, log_plays=True)


def test_margins_are_those_of_compare() -> None:
    specs = ["expert", "expert(feed=0)", "simple"]
    payoff = compare(specs, OTTOCENTO, 160, seed=5).payoff
    players = Players("simple", 160, seed=5)
    alone = margin("expert", "{}")(players, 0.0).estimate(0.95)
    assert (alone.mean, alone.n, alone.unit) == (pytest.approx(payoff[0][2].mean), 20, "block")
    more = margin("expert", "expert(feed=0)", "{}")(players, 0.0).estimate(0.95)
    assert more.mean == pytest.approx(payoff[0][2].mean - payoff[1][2].mean)


def test_a_bonus_for_the_dealer_is_found() -> None:
    def with_bonus(rows: Rows, side: int) -> np.ndarray:
        return points(rows, side) + np.where(rows.dealer % 2 == side, 7, -7)

    plain, more = (dealers_margin(of)(SIMPLE, 0.0).estimate(0.95) for of in (points, with_bonus))
    assert more.mean - plain.mean == pytest.approx(7)
    assert more.high - more.low == pytest.approx(plain.high - plain.low)
    assert dealers_margin(rules=PARTITA)(SIMPLE, 0.0).estimate(0.95).n == HANDS // 4


def test_cards_are_worth_what_pagat_says() -> None:  # STRATEGY C1
    hands = 960 * 31
    values = price_cards("simple", OTTOCENTO, hands, seed=5).values
    found = worth_more("Pagat", "SK")(Players("simple", hands, seed=5), 0.0).estimate(0.95)
    assert found.n == values["Pagat"].n
    assert found.mean == pytest.approx(values["Pagat"].mean - values["SK"].mean)


def test_cards_turn_hands() -> None:  # STRATEGY C3
    rows = play_hands(OTTOCENTO, parse_policies("simple"), 5, 0, HANDS // 4)
    moved = Moved.of(rows, OTTOCENTO)
    assert card_turns()(SIMPLE, 0.1).estimate(0.9) == moved.any_turns(0.9)
    pagat = proportion(int(moved.turned[OTTOCENTO.cards.pagat]), HANDS // 4)
    assert card_turns("Pagat")(SIMPLE, 0.1).estimate(0.95) == pagat


def test_shares_of_parts_add_up_to_1() -> None:  # STRATEGY C2
    shares = [share_of_parts(name)(SIMPLE, 0.5).estimate(0.95) for name in PARTS]
    assert sum(each.mean for each in shares) == pytest.approx(1)
    rows = played("simple")
    declared = rows.declared_points.astype(int)
    part, whole = declared[0] + declared[2] - declared[1] - declared[3], points(rows, 0)
    expected = np.cov(part, whole)[0, 1] / np.var(whole, ddof=1)
    assert shares[PARTS.index("declared")].mean == pytest.approx(expected)


def test_the_first_five_are_any_five_of_the_hand() -> None:  # STRATEGY C14
    rows, kings = played("simple"), OTTOCENTO.cards.rank("K")
    held = [
        (int(rows.hand[(dealer + 1) % 4, i]) & kings).bit_count()
        for i, dealer in enumerate(rows.dealer)
    ]
    chance = hypergeom(15, np.array(held), 5).pmf(2)
    won = points(rows, 0) * np.where(rows.dealer % 2, 1, -1)
    found = after_first_five(kings, 2)(SIMPLE, 0.0).estimate(0.95)
    assert found.mean == pytest.approx(np.average(won, weights=chance) - won.mean())


def test_what_losers_scored() -> None:  # STRATEGY C23
    rows, lost = played("simple"), []
    for i in range(HANDS):
        side = int(rows.score[0, i] > rows.score[1, i])
        of_cards = rows.card_points[side, i] + 6 * (rows.last_trick[i] == side)
        lost.append(rows.score[side, i] - of_cards if points(rows, 0)[i] else 0)
    found = losers_combinations(SIMPLE, 0.0).estimate(0.95)
    assert found.mean == pytest.approx(np.mean(lost))


def test_the_measures_do_not_depend_on_the_threads() -> None:
    one, two = (Players("simple", 9000, threads=threads) for threads in (1, 2))
    for measure in (dealers_margin(), share_of_parts("declared")):
        assert measure(one, 0.0).estimate(0.95) == measure(two, 0.0).estimate(0.95)
