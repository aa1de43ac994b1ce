"""The records a hand is played on: rules, the public table, hidden cards, and a player's view.

Each is a NumPy record, so that compiled and plain Python code read it alike and pass it by
reference. Sets of cards are ``int64``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sim.cards import TAROCCHINO
from sim.signals import MOST as MOST_SIGNALS

NONE = -1
NOTHING_WINS = -4
MOST_PLAYS = TAROCCHINO.hand_size * 4

_MASKS = (
    "whole_pack",
    "trumps",
    "honours",
    "kings",
    "queens",
    "cavaliers",
    "valets",
    "aces",
    "pips",
)

RULES = np.dtype(
    [
        *((name, np.int64) for name in _MASKS),
        ("equal_trumps", np.int64),  # set: the last one played of these wins
        ("worth", np.int64, 8),  # sets: classes of cards, from those one parts with most easily
        ("suits", np.int64, 5),  # sets: four suits, then the trumps
        ("rank", np.int64, 64),  # power of each card: its number, for equal trumps the lowest one's
        ("suit_of", np.int64, 64),  # set: the suit of each card, 0 for the Fool
        ("fool", np.int64),  # set of one card
        ("pagat", np.int64),  # set of one card
        ("hand_size", np.int64),
        ("combinations", np.bool_),
        ("trick_combinations", np.bool_),
        ("fool_in_lost_trick", np.bool_),
        ("fool_exchange", np.bool_),
        ("suit_second_wild", np.bool_),
        ("grande_wild_before_16", np.bool_),
        ("any_subset", np.bool_),
        ("declare_late", np.bool_),  # just before one's own first card
        ("trumps_forced", np.bool_),  # discard trumps only where plain cards lack, exposed
        ("dealer_leads", np.bool_),
        ("pair_counting", np.bool_),
        ("last_trick_points", np.int64),
        ("par", np.int64),  # points taken off each side's score
        # The conventions in force, signals by bit. RULES §6, §7.
        ("signals", np.int64),  # bit set: those that count, 0 if all are silent
        ("moments", np.int64, MOST_SIGNALS),  # when each may be made, by sim.signals.MOMENTS
        ("statements", np.int64, MOST_SIGNALS),  # what each states, by sim.signals.STATEMENTS
        ("signal_card", np.int64, MOST_SIGNALS),  # set: the card that each speaks of, or none
        ("predicates", np.int64, MOST_SIGNALS),  # of the table's own statements, by address
        ("long_suit_min", np.int64),
        ("pagat_risk_trumps", np.int64),
    ],
    align=True,
)

TABLE = np.dtype(
    [
        # What everyone knows. Seats 0..3, sides 0..1; trick and position count from 0.
        ("dealer", np.int64),
        ("score", np.int64, 2),  # of the game before this hand, by side
        ("hand_number", np.int64),  # in the game; 0 in single hands
        ("exposed", np.int64),  # set: trumps discarded openly
        ("has_declared", np.int64, 4),
        ("declared", np.int64, 4),  # combination bits
        ("shown", np.int64, 4),  # set: cards shown for declarations
        ("declared_points", np.int64, 4),
        ("trick", np.int64),
        ("position", np.int64),  # cards in the trick so far
        ("leader", np.int64),
        ("led", np.int64),  # set: the suit to follow, 0 while none is set
        ("best", np.int64),  # rank << 2 | seat of the card that wins so far; NOTHING_WINS | leader
        ("on_table", np.int64),  # set: the cards of the trick so far
        ("played", np.int64, 4),  # set, by seat
        ("voids", np.int64, 4),  # set, by seat: suits (trumps too) he has shown to lack
        ("won", np.int64, 2),  # set, by side, without the discard; the Fool with its owner's
        ("tricks", np.int64, 2),
        ("trick_points", np.int64, 2),
        ("first_leader", np.int64),
        ("pagat_seat", np.int64),  # who played it, NONE until that trick is taken
        ("pagat_trick", np.int64),
        ("fool_seat", np.int64),
        ("fool_trick", np.int64),
        ("fool_lost", np.bool_),  # its side lost the trick it was played to
        ("plays", np.uint8, MOST_PLAYS),  # cards in order of play, 4 * trick + position
        ("signals", np.uint32, MOST_PLAYS),  # made with each card, a bit set
    ],
    align=True,
)

HIDDEN = np.dtype(
    [
        ("key", np.uint64),  # of the hand's random numbers
        ("dealt", np.int64, 4),
        ("hands", np.int64, 4),  # held now
        ("discard", np.int64),
        ("held", np.int64, 4),  # combination bits in hand when declaring
        ("declared", np.int64, 4),  # combination bits; 12 and 13: Pagat and Fool withheld
    ],
    align=True,
)

FAULT = np.dtype(
    [("kind", np.int64), ("seat", np.int64), ("trick", np.int64), ("answer", np.int64)],
    align=True,
)
ILLEGAL_DISCARD, ILLEGAL_DECLARATION, ILLEGAL_CARD, UNTIMELY_SIGNAL, UNTRUE_SIGNAL = range(1, 6)


class View(NamedTuple):
    """All that the player to decide may know, and nothing else.

    ``table`` and ``rules`` are the records above, to be read only. Numbers drawn from ``key`` with
    ``sim.kernels.streams.draw`` belong to this decision alone.
    """

    seat: int
    right: int  # the next player
    partner: int
    left: int  # the player before
    hand: int  # set: cards held
    legal: int  # set: cards that may be played or discarded now; combination bits to declare
    discard: int  # set: one's own discard, 0 unless one dealt
    key: np.uint64
    table: Any
    rules: Any


# Most hands that one call of the hand loop plays, and most parameters of a policy part.
MOST_HANDS = 100_000
MOST_PARAMETERS = 32

# The columns of a run: by seat or side first, hands last. One record for all, not an array for each
# column, because compiled code counts references to arrays at every use.
ROWS = np.dtype(
    [
        ("dealer", np.uint8, MOST_HANDS),
        ("hand", np.int64, (4, MOST_HANDS)),
        ("discard", np.int64, MOST_HANDS),
        ("held", np.uint16, (4, MOST_HANDS)),
        ("declared", np.uint16, (4, MOST_HANDS)),
        ("declared_points", np.int16, (4, MOST_HANDS)),
        ("tricks", np.uint8, (2, MOST_HANDS)),
        ("trick_points", np.int16, (2, MOST_HANDS)),
        ("won0", np.int64, MOST_HANDS),
        ("cricche", np.int16, (2, MOST_HANDS)),
        ("sequences", np.int16, (2, MOST_HANDS)),
        ("card_points", np.int16, (2, MOST_HANDS)),
        ("last_trick", np.uint8, MOST_HANDS),
        ("score", np.int16, (2, MOST_HANDS)),
        ("pagat", np.uint8, (3, MOST_HANDS)),  # seat, trick, side
        ("fool", np.uint8, (3, MOST_HANDS)),
        ("first_trick_leader", np.uint8, MOST_HANDS),
        ("log_plays", np.bool_),
        # What hands of games start from, beside ``dealer``: filled before they are played.
        ("in_games", np.bool_),
        ("hand_number", np.int64),  # in the game, of all rows
        ("key", np.uint64, MOST_HANDS),
        ("before", np.int64, (2, MOST_HANDS)),  # score of the game, by side
    ],
    align=True,
)

# What was played, and said if signals are in force. Apart, since memory is only used again by the
# next call, and not mapped anew, if a record is small enough.
LOGS = np.dtype(
    [
        ("plays", np.uint8, (MOST_HANDS, MOST_PLAYS)),
        ("signals", np.uint32, (MOST_HANDS, MOST_PLAYS)),
    ],
    align=True,
)

# Values of a part's parameters, in order; and those of all seats and kinds of decision.
WEIGHTS = np.dtype([("values", np.float64, MOST_PARAMETERS)])
ALL_WEIGHTS = np.dtype([("values", np.float64, (4, 5, MOST_PARAMETERS))])


def records(dtype: np.dtype, n: int) -> np.recarray:
    """Records of zeros, n of them."""
    return np.zeros(n, dtype).view(np.recarray)


def empty_table() -> np.record:
    """The table before a hand: nothing known."""
    table = records(TABLE, 1)[0]
    table.pagat_seat = table.fool_seat = NONE
    return table
