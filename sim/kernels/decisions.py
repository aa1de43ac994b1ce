"""How the hand loop asks a player: policies as arguments of kernels.

The loop is compiled anew for a bundle of decisions that all four seats share, which then costs
nothing to call. Where seats differ, or a bundle comes from a user's file, one loop serves all:
it calls each seat's functions by their address, so that a run compiles each distinct bundle once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_constant
from numba.extending import (
    NativeValue,
    intrinsic,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from sim.kernels.compiling import inlined, kernel
from sim.kernels.state import RULES, TABLE, WEIGHTS, View, records
from sim.kernels.user_code import address_as, checked

DISCARD, DECLARE, LEAD, PLAY, SIGNAL = range(5)
_PAIR = "a card and a reason code, both int"
_ANSWERS = (
    "a set of two cards, an int",
    "the bits of combinations, an int",
    *(_PAIR, _PAIR),
    "the bits of signals, an int",
)
_I64 = ir.IntType(64)


@dataclass(frozen=True)
class Decisions:
    """The five compiled functions of one policy; ``digest`` is a hash of their sources.

    ``discard(view, weights)`` returns a set of two cards, ``declare(view, weights)`` combination
    bits, ``lead(view, weights)`` and ``play(view, weights)`` a card and a reason code,
    ``signal(view, card, weights)`` a bit set, with ``card`` NONE when asked before partner leads.
    """

    digest: str
    discard: Callable[..., Any]
    declare: Callable[..., Any]
    lead: Callable[..., Any]
    play: Callable[..., Any]
    signal: Callable[..., Any]
    weights: tuple[np.dtype, ...]  # the record of parameters that each of them reads
    leads_by_play: bool  # play leads too, lead is never asked
    silent: bool
    shipped: bool


@inlined
def _view(table, hidden, seat, legal, key, rules):
    """What the player at a seat knows when he has to decide."""
    return View(
        seat,
        (seat + 1) & 3,
        (seat + 2) & 3,
        (seat + 3) & 3,
        hidden.hands[seat],
        legal,
        hidden.discard if seat == table.dealer else 0,
        key,
        table,
        rules,
    )


@kernel
def _report(fault, kind, seat, table, answer):
    """Keep the first illegal answer."""
    if fault.kind == 0:
        fault.kind = kind
        fault.seat = seat
        fault.trick = table.trick
        fault.answer = answer


def ask_discard(policies, seat, view, weights):
    """The set of two cards that the dealer's policy discards."""
    bundle = policies[seat]
    discard = bundle.discard(view, _own(bundle, weights, seat, DISCARD))
    return checked(bundle.discard, discard, _ANSWERS[DISCARD])


def ask_declare(policies, seat, view, weights):
    """The combination bits that a seat's policy declares."""
    bundle = policies[seat]
    declared = bundle.declare(view, _own(bundle, weights, seat, DECLARE))
    return checked(bundle.declare, declared, _ANSWERS[DECLARE])


def ask_play(policies, seat, view, weights):
    """The card that a seat's policy plays, and its reason code."""
    bundle = policies[seat]
    leads = view.table.position == 0 and not bundle.leads_by_play
    decide, kind = (bundle.lead, LEAD) if leads else (bundle.play, PLAY)
    return checked(decide, decide(view, _own(bundle, weights, seat, kind)), _PAIR, pair=True)


def ask_signal(policies, seat, view, card, weights):
    """The signals that a seat's policy makes with a card."""
    bundle = policies[seat]
    signals = bundle.signal(view, card, _own(bundle, weights, seat, SIGNAL))
    return checked(bundle.signal, signals, _ANSWERS[SIGNAL])


class DecisionsType(types.Type):
    """numba's type of one bundle: its identity is the digest, so that caches last."""

    def __init__(self, digest: str) -> None:
        self.digest = digest
        super().__init__(name=f"Decisions({digest})")


_bundles: dict[str, Decisions] = {}

register_model(DecisionsType)(models.OpaqueModel)


@typeof_impl.register(Decisions)
def _typeof_decisions(value, context):
    _bundles[value.digest] = value
    return DecisionsType(value.digest)


@unbox(DecisionsType)
def _unbox_decisions(typ, value, context):
    return NativeValue(context.context.get_dummy_value())


@lower_constant(DecisionsType)
def _constant_decisions(context, builder, typ, value):
    return context.get_dummy_value()  # a policy that imagines hands knows who plays them


def _own(decisions, weights, seat, kind):
    """The parameters of one decision, under the names that its part gives them."""
    dtype = decisions.weights[kind]
    return (
        weights.values[seat, kind].view(np.uint8)[: dtype.itemsize].view(dtype).view(np.recarray)[0]
    )


