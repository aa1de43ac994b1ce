"""A user's Python file, run as code when the user names it: policies, and a table's statements."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from types import ModuleType

_files: dict[tuple[Path, bytes], ModuleType] = {}


class UserFileError(ValueError):
    """A user's file cannot be read, fails when it is run, or has not what was asked of it."""


def _source(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserFileError(
            f"{path.name} cannot be read ({error.strerror}): expected {path.resolve()}"
        ) from None
    except ValueError as error:  # a NUL in the path
        raise UserFileError(f"{str(path)!r} cannot be read: {error}") from None


def file_hash(path: Path) -> str:
    """sha256 of a user's file, which is not run. Raises UserFileError if it cannot be read."""
    return hashlib.sha256(_source(path)).hexdigest()


def load(path: Path) -> ModuleType:
    """The module of a user's file, run anew if the file has changed.

    Raises UserFileError if it cannot be read or raises anything; that is then its cause.
    """
    source = _source(path)
    path = path.resolve()
    if (path, source) not in _files:
        # Not by import: its cache takes an edit within the same second for no edit.
        module = ModuleType(f"tarocchino_policy_{len(_files)}")
        module.__file__ = str(path)
        sys.modules[module.__name__] = module
        try:
            exec(compile(source, str(path), "exec"), module.__dict__)
        except (Exception, SystemExit) as error:
            told = f"{type(error).__name__}: {error}".splitlines()[0]
            raise UserFileError(f"{path.name} fails when it is loaded: {told}") from error
        _files[path, source] = module
    return _files[path, source]


def named(path: Path, name: str) -> object:
    """What a user's file calls so. Raises UserFileError as ``load``, or if it has no such name."""
    try:
        return getattr(load(path), name)
    except AttributeError:
        raise UserFileError(f"{path} defines no {name!r}") from None
