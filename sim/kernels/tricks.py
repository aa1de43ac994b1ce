"""The play of a trick. RULES §2, §8."""

from __future__ import annotations

from sim.kernels.bits import index
from sim.kernels.combinations import _may_combine, _trick_points
from sim.kernels.compiling import inlined, kernel
from sim.kernels.state import NOTHING_WINS


@kernel
def _legal(hand, led, rules):
    """The cards that may be played from a hand, ``led`` being the suit to follow (0: any)."""
    follow = hand & led
    trumps = hand & rules.trumps
    obliged = follow if follow else trumps
    excused = obliged | (hand & rules.fool)
    return excused if led and obliged else hand


@inlined
def _put(table, hidden, seat, card, rules):
    """A legal card goes from a hand to the table; it may win so far, and may show voids."""
    bit = 1 << card
    trumps, led = rules.trumps, table.led
    led = led if led else rules.suit_of[card]
    lacks = led | (0 if bit & trumps else trumps)
    table.voids[seat] |= 0 if bit & (led | rules.fool) else lacks
    # Cards that can win are compared by rank alone, since every trump ranks above every plain card;
    # of equal ones the later wins.
    best = table.best
    power = rules.rank[card] << 2 | seat
    wins = (power | 3 >= best) & (bit & (led | trumps) != 0)
    table.best = power if wins else best
    table.led = led
    hidden.hands[seat] ^= bit
    table.played[seat] |= bit
    table.on_table |= bit
    table.plays[index(4 * table.trick + table.position)] = card
    table.position += 1


@kernel
def _note_contatori(table, rules):
    """The Pagat or the Fool is in the trick: who played it, and when."""
    for seat in range(4):
        cards = table.played[seat] & table.on_table
        if cards & rules.pagat:
            table.pagat_seat = seat
            table.pagat_trick = table.trick
        if cards & rules.fool:
            table.fool_seat = seat
            table.fool_trick = table.trick


@inlined
def _take(table, rules):
    """The four cards on the table go to the winner's side, who will lead."""
    winner = table.best & 3
    side = winner & 1
    counted = table.on_table
    fool = counted & rules.fool
    if counted & (rules.pagat | rules.fool):
        _note_contatori(table, rules)
    if fool:
        own = table.fool_seat & 1
        table.fool_lost = own != side
        table.won[own] |= fool
        if table.fool_lost and not rules.fool_in_lost_trick:
            counted ^= fool
    table.won[side] |= table.on_table ^ fool
    table.tricks[side] += 1
    if rules.trick_combinations and _may_combine(table.plays, table.trick):
        table.trick_points[side] += _trick_points(counted, rules)
    table.leader = winner
    table.best = NOTHING_WINS | winner
    table.trick += 1
    table.position = 0
    table.led = 0
    table.on_table = 0
