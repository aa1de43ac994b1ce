"""Discard what wins most in imagined hands that experts play out."""

import numpy as np

from sim.kernels.bits import lowest
from sim.kernels.decisions import as_argument
from sim.kernels.declare import _look_and_declare
from sim.kernels.discard import _lay_away, _legal_discard
from sim.kernels.hand import LANES, _finish_hands, _lead_first
from sim.kernels.state import FAULT, HIDDEN, ROWS, TABLE
from sim.kernels.streams import PLAYOUTS, hand_key, stream
from sim.kernels.worlds import KNOWN, _look, _prepare, _sample_world, _world_key, blanks
from sim.policies import policy
from sim.policies.declare.all import all_
from sim.policies.discard.void import void
from sim.policies.play.expert import expert
from sim.policies.policy import Policy, weights_of
from sim.policies.signal.silent import silent

# Who plays the imagined hands out; its discard part is not asked.
_PLAYER = Policy.of("", discard=void, declare=all_, play=expert, signal=silent)
PLAYERS = as_argument((_PLAYER.decisions,) * 4)
THEIR_WEIGHTS = weights_of((_PLAYER,) * 4)
MOST_PAIRS = 17 * 16 // 2


@policy.helper
def begin(view, table, hidden, fault, discard, world):
    """Put an imagined world on a table, discard and declare."""
    rules = view.rules
    hidden.key = hand_key(stream(view.key, PLAYOUTS), world)
    fault.kind = 0
    for seat in range(4):
        hidden.dealt[seat] = hidden.hands[seat]
        hidden.held[seat] = 0
    _lead_first(table, rules)
    _lay_away(table, hidden, discard, rules)
    if rules.combinations and not rules.declare_late:
        for turn in range(1, 5):
            seat = (view.seat + turn) & 3
            _look_and_declare(PLAYERS, THEIR_WEIGHTS, table, hidden, seat, rules, fault)


@policy.helper
def points_won(view, discard, first, n, known, tables, hiddens, faults, rows):
    """What a discard wins for one's side less the other's in worlds ``first`` to ``first+n-1``."""
    total, side = 0, view.seat & 1
    for start in range(first, first + n, LANES):
        for lane in range(LANES):
            world, hidden = start + lane, hiddens[lane]
            tables[lane] = view.table
            _sample_world(known, hidden, _world_key(view.key, world))
            begin(view, tables[lane], hidden, faults[lane], discard, world)
        _finish_hands(PLAYERS, THEIR_WEIGHTS, tables, hiddens, rows, view.rules, faults)
        for lane in range(LANES):
            total += rows.score[side, lane] - rows.score[1 - side, lane]
    return total


@policy.helper
def legal_pairs(view, pairs):
    """Fill an array with the legal discards; returns how many there are."""
    n, firsts = 0, view.legal
    while firsts:
        first = 1 << lowest(firsts)
        firsts ^= first
        seconds = firsts
        while seconds:
            second = 1 << lowest(seconds)
            seconds ^= second
            if _legal_discard(first | second, view.hand, view.rules):
                pairs[n] = first | second
                n += 1
    return n


@policy.discard(worlds=8)
def sampled(view, weights):
    """What wins most in imagined hands played out by experts; each round drops the worse half.

    ``worlds``: how many all legal pairs are played in; twice as many in each later round.
    """
    known_, rows_ = blanks(KNOWN, 1), blanks(ROWS, 1)
    tables, hiddens = blanks(TABLE, LANES), blanks(HIDDEN, LANES)
    faults = blanks(FAULT, LANES)
    known, rows = known_[0], rows_[0]
    rows.log_plays = False
    _look(view, known)
    _prepare(known)
    pairs, totals = np.empty(MOST_PAIRS, np.int64), np.zeros(MOST_PAIRS, np.int64)
    left, done = legal_pairs(view, pairs), 0
    n = LANES * max(1, int(weights.worlds) // LANES)
    while left > 1:
        for i in range(left):
            totals[i] += points_won(view, pairs[i], done, n, known, tables, hiddens, faults, rows)
        done += n
        n *= 2
        better = (left + 1) // 2
        for i in range(better):
            best = i + np.argmax(totals[i:left])
            totals[i], totals[best] = totals[best], totals[i]
            pairs[i], pairs[best] = pairs[best], pairs[i]
        left = better
    # The records lie in these arrays, which must live so long.
    return pairs[0] if len(known_) + len(rows_) else 0
