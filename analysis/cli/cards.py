"""Commands about sets of cards."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from analysis.cli.options import Json, Rules


def score(
    cards: Annotated[
        str, typer.Argument(metavar="CARDS", help='Any set, for example "SK SQ SC Fool".')
    ],
    rules: Rules = "ottocento",
    as_json: Json = False,
) -> None:
    """Combinations and card points of a set of cards."""
    from sim.combinations import score as score_cards
    from sim.rules import load_rules

    scored = score_cards(cards, load_rules(rules or "ottocento"))
    if as_json:
        print(json.dumps(scored.to_dict()))
    else:
        from analysis.cli.show import show_score

        show_score(scored)
