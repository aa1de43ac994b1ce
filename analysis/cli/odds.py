"""The command for exact odds."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.cli.charts import save_chart
from analysis.cli.options import Chart, Json, Level, Rules, count

if TYPE_CHECKING:
    from sim.rules import RuleSet

FIRST = 5  # cards: the packets in which they are dealt


def where(text: str) -> dict[str, int]:
    """Conditions such as ``trumps = 6 and cups = 0``. Raises BadParameter for anything else."""
    found: dict[str, int] = {}
    for condition in re.split(r"\s+and\s+", text.strip(), flags=re.IGNORECASE):
        told = re.fullmatch(r"(\w+)\s*=\s*(\d+)", condition)
        if told is None or told[1].lower() in found:
            raise typer.BadParameter(
                f"{condition!r}: expected exact numbers of trumps or of suits, each once, such as "
                '"trumps = 6 and cups = 0" (other conditions are for simulate --where)'
            )
        found[told[1].lower()] = int(told[2])
    return found


def first(text: str) -> tuple[int, str]:
    """How many of which cards: ``4 trumps``. Raises BadParameter for anything else."""
    told = re.fullmatch(r"\s*(\d+)\s+(?:of\s+)?(.+)", text)
    if told is None:
        raise typer.BadParameter(f'{text!r}: expected how many of which cards, such as "4 trumps"')
    return int(told[1]), told[2]


def odds(
    rules: Rules = "ottocento",
    cards: Annotated[
        int | None,
        typer.Option(
            parser=count,
            metavar="N",
            help="Cards in the hand. [15; of a dealer 17; Partita 13, 15]",
        ),
    ] = None,
    hold: Annotated[
        str, typer.Option(metavar="CARDS", help='Cards surely in the hand: "Pagat SK".')
    ] = "",
    gone: Annotated[str, typer.Option(metavar="CARDS", help="Cards known to be elsewhere.")] = "",
    mine: Annotated[
        str | None,
        typer.Option(metavar="CARDS", help="Your own hand; the odds are then of --seat's."),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT", help="Whose hand: partner, left, right, dealer, eldest, or 0 to 3."
        ),
    ] = None,
    where: Annotated[
        dict | None,
        typer.Option(
            parser=where,
            metavar="CONDITIONS",
            help='Exact numbers of trumps or of a suit: "trumps = 6 and cups = 0".',
        ),
    ] = None,
    has: Annotated[
        str,
        typer.Option(metavar="CARDS", help="Ask about these cards too: each, and all together."),
    ] = "",
    first: Annotated[
        tuple | None,
        typer.Option(
            parser=first,
            metavar="SEEN",
            help='What the first five cards tell of the rest: "4 trumps", "2 kings", "3 of …".',
        ),
    ] = None,
    level: Level = 0.95,
    chart: Chart = None,
    as_json: Json = False,
) -> None:
    """Exact odds of a hand: combinations, points, trumps, suits.

    Of any hand, or, with --mine and --seat, of what another player was dealt. What a dealer keeps
    after his discard is simulated beside it.
    """
    from analysis.distributions import distribution_json, probability_json
    from analysis.odds import OddsError, odds_of_seat, read_cards
    from analysis.odds import odds as odds_of_hand
    from sim.cards import format_cards
    from sim.rules import load_rules

    rule_set = load_rules(rules or "ottocento")
    if first is not None:
        if hold or gone or has or where or mine or seat or chart:
            raise OddsError("--first goes with --rules, --cards and --json only: expected no other")
        _first_cards(first, cards, rule_set, as_json)
        return
    if (mine is None) != (seat is None):
        raise OddsError("--mine and --seat go together: expected both, or neither")
    if mine is None or seat is None:
        found = odds_of_hand(rule_set, cards, hold, gone, where)
    else:
        found = odds_of_seat(mine, seat, rule_set, cards, hold, gone, where)
    asked = format_cards(read_cards(has, rule_set), rule_set.cards).split()
    kept = None
    if found.situation.n == rule_set.cards.hand_size + rule_set.discards and rule_set.combinations:
        from analysis.kept import kept_by_dealer

        kept = kept_by_dealer(found.situation, level=level)
    if as_json:
        told: dict[str, Any] = found.to_dict()
        if mine is not None:
            own = format_cards(read_cards(mine, rule_set), rule_set.cards)
            told |= {"mine": own.split(), "seat": seat}
        if asked:
            told["has"] = {
                "each": {card: probability_json(found.holds(card)) for card in asked},
                "all": probability_json(found.holds(" ".join(asked))),
                "number": distribution_json(found.number(" ".join(asked))),
            }
        if kept is not None:
            told["kept"] = kept.to_dict()
        print(json.dumps(told))
    else:
        from analysis.cli.show_odds import show_odds

        show_odds(found, asked, seat, kept)
    if chart is not None:
        from analysis.charts import axes
        from analysis.odds_charts import hand

        save_chart(hand(found, axes()), chart, as_json)


def _first_cards(asked: tuple[int, str], n: int | None, rules: RuleSet, as_json: bool) -> None:
    """Print what the first five cards tell."""
    from analysis.first_cards import cards_called, first_cards
    from analysis.odds import OddsError

    seen, of = asked
    if n is not None and n <= FIRST:
        raise OddsError(f"--cards {n} with --first: expected more than the first {FIRST}")
    found = first_cards(cards_called(of, rules), seen, FIRST, n, rules)
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        from analysis.cli.show_odds import show_first_cards

        show_first_cards(found, of)
