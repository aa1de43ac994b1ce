"""Odds on the terminal."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log10

from rich.table import Table

from analysis.cli.tables import new_console, new_table
from analysis.distributions import QUANTILES, TAIL_STEP, mean
from analysis.estimates import Estimate
from analysis.first_cards import FirstCards
from analysis.kept import POLICY, Kept
from analysis.odds import Odds, odds
from sim.cards import format_cards

LONGEST = 7  # sequences of so many cards or more share a column


def percent(p: Fraction | float) -> str:
    """A probability in percent, three digits of it."""
    share = 100 * float(p)
    return "–" if not share else f"{share:.2f}" if share >= 0.1 else f"{share:.2g}"


def one_in(p: Fraction) -> str:
    """A probability as one in so many."""
    if not p:
        return "never"
    many = float(1 / p)
    digits = max(0, 2 - floor(log10(many)))
    return f"{round(many, 2 - floor(log10(many))):,.{digits}f}"


def show_odds(odds: Odds, asked: list[str], seat: str | None, kept: Kept | None) -> None:
    """Print odds as tables: what is asked, cards asked about, combinations, points, trumps, suits.

    ``kept``: what he keeps, if the hand is a dealer's.
    """
    console, situation = new_console(), odds.situation
    console.print(_question(odds, seat), soft_wrap=True)
    console.print("Exact: counted over all hands that can be, each as likely as any other.")
    if asked:
        console.print(_asked(odds, asked))
    if situation.rules.combinations:
        console.print(_combinations(odds))
        console.print(_points(odds))
    console.print(_numbers(odds))
    if situation.n == situation.rules.cards.hand_size + situation.rules.discards:
        console.print(
            f"These are the odds of the {situation.n} cards dealt to the dealer; "
            "what he keeps after discarding depends on his policy."
        )
    if kept is not None:
        console.print(_kept(odds, kept))


def _question(odds: Odds, seat: str | None) -> str:
    situation = odds.situation
    pack = situation.rules.cards
    told = [f"{situation.rules.name}: {situation.n} cards"]
    if seat is not None:
        told = [f"{situation.rules.name}: the {situation.n} cards dealt to {_whom(seat)}"]
    if situation.hold:
        told.append(f"with {format_cards(situation.hold, pack)}")
    if situation.gone and seat is None:
        told.append(f"without {format_cards(situation.gone, pack)}")
    if situation.gone and seat is not None:
        told.append(f"drawn from {pack.size - situation.gone.bit_count()} you do not know")
    told += [f"{name} = {number}" for name, number in situation.where]
    return ", ".join(told)


def _whom(seat: str) -> str:
    seat = seat.lower()
    if seat.isdigit():
        return f"seat {seat}"
    return "partner" if seat == "partner" else f"the {seat}"


def _asked(odds: Odds, asked: list[str]) -> Table:
    table = new_table("Cards asked about", "", "%", "one in")
    for card in asked:
        table.add_row(card, percent(odds.holds(card)), one_in(odds.holds(card)))
    if len(asked) > 1:
        both = " ".join(asked)
        nothing = odds.number(both).get(0, Fraction(0))
        table.add_row("all of them", percent(odds.holds(both)), one_in(odds.holds(both)))
        table.add_row("one or more", percent(1 - nothing), one_in(1 - nothing))
    return table


def _combinations(odds: Odds) -> Table:
    lengths = [*range(3, LONGEST)]
    columns = (*map(str, lengths), f"{LONGEST} or more")
    table = new_table("Combinations, % of hands (by cards)", "", "any", "one in", *columns)
    for kind, by in odds.lengths.items():
        p = odds.probability(kind)
        cells = [by.get(length, Fraction(0)) for length in lengths]
        cells.append(sum((q for length, q in by.items() if length >= LONGEST), Fraction(0)))
        table.add_row(kind, percent(p), one_in(p), *map(percent, cells))
    table.add_section()
    for told, p in (
        ("three cricche or more", odds.three_cricche),
        ("three sequences or more", odds.three_sequences),
        ("nothing", odds.nothing),
    ):
        table.add_row(told, percent(p), one_in(p))
    return table


def _points(odds: Odds) -> Table:
    points = odds.points
    table = new_table("Points of all combinations, doublings included", "", "points", "%", "one in")
    table.add_row("mean", f"{float(points.mean):.3f}")
    table.add_row("standard deviation", f"{float(points.variance) ** 0.5:.3f}")
    for share in QUANTILES:
        table.add_row(
            f"{100 * float(share):g} % of hands have at most", str(points.quantile(share))
        )
    table.add_section()
    for least in range(TAIL_STEP, max(points.distribution) + 1, TAIL_STEP):
        p = points.tail(least)
        table.add_row("at least", str(least), percent(p), one_in(p))
    return table


def _numbers(odds: Odds) -> Table:
    """How many cards of each kind, in percent; a row for each number that can come about."""
    kinds = {
        "trumps": odds.trumps,
        "trumps, Fool": odds.trumps_and_fool,
        **odds.suits,
        "worthless": odds.worthless,
    }
    table = new_table("Number of cards of a kind, % of hands (0 of a suit: void)", "", *kinds)
    for number in sorted(set[int]().union(*kinds.values())):
        shares = (numbers.get(number, Fraction(0)) for numbers in kinds.values())
        table.add_row(str(number), *map(_short, shares))
    return table


def _short(p: Fraction) -> str:
    share = 100 * float(p)
    if not share:
        return "–"
    return f"{share:.1f}" if share >= 0.05 else "<0.1"


def _kept(odds: Odds, kept: Kept) -> Table:
    sample = kept.nothing
    table = new_table(
        f"Kept by a dealer of the policy {POLICY}: simulated, {sample.n:,} hands, "
        f"{100 * sample.level:g} % intervals",
        *("", "dealt, % (exact)", "kept, %", "low", "high"),
    )
    for kind, found in kept.combinations.items():
        table.add_row(kind, percent(odds.probability(kind)), *_ends(found))
    table.add_row("nothing", percent(odds.nothing), *_ends(sample))
    table.add_section()
    mean = (f"{value:.2f}" for value in (kept.points.mean, kept.points.low, kept.points.high))
    table.add_row("points, mean", f"{float(odds.points.mean):.2f}", *mean)
    return table


def _ends(found: Estimate) -> list[str]:
    return [percent(value) for value in (found.mean, found.low, found.high)]


def show_first_cards(found: FirstCards, of: str) -> None:
    """Print what the first cards of a hand tell of the rest, beside any hand."""
    console, rest = new_console(), found.n - found.first
    console.print(
        f"{found.rules.name}: {found.seen} {of} among the first {found.first} of {found.n} cards: "
        f"{percent(found.probability)} % of hands, one in {one_in(found.probability)}."
    )
    table = new_table("Exact, means", "", "then", "in any hand")
    any_rest = Fraction(rest * found.of.bit_count(), found.rules.cards.size)
    any_hand = Fraction(found.n * found.of.bit_count(), found.rules.cards.size)
    more = mean(found.rest)
    rows = [
        (f"more of them in the other {rest}", more, any_rest),
        ("in the whole hand", found.seen + more, any_hand),
    ]
    if found.has_points:
        unseen, unseen_rest = (odds(found.rules, n).points.mean for n in (found.n, rest))
        rows.append(("points of the whole hand", found.points.mean, unseen))
        rows.append((f"points of the other {rest} alone", found.rest_points.mean, unseen_rest))
    for told, then, usual in rows:
        table.add_row(told, f"{float(then):.3f}", f"{float(usual):.3f}")
    console.print(table)
