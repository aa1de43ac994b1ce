"""The prices of cards, and what becomes of the Pagat, on the terminal."""

from __future__ import annotations

from rich.table import Table

from analysis.cli.tables import new_console, new_table
from analysis.estimates import Estimate
from analysis.interval_text import percent_with_ends, with_half_width
from analysis.pagat import Pagat
from analysis.pagat_fate import FOOL_AT, cells
from analysis.totals import FEW
from sim.cards import SUITS


def show_pagat(found: Pagat) -> None:
    """Print the tables: all cards, the Pagat's price in parts, what it depends on, its fate."""
    console = new_console()
    specs = list(dict.fromkeys(found.specs))
    told = f"policy {specs[0]}" if len(specs) == 1 else f"policies {', '.join(found.specs)}"
    console.print(
        f"{found.rules.name}: {told}, seed {found.seed}; {found.moved.effects.n:,} deals for the "
        f"cards, {found.price.fate.hands:,} for the Pagat"
    )
    level = f"{100 * found.level:g} %"
    console.print(
        f"± {level} intervals, each column of cards and all parts together (max-|t|); in brackets "
        f"and by trumps {level} intervals, each on its own."
    )
    console.print(f"\nPrice of the Pagat: {_points(found.value)} points.")
    console.print(f"Its holder's side has it in the end in {_percent(found.kept)} % of hands.\n")
    for table in (
        _cards(found),
        _plain(found),
        _parts(found),
        _roles(found),
        _beside(found),
        _side(found),
        _survival(found),
        _fates(found),
    ):
        console.print(table)
    costs = found.moved.quantiles(found.rules.cards.pagat)
    shares = ", ".join(f"{points:g} in {100 * float(q):g} %" for q, points in costs.items())
    console.print(f"Moved at the end, the Pagat costs its side at most {shares} of hands.")
    console.print(
        "Some card alone, moved at the end, gives the hand to the other side in "
        f"{_percent(found.moved.any_turns(found.level))} % of hands."
    )
    for habit, worth in found.habits.items():
        name = f"{habit} it" if habit != "both" else "both habits"
        console.print(f"Worth of {name}: {_points(worth)} points a hand, on the same deals.")


def _points(found: Estimate) -> str:
    return with_half_width(found)


def _percent(found: Estimate) -> str:
    return percent_with_ends(found.mean, found.low, found.high, least=1)


def _cards(found: Pagat) -> Table:
    table = new_table(
        "Worth of a card, points: exchanged and replayed; and moved at the end, not replayed",
        "card",
        "rather than opponent",
        "dealer, not partner",
        "eldest, not partner",
        "moved",
        "turns hand, %",
    )
    for name, columns in found.group_values.items():
        cards = found.groups[name]
        turned = sum(found.moved.turns(card, found.level).mean for card in cards) / len(cards)
        table.add_row(name, *(_points(each) for each in columns.values()), f"{100 * turned:.1f}")
    return table


def _plain(found: Pagat) -> Table:
    pack = found.rules.cards
    length = pack.pagat // len(SUITS)
    table = new_table("Plain cards, rather than opponent", "", *SUITS)
    for rank in reversed(range(length)):
        names = [pack.names[length * suit + rank] for suit in range(len(SUITS))]
        cells_ = [f"{name} {_points(found.values[name])}" for name in names]
        table.add_row(str(length - rank), *cells_)
    return table


def _parts(found: Pagat) -> Table:
    table = new_table(
        "Where the Pagat's price comes from: counted again, and the rest",
        *("part", "points", "static", "play"),
    )
    for part, kinds in found.parts.items():
        if any(each.mean or each.high for each in kinds.values()):
            table.add_row(part.replace("_", " "), *(_points(each) for each in kinds.values()))
    return table


def _roles(found: Pagat) -> Table:
    table = new_table(
        "The Pagat by holder", "", "price", "rather than partner", "kept by his side, %"
    )
    for role, (cell, partner) in found.price.fate.role_cells(found.level).items():
        table.add_row(role, _points(cell.price), _points(partner), _percent(cell.kept))
    return table


def _beside(found: Pagat) -> Table:
    """Price and share kept by trumps beside it, and by who has the Fool."""
    fate = found.price.fate
    names = [f"Fool: {who}" for who in FOOL_AT]
    table = new_table(
        f"By trumps beside it (cells of {FEW} hands or more): kept, %; price",
        *("trumps", "kept", "price", *names),
    )
    by_fool = cells(fate.by_fool, found.level)
    for (beside,), cell in cells(fate.by_beside, found.level).items():
        if cell.n >= FEW:
            of_fool = (by_fool.get((at, beside)) for at in range(len(FOOL_AT)))
            told = (_points(c.price) if c and c.n >= FEW else "" for c in of_fool)
            table.add_row(str(beside), _percent(cell.kept), _points(cell.price), *told)
    return table


def _side(found: Pagat) -> Table:
    table = new_table("By trumps dealt to the holder's side, it included", "", "kept, %", "price")
    for (trumps,), cell in cells(found.price.fate.by_side, found.level).items():
        if cell.n >= FEW:
            table.add_row(str(trumps), _percent(cell.kept), _points(cell.price))
    return table


def _survival(found: Pagat) -> Table:
    table = new_table("After each trick, % of hands", "trick", "still in hand", "not caught so far")
    for trick, both in enumerate(found.price.fate.survival(found.level), 1):
        table.add_row(str(trick), *map(_percent, both))
    return table


def _fates(found: Pagat) -> Table:
    table = new_table("How it goes", "", "% of hands")
    for name, share in found.price.fate.shares(found.level).items():
        table.add_row(name, _percent(share))
    return table
