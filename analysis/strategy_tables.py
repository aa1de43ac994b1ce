"""Tables behind the strategy charts that no other file makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.margins import PLAYS, play_margins, points
from analysis.moments import Moments
from sim.combinations import score_sets
from sim.hands import Rows, compiled, play_hands
from sim.parts import map_parts
from sim.policies.policy import Policy
from sim.policies.spec import PARTS, parse_policies, parse_policy
from sim.rules import OTTOCENTO, RuleSet

PART = 5_000  # deals
FEW = 100  # deals from which a kind of hand is shown
DISCARDS = "void", "courts", "pips"
# Lengths of the two shortest suits that may be discarded from and hold no King; 3 is 3 or more.
SUITS = ("1 and 1", "1 and 2", "1", "2 and 2", "2", "3+")
MOST_COURTS = 7  # and more
THRESHOLDS = 20, 40, 60


def hand_kinds(hands: NDArray[np.int64], rules: RuleSet) -> NDArray[np.int64]:
    """The kind of each dealer's hand, (n,) sets: int64 (2, n), an index of ``SUITS`` and courts.

    Suits are those without the King; ``1`` and ``2`` have only one suit so short, ``3+`` none.
    Courts are Queens, Cavaliers and Valets, ``MOST_COURTS`` at most.
    """
    pack = rules.cards
    lengths = []
    for suit in pack.suits[:4]:
        held = np.bitwise_count(hands & suit).astype(np.int64)
        may_go = (held > 0) & (hands & suit & pack.rank("K") == 0)
        lengths.append(np.where(may_go, held.clip(max=3), 3))
    first, second = np.sort(np.array(lengths), axis=0)[:2]
    ones, twos = first == 1, first == 2
    kind = np.where(ones, np.minimum(second, 3) - 1, np.where(twos, np.where(second == 2, 3, 4), 5))
    courts = pack.rank("Q") | pack.rank("C") | pack.rank("V")
    return np.stack([kind, np.bitwise_count(hands & courts).astype(np.int64).clip(max=MOST_COURTS)])


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
    """Which of ``DISCARDS`` does best with each kind of dealer's hand, on the same deals.

    Parameters
    ----------
    policy
        Of all seats, the discard aside.
    rules, deals, seed
        The game, how many deals, the dealer rotating, and 0 to 2^64 - 1.
    level
        Of the whole table: ``max-t`` over the pairs of discards, Bonferroni over kinds of hand.
    threads, progress
        As in ``sim.parts.map_parts``; the table does not depend on the threads.

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
    players = [(replace(base, discard=PARTS["discard"][name]),) * 4 for name in DISCARDS]
    for seats in players:
        compiled(seats)  # here, not in several threads

    def play(part: range) -> dict[tuple[int, int], Moments]:
        rows = [play_hands(rules, seats, seed, part[0], len(part)) for seats in players]
        dealer = rows[0].dealer
        sign = np.where(dealer % 2 == 0, 1, -1)
        won = np.array([sign * points(each, 0) for each in rows])
        suits, courts = hand_kinds(rows[0].hand[dealer, np.arange(len(dealer))], rules)
        return {
            (i, j): Moments.of(won[:, (suits == i) & (courts == j)])
            for i in range(len(SUITS))
            for j in range(MOST_COURTS + 1)
        }

    sums: dict[tuple[int, int], Moments] = {}
    for _, more in map_parts(play, _parts(deals), threads=threads, progress=progress, unit="deals"):
        sums = {kind: sums[kind] + each if sums else each for kind, each in more.items()}
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
    pairs, one = list(combinations(range(len(DISCARDS)), 2)), np.eye(len(DISCARDS), dtype=np.int64)
    differences = np.array([one[i] - one[j] for i, j in pairs])
    found = of_discards.combined(differences).estimates(1, level, "deal")
    first, second = np.argsort(-of_discards.sums.astype(float), kind="stable")[:2].tolist()
    each = found[pairs.index((min(first, second), max(first, second)))]
    low, high = (each.low, each.high) if first < second else (0.0 - each.high, 0.0 - each.low)
    told = replace(each, mean=abs(each.mean), low=low, high=high).to_dict()
    return {
        "best": DISCARDS[first],
        "second": DISCARDS[second],
        **told,
        "separated": low > 0,
    }


def _parts(deals: int) -> list[range]:
    return [range(i, min(i + PART, deals)) for i in range(0, deals, PART)]


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
    policy, rules, deals, seed, threads, progress
        As of ``discards_by_kind``; the rules have combinations.
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

    found: Moments | None = None
    for _, more in map_parts(play, _parts(deals), threads=threads, progress=progress, unit="deals"):
        found = more if found is None else found + more
    assert found is not None
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
