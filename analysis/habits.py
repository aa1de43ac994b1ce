"""What each habit of a policy is worth: the policy against itself without it."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from analysis.compare import CompareError
from analysis.margins import PLAYS, play_margins, points
from sim.players import as_heard
from sim.policies.policy import Policy
from sim.policies.spec import parse_policy
from sim.rules import OTTOCENTO, RuleSet


def habits(
    policy: str | Policy,
    rules: RuleSet = OTTOCENTO,
    hands: int = 100_000,
    *,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Points a hand that a policy wins of itself with one parameter at 0, for each in turn.

    Both partners of a side play the policy. The values are marginal: they do not add up, since one
    habit may stand in for another.

    Parameters
    ----------
    policy
        A SPEC or a Policy.
    rules
        The game.
    hands
        For each habit, rounded up to whole blocks of 8; all habits play the same deals.
    seed, level
        0 to 2^64 - 1; of all intervals together.
    threads, progress
        As in ``sim.parts.map_parts``.

    Returns
    -------
    DataFrame
        A row for each parameter that is not 0: ``part`` (kind and name), ``habit``, ``value``, and
        ``mean``, ``low``, ``high`` (points a hand), ``n`` (blocks), ``level``, ``method``; the
        largest mean first. A habit that never changes a choice has exactly 0.

    Raises CompareError if the policy has no parameters or hands are too few, PolicyError as
    ``parse_policy``. Source: HOUSE of this project, numbers.
    """
    whole = policy if isinstance(policy, Policy) else parse_policy(policy)
    (whole,) = as_heard(rules, [whole])  # where no signals are in force, none is looked at
    named = [
        (kind, part, name)
        for kind, part in whole.parts.items()
        for name, value in part.parameters.items()
        if value
    ]
    if not named:
        raise CompareError(f"{whole.spec} has no parameters: expected a policy with habits")
    if hands < 2 * PLAYS:
        raise CompareError(f"{hands} hands a habit: expected {2 * PLAYS} or more")
    pairs = [(whole, without(whole, kind, name)) for kind, _, name in named]
    blocks = range(-(-hands // PLAYS))
    margins = play_margins(rules, pairs, seed, blocks, points, threads=threads, progress=progress)
    rows = [
        {
            "part": f"{kind}:{part.name}",
            "habit": name,
            "value": part.parameters[name],
            "mean": found.mean,
            "low": found.low,
            "high": found.high,
            "n": found.n,
            "level": found.level,
            "method": found.method,
        }
        for (kind, part, name), found in zip(
            named, margins.moments.estimates(PLAYS, level), strict=True
        )
    ]
    return pd.DataFrame(rows).sort_values("mean", ascending=False, ignore_index=True)


def without(policy: Policy, kind: str, habit: str) -> Policy:
    """The policy with a parameter of its part of one kind at 0."""
    part = policy.parts[kind].with_parameters({**policy.parts[kind].parameters, habit: 0.0})
    return replace(policy.with_part(part), spec=f"{policy.spec} without {habit}")
