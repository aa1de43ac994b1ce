"""Makes the tables and charts in ``data/results`` again: who beats whom, what habits and signals
are worth, and whether what players say is so.

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
from analysis.equity import Score
from analysis.equity_check import beside_games
from analysis.habit_charts import habits_chart
from analysis.habits import habits
from analysis.margins import PLAYS
from analysis.results import write_result
from analysis.signal_charts import signals_chart
from analysis.signal_worth import signal_worth
from analysis.to_win_table import cost_of_telling, gain_in_games, write_table
from analysis.trial_charts import trial_chart
from analysis.trials import POLICIES as TRIED
from analysis.trials import trial
from sim.manifests import PROGRAM
from sim.policies.declare.to_win import TABLE as TO_WIN
from sim.policies.spec import parse_policy
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from sim.signals import all_signals

FOLDER = Path(__file__).parents[1] / "data" / "results"
POLICIES = ["random", "simple", "expert"]
SEED = 1
# Where chances of winning are held against games.
STATES = {
    OTTOCENTO: (
        *(Score(0, 0, 0), Score(300, 500, 1), Score(400, 400, 0), Score(500, 250, 1)),
        *(Score(560, 700, 1), Score(600, 600, 0), Score(640, 710, 0), Score(640, 710, 1)),
        *(Score(700, 760, 0), Score(750, 750, 0), Score(790, 790, 0), Score(799, 620, 1)),
    ),
    PARTITA: (
        *(Score(0, 0, 0, 1), Score(20, 0, 1, 1), Score(0, 30, 0, 1), Score(0, 0, 1, 2)),
        *(Score(10, 0, 1, 2), Score(0, 25, 0, 2), Score(0, 12, 1, 3), Score(8, 0, 0, 3)),
        *(Score(0, 0, 0, 4), Score(0, 12, 0, 4), Score(5, 0, 1, 4), Score(0, 30, 0, 4)),
    ),
}


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


def signals(rules: RuleSet, hands: int) -> None:
    """What signals are worth to ``expert``, and what they tell."""
    rules = rules.with_signals(all_signals(rules.pack))
    found = signal_worth(rules, "expert", hands, told_hands=400, seed=SEED, progress=True)
    told = found.to_dict()
    provenance = {
        "what": "points a hand of a side that signals over one that neither does nor listens; "
        "bits that each use tells partner",
        "program": PROGRAM,
        "rules": rules.to_dict(),
        "conventions": rules.signals.to_dict(),
        "policies": [parse_policy("expert").to_dict()],
        "hands": PLAYS * found.blocks,
        **{key: told[key] for key in ("all", "overheard", "both", "seed", "blocks", "verdict")},
        "told": found.told,
    }
    write_result(FOLDER / f"signals_{rules.name}.csv", found.table(), provenance)
    save(signals_chart(found.table(), found.told).figure, FOLDER / f"signals_{rules.name}.png")


def old_book(hands: int) -> None:
    """What players say, tested: the table of ``analysis.trials``."""
    table = trial(hands, seed=SEED, progress=True)
    provenance = {
        "what": "claims of players: a value said to exceed a number, its interval, a verdict",
        "program": PROGRAM,
        "rules": [rules.to_dict() for rules in (OTTOCENTO, PARTITA)],
        "policies": [parse_policy(spec).to_dict() for spec in TRIED],
        "seed": SEED,
        "hands": hands,
    }
    told = (
        f"Rules ottocento, C25 partita · {' and '.join(TRIED)} at all seats but for what is "
        f"tested · {hands:,} hands for each policy of a test, n in the table · seed {SEED} · "
        "95 % intervals, each on its own, Student's t · filled: holds for these players, "
        "Holm's correction over all tests · grey: within ±1 point"
    )
    write_result(FOLDER / "trial.csv", table, provenance)
    save(trial_chart(table, told).figure, FOLDER / "trial.png")


def declaring_to_win(games: int) -> None:
    """The table of ``to_win``, and what it and other ways to declare gain in whole games."""
    write_table(TO_WIN, seed=SEED)
    rows = [
        {"new": f"expert+declare:{name}", "old": "expert", "us": us, "them": them}
        | gain_in_games(
            f"expert+declare:{name}", "expert", games=games, score=(us, them), seed=SEED
        ).to_dict()
        for us, them in ((0, 0), (640, 710), (710, 640))
        for name in ("to_win", "hide", "nothing")
    ]
    lose, give = cost_of_telling()
    provenance = {
        "what": "share of games won with the new policy less that with the old, against the old; "
        "lose and give: shares of points told that telling costs in play",
        "program": PROGRAM,
        "rules": OTTOCENTO.to_dict(),
        "policies": [parse_policy("expert+declare:to_win").to_dict()],
        "seed": SEED,
        "games": games,
        "lose": lose.to_dict(),
        "give": give.to_dict(),
    }
    write_result(FOLDER / "to_win.csv", pd.DataFrame(rows), provenance)


def chances_of_winning(rules: RuleSet, hands: int) -> None:
    """Chances reckoned from hands, beside games played from the same scores."""
    spec = "expert"
    rows = beside_games(STATES[rules], rules, spec, hands, hands, seed=SEED, progress=True)
    provenance = {
        "what": "chance of winning of the side named first, half of a draw added: from hands "
        "(jackknife), in games (Student's t), and one less the other, intervals of all together",
        "program": PROGRAM,
        "rules": rules.to_dict(),
        "policies": [parse_policy(spec).to_dict()],
        "seed": SEED,
        "hands": hands,
        "games": hands,
    }
    write_result(FOLDER / f"equity_{rules.name}.csv", rows, provenance)


def main(hands: Annotated[int, typer.Option(help="Hands for each pair.")] = 400_000) -> None:
    """Make all of them, which takes some minutes."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for rules in (OTTOCENTO, PARTITA):
        payoff(rules, hands)
        habits_of_expert(rules, hands)
        signals(rules, hands // 4)
        chances_of_winning(rules, hands // 4)
    old_book(hands)
    declaring_to_win(hands // 20)


if __name__ == "__main__":
    typer.run(main)
