"""Tables behind the strategy charts that no other file makes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.margins import PLAYS, play_margins, points
from analysis.moments import Moments
from analysis.totals import total
from sim.combinations import score_sets
from sim.hands import play_hands
from sim.players import compiled
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies, parse_policy
from sim.rows import Rows
from sim.rules import OTTOCENTO, RuleSet

PART = 5_000  # deals
THRESHOLDS = 20, 40, 60


def middle_trumps(
    policy: str | Policy = "expert",
    rules: RuleSet = OTTOCENTO,
    deals: int = 100_000,
    *,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """What each numbered trump in a side's pile does to the Grande, the other's and its own.

    Parameters
    ----------
    policy, rules, deals, seed
        Of all seats; a game with combinations; how many deals, and 0 to 2^64 - 1.
    threads, progress
        As in ``sim.run.map_parts``; the table does not depend on the threads.
    level
        That all intervals of the table hold together (``max-t``).

    Returns
    -------
    DataFrame
        Two rows for each trump from 16 down to 5: ``card``; ``what``, ``breaking`` (points that the
        other pile's sequences would score more had it the card too) or ``making`` (points that
        its own pile's score less without it), doubling included; ``mean``, ``low``, ``high``,
        points a hand, and ``n``, ``unit``, ``level``, ``method``. Nothing is replayed; Grande is
        the only combination that uses these cards.

    Source: RULES §4; STRATEGY C9.
    """
    seats, pack = parse_policies(policy), rules.cards
    names = [f"T{number}" for number in range(16, 4, -1)]
    compiled(seats)  # here, not in several threads

    def play(part: range) -> Moments:
        return Moments.of(
            _grande_points(
                play_hands(rules, seats, seed, part[0], len(part)),
                rules,
                [pack.names.index(name) for name in names],
            )
        )

    found = total(play, deals, PART, threads=threads, progress=progress)
    told = [(name, what) for what in ("breaking", "making") for name in names]
    return pd.DataFrame(
        {"card": name, "what": what, **each.to_dict()}
        for (name, what), each in zip(told, found.estimates(1, level, "deal"), strict=True)
    )


def _grande_points(rows: Rows, rules: RuleSet, cards: Sequence[int]) -> NDArray[np.int64]:
    """Of each card, how it breaks the other pile's sequences, then how it makes its own: (m, n)."""

    def sequences(pile: NDArray[np.int64]) -> NDArray[np.int64]:
        return score_sets(pile.astype(np.uint64), rules).sequences.astype(np.int64)

    breaking, making = [], []
    for card in cards:
        bit = np.int64(1) << card
        own = np.where(rows.won0 & bit, rows.won0, rows.won0 ^ rules.cards.all)
        other = own ^ rules.cards.all
        breaking.append(sequences(other | bit) - sequences(other))
        making.append(sequences(own) - sequences(own & ~bit))
    return np.array(breaking + making)


def part_margins(
    kind: str,
    names: Sequence[str],
    policy: str | Policy = "expert",
    rules: RuleSet = OTTOCENTO,
    hands: int = 100_000,
    *,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """What a side wins by taking another part of one kind, against the policy as it is.

    Parameters
    ----------
    kind
        ``discard``, ``declare``, ``lead``, …
    names
        Parts as in a SPEC: ``hide(threshold=20)``.
    policy, rules
        The base, and the game.
    hands
        For each part, rounded up to whole blocks of 8, two at least.
    seed, level
        0 to 2^64 - 1; of all intervals together (``max-t``).
    threads, progress
        As in ``sim.parts.map_parts``.

    Returns
    -------
    DataFrame
        ``part``, and ``mean``, ``low``, ``high`` of points a hand, ``n`` (blocks), ``unit``,
        ``level``, ``method``, and ``separated``.

    Raises PolicyError for a policy or part that cannot be had.
    """
    base = policy if isinstance(policy, Policy) else parse_policy(policy)
    pairs = [
        (base.with_part(parse_policy(f"simple+{kind}:{name}").parts[kind]), base) for name in names
    ]
    blocks = range(max(2, -(-hands // PLAYS)))
    margins = play_margins(rules, pairs, seed, blocks, points, threads=threads, progress=progress)
    return pd.DataFrame(
        {
            "part": name,
            **each.to_dict(),
            "separated": not each.low <= 0 <= each.high,
        }
        for name, each in zip(names, margins.moments.estimates(PLAYS, level), strict=True)
    )
