"""Makes the tables and charts in ``data/results`` again: who beats whom, what habits are worth.

Run it as ``scripts/results``. The seeds are none that ``tune.py`` uses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from analysis.charts import save
from analysis.compare import compare
from analysis.compare_charts import comparison_chart
from analysis.habit_charts import habits_chart
from analysis.habits import habits
from analysis.results import write_result
from sim.policies.spec import parse_policy
from sim.records import PROGRAM
from sim.rules import OTTOCENTO, PARTITA, RuleSet

FOLDER = Path(__file__).parents[1] / "data" / "results"
POLICIES = ["random", "simple", "expert"]
SEED = 1


def payoff(rules: RuleSet, hands: int) -> None:
    """The payoff matrix of the shipped policies."""
    found = compare(POLICIES, rules, hands, seed=SEED, progress=True)
    rows = [
        {"row": row, "column": column, **estimate.to_dict()}
        for row, estimates in zip(found.specs, found.payoff, strict=True)
        for column, estimate in zip(found.specs, estimates, strict=True)
    ]
    told = found.to_dict()
    kept = ("hands", "blocks", "seed", "payoff_kind", "ranking", "winner", "variance_removed")
    provenance = {
        "what": "mean points a hand, row policy's side less column policy's",
        "program": PROGRAM,
        "rules": rules.to_dict(),
        "policies": [parse_policy(spec).to_dict() for spec in POLICIES],
        **{key: told[key] for key in kept},
    }
    write_result(FOLDER / f"payoff_{rules.name}.csv", pd.DataFrame(rows), provenance)
    save(comparison_chart(found).figure, FOLDER / f"payoff_{rules.name}.png")


def habits_of_expert(rules: RuleSet, hands: int) -> None:
    """What each habit of ``expert`` is worth."""
    table = habits("expert", rules, hands, seed=SEED, progress=True)
    told = (
        f"Rules {rules.name} · expert against expert without the habit, both partners of a side · "
        f"{table.n[0]:,} blocks ({8 * table.n[0]:,} hands) each, the same deals · seed {SEED} · "
        "95 % intervals, all together, max-|t| · the values do not add up"
    )
    provenance = {
        "what": "points a hand of expert over expert with one parameter at 0",
        "program": PROGRAM,
        "rules": rules.to_dict(),
        "policies": [parse_policy("expert").to_dict()],
        "seed": SEED,
        "hands": 8 * int(table.n[0]),
        "unit": "block",
    }
    write_result(FOLDER / f"habits_{rules.name}.csv", table, provenance)
    save(habits_chart(table, told).figure, FOLDER / f"habits_{rules.name}.png")


def main(hands: Annotated[int, typer.Option(help="Hands for each pair.")] = 400_000) -> None:
    """Make all of them, about five minutes on two cores."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for rules in (OTTOCENTO, PARTITA):
        payoff(rules, hands)
        habits_of_expert(rules, hands)


if __name__ == "__main__":
    typer.run(main)
