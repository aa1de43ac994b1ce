"""Memory and time of each function of ``analysis`` that takes a run, for a large one.

Run it as ``scripts/memory``. It makes a run of hands and one of games unless they are there (100
million hands take 5 GB of disk), calls each function in a process of its own, and exits with 1 if
one needs more than ``--limit``. On Linux.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

import sim
from analysis.cli.options import count

# What is done with ``run``, the directory of a run of hands or of games.
OF_HANDS = (
    "analysis.frequencies.summarise(run)",
    "analysis.frequencies.frequencies(run)",
    "analysis.reader.count(opened, {'score': statistics(opened.manifest.rules)['score']})",
    "for part in analysis.reader.read(run, opened.manifest.columns): pass",
)
OF_GAMES = ("analysis.games.summarise_games(run)",)
PROGRAM = """
import json, re, sys, time
from pathlib import Path
import analysis.frequencies, analysis.games, analysis.reader, sim
from sim.summaries import statistics

def megabytes():  # at the peak; what getrusage tells began with the parent's
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) / 1000

statement, run, unit = sys.argv[1:]
begun, before = time.perf_counter(), megabytes()
opened = (sim.Run if unit == "hands" else sim.GamesRun).open(run)
exec(statement)
print(json.dumps([megabytes(), before, time.perf_counter() - begun]))
"""


def measure(statement: str, run: Path, unit: str) -> tuple[float, float, float]:
    """What a statement needs of a run of ``hands`` or ``games``, in a process of its own.

    Returns its peak of memory, how much of that was there before it began, both in megabytes, and
    seconds.
    """
    command = [sys.executable, "-c", PROGRAM, statement, str(run), unit]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    peak, before, seconds = json.loads(told)
    return peak, before, seconds


def main(
    hands: Annotated[int, typer.Option(parser=count, metavar="N")] = 100_000_000,
    games: Annotated[int, typer.Option(parser=count, metavar="N")] = 10_000_000,
    out: Annotated[Path, typer.Option(help="Folder of the two runs.")] = Path("runs/memory"),
    limit: Annotated[float, typer.Option(metavar="MB", help="Of each function.")] = 2000,
) -> None:
    """Measure each function on large runs."""
    sim.simulate(hands=hands, policies="random", out=out / "hands", progress=True)
    sim.simulate_games(games=games, policies="random", out=out / "games", progress=True)
    peaks = []
    for unit, statements in (("hands", OF_HANDS), ("games", OF_GAMES)):
        for statement in statements:
            peak, before, seconds = measure(statement, out / unit, unit)
            print(f"{peak:6.0f} MB (began with {before:.0f}) {seconds:7.1f} s  {statement}")
            peaks.append(peak)
    sys.exit(max(peaks) > limit)


if __name__ == "__main__":
    typer.run(main)
