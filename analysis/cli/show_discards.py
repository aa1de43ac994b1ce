"""A ranking of discards on the terminal."""

from __future__ import annotations

from rich.table import Table

from analysis.cli.tables import new_console, new_table
from analysis.discard_ranking import Place, Ranking
from analysis.interval_text import with_half_width
from analysis.parts import HEADINGS, PARTS
from analysis.win_payoff import told_at
from sim.cards import format_cards

# Rows that a table has at least, if there are so many discards; the leaders and whatever is not
# separated from the best are always shown.
ROWS = 12
TITLES = {
    "points": "Discards, points a hand, dealer's side less the other",
    "win": "Discards, hands won less hands lost, %",
    "winner_takes": "Discards, points a hand, only the winner's, dealer's side less the other",
    "win_at_score": "Discards, chance of winning the game, %",
}


def show_discards(found: Ranking) -> None:
    """Print the best discard, those not separated, what the others cost and where it goes."""
    console = new_console()
    own, other = (policy.spec for policy in found.policies)
    policies = f"policy {own}" if own == other else f"policies {own} (dealer's side), {other}"
    console.print(f"{found.rules.name}: {policies}, seed {found.seed}")
    if found.at_score is not None:
        console.print(f"{told_at(found.at_score)}.")
    console.print(f"The dealer holds {format_cards(found.hand, found.rules.cards)}")
    best, *rest = found.places
    tied = [_cards(found, place) for place in rest if not place.separated]
    told = (
        f"not separated from it: {', '.join(tied)}."
        if tied
        else "all others are separated from it."
    )
    console.print(f"Best: {_cards(found, best)}; {told}")
    for line in _how(found):
        console.print(line)
    shown = found.shown(ROWS)
    console.print(_ranking(found, shown))
    if found.rules.combinations:
        console.print(_parts(found, shown))
    scale, points = _scale(found), "%" if found.payoff_kind == "win" else "points"
    left = [place.behind.mean for place in found.places if place not in shown]
    if left:
        console.print(
            f"{len(left)} more are {scale * min(left):.1f} to {scale * max(left):.1f} {points} "
            "behind (--json has them all)."
        )


def _how(found: Ranking) -> list[str]:
    """How the figures were made, and how far to trust them."""
    level = f"{100 * found.level:g} %"
    scale = _scale(found)
    lines = [
        f"{len(found.leaders)} leaders on {found.of_leaders.n:,} completions: ± {level} intervals, "
        f"all together; differences to ± {scale * found.width:.2f} "
        f"(asked: ± {scale * found.precision:g}).",
    ]
    if found.of_others is not None:
        lines.append(
            f"* the others on {found.of_others.n:,} of them: wider intervals, all together."
        )
    lines.append(
        f"The leaders were chosen on {found.searched:,} other completions, which count in nothing."
    )
    if found.cut:
        lines.append("The time ended it early; again, it may give other figures.")
    return lines


def _cards(found: Ranking, place: Place) -> str:
    return format_cards(place.cards, found.rules.cards)


def _scale(found: Ranking) -> int:
    """Chances and won hands are told in percent."""
    return 100 if found.payoff_kind == "win" else 1


def _ranking(found: Ranking, shown: list[Place]) -> Table:
    table = new_table(
        TITLES[found.unit],
        *("", "wins", "behind the best", "", "keeps Pagat, %", "Fool, %"),
    )
    scale = _scale(found)
    for place in shown:
        best = place.cards == found.best
        table.add_row(
            _cards(found, place) + ("" if place.leader else " *"),
            with_half_width(place.value, scale, "" if found.at_score else "+"),
            "best" if best else with_half_width(place.behind, scale, ""),
            "" if best or place.separated else "not separated",
            *(f"{100 * kept.mean:.1f}" for kept in place.kept.values()),
        )
    return table


def _parts(found: Ranking, shown: list[Place]) -> Table:
    table = new_table(
        "Points that the best wins, and that each other loses against it, and where",
        *("", *(HEADINGS[name] for name in PARTS), "sum"),
    )
    for place in shown:
        best = place.cards == found.best
        of_parts = place.parts if best else place.behind_parts
        table.add_row(
            _cards(found, place) + ("" if place.leader else " *"),
            *(_rounded(of_parts[name].mean) for name in PARTS),
            _rounded(sum(of_parts[name].mean for name in PARTS)),
            end_section=best,
        )
    return table


def _rounded(points: float) -> str:
    return f"{round(points, 1) + 0.0:.1f}"
