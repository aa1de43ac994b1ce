"""Bits of a 64-bit mask: the few machine instructions that numba does not offer.

Each is a plain Python function, so that everything runs uncompiled too; compiled code gets the
instruction in its place.
"""

from __future__ import annotations

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from sim.kernels.compiling import kernel

_I64 = ir.IntType(64)


def popcount(mask):
    """Number of cards in a set."""
    return int(mask).bit_count()


def lowest(mask):
    """Index of the lowest card of a set that is not empty."""
    return (int(mask) & -int(mask)).bit_length() - 1


def highest(mask):
    """Index of the highest card of a set that is not empty."""
    return int(mask).bit_length() - 1


def index(n):
    """A number that is not negative, as an index: compiled code need not test its sign."""
    return n


def scale(word, n):
    """A random word brought to the range 0 … n − 1, n > 0 (off uniform by at most n / 2^64)."""
    return (int(word) * int(n)) >> 64


def nth(mask, n):
    """Index of the n-th lowest card (from 0) of a set of more than n cards."""
    mask = int(mask)
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


def _unary(llvm_name, finish):
    @intrinsic
    def instruction(typing_context, mask):
        def build(context, builder, signature, args):
            return finish(builder, llvm_name, args[0])

        return types.int64(types.int64), build

    return instruction


def _call(builder, name, args, types_):
    function = builder.module.declare_intrinsic(name, types_)
    return builder.call(function, args)


def _popcount(builder, name, mask):
    return _call(builder, name, [mask], [_I64])


def _trailing_zeros(builder, name, mask):
    function = builder.module.declare_intrinsic(
        name, [_I64], ir.FunctionType(_I64, [_I64, ir.IntType(1)])
    )
    return builder.call(function, [mask, ir.Constant(ir.IntType(1), 1)])


def _top_bit(builder, name, mask):
    return builder.sub(ir.Constant(_I64, 63), _trailing_zeros(builder, name, mask))


_popcount_instruction = _unary("llvm.ctpop", _popcount)
_lowest_instruction = _unary("llvm.cttz", _trailing_zeros)
_highest_instruction = _unary("llvm.ctlz", _top_bit)


@intrinsic
def _scale_instruction(typing_context, word, n):
    def build(context, builder, signature, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), _I64)

    return types.int64(types.uint64, types.int64), build


@intrinsic
def _deposit_instruction(typing_context, bits, mask):
    def build(context, builder, signature, args):
        deposit = builder.module.declare_intrinsic(
            "llvm.x86.bmi.pdep.64", (), ir.FunctionType(_I64, [_I64, _I64])
        )
        return builder.call(deposit, args)

    return types.int64(types.int64, types.int64), build


@kernel
def _nth_by_deposit(mask, n):
    return _lowest_instruction(_deposit_instruction(1 << n, mask))


@kernel
def _nth_by_halves(mask, n):
    """Binary search for the n-th card by counting halves: for machines without fast ``pdep``."""
    position = 0
    width = 32
    while width:
        below = popcount((mask >> position) & ((1 << width) - 1))
        if n >= below:
            n -= below
            position += width
        width >>= 1
    return position


def _has_fast_deposit() -> bool:
    """Whether this processor has a ``pdep`` in hardware (AMD before Zen 3 has it in microcode)."""
    slow = ("bdver4", "znver1", "znver2")
    return bool(llvm.get_host_cpu_features().get("bmi2")) and (llvm.get_host_cpu_name() not in slow)


_nth = _nth_by_deposit if _has_fast_deposit() else _nth_by_halves


if not numba.config.DISABLE_JIT:

    @overload(popcount, inline="always")
    def _popcount_compiled(mask):
        return lambda mask: _popcount_instruction(mask)

    @overload(lowest, inline="always")
    def _lowest_compiled(mask):
        return lambda mask: _lowest_instruction(mask)

    @overload(highest, inline="always")
    def _highest_compiled(mask):
        return lambda mask: _highest_instruction(mask)

    @overload(index, inline="always")
    def _index_compiled(n):
        return lambda n: numba.uint64(n)

    @overload(scale, inline="always")
    def _scale_compiled(word, n):
        return lambda word, n: _scale_instruction(word, n)

    @overload(nth, inline="always")
    def _nth_compiled(mask, n):
        return lambda mask, n: _nth(mask, n)
