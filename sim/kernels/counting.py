"""Hands counted by what they were: each kernel adds its hands to an array of counts.

Columns are arrays of shape (n,), those of seats (4, n) and of sides (2, n), with values within the
bounds of the counts: nothing is checked here.
"""

from __future__ import annotations

from sim.kernels.bits import lowest
from sim.kernels.combinations import KINDS, _combinations, _may_combine
from sim.kernels.compiling import kernel

# Of the bits of combinations: a declaration has two more, for what was withheld.
PATTERNS = 1 << len(KINDS)


@kernel
def _count_bits(dealer, bits, counts):
    """By seat, role and combinations: (4, 4, PATTERNS)."""
    for i in range(len(dealer)):
        for seat in range(4):
            counts[seat, (seat + 3 - dealer[i]) & 3, bits[seat, i] & (PATTERNS - 1)] += 1


@kernel
def _count_together(dealer, bits, counts):
    """By combination and how many have it, of the three non-dealers and of all: (2, 12, 5)."""
    counts[:, :, 0] += len(dealer)
    for i in range(len(dealer)):
        anyone = 0
        for seat in range(4):
            anyone |= int(bits[seat, i]) & (PATTERNS - 1)
        while anyone:
            kind = lowest(anyone)
            anyone &= anyone - 1
            seats = 0
            for seat in range(4):
                seats += int(bits[seat, i]) >> kind & 1
            others = seats - (int(bits[dealer[i], i]) >> kind & 1)
            for pool in range(2):
                counts[pool, kind, 0] -= 1
                counts[pool, kind, seats if pool else others] += 1


@kernel
def _count_by_role(dealer, points, counts):
    """By role and points: (4, most)."""
    for i in range(len(dealer)):
        for seat in range(4):
            counts[(seat + 3 - dealer[i]) & 3, points[seat, i]] += 1


@kernel
def _count_by_side(dealer, values, least, counts):
    """By side, whether it deals, and its value, the first being ``least``: (2, 2, values)."""
    for i in range(len(dealer)):
        for side in range(2):
            counts[side, 1 - ((dealer[i] ^ side) & 1), int(values[side, i]) - least] += 1


@kernel
def _count_difference(dealer, scores, least, counts):
    """By the side that deals, and its score less the other's, from ``least`` up: (2, values)."""
    for i in range(len(dealer)):
        side = dealer[i] & 1
        counts[side, int(scores[side, i]) - int(scores[1 - side, i]) - least] += 1


@kernel
def _count_fates(dealer, seat, trick, side, counts):
    """Of a card: by role of its holder, trick, and whether his side kept it: (4, tricks, 2)."""
    for i in range(len(dealer)):
        kept = 1 if side[i] == seat[i] & 1 else 0
        counts[(seat[i] + 3 - dealer[i]) & 3, trick[i], kept] += 1


@kernel
def _note_kinds_in_tricks(plays, leader, rules, kinds):
    """The combinations that each side scores inside any of its tricks: bits, (2, n). RULES §4.

    ``plays``: cards in order of play, (n, cards), ``leader`` the seat that leads first.
    """
    for i in range(len(plays)):
        cards_played, to_lead = plays[i], int(leader[i])
        for trick in range(plays.shape[1] // 4):
            led, cards, best, winner, fool = 0, 0, -1, 0, -1
            for place in range(4):
                card = int(cards_played[4 * trick + place])
                bit = 1 << card
                cards |= bit
                if bit & rules.fool:
                    fool = place
                    continue
                led = led if led else rules.suit_of[card]
                # Of equal Moors the later wins.
                if bit & (led | rules.trumps) and rules.rank[card] >= best:
                    best, winner = rules.rank[card], place
            # The Fool counts in a trick of its own side, or where the rules say so.
            if fool >= 0 and (fool ^ winner) & 1 and not rules.fool_in_lost_trick:
                cards ^= rules.fool
            to_lead = (to_lead + winner) & 3
            if _may_combine(cards_played, trick):
                kinds[to_lead & 1, i] |= _combinations(cards, rules)[0]
