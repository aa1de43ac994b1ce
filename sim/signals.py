"""The signals of both games: when each may be made, what it states; and conventions. RULES §6, §7.

A convention is data: which signals are in force at a table. A signal that is not in force is
dropped before anyone hears it. A file may add signals of its own: requests by name and moment, and
statements, whose truth is a Python function of what their maker sees.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sim.user_files import UserFileError, file_hash, named

# When a signal may be made: all but the last speak of the card just played.
MOMENTS = (
    "any_card",
    "any_suit",  # any card but the Fool
    "plain_suit",
    "trump",
    "leading",  # not with the Fool
    "leading_plain_suit",
    "leading_trump",
    "following",  # not with the Fool
    "trump_or_last_of_suit",
    "before_partner_leads",
)

# What a signal states, by what decides whether it is true; a request states nothing.
STATEMENTS = (
    "request",
    "void",
    "long_suit",
    "all_but_one",
    "one_more",
    "pagat_at_risk",
    "top",
    "top_two",
    "holds",
    "holds_queen",
    "own",
)


class SignalError(ValueError):
    """A signal or a file of conventions is not what it should be."""


@dataclass(frozen=True)
class Predicate:
    """A user's function that says whether a table's own statement is true.

    It is called as ``true(view, card)`` with the view of the maker after the card has left his
    hand, and compiled as policies are.

    Attributes
    ----------
    spec
        ``FILE.py:NAME``, the file by its base name.
    sha256
        Of the file.
    folder
        Where the file is.
    """

    spec: str
    sha256: str
    folder: Path = field(compare=False)

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / self.spec.rpartition(":")[0]

    def load(self) -> Callable[..., Any]:
        """The function, from the user's file, which is run as code.

        Raises SignalError if it is not there or the file has changed.
        """
        if _file_hash(self.path) != self.sha256:
            raise SignalError(
                f"the file {self.path.name} of a table's statement has changed: "
                "expected the one with the sha256 that was recorded"
            )
        try:
            found = named(self.path, self.spec.rpartition(":")[2])
        except UserFileError as error:
            raise SignalError(f"the file {error}") from error.__cause__
        if not callable(found):
            raise SignalError(f"{self.spec} is no function: expected one of a view and a card")
        return found


class Signal(NamedTuple):
    """One signal: its name, when it may be made, what it states, and of which card if of one."""

    name: str
    moment: str
    statement: str = "request"
    card: str = ""
    predicate: Predicate | None = None  # of statements of a table's own


OF_OTTOCENTO = (
    Signal("knock", "leading_plain_suit"),
    Signal("throw", "plain_suit", "void"),
    Signal("drag", "leading_trump"),
)
OF_PARTITA = (
    Signal("long_suit", "leading", "long_suit"),
    Signal("all_but_one", "leading", "all_but_one"),
    Signal("trump_cheaply", "leading_plain_suit"),
    Signal("not_high_trump", "leading_plain_suit"),
    Signal("not_highest_trump", "leading_plain_suit"),
    Signal("one_more", "any_suit", "one_more"),
    Signal("change_suit", "any_card"),
    Signal("last_trump", "trump", "void"),
    Signal("pagat_at_risk", "trump", "pagat_at_risk"),
    Signal("top_trump", "trump_or_last_of_suit", "top"),
    Signal("top_two_trumps", "trump_or_last_of_suit", "top_two"),
    Signal("has_world", "trump_or_last_of_suit", "holds", "World"),
    Signal("has_sun", "trump_or_last_of_suit", "holds", "Sun"),
    Signal("has_moon", "trump_or_last_of_suit", "holds", "Moon"),
    Signal("has_17", "trump_or_last_of_suit", "holds", "T17"),
    Signal("has_16", "trump_or_last_of_suit", "holds", "T16"),
    Signal("has_15", "trump_or_last_of_suit", "holds", "T15"),
    Signal("void", "plain_suit", "void"),
    Signal("top_of_suit", "plain_suit", "top"),
    Signal("has_queen", "plain_suit", "holds_queen"),
    Signal("not_this_suit", "following"),
    Signal("piccolo", "before_partner_leads"),
    Signal("grande", "before_partner_leads"),
    Signal("inform", "any_card"),
)
BY_PACK = {"tarocchino": OF_OTTOCENTO, "piedmontese": OF_PARTITA}
OWN_FROM, MOST = 24, 32  # bits of a table's own signals; bits in all


@dataclass(frozen=True)
class Conventions:
    """The signals in force at a table.

    Attributes
    ----------
    names
        Those of the game that are in force, in the order of their bits.
    own
        Signals of the table's own, which have the bits from 24 on.

    Raises
    ------
    SignalError
        An own signal at no known moment, or too many of them.
    """

    names: tuple[str, ...] = ()
    own: tuple[Signal, ...] = ()

    def __post_init__(self) -> None:
        for signal in self.own:
            if signal.moment not in MOMENTS:
                raise SignalError(f"moment {signal.moment!r}: expected one of {', '.join(MOMENTS)}")
        if len(self.own) > MOST - OWN_FROM:
            raise SignalError(f"{len(self.own)} own signals: expected {MOST - OWN_FROM} at most")

    def check(self, pack: str) -> None:
        """Raises SignalError if a signal in force is none of the game of a pack."""
        _known(self.names, pack)

    def by_bit(self, pack: str) -> dict[int, Signal]:
        """The signals in force, by bit, for the game of a pack."""
        known = enumerate(BY_PACK[pack])
        return {bit: signal for bit, signal in known if signal.name in self.names} | dict(
            enumerate(self.own, OWN_FROM)
        )

    def named(self, bits: int, pack: str) -> list[str]:
        """The names of the signals in a bit set, in order."""
        return [signal.name for bit, signal in self.by_bit(pack).items() if bits >> bit & 1]

    def to_dict(self) -> dict[str, Any]:
        """Ready for the manifest."""
        return {"names": list(self.names), "own": [_told(signal) for signal in self.own]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], pack: str, folder: Path = Path()) -> Conventions:
        """The conventions that ``to_dict`` wrote, for a pack. Raises SignalError if they are none.

        ``folder``: where the files of the table's own statements are; none of them is run. What may
        be missing: ``own``, and the hashes of files, which are then taken from the files.
        """
        unknown = set(data) - {"names", "own"}
        if unknown or not isinstance(data.get("names"), list):
            raise SignalError('expected names = ["…", …] and, if wanted, [[own]] tables')
        return cls(_known(data["names"], pack), _own(data.get("own", []), pack, folder))


SILENCE = Conventions()


def all_signals(pack: str) -> Conventions:
    """Every signal of the game of a pack. Source: RULES §6, §7."""
    return Conventions(tuple(signal.name for signal in BY_PACK[pack]))


def read_conventions(text: str, pack: str) -> Conventions:
    """The conventions that ``--signals`` names: ``none``, ``all``, ``a,b,…`` or a TOML file.

    A file has ``names = ["void", …]``, or ``names = ["all"]``, and for each signal of the table's
    own an ``[[own]]`` with ``name`` and ``moment`` (one of ``MOMENTS``). It is a request, or with
    ``true = "FILE.py:NAME"`` a statement: that file, beside the TOML file, is run as Python.

    Raises SignalError: an unknown signal or moment, or a file that cannot be read or used.
    Source: RULES §6, §7.
    """
    if not text.endswith(".toml"):
        names = [] if text.strip() == "none" else [name.strip() for name in text.split(",")]
        return Conventions(_known(names, pack))
    path = Path(text)
    try:
        found = Conventions.from_dict(tomllib.loads(path.read_text("utf-8")), pack, path.parent)
        for signal in found.own:
            if signal.predicate is not None:
                signal.predicate.load()  # what cannot be had is refused at once
        return found
    except OSError as error:
        raise SignalError(
            f"cannot read the conventions {path} ({error.strerror}): expected a TOML file"
        ) from None
    except SignalError as error:
        raise SignalError(f"the conventions {path}: {error}") from None
    except (ValueError, RecursionError) as error:  # no UTF-8, too many digits, too deep
        raise SignalError(
            f'the conventions {path} are not TOML ({error}): expected names = ["…", …]'
        ) from None


def _known(names: Iterable[Any], pack: str) -> tuple[str, ...]:
    """Names of signals in the order of their bits; ``all`` stands for every one."""
    wanted, known = list(names), [signal.name for signal in BY_PACK[pack]]
    for name in wanted:
        if name not in (*known, "all"):
            raise SignalError(
                f"unknown signal {name!r}: expected {', '.join(known)}; or none, or all, alone"
            )
    return tuple(name for name in known if name in wanted or "all" in wanted)


def _own(tables: Any, pack: str, folder: Path) -> tuple[Signal, ...]:
    """A table's own signals."""
    own: list[Signal] = []
    for table in tables if isinstance(tables, list) else [None]:
        if not isinstance(table, dict) or not {"name", "moment"} <= set(table) <= {
            *("name", "moment", "true", "sha256")
        }:
            raise SignalError("[[own]]: expected a name, a moment and, if it is a statement, true")
        name, moment = table["name"], table["moment"]
        taken = [signal.name for signal in (*BY_PACK[pack], *own)]
        if not isinstance(name, str) or not name.isidentifier() or name in (*taken, "all", "none"):
            raise SignalError(f"own signal {name!r}: expected a new name of letters, digits and _")
        if "true" in table:
            predicate = _predicate(table["true"], table.get("sha256"), folder)
            own.append(Signal(name, moment, "own", predicate=predicate))
        else:
            own.append(Signal(name, moment))
    return tuple(own)


def _predicate(spec: Any, sha256: str | None, folder: Path) -> Predicate:
    """The function that ``true`` names, which is not loaded yet."""
    match = re.fullmatch(r"(.+\.py):(\w+)", spec) if isinstance(spec, str) else None
    if match is None:
        raise SignalError(f'true = {spec!r}: expected "FILE.py:NAME"')
    path = folder / match[1]
    return Predicate(f"{path.name}:{match[2]}", sha256 or _file_hash(path), path.parent)


def _file_hash(path: Path) -> str:
    try:
        return file_hash(path)
    except UserFileError as error:
        raise SignalError(f"the file {error}") from None


def _told(signal: Signal) -> dict[str, str]:
    """A signal of the table's own, ready for the manifest."""
    told = {"name": signal.name, "moment": signal.moment}
    if signal.predicate is not None:
        told |= {"true": signal.predicate.spec, "sha256": signal.predicate.sha256}
    return told
