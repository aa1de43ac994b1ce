"""How the hand loop asks a player: policies as arguments of kernels.

The loop is compiled anew for a bundle of decisions that all four seats share, which then costs
nothing to call. Where seats differ, or a bundle comes from a user's file, one loop serves all:
it calls each seat's functions by their address, so that a run compiles each distinct bundle once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic, models, overload, register_model, typeof_impl, unbox
from numba.extending import NativeValue

from sim.kernels.state import RULES, TABLE, View, records

DISCARD, DECLARE, PLAY, SIGNAL = range(4)


@dataclass(frozen=True)
class Decisions:
    """The four compiled functions of one policy; ``digest`` is a hash of their sources.

    ``discard(view, weights)`` returns a set of two cards, ``declare(view, weights)`` combination
    bits, ``play(view, weights)`` a card and a reason code, ``signal(view, card, weights)`` a bit
    set, with ``card`` NONE when asked before partner leads.
    """

    digest: str
    discard: Callable[..., Any]
    declare: Callable[..., Any]
    play: Callable[..., Any]
    signal: Callable[..., Any]
    silent: bool
    shipped: bool


def ask_discard(policies, seat, view, weights):
    """The set of two cards that the dealer's policy discards."""
    return policies[seat].discard(view, weights[seat, DISCARD])


def ask_declare(policies, seat, view, weights):
    """The combination bits that a seat's policy declares."""
    return policies[seat].declare(view, weights[seat, DECLARE])


def ask_play(policies, seat, view, weights):
    """The card that a seat's policy plays, and its reason code."""
    return policies[seat].play(view, weights[seat, PLAY])


def ask_signal(policies, seat, view, card, weights):
    """The signals that a seat's policy makes with a card."""
    return policies[seat].signal(view, card, weights[seat, SIGNAL])


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


if not numba.config.DISABLE_JIT:
    _weights_type = types.Array(types.float64, 1, "C")
    _view_type = numba.typeof(
        View(0, 0, 0, 0, 0, 0, 0, np.uint64(0), records(TABLE, 1)[0], records(RULES, 1)[0])
    )
    _SIGNATURES = (
        types.int64(_view_type, _weights_type),
        types.int64(_view_type, _weights_type),
        types.UniTuple(types.int64, 2)(_view_type, _weights_type),
        types.int64(_view_type, types.int64, _weights_type),
    )

    def _call_by_address(signature):
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

    _call_discard, _call_declare, _call_play, _call_signal = map(_call_by_address, _SIGNATURES)

    @overload(ask_discard)
    def _ask_discard(policies, seat, view, weights):
        if isinstance(policies, DecisionsType):
            decide = _bundles[policies.digest].discard
            return lambda policies, seat, view, weights: decide(view, weights[seat, DISCARD])
        return lambda policies, seat, view, weights: _call_discard(
            policies[seat, DISCARD], (view, weights[seat, DISCARD])
        )

    @overload(ask_declare)
    def _ask_declare(policies, seat, view, weights):
        if isinstance(policies, DecisionsType):
            decide = _bundles[policies.digest].declare
            return lambda policies, seat, view, weights: decide(view, weights[seat, DECLARE])
        return lambda policies, seat, view, weights: _call_declare(
            policies[seat, DECLARE], (view, weights[seat, DECLARE])
        )

    @overload(ask_play)
    def _ask_play(policies, seat, view, weights):
        if isinstance(policies, DecisionsType):
            decide = _bundles[policies.digest].play
            return lambda policies, seat, view, weights: decide(view, weights[seat, PLAY])
        return lambda policies, seat, view, weights: _call_play(
            policies[seat, PLAY], (view, weights[seat, PLAY])
        )

    @overload(ask_signal)
    def _ask_signal(policies, seat, view, card, weights):
        if isinstance(policies, DecisionsType):
            if _bundles[policies.digest].silent:
                return lambda policies, seat, view, card, weights: 0
            decide = _bundles[policies.digest].signal
            return lambda policies, seat, view, card, weights: decide(
                view, card, weights[seat, SIGNAL]
            )

        def by_address(policies, seat, view, card, weights):
            if policies[seat, SIGNAL] == 0:
                return 0
            return _call_signal(policies[seat, SIGNAL], (view, card, weights[seat, SIGNAL]))

        return by_address


def address(function, decision: int) -> int:
    """Address of a policy's compiled function, compiling it if need be."""
    signature = _SIGNATURES[decision]
    function.compile(signature)
    result = function.overloads[signature.args]
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


def as_argument(seats: tuple[Decisions, ...]) -> Any:
    """The ``policies`` argument of the hand loop for the bundles at seats 0 to 3.

    One shipped bundle at all seats is passed as itself, anything else as addresses, int64 (4, 4);
    uncompiled, the bundles by seat. The functions must outlive the call.
    """
    if numba.config.DISABLE_JIT:
        return seats
    if seats[0].shipped and len({bundle.digest for bundle in seats}) == 1:
        return seats[0]
    table = np.zeros((4, 4), np.int64)
    for seat, bundle in enumerate(seats):
        table[seat, DISCARD] = address(bundle.discard, DISCARD)
        table[seat, DECLARE] = address(bundle.declare, DECLARE)
        table[seat, PLAY] = address(bundle.play, PLAY)
        if not bundle.silent:
            table[seat, SIGNAL] = address(bundle.signal, SIGNAL)
    return table
