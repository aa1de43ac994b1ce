"""The command ``tarocchino``: parse, call, print. Modules are imported inside each command, so that
none waits for what it does not use.
"""

from __future__ import annotations

import errno
import sys

import typer

from analysis.cli import (
    cards,
    charts_command,
    compare,
    discard,
    equity,
    explain,
    games,
    odds,
    pagat,
    policies,
    runs,
    signals,
)
from analysis.cli.options import Interrupted

app = typer.Typer(
    name="tarocchino",
    help="Simulate and analyse Ottocento and Partita, games of the Tarocchino family.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for _command in (
    runs.simulate,
    runs.summary,
    runs.frequencies,
    runs.replay,
    explain.explain,
    policies.policies,
    cards.score,
    odds.odds,
    compare.compare,
    pagat.pagat,
    charts_command.charts,
    discard.discard,
    games.games,
    equity.equity,
    signals.signals,
):
    app.command()(_command)

BAD_INPUT, FAILURE, INTERRUPTED = 2, 1, 130


def main(arguments: list[str] | None = None) -> None:
    """Run a command and exit: 0, 2 for bad input, 1 for a failure, 130 for an interrupt.

    What went wrong is one line on standard error, never a traceback.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if hasattr(sys.stdout, "reconfigure"):  # a terminal without these letters gets "?"
        sys.stdout.reconfigure(errors="replace")
    sys.exit(_status(arguments or ["--help"]))


def _status(arguments: list[str]) -> int:
    try:
        status = app(arguments, standalone_mode=False, prog_name="tarocchino")
    except Interrupted as error:
        return _say(str(error), INTERRUPTED)
    except (typer.Abort, KeyboardInterrupt):
        return _say("interrupted", INTERRUPTED)
    except Exception as error:
        return _failed(error)
    if status == INTERRUPTED:
        return _say("interrupted", INTERRUPTED)
    return status if isinstance(status, int) else 0


def _failed(error: Exception) -> int:
    if hasattr(error, "format_message"):  # a wrong use of the command line
        told = str(error.format_message())
        if type(error) is not typer.BadParameter:  # typer's own, which do not say it
            context = getattr(error, "ctx", None)
            command = context.command_path if context else "tarocchino"
            told = f"{told.rstrip('.')}: expected what {command} --help tells"
        return _say(told, BAD_INPUT)
    # Bad input is told by ValueErrors of ours: known without an import, for which there may be no
    # memory left.
    ours = type(error).__module__.split(".")[0] in ("sim", "analysis")
    if ours and isinstance(error, ValueError):
        return _say(str(error), BAD_INPUT)
    if isinstance(error, OSError) and error.errno is not None:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO)
        where = f": {error.filename}" if error.filename else ""
        return _say(f"{error.strerror}{where}", FAILURE if full else BAD_INPUT)
    return _say(f"{type(error).__name__}: {error}" if not str(error) else str(error), FAILURE)


def _say(message: str, status: int) -> int:
    line = " ".join(message.split())
    print(f"tarocchino: {line}", file=sys.stderr)
    return status