if not numba.config.DISABLE_JIT:
    view_type = numba.typeof(
        View(0, 0, 0, 0, 0, 0, 0, np.uint64(0), records(TABLE, 1)[0], records(RULES, 1)[0])
    )
    _card_and_reason = types.UniTuple(types.int64, 2)

    def _signature(decision, weights):
        if decision == SIGNAL:
            return types.int64(view_type, types.int64, weights)
        answer = _card_and_reason if decision in (LEAD, PLAY) else types.int64
        return answer(view_type, weights)

    def call_by_address(signature):
        """An intrinsic that calls a compiled function of this signature by its address."""

        @intrinsic
        def call(typing_context, address, arguments):
            def build(context, builder, outer, args):
                function_type = context.call_conv.get_function_type(
                    signature.return_type, signature.args
                )
                function = builder.inttoptr(args[0], function_type.as_pointer())
                values = cgutils.unpack_tuple(builder, args[1])
                status, result = context.call_conv.call_function(
                    builder, function, signature.return_type, signature.args, values
                )
                with cgutils.if_unlikely(builder, status.is_error):
                    context.call_conv.return_status_propagate(builder, status)
                return result

            return signature.return_type(types.int64, types.Tuple(signature.args)), build

        return call

    def _reader(dtype):
        """An intrinsic that reads the parameters of one decision under a part's own names."""
        record = numba.from_dtype(dtype)

        @intrinsic
        def read(typing_context, weights, seat, kind):
            def build(context, builder, outer, args):
                bytes_ = builder.bitcast(args[0], ir.IntType(8).as_pointer())
                part = builder.add(builder.mul(args[1], ir.Constant(_I64, SIGNAL + 1)), args[2])
                offset = builder.mul(part, ir.Constant(_I64, WEIGHTS.itemsize))
                pointer = builder.gep(bytes_, [offset])
                return builder.bitcast(pointer, context.get_value_type(record))

            return record(weights, types.int64, types.int64), build

        return read

    _generic = _reader(WEIGHTS)

    _call_discard, _call_declare, _call_lead, _call_play, _call_signal = (
        call_by_address(_signature(decision, numba.from_dtype(WEIGHTS))) for decision in range(5)
    )

    @overload(ask_discard)
    def _ask_discard(policies, seat, view, weights):
        if isinstance(policies, DecisionsType):
            bundle = _bundles[policies.digest]
            decide, own = bundle.discard, _reader(bundle.weights[DISCARD])
            return lambda policies, seat, view, weights: decide(view, own(weights, seat, DISCARD))
        return lambda policies, seat, view, weights: _call_discard(
            policies[seat, DISCARD], (view, _generic(weights, seat, DISCARD))
        )

    @overload(ask_declare)
    def _ask_declare(policies, seat, view, weights):
        if isinstance(policies, DecisionsType):
            bundle = _bundles[policies.digest]
            decide, own = bundle.declare, _reader(bundle.weights[DECLARE])
            return lambda policies, seat, view, weights: decide(view, own(weights, seat, DECLARE))
        return lambda policies, seat, view, weights: _call_declare(
            policies[seat, DECLARE], (view, _generic(weights, seat, DECLARE))
        )

    @overload(ask_play)
    def _ask_play(policies, seat, view, weights):
        if isinstance(policies, DecisionsType):
            bundle = _bundles[policies.digest]
            decide, own = bundle.play, _reader(bundle.weights[PLAY])
            if bundle.leads_by_play:
                return lambda policies, seat, view, weights: decide(view, own(weights, seat, PLAY))
            lead, of_lead = bundle.lead, _reader(bundle.weights[LEAD])

            def either(policies, seat, view, weights):
                if view.table.position == 0:
                    return lead(view, of_lead(weights, seat, LEAD))
                return decide(view, own(weights, seat, PLAY))

            return either

        def by_address(policies, seat, view, weights):
            if view.table.position == 0 and policies[seat, LEAD]:
                return _call_lead(policies[seat, LEAD], (view, _generic(weights, seat, LEAD)))
            return _call_play(policies[seat, PLAY], (view, _generic(weights, seat, PLAY)))

        return by_address

    @overload(ask_signal)
    def _ask_signal(policies, seat, view, card, weights):
        if isinstance(policies, DecisionsType):
            bundle = _bundles[policies.digest]
            if bundle.silent:
                return lambda policies, seat, view, card, weights: 0
            decide, own = bundle.signal, _reader(bundle.weights[SIGNAL])
            return lambda policies, seat, view, card, weights: decide(
                view, card, own(weights, seat, SIGNAL)
            )

        def by_address(policies, seat, view, card, weights):
            if policies[seat, SIGNAL] == 0:
                return 0
            return _call_signal(
                policies[seat, SIGNAL], (view, card, _generic(weights, seat, SIGNAL))
            )

        return by_address


@cache  # to look it up takes a millisecond, under the GIL
def _address(bundle: Decisions, decision: int) -> int:
    """Address of a policy's compiled function, compiling it if need be.

    Raises CodeError if it cannot be, or answers something else than its decision.
    """
    function = (bundle.discard, bundle.declare, bundle.lead, bundle.play, bundle.signal)[decision]
    signature = _signature(decision, numba.from_dtype(bundle.weights[decision]))
    return address_as(function, signature, _ANSWERS[decision])


def as_argument(seats: tuple[Decisions, ...]) -> Any:
    """The ``policies`` argument of the hand loop for the bundles at seats 0 to 3.

    One shipped bundle at all seats is passed as itself, anything else as addresses, int64 (4, 5)
    by seat and decision, 0 where it is never asked; uncompiled, the bundles by seat. The functions
    must outlive the call.
    """
    if numba.config.DISABLE_JIT:
        return seats
    if seats[0].shipped and len({bundle.digest for bundle in seats}) == 1:
        return seats[0]
    table = np.zeros((4, 5), np.int64)
    for seat, bundle in enumerate(seats):
        never = {LEAD: bundle.leads_by_play, SIGNAL: bundle.silent}
        for decision in range(5):
            if not never.get(decision):
                table[seat, decision] = _address(bundle, decision)
    return table
