"""Tunes the parameters of ``expert`` by playing it against itself, and prints every step.

One parameter after the other is made smaller and larger, on the deals of seeds kept for tuning; a
change stays if it wins more than its standard error there, and again on other deals. What comes out
are the defaults in ``sim/policies/play/expert.py``; results are always reported on other seeds. Run
it as ``scripts/tune``; with the same program, options and seeds it takes the same steps.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from analysis.margins import play_margins, points
from sim.policies.policy import Policy
from sim.policies.spec import parse_policy
from sim.rules import OTTOCENTO, PARTITA, RuleSet

FIRST_SEED = 1_000_000  # seeds from here on are for tuning only
RESULT = Path(__file__).parents[1] / "data" / "results" / "tuning.json"
# Where the search starts: chosen by hand. Switches (0 or 1) are not tuned.
START = {
    "sequences": 1.5,
    "cricche": 1.3,
    "trick_combinations": 1.0,
    "pagat": 80.0,
    "upper": 15.0,
    "grande": 8.0,
    "grande_falls": 1.0,
    "contest": 0.9,
    "rebeat": 0.4,
    "help": 1.0,
    "later": 7.5,
    "lead_sure": 0.2,
    "keep": 0.45,
    "keep_pagat": 0.25,
    "keep_pagat_by": 0.1,
    "protect_fool": 12.0,
    "save_trumps": 25.0,
    "save_any_trump": 4.5,
    "make_void": 3.0,
}
CHANCES = {"contest", "keep", "rebeat", "help", "keep_pagat"}  # not above 1
OF_PARTITA = {"partita": 0.1}  # the only parameter that Partita has for itself
FIRST_STEP, SMALLER = 0.5, 0.6  # relative change; its factor after a round that found nothing


def expert(values: dict[str, float]) -> Policy:
    """``expert`` with these parameters, the others as they are."""
    policy = parse_policy("expert")
    return policy.with_part(policy.play.with_parameters({**policy.play.parameters, **values}))


def margin(
    rules: RuleSet, new: dict[str, float], old: dict[str, float], seed: int, hands: int
) -> tuple[float, float]:
    """Points a hand of new values over old ones, and the standard error."""
    blocks = range(hands // 8)
    found = play_margins(rules, [(expert(new), expert(old))], seed, blocks, points).moments
    mean = float(found.sums[0]) / found.n / 8
    return mean, float(np.sqrt(found.variances[0] / found.n)) / 8


def tune(
    rules: RuleSet, start: dict[str, float], fixed: dict[str, float], hands: int, rounds: int
) -> dict[str, float]:
    """The values that the search ends with; ``fixed`` ones stay."""
    values, step = dict(start), dict.fromkeys(start, FIRST_STEP)
    seed = FIRST_SEED
    for number in range(rounds):
        for name in values:
            seed += 2
            best = (0.0, 0.0, values[name])
            for factor in (1 + step[name], 1 / (1 + step[name])):
                tried = values[name] * factor
                if name in CHANCES and tried > 1:
                    continue
                changed = {**values, name: tried}
                mean, error = margin(rules, fixed | changed, fixed | values, seed, hands)
                if mean > max(error, best[0]):
                    best = (mean, error, tried)
            mean, error, tried = best
            if tried != values[name]:
                changed = {**values, name: tried}
                again, error = margin(rules, fixed | changed, fixed | values, seed + 1, hands)
                if again > error:
                    print(f"{rules.name}, round {number}: {name} {values[name]:.3g} -> {tried:.3g}")
                    print(f"    {mean:+.2f}, again {again:+.2f} (standard error {error:.2f})")
                    values = changed
                    continue
            step[name] *= SMALLER
    return values


def main(
    hands: Annotated[int, typer.Option(help="Hands for each comparison.")] = 300_000,
    rounds: Annotated[int, typer.Option(help="Rounds over all parameters.")] = 5,
) -> None:
    """Tune, first in Ottocento, then what Partita has for itself; about 15 minutes."""
    values = tune(OTTOCENTO, START, OF_PARTITA, hands, rounds)
    of_partita = tune(PARTITA, OF_PARTITA, values, hands, rounds)
    tuned = {name: float(f"{value:.2g}") for name, value in (values | of_partita).items()}
    found = {
        "what": "parameters of expert, tuned against itself, rounded to two figures",
        "seeds": f"from {FIRST_SEED}",
        "hands": hands,
        "rounds": rounds,
        "start": START | OF_PARTITA,
        "tuned": tuned,
    }
    RESULT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(tuned, indent=1))


if __name__ == "__main__":
    typer.run(main)
