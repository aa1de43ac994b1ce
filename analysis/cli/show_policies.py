"""Policies and their parts, and the choices of one player, on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from analysis.cli.tables import new_console, new_table
from sim.explanations import Choice
from sim.policies.policy import Part, Policy
from sim.replays import Replay


def _text_table(title: str, *columns: str) -> Table:
    """A table of words, all to the left."""
    table = new_table(title, *columns)
    for column in table.columns:
        column.justify = "left"
    return table


def show_policies(policies: Mapping[str, Policy], parts: Mapping[str, Mapping[str, Part]]) -> None:
    """Print the parts of each policy, and of each part its version, parameters, description."""
    console = new_console()
    table = _text_table("Policies and their parts", "policy", *parts)
    for name, policy in policies.items():
        table.add_row(name, *(part.name for part in policy.parts.values()))
    console.print(table)
    for kind, of_kind in parts.items():
        table = _text_table(f"{kind.capitalize()} parts", "name", "version", "what it does")
        for part in of_kind.values():
            told = part.description
            if part.parameters:
                values = ", ".join(f"{key}={value:g}" for key, value in part.parameters.items())
                told += f" ({values})"
            table.add_row(part.name, str(part.version), told)
        console.print(table)
    console.print("A SPEC mixes them: simple+discard:void+declare:hide(threshold=40).")


def show_choices(played: Replay, seat: int, choices: Sequence[Choice]) -> None:
    """Print each decision of a seat: the table, what it might have chosen, what it chose, why."""
    console = new_console()
    console.print(
        f"{played.rules.name}, seed {played.seed}, hand {played.hand}: seat {seat}, "
        f"which plays {played.policies[seat]}; seat {played.dealer} deals."
    )
    for choice in choices:
        console.print()
        console.print(_when(choice))
        rows = Table.grid(padding=(0, 2))
        rows.add_row("  hand", " ".join(choice.hand))
        if choice.on_table:
            rows.add_row("  table", _on_table(choice))
        if choice.heard:
            rows.add_row("  heard", _heard(choice))
        if choice.legal != choice.hand:
            rows.add_row("  may", " ".join(choice.legal) or "nothing")
        chosen = " ".join(choice.chosen) or "nothing"
        if choice.withheld:
            chosen += f", without {' '.join(choice.withheld)}"
        rows.add_row(f"  {choice.decision}s", chosen)
        rows.add_row("  why", f"{choice.reason} ({choice.part})")
        if choice.habits:
            told = ", ".join(f"{habit} (else {card})" for habit, card in choice.habits)
            rows.add_row("  habits", told)
        if choice.signals:
            rows.add_row("  signals", ", ".join(choice.signals))
        console.print(rows)


def _when(choice: Choice) -> str:
    if choice.trick is None:
        return {"discard": "Discard", "declare": "Declaration"}[choice.decision]
    return f"Trick {choice.trick}" + (f", led by seat {choice.leader}" if choice.on_table else "")


def _heard(choice: Choice) -> str:
    """What others have signalled since the last card, a line for each: who, when, what."""
    return "\n".join(
        f"seat {seat} in trick {trick}: {', '.join(names)}" for seat, trick, names in choice.heard
    )


def _on_table(choice: Choice) -> str:
    """The cards of the trick with their seats, the one that wins so far with a star."""
    assert choice.leader is not None
    told = []
    for turn, card in enumerate(choice.on_table):
        seat = (choice.leader + turn) % 4
        told.append(f"seat {seat} {card}{'*' if seat == choice.winning else ''}")
    return ", ".join(told)
