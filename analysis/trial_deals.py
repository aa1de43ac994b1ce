"""Claims about what one is dealt, C14 to C19: nearly all are counted. STRATEGY."""

from __future__ import annotations

from fractions import Fraction

from analysis.distributions import Distribution, mean
from analysis.first_cards import cards_called, first_cards
from analysis.odds import odds
from analysis.trial_measures import after_first_five
from analysis.trial_statements import POINTS, SHARE, Claim, Statement

FIVES = "honours kings"  # the cards of five points
TRUMPS = "trumps Fool"


def tail(distribution: Distribution, least: int) -> Fraction:
    """Probability of so many or more."""
    return sum((p for n, p in distribution.items() if n >= least), Fraction(0))


def fewer_later(of: str) -> Fraction:
    """Cards of a kind fewer among the other ten, after four in five, than among any ten."""
    cards = cards_called(of)
    return mean(odds(n=10).number(cards)) - mean(first_cards(cards, 4).rest)


def fewer_in_all(of: str) -> Fraction:
    """Cards of a kind fewer in the whole hand, after four in five, than in any hand."""
    cards = cards_called(of)
    return mean(odds().number(cards)) - 4 - mean(first_cards(cards, 4).rest)


def step(distribution: Distribution) -> float:
    """By what the frequency falls with each card from 10 to 14, the geometric mean."""
    return float(distribution[14] / distribution[10]) ** (1 / 4)


def more_points(of: str, seen: int) -> Fraction:
    """Points of combinations more in a hand with so many of a set among its first five cards."""
    return first_cards(cards_called(of), seen).points.mean - odds().points.mean


def poorer_rest(of: str, seen: int) -> Fraction:
    """Points of combinations fewer in the other ten cards then than in any ten."""
    return odds(n=10).points.mean - first_cards(cards_called(of), seen).rest_points.mean


DEALT = (
    Claim(
        "C14",
        "Three five-point cards among the first five are worth keeping",
        "Pisarri",
        (
            Statement(
                "the hand has more points of combinations than any hand, on average",
                "points of the hand",
                counted=lambda: more_points(FIVES, 3),
            ),
            Statement(
                "with three such cards Eldest's side scores more than usual",
                POINTS,
                after_first_five(cards_called(FIVES), 3),
            ),
        ),
    ),
    Claim(
        "C15",
        "Four trumps among the first five are liars: few come later",
        "Pisarri",
        (
            Statement(
                "fewer in the other ten cards than in any ten",
                "cards",
                counted=lambda: fewer_later(TRUMPS),
            ),
            Statement("the same without the Fool", "cards", counted=lambda: fewer_later("trumps")),
            Statement(
                "so that there are no more in all than in any hand",
                "cards",
                counted=lambda: fewer_in_all(TRUMPS),
            ),
        ),
    ),
    Claim(
        "C16",
        "Two Kings among the first five seldom bring a good rest",
        "Pisarri",
        (
            Statement(
                "the other ten cards score less in combinations than any ten, on average",
                "points of ten cards",
                counted=lambda: poorer_rest("kings", 2),
            ),
        ),
    ),
    Claim(
        "C17",
        "Trumps in hand: five are few, nine are the most one gets",
        "Pisarri",
        (
            Statement(
                "more than half of hands have six or more",
                SHARE,
                counted=lambda: tail(odds().trumps_and_fool, 6),
                more_than=0.5,
            ),
            Statement(
                "more than 99 in 100 have nine or fewer",
                SHARE,
                counted=lambda: 1 - tail(odds().trumps_and_fool, 10),
                more_than=0.99,
            ),
            Statement(
                "the same without the Fool",
                SHARE,
                counted=lambda: 1 - tail(odds().trumps, 10),
                more_than=0.99,
            ),
        ),
    ),
    Claim(
        "C18",
        "Hands of 10 to 14 worthless cards become half as frequent with each card",
        "Pisarri",
        (
            Statement(
                "plain pips: each step leaves about half, more than 0.4",
                "of the frequency before",
                counted=lambda: step(odds().worthless),
                more_than=0.4,
            ),
            Statement(
                "plain pips and trumps 5 to 15: the same",
                "of the frequency before",
                counted=lambda: step(odds().worthless_or_middle_trumps),
                more_than=0.4,
            ),
        ),
    ),
    Claim(
        "C19",
        "Three cricche are rarer than three sequences; four Kings or Honours come much easier",
        "Pisarri",
        (
            Statement(
                "three sequences are more frequent than three cricche",
                "times",
                counted=lambda: odds().three_sequences / odds().three_cricche,
                more_than=1.0,
            ),
            Statement(
                "four Kings are more than twice as frequent as three cricche",
                "times",
                counted=lambda: odds().lengths["kings"][4] / odds().three_cricche,
                more_than=2.0,
            ),
            Statement(
                "four Honours are more than twice as frequent as three cricche",
                "times",
                counted=lambda: odds().lengths["honours"][4] / odds().three_cricche,
                more_than=2.0,
            ),
        ),
    ),
)
