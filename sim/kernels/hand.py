"""The one hand loop: discard, declare, play, settle. RULES §2-4, §7.

Hands are played a few at a time in lockstep, so that the processor works on one while another
waits; rows do not depend on how many. Their number is a constant, so that compiled code need not
count them.
"""

from __future__ import annotations

from sim.kernels import streams
from sim.kernels.bits import index
from sim.kernels.combinations import _combinations
from sim.kernels.compiling import inlined, kernel
from sim.kernels.decisions import _report, _view, ask_play, ask_signal
from sim.kernels.declare import _declare, _look_and_declare
from sim.kernels.discard import _discard, _lay_away
from sim.kernels.settlement import _score_rows, _write_log, _write_row
from sim.kernels.signals import _judge
from sim.kernels.state import ILLEGAL_CARD, NONE, NOTHING_WINS
from sim.kernels.tricks import _legal, _put, _take

LANES = 2
CHUNK = 256  # hands between two passes over columns


@kernel
def _say(view, card, signals, k, fault):
    """A player signals with his card, the k-th of the hand; what is not in force nobody hears."""
    heard = signals & view.rules.signals
    kind, bit = _judge(view, card, heard)
    if kind:
        _report(fault, kind, view.seat, view.table, bit)
    else:
        view.table.signals[index(k)] |= heard


@inlined
def _turn(policies, weights, table, hidden, trick, position, rules, fault):
    """The next player plays a card; before a lead, the leader's partner may signal."""
    if fault.kind:
        return
    seat = (table.leader + position) & 3
    if trick == 0 and rules.declare_late and not table.has_declared[seat]:
        _look_and_declare(policies, weights, table, hidden, seat, rules, fault)
    k = 4 * trick + position
    if position == 0:
        partner = (seat + 2) & 3
        key = streams.step(streams.stream(hidden.key, streams.SIGNAL + partner), k)
        view = _view(table, hidden, partner, 0, key, rules)
        signals = ask_signal(policies, partner, view, NONE, weights)
        if signals:
            _say(view, NONE, signals, k, fault)
            if fault.kind:
                return
    legal = _legal(hidden.hands[seat], table.led, rules)
    key = streams.step(streams.stream(hidden.key, streams.PLAY + seat), trick)
    view = _view(table, hidden, seat, legal, key, rules)
    card, _ = ask_play(policies, seat, view, weights)
    if card < 0 or card > 61 or not legal >> card & 1:
        _report(fault, ILLEGAL_CARD, seat, table, card)
        return
    _put(table, hidden, seat, card, rules)
    key = streams.step(streams.stream(hidden.key, streams.SIGNAL + seat), k + 4 * rules.hand_size)
    view = _view(table, hidden, seat, 0, key, rules)
    signals = ask_signal(policies, seat, view, card, weights)
    if signals:
        _say(view, card, signals, k, fault)


@kernel
def _continue_game(table, hidden, rows, i):
    """A hand of a game takes dealer, score, number and key from row i."""
    table.dealer = rows.dealer[i]
    table.hand_number = rows.hand_number
    hidden.key = rows.key[i]
    for side in range(2):
        table.score[side] = rows.before[side, i]


@kernel
def _take_up(table, hidden, seed, hand, rows, i, rules):
    """Players take up the cards dealt in row i, before a table where nothing has happened."""
    if rows.in_games:
        _continue_game(table, hidden, rows, i)
    else:
        table.dealer = hand & 3
        hidden.key = streams.hand_key(seed, hand)
    _lead_first(table, rules)
    hidden.discard = 0
    for seat in range(4):
        hidden.dealt[seat] = rows.hand[seat, i]
        hidden.hands[seat] = rows.hand[seat, i]


@kernel
def _discard_chunk(
    policies, weights, seed, first, stride, start, end, rows, table, hidden, rules, fault
):
    """The dealers of a chunk of hands discard into rows."""
    for i in range(start, end):
        _take_up(table, hidden, seed, first + stride * i, rows, i, rules)
        rows.discard[i] = _discard(policies, weights, table, hidden, rules, fault)
        if fault.kind:
            return first + stride * i
    return NONE


@kernel
def _hold(rows, start, end, rules):
    """What players hold after the discard, and its points as if they declared it."""
    for seat in range(4):
        for row in range(start, end):
            i = index(row)
            hand = rows.hand[seat, i] & ~rows.discard[i]
            held, cricche, sequences = _combinations(hand, rules)
            rows.held[seat, i] = held
            rows.declared_points[seat, i] = cricche + sequences


