"""What signals are worth, on the terminal."""

from __future__ import annotations

from analysis.cli.tables import new_console, new_table
from analysis.interval_text import with_half_width
from analysis.signal_worth import SignalWorth


def show_signals(found: SignalWorth) -> None:
    """Print what all signals are worth, then each; what was played comes first."""
    console, cell = new_console(), with_half_width
    console.print(
        f"{found.rules.told}, {found.policy}: {8 * found.blocks:,} hands a pair in "
        f"{found.blocks:,} blocks, seed {found.seed}"
    )
    console.print(f"± {100 * found.all.level:g} % intervals, those of points all together.")
    table = new_table("Points a hand", "", "gain")
    table.add_row("a side that signals, over one that neither does nor listens", cell(found.all))
    table.add_row("over one that does not, but listens", cell(found.overheard))
    table.add_row("each side's score, where both signal (its own interval)", cell(found.both))
    console.print(table)
    table = new_table("By signal", "", "alone", "left out", "bits told partner")
    for name, alone in found.alone.items():
        bits = cell(found.bits[name]) if name in found.bits else "–"
        table.add_row(name, cell(alone), cell(found.left_out[name]), bits)
    console.print(table)
    console.print(f"C21, signals help: {found.verdict}.")
