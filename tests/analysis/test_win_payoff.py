"""Hands valued by the chance of winning the game after them. RULES §5, §7."""

from types import SimpleNamespace

import numpy as np
import pytest

from analysis.compare import CompareError, compare
from analysis.discards import DiscardError, discards
from analysis.equity import EquityError, Score, equity
from analysis.equity_tables import Chances
from analysis.win_payoff import MILLION, WinPayoff, win_payoff
from sim.policies.spec import parse_policies
from sim.rows import Rows
from sim.rules import OTTOCENTO, PARTITA
from tests.analysis.test_discards import HAND
from tests.helpers import compiled_only

SIMPLE = parse_policies("simple")[:2]
BELOW = 0.3  # chance between two hands, in the tables made up here, whoever deals: see ``payoff``


def payoff(score: Score) -> WinPayoff:
    """A payoff at a score to 800: we win 0.3 of games that go on, 0.9 of ties that they deal."""
    chances = Chances(OTTOCENTO, np.full((2, 800, 800), BELOW), (0, 0), np.array([0.2, 0.9]))
    return WinPayoff(score, chances, SIMPLE, 0, 1)


def hands(*brought: tuple[int, tuple[int, int], tuple[int, int], tuple[int, int]]) -> Rows:
    """Rows of hands: dealer, points declared, in tricks, and counted, of sides 0 and 1."""
    dealer, declared, in_tricks, counted = (np.array(each).T for each in zip(*brought, strict=True))
    points = np.concatenate([declared, np.zeros_like(declared)])
    score = declared + in_tricks + counted
    return SimpleNamespace(  # type: ignore[return-value]
        dealer=dealer.astype(np.uint8), declared_points=points, trick_points=in_tricks, score=score
    )


def test_a_hand_may_end_the_game_at_each_stage() -> None:  # RULES §5
    rows = hands(
        (0, (20, 0), (0, 90), (0, 0)),  # we have 800 with the declarations
        (0, (20, 30), (0, 0), (90, 0)),  # so have they, and more
        (2, (0, 0), (30, 10), (0, 90)),  # with the last trick, before the count
        (0, (0, 0), (0, 0), (9, 10)),  # only they, with the count
        (0, (0, 0), (0, 0), (5, 4)),  # nobody: the game goes on
        (0, (20, 10), (0, 0), (9, 9)),  # level above 800: it goes on, and they deal
    )
    found = payoff(Score(780, 790, 0)).chance(rows) / MILLION
    assert [*found] == [1, 0, 1, 0, BELOW, 0.9]


def test_we_are_the_side_that_deals_or_the_other() -> None:
    rows = hands((1, (0, 30), (0, 0), (0, 0)), (2, (30, 0), (0, 0), (0, 0)))
    ours, theirs = payoff(Score(780, 0, 0)), payoff(Score(0, 780, 1))
    assert [*ours.chance(rows)] == [MILLION, MILLION]
    assert [*theirs.chance(rows)] == [0, 0]
    assert [*ours.margin(rows, 0)] == [-MILLION, MILLION] == [*theirs.margin(rows, 0)]
    assert [*ours.margin(rows, 1)] == [MILLION, -MILLION]


@compiled_only
def test_chances_after_the_hand_are_on_average_those_before_it() -> None:
    from sim.hands import play_hands

    state = Score(640, 700, 1)
    found = win_payoff(state, OTTOCENTO, "simple", 4_000, seed=3)
    rows = play_hands(OTTOCENTO, parse_policies("simple"), 3, 0, 4_000)
    before = equity(state, OTTOCENTO, "simple", 4_000, seed=3).win.mean
    assert found.chance(rows).mean() / MILLION == pytest.approx(before, abs=1e-6)


# ---- comparisons ----------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize(
    ("rules", "score"), [(OTTOCENTO, Score(760, 700, 1)), (PARTITA, Score(-5, 0, 0, 3))]
)
def test_policies_compared_by_games_won(rules, score: Score) -> None:
    specs = ["simple", "simple", "random"]
    found = compare(specs, rules, 800, payoff="win", score=score)
    alike, better = found.payoff[0][1], found.payoff[0][2]
    assert (alike.mean, alike.low, alike.high) == (0, 0, 0)
    assert 0 < better.low < better.mean < better.high < 1
    assert better.n == 100 and better.unit == "block"
    told = found.to_dict()
    assert told["payoff_unit"] == "chance of winning the game"
    assert told["at_score"]["score"] == [score.us, score.them]
    assert told["at_score"]["table"]["policies"] == ["simple", "simple"]


@compiled_only
def test_it_does_not_matter_who_is_compared_with_whom_first() -> None:
    score = Score(0, 0, 0)
    rules = OTTOCENTO.replace(target=60)
    one = compare(["simple", "random", "expert"], rules, 400, payoff="win", score=score)
    two = compare(["simple", "expert", "random"], rules, 400, payoff="win", score=score)
    assert one.payoff[1][2].mean == pytest.approx(two.payoff[2][1].mean)


@compiled_only
def test_won_hands_are_compared_without_a_score() -> None:
    found = compare(["simple", "random"], hands=800, payoff="win")
    assert found.at_score is None
    assert found.to_dict()["payoff_unit"] == "hands won less hands lost, a hand"


def test_scores_that_do_not_fit_are_refused() -> None:
    with pytest.raises(CompareError, match="a score without the payoff win"):
        compare(["simple", "random"], score=Score(0, 0, 0))
    with pytest.raises(EquityError, match="a score of 800"):
        compare(["simple", "random"], payoff="win", score=Score(800, 0, 0))
    with pytest.raises(DiscardError, match="a score without the payoff win"):
        discards(HAND, score=Score(0, 0, 0))
    with pytest.raises(DiscardError, match="they deal: expected us"):
        discards(HAND, payoff="win", score=Score(0, 0, 1))
    with pytest.raises(DiscardError, match="unknown payoff 'money'"):
        discards(HAND, payoff="money")


# ---- discards -------------------------------------------------------------------------------


@compiled_only
def test_discards_ranked_by_games_won() -> None:
    far = discards(
        HAND, policies="simple", payoff="win", score=Score(0, 0, 0), precision=0.05, seed=3
    )
    best, *rest = far.places
    assert 0 < best.value.low < best.value.mean < best.value.high < 1
    assert all(0 <= place.behind.mean <= 1 for place in rest[:3])
    assert far.width <= 0.05
    assert far.to_dict()["payoff_unit"] == "chance of winning the game"
    other = next(place for place in rest if not place.leader)
    assert other.value.method == "bonferroni" and 0 < other.value.mean < 1


@compiled_only
def test_where_the_declaration_wins_all_discards_are_alike() -> None:  # RULES §5
    # The dealer declares Kings and Swords or more, whatever goes; nobody else has a chance.
    found = discards(
        HAND, policies="simple", payoff="win", score=Score(799, 0, 0), precision=0.05, seed=3
    )
    assert {place.value.mean for place in found.places if place.leader} == {1.0}
    assert {place.behind.mean for place in found.places} == {0.0}


@compiled_only
def test_discards_ranked_by_won_hands() -> None:
    found = discards(HAND, policies="simple", payoff="win", precision=0.1, seed=3)
    assert -1 < found.places[0].value.mean < 1 and found.at_score is None
