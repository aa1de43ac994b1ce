"""The claims of the old book and of players today, each with what is measured of it. STRATEGY."""

from __future__ import annotations

from analysis.margins import win
from analysis.parts import PARTS
from analysis.trial_deals import DEALT
from analysis.trial_measures import (
    card_turns,
    dealers_margin,
    discards,
    losers_combinations,
    margin,
    openings,
    share_of_parts,
    worth_more,
)
from analysis.trial_statements import (
    CHANGED,
    POINTS,
    SHARE,
    Claim,
    Statement,
)
from sim.rules import PARTITA

COMBINATIONS = PARTS[:6]

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
                "expert's protecting the Pagat, against these players",
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
            Statement("the dealer's side scores more", POINTS, dealers_margin()),
            Statement(
                "the dealer's side wins more hands than it loses",
                "hands won less lost",
                dealers_margin(win),
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
                "two courts rather than two pips, where no void can be made",
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
                "Queens in company are kept rather than let go (pisarri)",
                CHANGED,
                discards("pisarri", "pisarri(keep_queens=0)"),
            ),
            Statement(
                "cards of combinations are kept rather than let go (pisarri)",
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
                "a suit of two rather than the single card and another",
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
                "a bad hand: two such trumps rather than a void or courts (pisarri)",
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
                "a very good hand: no void rather than one (pisarri)",
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
                "rather than from the shortest, later leads being alike",
                CHANGED,
                openings("longest", "short(opening=1)"),
            ),
            Statement(
                "rather than draw trumps from six or more, later leads being alike",
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
                "courts that partner has a use for, rather than the longest suit",
                POINTS,
                margin("{}+lead:court", "{}+lead:longest"),
            ),
            Statement(
                "Valets and Cavaliers unasked as well, rather than those only",
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
    *DEALT,
    Claim(
        "C20",
        "Who cannot hope to win should not declare",
        "Pisarri",
        (
            Statement(
                "hands below 30 points hidden rather than declared, against expert",
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
                "expert's use of declared cards, against these players",
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
                "combinations that the losing side scored, and would lose",
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
            Statement(
                "the dealer's side scores more (Partita)", POINTS, dealers_margin(rules=PARTITA)
            ),
            Statement(
                "a void rather than two pips (Partita)",
                CHANGED,
                discards("void", "pips", PARTITA),
            ),
        ),
    ),
)
