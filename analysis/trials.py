"""The old book on trial: every claim with its test, its number and its verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.estimates import check_level
from analysis.trial_claims import CLAIMS
from analysis.trial_estimates import Measured, exact
from analysis.trial_players import Players
from analysis.trial_statements import Claim, Statement
from analysis.verdicts import LEVEL, holm, of_all_players, of_statements, verdict
from sim.policies.spec import parse_policy

POLICIES = "simple", "expert"
COUNTED = "counted"  # in place of players
COLUMNS = (
    *("claim", "says", "source", "measured", "players", "quantity", "more_than"),
    *("mean", "low", "high", "level", "low90", "high90", "n", "unit", "method", "p", "p_holm"),
    *("verdict", "overall"),
)


def trial(
    hands: int = 200_000,
    *,
    seed: int = 1,
    policies: Sequence[str] = POLICIES,
    claims: Sequence[Claim] = CLAIMS,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Measure all claims, and judge them together.

    Parameters
    ----------
    hands
        Played for each policy of each test; a claim about cards or decisions uses of them what it
        needs.
    seed
        0 to 2^64 - 1; all tests have the same.
    policies
        SPECs under which a verdict must be the same to stand.
    claims
        What is claimed.
    level
        Of each interval on its own.
    threads, progress
        As in ``sim.parts.map_parts``; the table does not depend on the threads.

    Returns
    -------
    DataFrame
        A row for each statement of a claim under each policy, or one if it is counted:
        ``claim, says, source``; ``measured`` (the statement), ``players``; ``quantity`` and the
        number ``more_than`` that the value is claimed to exceed; ``mean, low, high, level``,
        ``low90, high90`` (by which it makes no difference), ``n, unit, method``; ``p`` and
        ``p_holm``, two-sided, the latter over all rows that are not counted; ``verdict`` of the
        row; and ``overall``: of all the claim's statements together, under all policies.

    Raises
    ------
    ValueError
        Fewer than 100 hands, or a level out of bounds.
    PolicyError
        A policy that cannot be had.

    Source: STRATEGY; HOUSE of this project, numbers.
    """
    check_level(level)
    if hands < 100:
        raise ValueError(f"{hands} hands a test: expected 100 or more")
    for spec in policies:
        parse_policy(spec)
    rows: list[dict[str, Any]] = []
    for claim in claims:
        told = {"claim": claim.number, "says": claim.text, "source": claim.source}
        for statement in claim.statements:
            if statement.counted is not None:
                measured = {COUNTED: exact(statement.counted(), statement.more_than)}
            else:
                measured = {
                    spec: _under(statement, Players(spec, hands, seed, threads, progress))
                    for spec in policies
                }
            rows += [{**told, **_row(statement, *each, level)} for each in measured.items()]
    _judge(rows, policies)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _under(statement: Statement, players: Players) -> Measured:
    assert statement.measure is not None
    return statement.measure(players, statement.more_than)


def _row(statement: Statement, players: str, found: Measured, level: float) -> dict[str, Any]:
    told, narrow = found.estimate(level).to_dict(), found.estimate(LEVEL)
    return {
        "measured": statement.text,
        "players": players,
        "quantity": statement.quantity,
        "more_than": statement.more_than,
        **told,
        "low90": narrow.low,
        "high90": narrow.high,
        "p": found.p,
    }


def _judge(rows: list[dict[str, Any]], policies: Sequence[str]) -> None:
    """Fill in what follows from all tests together."""
    tested = [row for row in rows if row["players"] != COUNTED]
    for row, p in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row["p_holm"] = p
    for row in rows:
        in_points = row["quantity"].startswith("points")
        interval = (row["low90"], row["high90"]) if in_points else None
        p = row.get("p_holm", row["p"])
        row["verdict"] = verdict(row["mean"], row["more_than"], p, interval)
    for number in {row["claim"] for row in rows}:
        of_claim = [row for row in rows if row["claim"] == number]
        under = [
            of_statements([row["verdict"] for row in of_claim if row["players"] in (spec, COUNTED)])
            for spec in policies
        ]
        for row in of_claim:
            row["overall"] = of_all_players(under)
