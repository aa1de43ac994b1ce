"""How the hand loop asks a user's function whether a table's own statement is true.

By its address, which stands in the rules: the loop is the same whatever statements there are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba.core import types
from numba.core.errors import NumbaError
from numba.extending import overload

from sim.kernels.compiling import compiled_each_time
from sim.signals import Predicate, SignalError

_functions: list[Callable[..., Any]] = []  # so that addresses stay good; uncompiled, by number


def ask_predicate(address, view, card):
    """Whether the function at an address calls a statement true: the maker's view, his card."""
    return bool(_functions[address](view, card))


@cache
def address_of(predicate: Predicate) -> int:
    """The address of a user's function, compiled; uncompiled, its number.

    Raises SignalError if it cannot be loaded or compiled.
    """
    function = predicate.load()
    if numba.config.DISABLE_JIT:
        _functions.append(function)
        return len(_functions) - 1
    compiled = compiled_each_time(function)
    try:
        compiled.compile(_SIGNATURE)
    except (NumbaError, TypeError) as error:  # TypeError: another number of arguments
        lines = [line for line in str(error).splitlines() if line.strip()]
        told = next((line for line in lines if not line.startswith("Failed in")), str(error))
        raise SignalError(f"{predicate.spec} cannot be compiled: {told[:160]}") from error
    _functions.append(compiled)
    result = compiled.overloads[_SIGNATURE.args]
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


if not numba.config.DISABLE_JIT:
    from sim.kernels.decisions import call_by_address, view_type

    _SIGNATURE = types.boolean(view_type, types.int64)
    _call = call_by_address(_SIGNATURE)

    @overload(ask_predicate)
    def _ask_predicate(address, view, card):
        return lambda address, view, card: _call(address, (view, card))
