"""The count of a finished hand as text, in columns as players lay it out. RULES §3, §4, §7."""

from __future__ import annotations

from itertools import zip_longest

from sim.cards import COURTS, SUITS, Pack, indices
from sim.combinations import KINDS
from sim.kernels.rules_record import rules_record
from sim.replays import Count, Replay
from sim.rules import RuleSet


def pile_lines(played: Replay) -> list[str]:
    """Side 0's pile in columns, trumps first, with a dot where a card is side 1's.

    A suit has its courts and the Ace first, as its sequence is read. Source: RULES §4.
    """
    pack, pile = played.rules.cards, played.counts[0].pile.cards
    trumps = ["trumps", *_laid_out(pack.trumps, pile, pack)]
    trumps += _laid_out(1 << pack.fool, pile, pack)
    columns = [trumps]
    courts = sum(pack.rank(letter) for letter in COURTS)
    for name, suit in zip(SUITS, pack.suits, strict=True):
        parts = (suit & courts, suit & pack.rank("A"), suit & pack.pips)
        columns.append([name, *(cell for part in parts for cell in _laid_out(part, pile, pack))])
    rows = zip_longest(*columns, fillvalue="")
    return [
        "Count: the pile of side 0, a dot for each card of side 1",
        *("  " + "".join(f"{cell:<9}" for cell in row) for row in rows),
    ]


def _laid_out(cards: int, pile: int, pack: Pack) -> list[str]:
    """Names from the highest card down, a dot for those that the pile lacks."""
    downwards = reversed([*indices(cards)])
    return [pack.names[card] if pile >> card & 1 else "." for card in downwards]


def combination_lines(played: Replay) -> list[str]:
    """Cricche and sequences in both piles, their points, and the sums with doubling. RULES §4."""
    piles = [count.pile for count in played.counts]
    lines = [_line("Combinations in the piles", "side 0", "side 1")]
    for kind in KINDS:
        found = [pile.cricche.get(kind) or pile.sequences.get(kind) for pile in piles]
        if any(found):
            lines.append(
                _line(f"  {kind}", *(f"{f[0]} cards {f[1]:5}" if f else "-" for f in found))
            )
    for name, sums in (
        ("cricche", [(pile.cricche_points, len(pile.cricche)) for pile in piles]),
        ("sequences", [(pile.sequence_points, len(pile.sequences)) for pile in piles]),
    ):
        told = (f"2 x {points // 2} = {points:4}" if n >= 3 else points for points, n in sums)
        lines.append(_line(f"  all {name}", *told))
    return lines


def score_lines(played: Replay) -> list[str]:
    """The score of both sides item by item, and its total. Source: RULES §3, §7."""
    columns = [_score_items(count, played.rules) for count in played.counts]
    return [
        _line("Score", "side 0", "side 1"),
        *(_line(f"  {label}", *(items[label] for items in columns)) for label in columns[0]),
    ]


def _score_items(count: Count, rules: RuleSet) -> dict[str, object]:
    """What makes up one side's score, by label; whole points, or text that ends with them."""
    pile, par = count.pile, int(rules_record(rules).par)
    items: dict[str, object] = {}
    if rules.combinations:
        items["declared"] = count.declared
        if rules.trick_combinations:
            items["in tricks"] = count.in_tricks
        items["cricche"] = pile.cricche_points
        items["sequences"] = pile.sequence_points
    points = int(pile.card_points)
    if rules.counting == "point_a_pair":
        fool = 1 << rules.cards.fool
        cards = (pile.cards & ~fool).bit_count()
        pairs = (cards + 1) // 2
        of_fool = 5 if pile.cards & fool else 0
        items["values of the cards"] = points - pairs - of_fool
        items["pairs"] = f"{cards} cards {pairs:5}"
        items["the Fool"] = of_fool
    else:
        items["card points"] = points
    if rules.last_trick_points:
        items["last trick"] = count.last_trick
    if par:
        items[f"less {par}"] = -par
    items["total"] = count.total
    return items


def _line(label: str, *cells: object) -> str:
    return f"{label:<26}" + "".join(f"{cell!s:>18}" for cell in cells)
