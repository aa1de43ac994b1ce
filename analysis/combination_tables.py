"""Tables of combinations: held and declared, captured in piles, scored inside tricks. RULES §4."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from analysis.estimates import mean_of_counts, pooled_proportion, proportion
from analysis.tables import Rows, Table
from sim.combinations import KINDS
from sim.conditions import ROLES
from sim.kernels.counting import PATTERNS
from sim.manifests import Manifest
from sim.summaries import POOLS

Counts = NDArray[np.int64]

HELD_OR_DECLARED = ("held", "declared")
# Who captures: the side that deals, the other, and the sides by number.
CAPTORS = ("dealers", "others", "side 0", "side 1")


def frequency_tables(manifest: Manifest) -> dict[str, Table]:
    """All tables of combinations for a run: see ``analysis.frequencies.frequencies``."""
    together = tuple(f"{what}_together" for what in HELD_OR_DECLARED)
    tables = {"combinations": COMBINATIONS, "pooled": Table(together, _pooled)}
    if len(set(manifest.specs)) > 1:
        tables["by_policy"] = Table(HELD_OR_DECLARED, partial(_by_policy, manifest.specs))
    tables["declared_mean"] = Table(("declared_points",), _mean_points)
    tables["declared_points"] = Table(("declared_points",), _points)
    tables["captured"] = Table(("captured",), partial(_by_captor, "captured"))
    if manifest.rules.trick_combinations:
        tables["any_in_tricks"] = Table(("trick_points",), _any_in_tricks)
        tables["in_tricks"] = Table(("in_tricks",), partial(_by_captor, "in_tricks"))
    return tables


# ---- held and declared ----------------------------------------------------------------------


def _combinations(held: Counts, declared: Counts, hands: int, level: float) -> Rows:
    events = [_kinds(of.sum(axis=0)) for of in (held, declared)]
    for kind, combination in enumerate(KINDS):
        for i, role in enumerate(ROLES):
            for of, what in zip(events, HELD_OR_DECLARED, strict=True):
                told = {"combination": combination, "role": role, "what": what}
                yield told, proportion(of[i, kind], hands, level)


def _kinds(counts: Counts) -> Counts:
    """Counts by pattern, the last axis, as counts by kind instead."""
    return counts @ (np.arange(PATTERNS)[:, None] >> np.arange(len(KINDS)) & 1)


COMBINATIONS = Table(HELD_OR_DECLARED, _combinations)


def _pooled(held: Counts, declared: Counts, hands: int, level: float) -> Rows:
    for kind, combination in enumerate(KINDS):
        for i, (pool, seats) in enumerate(POOLS.items()):
            for counts, what in zip((held, declared), HELD_OR_DECLARED, strict=True):
                told = {"combination": combination, "role": pool, "what": what}
                yield told, pooled_proportion(counts[i, kind, : seats + 1].tolist(), level)


def _by_policy(
    specs: Sequence[str], held: Counts, declared: Counts, hands: int, level: float
) -> Rows:
    """A policy has a role in some of the hands only: n are those. At one seat at most in each."""
    counts = np.stack([held, declared])
    for spec in dict.fromkeys(specs):
        of_policy = counts[:, [seat for seat in range(4) if specs[seat] == spec]].sum(axis=1)
        n, events = of_policy.sum(axis=-1), _kinds(of_policy)
        for kind, combination in enumerate(KINDS):
            for i, role in enumerate(ROLES):
                for j, what in enumerate(HELD_OR_DECLARED):
                    if n[j, i]:
                        told = {"combination": combination, "role": role, "what": what}
                        yield (
                            told | {"policy": spec},
                            proportion(events[j, i, kind], n[j, i], level),
                        )


# ---- points declared ------------------------------------------------------------------------


def _points(counts: Counts, hands: int, level: float) -> Rows:
    for points in np.flatnonzero(counts.sum(axis=0)).tolist():
        for role, of_role in zip(ROLES, counts, strict=True):
            yield {"role": role, "points": points}, proportion(of_role[points], hands, level)


def _mean_points(counts: Counts, hands: int, level: float) -> Rows:
    if hands >= 2:
        for role, of in zip(ROLES, counts, strict=True):
            yield {"role": role}, mean_of_counts(of, level=level)


# ---- captured, and inside tricks ------------------------------------------------------------


def _by_captor(what: str, counts: Counts, hands: int, level: float) -> Rows:
    events = by_captor(_kinds(counts))
    for kind, combination in enumerate(KINDS):
        for captor, found in zip(CAPTORS, events, strict=True):
            told = {"combination": combination, "role": captor, "what": what}
            yield told, proportion(found[kind], hands, level)


def _any_in_tricks(points: Counts, hands: int, level: float) -> Rows:
    for captor, found in zip(CAPTORS, by_captor(points), strict=True):
        told = {"combination": "any", "role": captor, "what": "in_tricks"}
        yield told, proportion(found[1:].sum(), hands, level)


def by_captor(counts: Counts) -> Counts:
    """Counts by side and whether it deals, (2, 2, …), as counts by who captures, (4, …)."""
    return np.concatenate([counts.sum(axis=0)[::-1], counts.sum(axis=1)])
