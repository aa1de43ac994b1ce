"""A comparison of policies on the terminal."""

from __future__ import annotations

from rich.table import Table

from analysis.cli.tables import new_console, new_table
from analysis.compare import Comparison
from analysis.estimates import Estimate
from analysis.interval_text import with_half_width
from analysis.win_payoff import told_at

TITLES = {
    "points": "Points a hand, row less column",
    "win": "Hands won, row less column, % of hands",
    "winner_takes": "Points a hand, only the winner's, row less column",
    "win_at_score": "Chance of winning, row as us less column as us, %",
}


def show_comparison(found: Comparison) -> None:
    """Print who beats whom, the ranking, and the winner again; what was played comes first."""
    console = new_console()
    console.print(
        f"{found.rules.told}: {8 * found.blocks:,} hands a pair in {found.blocks:,} blocks "
        f"(deals played from both sides), seed {found.seed}"
    )
    if found.at_score is not None:
        console.print(f"{told_at(found.at_score)}.")
    if not found.is_narrow:
        console.print(f"The half-width {found.until:g} was not reached in so many hands.")
    console.print(f"± {100 * found.level:g} % intervals, {_method(found)}.")
    console.print(_matrix(found))
    console.print(_ranking(found))
    best, fresh = found.specs[found.winner], found.fresh_mean
    console.print(
        f"{best}, chosen as the best, again on {fresh.n:,} fresh blocks: "
        f"{_cell(found, fresh)} against the others."
    )
    console.print(_common_deals(found.variance_removed))


def _common_deals(removed: list[float]) -> str:
    """How much of the variance common deals remove, or that they do not help."""
    percent = [round(100 * share) for share in removed]
    low, high = min(percent), max(percent)
    if low >= 0:
        ends = f"{low} to {high}" if low < high else f"{low}"
        return f"Common deals remove {ends} % of the variance of each pair."
    if high <= 0:
        ends = f"{-high} to {-low}" if low < high else f"{-low}"
        return f"Common deals do not help here: they add {ends} % to the variance of each pair."
    return (
        f"Common deals remove up to {high} % of the variance of a pair; where they do not help, "
        f"they add up to {-low} %."
    )


def _method(found: Comparison) -> str:
    if found.until is not None:
        return "all pairs together, at every moment (confidence sequences)"
    if len(found.pairs) > 1:
        return "all pairs together (max-|t| over blocks)"
    return "Student's t over blocks"


def _cell(found: Comparison, estimate: Estimate) -> str:
    """The estimate with its half-width; chances and won hands in percent."""
    return with_half_width(estimate, 100 if found.payoff_kind == "win" else 1)


def _matrix(found: Comparison) -> Table:
    numbers = [str(1 + i) for i in range(len(found.specs))]
    table = new_table(TITLES[found.unit], "", *numbers)
    for i, (number, row) in enumerate(zip(numbers, found.payoff, strict=True)):
        cells = ["–" if i == j else _cell(found, each) for j, each in enumerate(row)]
        table.add_row(f"{number} {found.specs[i]}", *cells)
    return table


def _ranking(found: Comparison) -> Table:
    table = new_table("Ranking, mean against all others", "policy", "place", "mean", "")
    for place in found.ranking:
        tied = f"not separated from {', '.join(place.tied)}" if place.tied else ""
        table.add_row(place.policy, str(place.place), _cell(found, place.mean), tied)
    return table
