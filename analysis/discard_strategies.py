"""Ways to discard compared on the same deals, over all of them and by kind of hand. C5 to C10."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.discard_kinds import KINDS_OF_HAND, MOST_COURTS, SUITS, hand_kinds, hand_numbers
from analysis.estimates import Estimate, check_level
from analysis.exchanges import side_sign
from analysis.margins import points
from analysis.moments import Moments
from analysis.totals import FEW, ByKind, total
from sim.hands import play_hands
from sim.players import compiled
from sim.policies.policy import Policy
from sim.policies.spec import PARTS, parse_policy
from sim.rules import OTTOCENTO, RuleSet

DISCARDS = ("void", "courts", "pips", "combine", "pisarri", "low")
MAIN_DISCARDS = DISCARDS[:3]
PART = 5000  # deals

K = TypeVar("K")
# Of dealers' hands, sets int64 (n,): for each kind, which of them are of it, bool (n,).
Kinds = Callable[[NDArray[np.int64]], Mapping[K, NDArray[np.bool_]]]


def compare_discards(
    policy: str | Policy = "expert",
    rules: RuleSet = OTTOCENTO,
    deals: int = 100_000,
    *,
    discards: Sequence[str] = DISCARDS,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Play the same deals with the dealer discarding in several ways, all else alike.

    Parameters
    ----------
    policy
        Of all seats, the discard aside.
    rules, deals, seed
        The game, how many deals, the dealer rotating, and 0 to 2^64 - 1.
    discards
        Names of discard parts, two or more.
    level
        That all intervals of the table hold together.
    threads, progress
        As in ``sim.parts.map_parts``; the table does not depend on the threads.

    Returns
    -------
    DataFrame
        A row for each pair of discards in each kind of hand: ``policy``; ``by`` (``all`` or a name
        of ``KINDS_OF_HAND``) and ``band``; ``deals`` in it, and their ``share``; ``discard`` and
        ``over``; and ``mean, low, high, n, unit, level, method`` of the points a hand, dealer's
        side less the other, that the one discard wins more than the other. Intervals of a band are
        ``max-t`` over its pairs, Bonferroni over the bands. Bands of fewer than 2 deals are left
        out.

    Raises
    ------
    ValueError
        Fewer than two discards or deals, an unknown part, or a level out of bounds.
    PolicyError
        A policy that cannot be had.

    Source: STRATEGY C5 to C10; HOUSE of this project, numbers.
    """
    check_level(level)
    unknown = [name for name in discards if name not in PARTS["discard"]]
    if unknown or len(discards) < 2:
        known = ", ".join(PARTS["discard"])
        raise ValueError(f"discards {', '.join(discards)}: expected two or more of {known}")
    if deals < 2:
        raise ValueError(f"{deals} deals: expected at least 2")
    base = policy if isinstance(policy, Policy) else parse_policy(policy)

    def kinds(hands: NDArray[np.int64]) -> dict[tuple[str, str], NDArray[np.bool_]]:
        found = {("all", ""): np.ones(len(hands), bool)}
        for by, numbers in hand_numbers(hands, rules).items():
            bands = KINDS_OF_HAND[by]
            which = np.searchsorted(bands.starts, numbers, side="right") - 1
            found |= {(by, name): which == i for i, name in enumerate(bands.names)}
        return found

    sums = _won_by_kind(base, rules, deals, discards, kinds, seed, threads, progress)
    rows = [
        {
            "policy": base.spec,
            "by": by,
            "band": band,
            "deals": moments.n,
            "share": moments.n / deals,
            "discard": discards[i],
            "over": discards[j],
            **each.to_dict(),
            "level": level,
        }
        for (by, band), moments in sums.items()
        if moments.n >= 2
        for (i, j), each in _over_each_other(moments, 1 - (1 - level) / len(sums)).items()
    ]
    return pd.DataFrame(rows)