@kernel
def _begin(policies, weights, table, hidden, seed, hand, rows, i, rules, fault):
    """From the cards dealt and discarded in row i to the first lead."""
    _take_up(table, hidden, seed, hand, rows, i, rules)
    _lay_away(table, hidden, rows.discard[i], rules)
    if rules.combinations and not rules.declare_late:
        for turn in range(1, 5):
            seat = (table.dealer + turn) & 3
            hidden.held[seat], points = rows.held[seat, i], rows.declared_points[seat, i]
            _declare(policies, weights, table, hidden, seat, points, rules, fault)


@kernel
def _lead_first(table, rules):
    """The table waits for the first lead."""
    table.leader = table.dealer if rules.dealer_leads else (table.dealer + 1) & 3
    table.first_leader = table.leader
    table.best = NOTHING_WINS | table.leader


@kernel
def _play_on(policies, weights, tables, hiddens, rules, faults):
    """Play LANES hands to their end from where they stand, all in the same trick and position."""
    lanes = range(LANES)
    first = tables[0].position
    for trick in range(tables[0].trick, rules.hand_size):
        if first == 0:  # the lead apart: compiled without what only followers need
            for i in lanes:
                _turn(policies, weights, tables[i], hiddens[i], trick, 0, rules, faults[i])
        for position in range(max(first, 1), 4):
            for i in lanes:
                _turn(policies, weights, tables[i], hiddens[i], trick, position, rules, faults[i])
        for i in lanes:
            if faults[i].kind:
                return
            _take(tables[i], rules)
        first = 0


@kernel
def _finish_hands(policies, weights, tables, hiddens, rows, rules, faults):
    """Play hands to their end, all in the same trick and position, and write them into rows.

    Their number is a multiple of LANES. Returns NONE, or the number of one in which a policy
    answered illegally.
    """
    for start in range(0, len(tables), LANES):
        lanes = slice(start, start + LANES)
        _play_on(policies, weights, tables[lanes], hiddens[lanes], rules, faults[lanes])
        for i in range(start, start + LANES):
            if faults[i].kind:
                return i
            _write_row(rows, i, tables[i], hiddens[i], rules)
    _score_rows(rows, 0, len(tables), rules)
    return NONE


@kernel
def _play_hands(
    policies, weights, seed, first, stride, n, rows, logs, tables, hiddens, empty, rules, faults
):
    """Play n hands of a run, every ``stride``-th from ``first`` on, dealt in rows, into these.

    ``tables``, ``hiddens`` and ``faults`` have LANES records to work in. Returns NONE, or the
    number of a hand in which a policy answered illegally; the lane's fault then says how.
    """
    for start in range(0, n, CHUNK):
        end = min(start + CHUNK, n)
        failed = _play_chunk(
            policies,
            weights,
            seed,
            first,
            stride,
            start,
            end,
            rows,
            logs,
            tables,
            hiddens,
            empty,
            rules,
            faults,
        )
        if failed != NONE:
            return failed
    return NONE


@kernel
def _play_chunk(
    policies,
    weights,
    seed,
    first,
    stride,
    start,
    end,
    rows,
    logs,
    tables,
    hiddens,
    empty,
    rules,
    faults,
):
    """Play the hands of some rows, and do by columns what can be done for all at once."""
    table, hidden, fault = tables[0], hiddens[0], faults[0]
    tables[0] = empty
    failed = _discard_chunk(
        policies, weights, seed, first, stride, start, end, rows, table, hidden, rules, fault
    )
    if failed != NONE:
        return failed
    if rules.combinations and not rules.declare_late:
        _hold(rows, start, end, rules)
    for lanes in range(start, end, LANES):
        for lane in range(LANES):
            tables[lane] = empty
            i = min(lanes + lane, end - 1)
            hand, fault = first + stride * i, faults[lane]
            _begin(
                policies, weights, tables[lane], hiddens[lane], seed, hand, rows, i, rules, fault
            )
            if fault.kind:
                return hand
        _play_on(policies, weights, tables, hiddens, rules, faults)
        for lane in range(LANES):
            i = min(lanes + lane, end - 1)
            if faults[lane].kind:
                return first + stride * i
            _write_row(rows, i, tables[lane], hiddens[lane], rules)
            if rows.log_plays:
                _write_log(logs, i, tables[lane], rules)
    _score_rows(rows, start, end, rules)
    return NONE
