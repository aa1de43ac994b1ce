"""How every kernel is compiled, in one place.

numba's cache notices a change in a function's own file only, not in the files of the functions it
inlines. So the cache folder is named after a hash of all sources that are compiled together.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parents[1]


def source_hash(package: Path = _PACKAGE) -> str:
    """Hash of all sources and tables of the engine, since values from any are compiled in."""
    # numba does not tell code with checked indices from code without.
    digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode())
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.csv")]):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept: the user's cache folder, else a temporary one."""
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    for root in (Path(base).expanduser(), Path(tempfile.gettempdir())):
        folder = root / "tarocchino" / source_hash()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    raise OSError("no folder for compiled kernels can be written: set NUMBA_CACHE_DIR to one")


_FOLDER = str(cache_folder())


def kernel(function: F, fused: bool = False) -> F:
    """Compile ``function`` on first use, without the GIL, and keep the result on disk."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _FOLDER
    try:
        return numba.njit(function, cache=True, nogil=True, error_model="numpy", forceinline=fused)
    finally:
        numba.config.CACHE_DIR = before


def fused(function: F) -> F:
    """A kernel without jumps: a loop over it and nothing else works on several elements at once."""
    return kernel(function, fused=True)


def inlined(function: F) -> F:
    """A part of the kernels that call it: for functions that return records, or for speed."""
    return numba.njit(function, inline="always", error_model="numpy")


def compiled_each_time(function: F) -> F:
    """Like ``kernel``, but never kept on disk: for the policies in a user's file."""
    return numba.njit(function, nogil=True, error_model="numpy")


def is_compiled() -> bool:
    """Whether the hand loop has been compiled and kept before."""
    return bool(numba.config.DISABLE_JIT) or any(Path(_FOLDER).rglob("hand._play_hands-*.nbi"))


_to_call: list[Callable[[], None]] = []


def call_before_compiling(call: Callable[[], None]) -> None:
    """Have something called once when hands are first played, unless that is compiled already."""
    _to_call[:] = [call]


def before_hands() -> None:
    """To be called before hands are played, when all that was asked has been found right."""
    try:
        call = _to_call.pop()  # once, whatever the threads
    except IndexError:
        return
    if not is_compiled():
        call()
