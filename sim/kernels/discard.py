"""The dealer's discard: what is legal, what he lays away, and what all see of it. RULES §3, §7."""

from __future__ import annotations

from sim.kernels import streams
from sim.kernels.bits import popcount
from sim.kernels.compiling import kernel
from sim.kernels.decisions import _report, _view, ask_discard
from sim.kernels.state import ILLEGAL_DISCARD


@kernel
def _may_discard(hand, rules):
    """The cards of which the dealer discards two; and whether trumps are forced (one or two)."""
    barred = rules.kings | rules.honours | rules.fool
    if not rules.trumps_forced:
        return hand & ~barred, False
    plain = hand & ~(barred | rules.trumps)
    if popcount(plain) >= 2:
        return plain, False
    return hand & ~barred, True


@kernel
def _legal_discard(discard, hand, rules):
    """Whether two cards may be discarded together from the dealer's hand."""
    allowed, forced = _may_discard(hand, rules)
    if popcount(discard) != 2 or discard & ~allowed:
        return False
    return not forced or discard & ~rules.trumps == allowed & ~rules.trumps


@kernel
def _discard(policies, weights, table, hidden, rules, fault):
    """The cards that the dealer discards."""
    dealer = table.dealer
    hand = hidden.hands[dealer]
    allowed, _ = _may_discard(hand, rules)
    view = _view(table, hidden, dealer, allowed, streams.stream(hidden.key, streams.DISCARD), rules)
    discard = ask_discard(policies, dealer, view, weights)
    if not _legal_discard(discard, hand, rules):
        _report(fault, ILLEGAL_DISCARD, dealer, table, discard)
    return discard


@kernel
def _lay_away(table, hidden, discard, rules):
    """A legal discard leaves the dealer's hand, openly what trumps he is forced to."""
    hidden.hands[table.dealer] ^= discard
    hidden.discard = discard
    if rules.trumps_forced:
        table.exposed = discard & rules.trumps
