"""The command that shows why a seat decided as it did."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from analysis.cli.options import Json, Policies
from analysis.cli.runs import Directory, Hand, played_again


def explain(
    run: Directory,
    hand: Hand,
    seat: Annotated[
        str,
        typer.Option(
            metavar="SEAT", help="Whose decisions: 0 to 3, dealer, eldest, second or third."
        ),
    ],
    policy: Policies = None,
    as_json: Json = False,
) -> None:
    """A player's decisions in a hand, each with its reason.

    What was on the table, what others had signalled since his last card, what he might have chosen,
    what he chose, the habit that chose it, and what he signalled.
    --policy says where policy files are, if the run's are not in the current folder.
    """
    from sim.conditions import ROLES, SEATS
    from sim.explanations import explain as explain_hand

    if seat not in (*ROLES, *SEATS):
        raise typer.BadParameter(
            f"{seat!r} is no seat: expected {', '.join(SEATS)}, {', '.join(ROLES)}",
            param_hint="'--seat'",
        )
    played, policies = played_again(run, hand, policy)
    number = int(seat) if seat in SEATS else (played.dealer + 1 + ROLES.index(seat)) % 4
    choices = explain_hand(played, policies, number)
    if as_json:
        told = {
            "rules": played.rules.name,
            "policies": list(played.policies),
            "seed": played.seed,
            "hand": hand,
            "dealer": played.dealer,
            "seat": number,
            "choices": [
                {
                    **choice._asdict(),
                    "habits": dict(choice.habits),
                    "heard": [each._asdict() for each in choice.heard],
                }
                for choice in choices
            ],
        }
        print(json.dumps(told))
    else:
        from analysis.cli.show_policies import show_choices

        show_choices(played, number, choices)
    if played.error:
        raise played.error
