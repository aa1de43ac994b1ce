"""Declarations: what is legal, what a player declares, and what all see of it. RULES §4."""

from __future__ import annotations

from sim.kernels import streams
from sim.kernels.combinations import (
    ALL_CRICCHE,
    ALL_SEQUENCES,
    FOOL_WITHHELD,
    PAGAT_WITHHELD,
    _combinations,
    _declarable,
    _points,
    _shown,
)
from sim.kernels.compiling import kernel
from sim.kernels.decisions import _report, _view, ask_declare
from sim.kernels.state import ILLEGAL_DECLARATION


@kernel
def _legal_declaration(declared, hand, held, rules):
    """Whether a player may declare so from his hand."""
    if declared == 0 or declared == held:
        return True
    if not rules.any_subset or declared >> 14:
        return False
    if declared & PAGAT_WITHHELD and not hand & rules.pagat:
        return False
    if declared & FOOL_WITHHELD and not hand & rules.fool:
        return False
    left, _, _ = _combinations(_declarable(hand, declared), rules)
    return declared & (ALL_CRICCHE | ALL_SEQUENCES) & ~left == 0


@kernel
def _declare(policies, weights, table, hidden, seat, held_points, rules, fault):
    """A player declares from his hand, all of which is worth so many points."""
    hand, held = hidden.hands[seat], hidden.held[seat]
    key = streams.stream(hidden.key, streams.DECLARE + seat)
    declared = ask_declare(policies, seat, _view(table, hidden, seat, held, key, rules), weights)
    if not _legal_declaration(declared, hand, held, rules):
        _report(fault, ILLEGAL_DECLARATION, seat, table, declared)
        return
    _enter_declaration(table, hidden, seat, declared, held_points, rules)


@kernel
def _look_and_declare(policies, weights, table, hidden, seat, rules, fault):
    """A player declares what he sees in his hand: by itself, not with all hands of a chunk."""
    held, cricche, sequences = _combinations(hidden.hands[seat], rules)
    hidden.held[seat] = held
    _declare(policies, weights, table, hidden, seat, cricche + sequences, rules, fault)


@kernel
def _enter_declaration(table, hidden, seat, declared, held_points, rules):
    """A legal declaration scores; what is shown of it becomes public, not what was withheld."""
    hand, held = hidden.hands[seat], hidden.held[seat]
    hidden.declared[seat] = declared
    table.has_declared[seat] = 1
    table.declared[seat] = declared & (ALL_CRICCHE | ALL_SEQUENCES)
    if declared == 0:
        return
    if declared == held:
        table.shown[seat] = _shown(hand, held, rules)
        table.declared_points[seat] = held_points
    else:
        counted = _declarable(hand, declared)
        table.shown[seat] = _shown(counted, declared, rules)
        cricche, sequences = _points(counted, rules, declared)
        table.declared_points[seat] = cricche + sequences
