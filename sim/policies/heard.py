"""What the signals that a player has heard tell him: of the others' hands, and what partner asks.

Statements are taken literally; nothing is inferred from silence. RULES §6, §7.
"""

from __future__ import annotations

from typing import NamedTuple

from sim.kernels.bits import highest, index, lowest, popcount
from sim.kernels.signals import (
    ALL_BUT_ONE,
    HOLDS,
    HOLDS_QUEEN,
    LONG_SUIT,
    ONE_MORE,
    PAGAT_AT_RISK,
    PLAIN_SUIT,
    TOP,
    TOP_TWO,
    VOID,
)
from sim.policies.policy import helper
from sim.policies.view import beats
from sim.signals import OF_OTTOCENTO, OF_PARTITA

KNOCK, _, DRAG = range(len(OF_OTTOCENTO))
_BITS = {signal.name: bit for bit, signal in enumerate(OF_PARTITA)}
TRUMP_CHEAPLY, NOT_HIGH_TRUMP = _BITS["trump_cheaply"], _BITS["not_high_trump"]
NOT_HIGHEST_TRUMP, CHANGE_SUIT = _BITS["not_highest_trump"], _BITS["change_suit"]
NOT_THIS_SUIT, INFORM = _BITS["not_this_suit"], _BITS["inform"]
PICCOLO, GRANDE = _BITS["piccolo"], _BITS["grande"]
# The trumps that players name by signals, and the Angel above them, are called high.
HIGH_TRUMPS = 6


class Heard(NamedTuple):
    """Sets: what each of the others surely lacks, holds one of, and holds, as all have heard."""

    right_lacks: int
    partner_lacks: int
    left_lacks: int
    right_follows: int
    partner_follows: int
    left_follows: int
    right_holds: int
    partner_holds: int
    left_holds: int


@helper
def _top_two(cards, number, rules):
    """The highest of some cards, or the two highest; none that is equal to another."""
    found = 0
    for _ in range(number):
        if cards:
            top = 1 << highest(cards)
            cards ^= top
            if top & rules.equal_trumps:
                break
            found |= top
    return found


@helper
def _stated(view, signal, maker, suit, gone):
    """What a statement made with a card of a suit tells of its maker: (lacks, follows, holds).

    ``gone``: the cards played until then, that card included.
    """
    rules, table = view.rules, view.table
    statement = rules.statements[signal]
    since = popcount(table.played[maker] & suit & ~gone)
    if statement == VOID:
        return suit, 0, 0
    if statement == ONE_MORE:
        return (suit, 0, 0) if since else (0, suit, 0)
    if statement == LONG_SUIT:
        return 0, suit if since < rules.long_suit_min - 1 else 0, 0
    if statement == HOLDS:
        return 0, 0, rules.signal_card[signal]
    if statement == HOLDS_QUEEN:
        return 0, 0, suit & rules.queens
    if statement == PAGAT_AT_RISK:
        return 0, 0, rules.pagat
    if statement in (TOP, TOP_TWO):
        about = suit if rules.moments[signal] == PLAIN_SUIT else rules.trumps
        left = about & ~(gone | table.exposed)
        top = _top_two(left, 2 if statement == TOP_TWO else 1, rules)
        if maker == table.dealer:  # who knows what he discarded: it may be what seems the top
            openly = rules.trumps if rules.trumps_forced else 0
            top &= rules.kings | rules.honours | rules.fool | openly
        return 0, 0, top
    return 0, 0, 0


@helper
def heard(view):
    """All statements so far, taken literally."""
    table, rules = view.table, view.rules
    right_lacks = partner_lacks = left_lacks = 0
    right_follows = partner_follows = left_follows = 0
    right_holds = partner_holds = left_holds = gone = 0
    for k in range(4 * table.trick + table.position):
        signals = table.signals[index(k)] & rules.signals
        card = table.plays[index(k)]
        bit, suit = 1 << card, rules.suit_of[card]
        gone |= bit
        while signals:
            signal = lowest(signals)
            signals ^= 1 << signal
            # One who has all but one of a suit leaves none to the others if that one was mine.
            mine = (view.hand | table.played[view.seat] & ~gone) & suit
            alone = suit if rules.statements[signal] == ALL_BUT_ONE and mine else 0
            if table.played[view.right] & bit:
                lacks, follows, holds = _stated(view, signal, view.right, suit, gone)
                right_lacks |= lacks
                right_follows |= follows
                right_holds |= holds
                partner_lacks |= alone
                left_lacks |= alone
            elif table.played[view.partner] & bit:
                lacks, follows, holds = _stated(view, signal, view.partner, suit, gone)
                partner_lacks |= lacks
                partner_follows |= follows
                partner_holds |= holds
                right_lacks |= alone
                left_lacks |= alone
            elif table.played[view.left] & bit:
                lacks, follows, holds = _stated(view, signal, view.left, suit, gone)
                left_lacks |= lacks
                left_follows |= follows
                left_holds |= holds
                right_lacks |= alone
                partner_lacks |= alone
    return Heard(
        *(right_lacks, partner_lacks, left_lacks),
        *(right_follows, partner_follows, left_follows),
        *(right_holds, partner_holds, left_holds),
    )


@helper
def requests(view):
    """The legal cards that partner asks for by signals, and those he asks not to be played: sets.

    A knock counts in its trick and for the lead of who wins that, a request with trumps in its
    trick, ``change_suit`` for the next lead; others stand for the hand.
    """
    table, rules = view.table, view.rules
    now = 4 * table.trick + table.position
    leads = table.position == 0
    trumps = view.legal & rules.trumps
    drag = not_led = led_last = change = 0
    for k in range(now):
        card = table.plays[index(k)]
        suit = rules.suit_of[card]
        if k & 3 == 0 and table.played[view.seat] >> card & 1:
            led_last, change = suit, 0
        if not table.played[view.partner] >> card & 1:
            continue
        signals = table.signals[index(k)] & rules.signals
        if rules.combinations:
            drag |= signals >> DRAG & 1
        else:
            change |= signals >> CHANGE_SUIT & 1
            not_led |= suit if signals >> NOT_THIS_SUIT & 1 else 0
    if rules.combinations:
        wanted = trumps if leads and drag else 0
        knock = 4 * (table.trick - 1 if leads else table.trick)  # the lead that it went with
        if 0 <= knock < now and (table.signals[index(knock)] & rules.signals) >> KNOCK & 1:
            card = table.plays[index(knock)]
            suit = view.legal & rules.suit_of[card]
            if suit and table.played[view.partner] >> card & 1:
                wanted |= 1 << highest(suit)
        return wanted, 0
    if leads:
        wanted, signals = 0, table.signals[index(now)] & rules.signals
        if trumps and signals >> PICCOLO & 1:
            wanted = 1 << lowest(trumps)
        if trumps and signals >> GRANDE & 1:
            wanted |= 1 << highest(trumps)
        return wanted, view.legal & (not_led | (led_last if change else 0)) & ~wanted
    if table.position != 2 or table.led == rules.trumps or not trumps:
        return 0, 0
    signals = table.signals[index(4 * table.trick)] & rules.signals  # those of the lead
    wanted = unwanted = 0
    winning = beats(view, trumps)
    if winning and signals >> TRUMP_CHEAPLY & 1:
        wanted = 1 << lowest(winning)
    if signals >> NOT_HIGH_TRUMP & 1:
        unwanted = trumps & -(1 << (highest(rules.trumps) - HIGH_TRUMPS))
    if signals >> NOT_HIGHEST_TRUMP & 1:
        unwanted |= 1 << highest(trumps)
    return wanted, unwanted
