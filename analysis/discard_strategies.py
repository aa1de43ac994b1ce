"""Ways to discard compared on the same deals, over all of them and by kind of hand. C5 to C10."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.estimates import check_level
from analysis.moments import Moments
from sim.hands import Rows, compiled, play_hands
from sim.kernels.state import rules_record
from sim.parts import map_parts
from sim.policies.policy import Policy
from sim.policies.spec import PARTS, parse_policy
from sim.rules import OTTOCENTO, RuleSet

DISCARDS = ("void", "courts", "pips", "combine", "pisarri", "low")
PART = 5000  # deals


class Bands(NamedTuple):
    """A number that a hand has, cut into bands at the lowest number of each."""

    title: str
    starts: tuple[int, ...]

    @property
    def names(self) -> list[str]:
        """``0-5``, ``6-8``, …; the last is open."""
        ends = [start - 1 for start in self.starts[1:]]
        closed = zip(self.starts, ends, strict=False)
        names = [str(low) if low == high else f"{low}-{high}" for low, high in closed]
        return [*names, f"{self.starts[-1]}+"]


# The strength is that by which ``pisarri`` judges: what it calls weak, and strong, are the ends.
KINDS_OF_HAND = {
    "strength": Bands("trumps and Fool, and once more each Honour and King", (0, 6, 9, 12)),
    "trumps": Bands("trumps, the Fool aside", (0, 4, 6, 8)),
    "voids": Bands("suits of one or two cards without a King", (0, 1, 2)),
}


def hand_numbers(hands: NDArray[np.int64], rules: RuleSet) -> dict[str, NDArray[np.int64]]:
    """What ``KINDS_OF_HAND`` counts in the dealer's hands before the discard.

    Parameters
    ----------
    hands
        Sets of cards, int64 (n,).
    rules
        The game.

    Returns
    -------
    dict
        int64 (n,) by the names of ``KINDS_OF_HAND``.
    """
    record = rules_record(rules)
    trumps = np.bitwise_count(hands & record.trumps).astype(np.int64)
    fool = np.bitwise_count(hands & record.fool)
    precious = np.bitwise_count(hands & (record.honours | record.kings))
    voids = np.zeros(len(hands), np.int64)
    for suit in record.suits[:4]:
        held = np.bitwise_count(hands & suit)
        voids += (held >= 1) & (held <= 2) & (hands & suit & record.kings == 0)
    return {"strength": trumps + fool + precious, "trumps": trumps, "voids": voids}


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
    players = [(replace(base, discard=PARTS["discard"][name]),) * 4 for name in discards]
    for seats in players:
        compiled(seats)  # here, not in several threads

    def play(part: range) -> dict[tuple[str, str], Moments]:
        rows = [play_hands(rules, seats, seed, part[0], len(part)) for seats in players]
        return _by_band(rows, rules)

    parts = [range(i, min(i + PART, deals)) for i in range(0, deals, PART)]
    sums: dict[tuple[str, str], Moments] = {}
    for _, more in map_parts(play, parts, threads=threads, progress=progress, unit="deals"):
        for band, moments in more.items():
            sums[band] = sums[band] + moments if band in sums else moments
    return _table(base.spec, discards, sums, deals, level)


def _by_band(rows: Sequence[Rows], rules: RuleSet) -> dict[tuple[str, str], Moments]:
    """Sums by kind of hand and band of what the dealer's side wins, one quantity a discard."""
    dealer = rows[0].dealer
    hands = rows[0].hand[dealer, np.arange(len(dealer))]
    sign = np.where(dealer % 2 == 0, 1, -1)
    won = np.array([sign * (each.score[0].astype(np.int64) - each.score[1]) for each in rows])
    sums = {("all", ""): Moments.of(won)}
    for by, numbers in hand_numbers(hands, rules).items():
        bands = KINDS_OF_HAND[by]
        which = np.searchsorted(bands.starts, numbers, side="right") - 1
        for i, name in enumerate(bands.names):
            sums[by, name] = Moments.of(won[:, which == i])
    return sums


def _table(
    policy: str,
    discards: Sequence[str],
    sums: dict[tuple[str, str], Moments],
    deals: int,
    level: float,
) -> pd.DataFrame:
    pairs = list(combinations(range(len(discards)), 2))
    one = np.eye(len(discards), dtype=np.int64)
    differences = np.array([one[i] - one[j] for i, j in pairs])
    each_level = 1 - (1 - level) / len(sums)
    rows: list[dict[str, Any]] = []
    for (by, band), moments in sums.items():
        if moments.n < 2:
            continue
        found = moments.combined(differences).estimates(1, each_level, "deal")
        for (i, j), each in zip(pairs, found, strict=True):
            rows.append(
                {
                    "policy": policy,
                    "by": by,
                    "band": band,
                    "deals": moments.n,
                    "share": moments.n / deals,
                    "discard": discards[i],
                    "over": discards[j],
                    **each.to_dict(),
                    "level": level,
                }
            )
    return pd.DataFrame(rows)
