"""What several commands share: options, how their texts are read, and how an interrupt is told."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


class Interrupted(Exception):
    """The user interrupted a command; the message says how to go on."""


def count(text: str) -> int:
    """A count such as ``1000``, ``1_000_000`` or ``1e6``. Raises BadParameter for anything else."""
    try:
        number = float(text.replace("_", ""))
        if number >= 2**53:
            return int(text.replace("_", ""))
        if number == int(number):
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise typer.BadParameter(f"{text!r} is no count: expected a whole number such as 1000 or 1e6")


Level = Annotated[
    float, typer.Option(help="Confidence level of intervals, between 0 and 1.", metavar="LEVEL")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
Chart = Annotated[
    Path | None,
    typer.Option(help="Save the chart: .png, .svg or .pdf; without a suffix, PNG and SVG."),
]
Policies = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="SPEC",
        help="Once: all seats; twice: sides 0 and 1; four times: seats 0 to 3.",
    ),
]
Rules = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE.toml", help="ottocento, ottocento-digital, partita, or a file."
    ),
]
Threads = Annotated[
    int | None, typer.Option(min=1, help="Threads; one for each core if not given.")
]
