"""The claims of the old book and of players today, each with what is measured of it. STRATEGY."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from analysis.distributions import Distribution, mean
from analysis.first_cards import cards_called, first_cards
from analysis.margins import win
from analysis.odds import odds
from analysis.parts import PARTS
from analysis.trial_measures import (
    Measure,
    after_first_five,
    card_turns,
    dealers_margin,
    discards,
    losers_combinations,
    margin,
    openings,
    share_of_parts,
    worth_more,
)
from sim.rules import PARTITA

POINTS = "points a hand"
CHANGED = "points a hand that it changes"
SHARE = "share"


class Statement(NamedTuple):
    """What a claim says, as a value that is more than some number.

    Either it is measured under players, or counted: then it has no error and no players.
    """

    text: str
    quantity: str
    measure: Measure | None = None
    counted: Callable[[], Fraction | float] | None = None
    more_than: float = 0.0


class Claim(NamedTuple):
    """A claim by its number in STRATEGY, in a sentence; it says all its statements together.

    Without statements there is a reason why it is not tested yet.
    """

    number: str
    text: str
    source: str
    statements: tuple[Statement, ...] = ()
    not_yet: str = ""


def _tail(distribution: Distribution, least: int) -> Fraction:
    return sum((p for n, p in distribution.items() if n >= least), Fraction(0))


def _fewer_later(of: str) -> Fraction:
    """Cards of a kind fewer among the other ten, after four in five, than among any ten."""
    cards = cards_called(of)
    return mean(odds(n=10).number(cards)) - mean(first_cards(cards, 4).rest)


def _fewer_in_all(of: str) -> Fraction:
    cards = cards_called(of)
    return mean(odds().number(cards)) - 4 - mean(first_cards(cards, 4).rest)


def _step(distribution: Distribution) -> float:
    """By what the frequency falls with each card from 10 to 14, the geometric mean."""
    return float(distribution[14] / distribution[10]) ** (1 / 4)


def _more_points(of: str, seen: int) -> Fraction:
    return first_cards(cards_called(of), seen).points.mean - odds().points.mean


def _poorer_rest(of: str, seen: int) -> Fraction:
    return odds(n=10).points.mean - first_cards(cards_called(of), seen).rest_points.mean


COMBINATIONS = PARTS[:6]
FIVES = "honours kings"  # the cards of five points
TRUMPS = "trumps Fool"

CLAIMS = (
    Claim(
        "C1",
        "Pagat and Fool are by far the most important cards, and the Pagat is to be protected",
        "000, Barilli, Caparrini",
        (
            Statement(
                "the Pagat is worth more than the Angel", POINTS, worth_more("Pagat", "Angel")
            ),
            Statement("the Fool is worth more than the Angel", POINTS, worth_more("Fool", "Angel")),
            Statement("the Pagat is worth more than a King", POINTS, worth_more("Pagat", "SK")),
            Statement(
                "protecting the Pagat (a habit of expert), against these players",
                POINTS,
                margin("expert", "expert(protect_pagat=0)", "{}"),
            ),
        ),
    ),
    Claim(
        "C2",
        "Combinations decide, card points hardly matter",
        "Cavedoni, Accademia",
        (
            Statement(
                "combinations have more than half of the variance of a hand's result",
                SHARE,
                share_of_parts(*COMBINATIONS),
                more_than=0.5,
            ),
            Statement(
                "all but the card points has more than nine tenths of it",
                SHARE,
                share_of_parts(*(part for part in PARTS if part != "card_points")),
                more_than=0.9,
            ),
        ),
    ),
    Claim(
        "C3",
        "Losing or catching one card can overturn the result",
        "Barilli",
        (
            Statement(
                "some one card, moved at the end, turns more than one hand in ten",
                SHARE,
                card_turns(),
                more_than=0.1,
            ),
        ),
    ),
    Claim(
        "C4",
        "The dealer's side does better",
        "Caparrini",
        (
            Statement("it scores more than the other", POINTS, dealers_margin()),
            Statement(
                "it wins more hands than it loses", "hands won less lost", dealers_margin(win)
            ),
        ),
    ),
    Claim(
        "C5",
        "Discard so as to make a void",
        "Pisarri",
        (
            Statement("a void rather than two pips", CHANGED, discards("void", "pips")),
            Statement("a void rather than two courts", CHANGED, discards("void", "courts")),
        ),
    ),
    Claim(
        "C6",
        "Discard courts rather than worthless cards where no void can be made",
        "Pisarri",
        (
            Statement(
                "courts rather than pips, all suits being of three cards or more, or with the King",
                CHANGED,
                discards("courts", "pips", no_void=True),
            ),
        ),
    ),
    Claim(
        "C7",
        "Keep a Queen unless she is alone, and keep sequences whole",
        "Pisarri",
        (
            Statement(
                "pisarri's discard that keeps Queens in company, or lets them go",
                CHANGED,
                discards("pisarri", "pisarri(keep_queens=0)"),
            ),
            Statement(
                "pisarri's discard that keeps combinations whole, or breaks them",
                CHANGED,
                discards("pisarri", "pisarri(keep_combined=0)"),
            ),
        ),
    ),
    Claim(
        "C8",
        "Void a suit of two rather than discard a single card and another",
        "Pisarri",
        (
            Statement(
                "a suit of two, or the single card and another",
                CHANGED,
                discards("void", "low", single=True),
            ),
        ),
    ),
    Claim(
        "C9",
        "With a bad hand discard two trumps that break the opponents' Grande",
        "Pisarri",
        (
            Statement(
                "two such trumps from a bad hand, or as pisarri discards else",
                CHANGED,
                discards("pisarri", "pisarri(bad=-1)"),
            ),
        ),
    ),
    Claim(
        "C10",
        "With a very good hand make no void",
        "Pisarri",
        (
            Statement(
                "no void from a very good hand, or one as pisarri makes else",
                CHANGED,
                discards("pisarri", "pisarri(good=99)"),
            ),
        ),
    ),
    Claim(
        "C11",
        "Eldest opens from his longest suit",
        "Pisarri",
        (
            Statement(
                "rather than from the shortest (all later leads from the longest)",
                CHANGED,
                openings("longest", "short(opening=1)"),
            ),
            Statement(
                "rather than draw trumps from six or more (all later leads from the longest)",
                CHANGED,
                openings("longest", "trump(opening=1)"),
            ),
        ),
    ),
    Claim(
        "C12",
        "Lead a court towards partner, above all where he has shown a void",
        "Pisarri",
        (
            Statement(
                "courts that partner has asked for, or from the longest suit",
                POINTS,
                margin("{}+lead:court", "{}+lead:longest"),
            ),
            Statement(
                "Valets and Cavaliers unasked too, or only courts asked for",
                POINTS,
                margin("{}+lead:court(unprompted=1)", "{}+lead:court"),
            ),
        ),
    ),
    Claim(
        "C13",
        "The partner of the strong hand keeps only suits where he holds sure cards",
        "Pisarri",
        not_yet="no policy has this endgame as a part that can be switched off",
    ),
    Claim(
        "C14",
        "Three five-point cards among the first five are worth keeping",
        "Pisarri",
        (
            Statement(
                "the hand has more points of combinations than any hand, on average",
                "points of the hand",
                counted=lambda: _more_points(FIVES, 3),
            ),
            Statement(
                "Eldest's side then wins more than it does else",
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
                counted=lambda: _fewer_later(TRUMPS),
            ),
            Statement("the same without the Fool", "cards", counted=lambda: _fewer_later("trumps")),
            Statement(
                "so that there are no more in all than in any hand",
                "cards",
                counted=lambda: _fewer_in_all(TRUMPS),
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
                counted=lambda: _poorer_rest("kings", 2),
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
                counted=lambda: _tail(odds().trumps_and_fool, 6),
                more_than=0.5,
            ),
            Statement(
                "more than 99 in 100 have nine or fewer",
                SHARE,
                counted=lambda: 1 - _tail(odds().trumps_and_fool, 10),
                more_than=0.99,
            ),
            Statement(
                "the same without the Fool",
                SHARE,
                counted=lambda: 1 - _tail(odds().trumps, 10),
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
                counted=lambda: _step(odds().worthless),
                more_than=0.4,
            ),
            Statement(
                "plain pips and trumps 5 to 15: the same",
                "of the frequency before",
                counted=lambda: _step(odds().worthless_or_middle_trumps),
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
    Claim(
        "C20",
        "Who cannot hope to win should not declare",
        "Pisarri",
        (
            Statement(
                "hiding hands below 30 points, or declaring all, against expert, who uses it",
                POINTS,
                margin("{}+declare:hide", "{}", "expert"),
            ),
        ),
    ),
    Claim(
        "C21",
        "Knocking, throwing and dragging help",
        "000",
        not_yet="no signals yet",
    ),
    Claim(
        "C22",
        "Opponents' declarations let you reckon who holds what",
        "Pisarri",
        (
            Statement(
                "using declared cards (a habit of expert), against these players",
                POINTS,
                margin("expert", "expert(use_declared=0)", "{}"),
            ),
        ),
    ),
    Claim(
        "C23",
        "Where only the winners' points counted, the losers' combinations were worthless",
        "Accademia",
        (
            Statement(
                "points of combinations that the losing side scored and would lose",
                POINTS,
                losers_combinations,
            ),
        ),
    ),
    Claim(
        "C24",
        "A game of 800 lasts a variable number of hands and may end during one",
        "000",
        not_yet="no whole games yet",
    ),
    Claim(
        "C25",
        "In Partita, discarding is an advantage because it makes a void",
        "Piedicavallo players",
        (
            Statement("the dealer's side scores more", POINTS, dealers_margin(rules=PARTITA)),
            Statement(
                "a void rather than two pips",
                CHANGED,
                discards("void", "pips", PARTITA),
            ),
        ),
    ),
)
