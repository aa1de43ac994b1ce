"""How the hand loop asks a user's function whether a table's own statement is true.

By its address, which stands in the rules: the loop is the same whatever statements there are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba.core import types
from numba.extending import overload

from sim.kernels.compiling import compiled_each_time
from sim.kernels.user_code import CodeError, address_as, checked
from sim.signals import Predicate, SignalError

_ANSWER = "True or False"
_functions: list[Callable[..., Any]] = []  # so that addresses stay good; uncompiled, by number


def ask_predicate(address, view, card):
    """Whether the function at an address calls a statement true: the maker's view, his card."""
    function = _functions[address]
    return bool(checked(function, function(view, card), _ANSWER))


@cache
def address_of(predicate: Predicate) -> int:
    """The address of a user's function, compiled; uncompiled, its number.

    Raises SignalError if it cannot be loaded or compiled, or answers neither true nor false.
    """
    function = predicate.load()
    if numba.config.DISABLE_JIT:
        _functions.append(function)
        return len(_functions) - 1
    compiled = compiled_each_time(function)
    _functions.append(compiled)
    try:
        return address_as(compiled, _SIGNATURE, _ANSWER)
    except CodeError as error:
        raise SignalError(str(error)) from error


if not numba.config.DISABLE_JIT:
    from sim.kernels.decisions import call_by_address, view_type

    _SIGNATURE = types.boolean(view_type, types.int64)
    _call = call_by_address(_SIGNATURE)

    @overload(ask_predicate)
    def _ask_predicate(address, view, card):
        return lambda address, view, card: _call(address, (view, card))
