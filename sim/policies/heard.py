"""What the signals that a player has heard tell him of the others' hands. RULES §6, §7."""

from __future__ import annotations

from typing import NamedTuple

from sim.kernels.bits import highest, index, lowest
from sim.kernels.signals import HOLDS, HOLDS_QUEEN, PLAIN_SUIT, TOP, VOID
from sim.policies.policy import helper

KNOCK, DRAG, PICCOLO = 0, 2, 21


class Heard(NamedTuple):
    """Sets: the cards that each of the others surely lacks, or holds; and what partner asks for."""

    right_lacks: int
    partner_lacks: int
    left_lacks: int
    right_holds: int
    partner_holds: int
    left_holds: int
    high: int  # the suit of a knock: play the highest of it, and return it
    trumps: int  # the trumps, if partner asks to lead them


@helper
def heard(view):
    """All statements so far taken literally, and the last knock and whether drag was asked for."""
    table, rules = view.table, view.rules
    right = partner = left = 0
    right_holds = partner_holds = left_holds = 0
    high = trumps = gone = 0
    dealers = rules.kings | rules.honours | rules.fool  # never discarded
    for k in range(4 * table.trick + table.position + 1):
        signals = table.signals[index(k)] & rules.signals
        if k == 4 * table.trick + table.position:  # only what partner asks before one's lead
            if signals >> PICCOLO & 1 and not rules.combinations:
                trumps = rules.trumps
            break
        card = table.plays[index(k)]
        bit, suit = 1 << card, rules.suit_of[card]
        gone |= bit
        while signals:
            signal = lowest(signals)
            signals ^= 1 << signal
            lacks = holds = 0
            statement = rules.statements[signal]
            if statement == VOID:
                lacks = suit
            elif statement == HOLDS:
                holds = rules.signal_card[signal]
            elif statement == HOLDS_QUEEN:
                holds = suit & rules.queens
            elif statement == TOP:
                about = suit if rules.moments[signal] == PLAIN_SUIT else rules.trumps
                top = about & ~(gone | table.exposed)
                if top and not (1 << highest(top)) & rules.equal_trumps:
                    holds = 1 << highest(top)
            if table.played[view.right] & bit:
                right |= lacks
                right_holds |= holds if view.right != table.dealer else holds & dealers
            elif table.played[view.left] & bit:
                left |= lacks
                left_holds |= holds if view.left != table.dealer else holds & dealers
            elif table.played[view.partner] & bit:
                partner |= lacks
                partner_holds |= holds if view.partner != table.dealer else holds & dealers
                if rules.combinations and signal == KNOCK:
                    high = suit
                if rules.combinations and signal == DRAG:
                    trumps = rules.trumps
    return Heard(right, partner, left, right_holds, partner_holds, left_holds, high, trumps)
