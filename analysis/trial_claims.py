"""The claims of the old book and of players today, each with what is measured of it. STRATEGY."""

from __future__ import annotations

from analysis.margins import win
from analysis.parts import PARTS
from analysis.trial_changes import discards, openings, plays, void_possible
from analysis.trial_deals import DEALT
from analysis.trial_discards import DISCARDED
from analysis.trial_games import end_before_the_count, lengths_differ
from analysis.trial_measures import (
    card_turns,
    dealers_margin,
    losers_combinations,
    margin,
    share_of_parts,
    worth_more,
)
from analysis.trial_statements import (
    CHANGED,
    EXCHANGED,
    GAMES,
    POINTS,
    SHARE,
    VARIANCE,
    Claim,
    Statement,
)
from sim.rules import OTTOCENTO, PARTITA
from sim.signals import all_signals

COMBINATIONS = PARTS[:6]
TALKING = OTTOCENTO.with_signals(all_signals(OTTOCENTO.pack))
SILENT = "signal:club(signals=0)"

CLAIMS = (
    Claim(
        "C1",
        "Pagat and Fool are by far the most important cards, and the Pagat is to be protected",
        "000, Barilli, Caparrini",
        (
            Statement(
                "to hold the Pagat is worth more than the Angel",
                EXCHANGED,
                worth_more("Pagat", "Angel"),
            ),
            Statement(
                "to hold the Fool is worth more than the Angel",
                EXCHANGED,
                worth_more("Fool", "Angel"),
            ),
            Statement(
                "to hold the Pagat is worth more than the King of Swords",
                EXCHANGED,
                worth_more("Pagat", "SK"),
            ),
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
                VARIANCE,
                share_of_parts(*COMBINATIONS),
                more_than=0.5,
            ),
            Statement(
                "all but the card points has more than nine tenths of it",
                VARIANCE,
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
                "some one card, moved at the end, gives more than one hand in ten to the others",
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
    *DISCARDED,
    Claim(
        "C11",
        "Eldest opens from his longest suit",
        "Pisarri",
        (
            Statement(
                "the longest suit rather than the shortest",
                CHANGED,
                openings("longest", "short(opening=1)"),
            ),
            Statement(
                "the longest suit rather than a trump, of six or more beside the Pagat",
                CHANGED,
                openings("longest", "trump(opening=1)"),
            ),
        ),
    ),
    Claim(
        "C12",
        "Lead courts towards partner, above all if he has shown a void; no Queen unprompted",
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
            Statement(
                "no Queens unasked, rather than Queens as well",
                POINTS,
                margin("{}+lead:court", "{}+lead:court(unprompted_queens=1)"),
            ),
        ),
    ),
    Claim(
        "C13",
        "The partner of the strong hand keeps only suits where he holds sure cards",
        "Pisarri",
        (
            Statement(
                "no trumps, partner may have some: only suits without a sure card are thrown",
                CHANGED,
                plays("{0}+play:{0}_sure", "{0}"),
            ),
            Statement(
                "the same only once both opponents have shown that they have no trumps",
                CHANGED,
                plays("{0}+play:{0}_sure(drawn=1)", "{0}"),
            ),
        ),
    ),
    *DEALT,
    Claim(
        "C20",
        "Who cannot hope to win should not declare",
        "Pisarri",
        (
            Statement(
                "combinations below 30 points hidden rather than declared, against expert",
                POINTS,
                margin("{}+declare:hide", "{}", "expert"),
            ),
        ),
    ),
    Claim(
        "C21",
        "Knocking, throwing and dragging help",
        "000",
        (
            Statement(
                "expert's signals, rather than to listen in silence, against these players",
                POINTS,
                margin("expert", f"expert+{SILENT}", "{}", TALKING),
            ),
            *(
                Statement(
                    f"expert's {signal.name} alone, rather than silence, against these players",
                    POINTS,
                    margin(
                        f"expert+signal:club(use={1 << bit})", f"expert+{SILENT}", "{}", TALKING
                    ),
                )
                for bit, signal in TALKING.signals.by_bit(TALKING.pack).items()
            ),
        ),
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
                "points of combinations that the side scored which lost the hand",
                POINTS,
                losers_combinations,
            ),
        ),
    ),
    Claim(
        "C24",
        "A game of 800 lasts a variable number of hands and may end during one",
        "000",
        (
            Statement(
                "more than one game in ten has not the most usual number of hands",
                GAMES,
                lengths_differ(),
                more_than=0.1,
            ),
            Statement(
                "more than one game in a hundred ends before its last hand is counted",
                GAMES,
                end_before_the_count(),
                more_than=0.01,
            ),
        ),
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
                "a void, where there can be one, rather than pips of long suits (Partita)",
                CHANGED,
                discards("void", "pips", PARTITA, where=void_possible),
            ),
        ),
    ),
)
