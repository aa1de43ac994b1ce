"""The play of a trick. RULES §2, §8."""

from __future__ import annotations

from sim.kernels.bits import highest
from sim.kernels.combinations import _trick_points
from sim.kernels.compiling import kernel


@kernel
def _legal(hand, led, rules):
    """The cards that may be played from a hand, ``led`` being the suit to follow (0: any)."""
    follow = hand & led
    trumps = hand & rules.trumps
    obliged = follow if follow else trumps
    excused = obliged | (hand & rules.fool)
    return excused if led and obliged else hand


@kernel
def _winning_position(table, rules):
    """Position of the card that wins the trick as it stands; 0 if only the Fool is there."""
    trumps = table.on_table & rules.trumps
    followed = table.on_table & table.led
    candidates = trumps if trumps else followed
    best = 1 << highest(candidates | 1)
    equal = candidates & rules.equal_trumps
    if best & rules.equal_trumps:
        best = equal
    winning = 0
    for position in range(4):  # the last one played of equal trumps
        if position < table.position and best >> table.cards[position] & 1:
            winning = position
    return winning


@kernel
def _put(table, hidden, seat, card, rules):
    """A legal card goes from a hand to the table, and shows the voids that it shows."""
    bit = 1 << card
    led = table.led
    suit = rules.suit_of[card]
    beside_trumps = 0 if bit & rules.trumps else rules.trumps
    void = led | beside_trumps if led else 0
    table.voids[seat] |= 0 if bit & (led | rules.fool) else void
    table.led = led if led else suit
    hidden.hands[seat] ^= bit
    table.played[seat] |= bit
    table.on_table |= bit
    table.cards[table.position] = card
    table.order[4 * table.trick + table.position] = card
    table.position += 1


@kernel
def _take(table, rules):
    """The four cards on the table go to the winner's side, who will lead."""
    winner = (table.leader + _winning_position(table, rules)) & 3
    side = winner & 1
    counted = table.on_table
    if counted & (rules.fool | rules.pagat):
        for position in range(4):
            seat = (table.leader + position) & 3
            bit = 1 << table.cards[position]
            if bit == rules.pagat:
                table.pagat_seat = seat
                table.pagat_trick = table.trick
            elif bit == rules.fool:
                table.fool_seat = seat
                table.fool_trick = table.trick
                table.fool_lost = seat & 1 != side
                table.won[seat & 1] |= bit
                if table.fool_lost and not rules.fool_in_lost_trick:
                    counted ^= bit
    table.won[side] |= table.on_table & ~rules.fool
    table.tricks[side] += 1
    if rules.trick_combinations:
        table.trick_points[side] += _trick_points(counted, rules)
    table.leader = winner
    table.trick += 1
    table.position = 0
    table.led = 0
    table.on_table = 0