def discards_by_kind(
    policy: str | Policy = "expert",
    rules: RuleSet = OTTOCENTO,
    deals: int = 100_000,
    *,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Which of ``MAIN_DISCARDS`` does best with each kind of dealer's hand, on the same deals.

    Parameters
    ----------
    policy
        Of all seats, the discard aside.
    rules, deals, seed
        The game, how many deals, the dealer rotating, and 0 to 2^64 - 1.
    level
        Of the whole table: ``max-t`` over the pairs of discards, Bonferroni over kinds of hand.
    threads, progress
        As in ``sim.run.map_parts``; the table does not depend on the threads.

    Returns
    -------
    DataFrame
        A row for each kind: ``suits``, ``courts``, ``share`` of deals; the ``best`` discard, the
        ``second``, and ``mean``, ``low``, ``high`` of what the best wins more, points a hand;
        ``n``, ``unit``, ``level``, ``method``; ``separated``, whether the interval leaves out 0.
        Kinds of fewer than ``FEW`` deals are left out.

    Raises PolicyError for a policy that cannot be had. Source: STRATEGY C5, C6, C8.
    """
    base = policy if isinstance(policy, Policy) else parse_policy(policy)

    def kinds(hands: NDArray[np.int64]) -> dict[tuple[int, int], NDArray[np.bool_]]:
        suits, courts = hand_kinds(hands, rules)
        return {
            (i, j): (suits == i) & (courts == j)
            for i in range(len(SUITS))
            for j in range(MOST_COURTS + 1)
        }

    sums = _won_by_kind(base, rules, deals, MAIN_DISCARDS, kinds, seed, threads, progress)
    shown = {kind: each for kind, each in sums.items() if each.n >= FEW}
    rows = [
        {
            "suits": SUITS[suits],
            "courts": f"{courts}+" if courts == MOST_COURTS else str(courts),
            "share": each.n / deals,
            **_best(each, 1 - (1 - level) / len(shown)),
            "level": level,
        }
        for (suits, courts), each in shown.items()
    ]
    columns = ["suits", "courts", "share", "best", "second", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=[*columns, "n", "unit", "method", "separated", "level"])


def _best(of_discards: Moments, level: float) -> dict[str, Any]:
    """The best discard, and by how much it beats the second."""
    first, second = np.argsort(-of_discards.sums.astype(float), kind="stable")[:2].tolist()
    each = _over_each_other(of_discards, level)[min(first, second), max(first, second)]
    low, high = (each.low, each.high) if first < second else (0.0 - each.high, 0.0 - each.low)
    return {
        "best": MAIN_DISCARDS[first],
        "second": MAIN_DISCARDS[second],
        **replace(each, mean=abs(each.mean), low=low, high=high).to_dict(),
        "separated": low > 0,
    }


def _won_by_kind(
    base: Policy,
    rules: RuleSet,
    deals: int,
    discards: Sequence[str],
    kinds: Kinds[K],
    seed: int,
    threads: int | None,
    progress: bool,
) -> ByKind[K]:
    """What the dealer's side wins on the same deals by kind of his hand, one quantity a discard."""
    players = [(replace(base, discard=PARTS["discard"][name]),) * 4 for name in discards]
    for seats in players:
        compiled(seats)  # here, not in several threads

    def play(part: range) -> ByKind[K]:
        rows = [play_hands(rules, seats, seed, part[0], len(part)) for seats in players]
        dealer = rows[0].dealer.astype(np.int64)
        won = np.array([side_sign(dealer) * points(each, 0) for each in rows])
        hands = rows[0].hand[dealer, np.arange(len(dealer))]
        return ByKind({kind: Moments.of(won[:, of_it]) for kind, of_it in kinds(hands).items()})

    return total(play, deals, PART, threads=threads, progress=progress)


def _over_each_other(moments: Moments, level: float) -> dict[tuple[int, int], Estimate]:
    """What each quantity has more than each that comes after it, all intervals together."""
    pairs = list(combinations(range(len(moments.sums)), 2))
    one = np.eye(len(moments.sums), dtype=np.int64)
    differences = np.array([one[i] - one[j] for i, j in pairs])
    found = moments.combined(differences).estimates(1, level, "deal")
    return dict(zip(pairs, found, strict=True))
