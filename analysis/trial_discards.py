"""Claims about what the dealer lays away, C5 to C10. STRATEGY."""

from __future__ import annotations

from analysis.trial_changes import (
    discards,
    no_void_possible,
    numbered_trumps_go,
    one_single_card,
    void_possible,
)
from analysis.trial_statements import CHANGED, Claim, Statement

DISCARDED = (
    Claim(
        "C5",
        "Discard so as to make a void",
        "Pisarri",
        (
            Statement(
                "a void, where there can be one, rather than pips of long suits",
                CHANGED,
                discards("void", "pips", where=void_possible),
            ),
            Statement(
                "a void, where there can be one, rather than courts",
                CHANGED,
                discards("void", "courts", where=void_possible),
            ),
        ),
    ),
    Claim(
        "C6",
        "Where no void can be made discard two courts of different suits, not worthless cards",
        "Pisarri",
        (
            Statement(
                "no void possible: courts rather than pips of long suits",
                CHANGED,
                discards("courts", "pips", where=no_void_possible),
            ),
            Statement(
                "no void possible: two courts of different suits rather than of one",
                CHANGED,
                discards("courts", "courts(same_suit=1)", where=no_void_possible),
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
                "a suit of two rather than the one single card and another",
                CHANGED,
                discards("void", "low", where=one_single_card),
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
            Statement(
                "a bad hand: two such trumps rather than pips of long suits",
                CHANGED,
                discards("pisarri", "pips", where=numbered_trumps_go),
            ),
            Statement(
                "a bad hand: what two such trumps take from the Grande in the others' pile",
                CHANGED,
                discards("pisarri", "pisarri(bad=-1)", spoils=True),
            ),
        ),
    ),
    Claim(
        "C10",
        "With a very good hand make no void",
        "Pisarri",
        (
            Statement(
                "a very good hand: no void, rather than as with other hands (pisarri)",
                CHANGED,
                discards("pisarri", "pisarri(good=99)"),
            ),
        ),
    ),
)
