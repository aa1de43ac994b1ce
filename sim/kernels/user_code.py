"""Users' functions, compiled as the hand loop calls them, and told in a line where they cannot be.

numba would turn whatever number they answer into the one that is called for: 3.5 into 3.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np
from numba.core import types
from numba.core.errors import NumbaError

from sim.kernels.compiling import compiled_each_time

_PYTHON = {
    types.NoneType: "None",
    types.Boolean: "bool",
    types.Integer: "int",
    types.Float: "float",
    types.UnicodeType: "str",
}
_WHOLE = (int, np.integer, np.bool_)
_compiled: list[Any] = []  # so that addresses stay good


class CodeError(ValueError):
    """A user's function cannot be compiled, or answers something of another kind."""


def address_as(function: Any, signature: Any, expected: str) -> int:
    """The address of a compiled function that is called by a signature of numba's.

    ``expected`` says in words what it must answer: one or more whole numbers, or true or false.
    The function must outlive the calls. Raises CodeError if it cannot be compiled, or answers
    something else.
    """
    source, wanted = function.py_func, signature.return_type
    try:
        function.compile(signature.args)
    except Exception as error:  # numba raises of every kind
        if "Can't unify return type" in str(error):
            raise CodeError(_answers(source, "now this, now that", expected)) from error
        raise CodeError(_not_compiled(source, error)) from error
    answer = function.overloads[signature.args].signature.return_type
    if answer != wanted:
        # To numba a function answers None also if it does nothing but raise.
        if not (_fits(answer, wanted) or answer == types.none):
            raise CodeError(_answers(source, _named(answer), expected))
        function = compiled_each_time(source)
        try:
            function.compile(signature)
        except NumbaError as error:
            raise CodeError(_answers(source, _named(answer), expected)) from error
        _compiled.append(function)
    result = function.overloads[signature.args]
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


def checked(function: Callable[..., Any], answer: Any, expected: str, pair: bool = False) -> Any:
    """The answer of a function that is not compiled: whole numbers, one or a pair.

    Raises CodeError for any other.
    """
    numbers = answer if pair else (answer,)
    fits = isinstance(numbers, tuple) and len(numbers) == (2 if pair else 1)
    if not fits or not all(isinstance(number, _WHOLE) for number in numbers):
        raise CodeError(_answers(function, _python(answer), expected))
    return tuple(map(int, numbers)) if pair else int(answer)  # 1 << np.uint8(40) would be 0


def _python(answer: Any) -> str:
    """The kind of a value as ``_named`` tells it."""
    if isinstance(answer, tuple):
        return f"({', '.join(map(_python, answer))})"
    return "None" if answer is None else type(answer).__name__


def _fits(answer: Any, wanted: Any) -> bool:
    """Whether an answer of numba's type becomes the wanted one without a change of value."""
    if isinstance(wanted, types.BaseTuple):
        return (
            isinstance(answer, types.BaseTuple)
            and len(answer) == len(wanted)
            and all(map(_fits, answer, wanted))
        )
    return isinstance(answer, (types.Integer, types.Boolean))


def _named(answer: Any) -> str:
    """A type of numba's as Python calls it."""
    answer = types.unliteral(answer)
    if isinstance(answer, types.Optional):
        return f"{_named(answer.type)} or None"
    if isinstance(answer, types.BaseTuple):
        return f"({', '.join(map(_named, answer))})"
    for kind, name in _PYTHON.items():
        if isinstance(answer, kind):
            return name
    return shorten(str(answer), 60)


def _answers(function: Callable[..., Any], given: str, expected: str) -> str:
    code = function.__code__
    return f"{code.co_name} in {Path(code.co_filename).name} answers {given}: expected {expected}"


def _not_compiled(function: Callable[..., Any], error: Exception) -> str:
    """File, line, function, and the first line of numba's that tells a user something."""
    text, code = str(error), function.__code__
    found = re.search(r'^File "(.*)", line (\d+)', text, re.MULTILINE)
    where = Path(found[1] if found else code.co_filename).name
    at = f"{where}, line {found[2]}" if found else where
    return (
        f"{at}: {code.co_name} cannot be compiled: {_first_line(text, error)}: expected Python "
        "that numba compiles (with NUMBA_DISABLE_JIT=1 it runs uncompiled, to be debugged)"
    )


def _first_line(text: str, error: Exception) -> str:
    """What numba says, without its headings and its names for what a user wrote."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = next((line for line in lines if not line.startswith("Failed in")), "")
    call = next((line for line in lines if line.startswith(">>> ")), None)
    if call and told.startswith(("No implementation of", "Invalid use of")):
        told = f"there is no {call.removeprefix('>>> ')}"
    for noise, plain in (
        (r"View\(.*\)", "View"),
        (r"Literal\[\w+\]\(([^()]*)\)", r"\1"),
        (r" for '\$.*|,? defined at .*|\.* Raised from .*", ""),
    ):
        told = re.sub(noise, plain, told)
    if isinstance(error, KeyError):  # weights.boldness, or what else a record has not
        return f"there is no {told}"
    return shorten(told.rstrip(".:"), 160)
