"""Tables of combinations: held and declared, captured in piles, scored inside tricks. RULES §4."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from analysis.estimates import mean_of, pooled_proportion, proportion
from analysis.reader import Part, by_role, role_of
from analysis.tables import Counts, Rows, Table
from analysis.tricks import tricks
from sim.combinations import KINDS, score_sets
from sim.conditions import ROLES
from sim.records import Manifest
from sim.rules import RuleSet

HELD_OR_DECLARED = ("held", "declared")
# Seats taken together: the three who have 15 cards of those dealt, and all four.
POOLS = {"non-dealers": 3, "all": 4}
# Who captures: the side that deals, the other, and the sides by number.
CAPTORS = ("dealers", "others", "side 0", "side 1")

_PATTERNS = 1 << len(KINDS)
_MOST_POINTS = 1024  # of one hand: five cricche and seven sequences, doubled, are 846


def frequency_tables(manifest: Manifest) -> dict[str, Table]:
    """All tables of combinations for a run: see ``analysis.frequencies.frequencies``."""
    rules, by_seat = manifest.rules, _by_seat("held", "declared")
    tables = {"combinations": COMBINATIONS, "pooled": Table(by_seat, _count_pooled, _pooled, True)}
    if len(set(manifest.specs)) > 1:
        by_policy = partial(_by_policy, manifest.specs)
        tables["by_policy"] = Table(by_seat, _count_seats, by_policy, True)
    of_points = _by_seat("declared_points")
    tables["declared_mean"] = Table(of_points, _count_points, _mean_points, True)
    tables["declared_points"] = Table(of_points, _count_points, _points, True)
    count = partial(_count_captured, rules)
    tables["captured"] = Table(("dealer", "won0"), count, partial(_by_captor, "captured"), True)
    if rules.trick_combinations:
        columns = ("dealer", "trick_points0", "trick_points1")
        tables["any_in_tricks"] = Table(columns, _count_any_in_tricks, _any_in_tricks, True)
        columns, count = ("dealer", "first_trick_leader", "plays"), partial(_count_in_tricks, rules)
        tables["in_tricks"] = Table(columns, count, partial(_by_captor, "in_tricks"), True)
    return tables


def _by_seat(*names: str) -> tuple[str, ...]:
    return ("dealer", *(f"{name}{seat}" for name in names for seat in range(4)))


# ---- held and declared ----------------------------------------------------------------------


def _count_combinations(part: Part) -> Counts:
    """Hands by held or declared, role, and bits: shape (2, 4, _PATTERNS)."""
    return np.array(
        [
            [np.bincount(bits & _PATTERNS - 1, minlength=_PATTERNS) for bits in by_role(part, what)]
            for what in HELD_OR_DECLARED
        ]
    )


def _combinations(counts: Counts, hands: int, level: float) -> Rows:
    events = _kinds(counts)
    for kind, combination in enumerate(KINDS):
        for i, role in enumerate(ROLES):
            for j, what in enumerate(HELD_OR_DECLARED):
                told = {"combination": combination, "role": role, "what": what}
                yield told, proportion(events[j, i, kind], hands, level)


def _kinds(counts: Counts) -> Counts:
    """Counts by pattern, the last axis, as counts by kind instead."""
    return counts @ (np.arange(_PATTERNS)[:, None] >> np.arange(len(KINDS)) & 1)


COMBINATIONS = Table(_by_seat("held", "declared"), _count_combinations, _combinations, True)


def _count_pooled(part: Part) -> Counts:
    """Deals by held or declared, pool, kind, and how many of the pool: shape (2, 2, 12, 5)."""
    counts = np.empty((2, len(POOLS), len(KINDS), 5), np.int64)
    for i, what in enumerate(HELD_OR_DECLARED):
        bits = by_role(part, what)
        for kind in range(len(KINDS)):
            have = (bits >> kind & 1).astype(np.uint8)
            for j, seats in enumerate(POOLS.values()):
                counts[i, j, kind] = np.bincount(have[:seats].sum(axis=0), minlength=5)
    return counts


def _pooled(counts: Counts, hands: int, level: float) -> Rows:
    for kind, combination in enumerate(KINDS):
        for i, (pool, seats) in enumerate(POOLS.items()):
            for j, what in enumerate(HELD_OR_DECLARED):
                told = {"combination": combination, "role": pool, "what": what}
                yield told, pooled_proportion(counts[j, i, kind, : seats + 1].tolist(), level)


def _count_seats(part: Part) -> Counts:
    """Hands by held or declared, seat, role, and bits: shape (2, 4, 4, _PATTERNS)."""
    counts = np.empty((2, 4, 4 * _PATTERNS), np.int64)
    for i, what in enumerate(HELD_OR_DECLARED):
        for seat in range(4):
            bits = part[f"{what}{seat}"].astype(np.int64) & _PATTERNS - 1
            role = role_of(seat, part["dealer"]).astype(np.int64)
            counts[i, seat] = np.bincount(role * _PATTERNS + bits, minlength=4 * _PATTERNS)
    return counts.reshape(2, 4, 4, _PATTERNS)


def _by_policy(specs: Sequence[str], counts: Counts, hands: int, level: float) -> Rows:
    """A policy has a role in some of the hands only: n are those. At one seat at most in each."""
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


def _count_points(part: Part) -> Counts:
    """Hands by role and points declared: shape (4, _MOST_POINTS)."""
    points = by_role(part, "declared_points")
    return np.array([np.bincount(of_role, minlength=_MOST_POINTS) for of_role in points])


def _points(counts: Counts, hands: int, level: float) -> Rows:
    for points in np.flatnonzero(counts.sum(axis=0)).tolist():
        for role, of_role in zip(ROLES, counts, strict=True):
            yield {"role": role, "points": points}, proportion(of_role[points], hands, level)


def _mean_points(counts: Counts, hands: int, level: float) -> Rows:
    points = np.arange(_MOST_POINTS)
    if hands >= 2:
        for role, of in zip(ROLES, counts, strict=True):
            yield {"role": role}, mean_of(of @ points, of @ points**2, hands, level)


# ---- captured, and inside tricks ------------------------------------------------------------


def _count_captured(rules: RuleSet, part: Part) -> Counts:
    """Hands by side, whether it deals, and bits of its pile: shape (2, 2, _PATTERNS)."""
    pile0 = part["won0"]
    piles = pile0, pile0 ^ np.uint64(rules.cards.all)
    return _count_by_side(part, [score_sets(pile, rules).kinds for pile in piles])


def _count_in_tricks(rules: RuleSet, part: Part) -> Counts:
    """The same, of what a side scores inside any of its tricks."""
    kinds = np.zeros((2, len(part["dealer"])), np.uint16)
    for side, cards in tricks(part["plays"], part["first_trick_leader"], rules):
        found = score_sets(cards, rules).kinds
        for of in range(2):
            kinds[of] |= np.where(side == of, found, np.uint16(0))
    return _count_by_side(part, kinds)


def _count_by_side(part: Part, kinds: Iterable[np.ndarray]) -> Counts:
    counts = np.empty((2, 2 * _PATTERNS), np.int64)
    for side, bits in enumerate(kinds):
        deals = (part["dealer"] % 2 == side).astype(np.int64)
        counts[side] = np.bincount(deals * _PATTERNS + bits, minlength=2 * _PATTERNS)
    return counts.reshape(2, 2, _PATTERNS)


def _by_captor(what: str, counts: Counts, hands: int, level: float) -> Rows:
    events = _captors(_kinds(counts))
    for kind, combination in enumerate(KINDS):
        for captor, found in zip(CAPTORS, events, strict=True):
            told = {"combination": combination, "role": captor, "what": what}
            yield told, proportion(found[kind], hands, level)


def _captors(counts: Counts) -> Counts:
    """Counts by side and whether it deals as counts by who captures."""
    return np.concatenate([counts.sum(axis=0)[::-1], counts.sum(axis=1)])


def _count_any_in_tricks(part: Part) -> Counts:
    """Hands by side and whether it deals in which it scores inside a trick: shape (2, 2, 1)."""
    counts = np.zeros((2, 2, 1), np.int64)
    for side in range(2):
        deals = part["dealer"] % 2 == side
        scores = part[f"trick_points{side}"] > 0
        counts[side, :, 0] = (scores & ~deals).sum(), (scores & deals).sum()
    return counts


def _any_in_tricks(counts: Counts, hands: int, level: float) -> Rows:
    for captor, [events] in zip(CAPTORS, _captors(counts), strict=True):
        told = {"combination": "any", "role": captor, "what": "in_tricks"}
        yield told, proportion(events, hands, level)
