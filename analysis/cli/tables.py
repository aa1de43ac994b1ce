"""The console and the look of every table on it."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

# Wide enough for the tables where the output is no terminal.
WIDTH = 120


def new_console() -> Console:
    """The terminal, or as wide a page if the output is none."""
    console = Console(highlight=False, markup=False)
    return console if console.is_terminal else Console(width=WIDTH, highlight=False, markup=False)


def new_table(title: str, *columns: str) -> Table:
    """An empty table: the first column to the left, numbers to the right."""
    table = Table(
        title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i else "left")
    return table
