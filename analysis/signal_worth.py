"""What signals are worth: points a hand on common deals, and bits told. STRATEGY C21."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

from analysis.estimates import Estimate, check_level
from analysis.margins import PLAYS, play_margins, points
from analysis.moments import Moments
from analysis.signal_bits import bits_told
from sim.hands import LARGEST_SEED
from sim.manifests import LARGEST_RUN
from sim.policies.spec import parse_policies, parse_policy
from sim.rows import Rows
from sim.rules import RuleSet
from sim.signals import SILENCE

MOST_TOLD = 1_000_000  # hands of statements: more would take weeks
MARGIN = 1.0  # points a hand: within it a claim makes no difference


class SignalWorthError(ValueError):
    """The worth of signals was asked for where it cannot be had."""


@dataclass(frozen=True, eq=False)
class SignalWorth:
    """What signals are worth, all in points a hand unless said otherwise.

    Attributes
    ----------
    alone, left_out
        By signal: what a side gains by that one only, and what it loses without that one.
    all, overheard, both
        A side that signals over one that neither signals nor listens, and over one that listens;
        and what each side scores more where both signal.
    bits
        By statement made: what it tells partner, in bits, mean over uses.
    all_at_90
        ``all`` by its own interval of 90 %, for the verdict.
    """

    rules: RuleSet
    policy: str
    seed: int
    blocks: int
    told_hands: int
    alone: dict[str, Estimate]
    left_out: dict[str, Estimate]
    all: Estimate
    overheard: Estimate
    both: Estimate
    bits: dict[str, Estimate]
    all_at_90: Estimate

    @property
    def verdict(self) -> str:
        """On C21, signals help, in the words of the house."""
        if self.all_at_90.low > -MARGIN and self.all_at_90.high < MARGIN:
            return "makes no difference"
        if self.all.low > 0:  # by signals a side may gain, and yet lose if its opponents listen
            return "depends on the players" if self.overheard.high < 0 else "holds"
        return "fails" if self.all.high < 0 else "undecided"

    def table(self) -> pd.DataFrame:
        """One row a signal, first ``all``: ``alone`` and ``left_out`` in points, ``bits``.

        Each has its mean, and columns ``_low`` and ``_high``; NaN where there is none.
        """
        alone = {"all": self.all, **self.alone}
        columns = {"alone": alone, "left_out": self.left_out, "bits": self.bits}
        rows: list[dict[str, Any]] = []
        for signal in alone:
            row: dict[str, Any] = {"signal": signal}
            for name, found in columns.items():
                estimate = found.get(signal)
                row[name] = estimate.mean if estimate else np.nan
                row[f"{name}_low"] = estimate.low if estimate else np.nan
                row[f"{name}_high"] = estimate.high if estimate else np.nan
            rows.append(row)
        return pd.DataFrame(rows)

    @property
    def told(self) -> str:
        """How it was found, for captions."""
        return (
            f"Rules {self.rules.told} · {self.policy} at all seats, a side that signals against "
            f"one that neither does nor listens, the same deals · {self.blocks:,} blocks "
            f"({PLAYS * self.blocks:,} hands) for each · seed {self.seed} · "
            f"{100 * self.all.level:g} % intervals, those of points all together, max-|t| · "
            f"bits: {self.told_hands:,} hands, each interval on its own"
        )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        by_signal = {
            name: {
                "alone": self.alone[name].to_dict(),
                "left_out": self.left_out[name].to_dict(),
                "bits": self.bits[name].to_dict() if name in self.bits else None,
            }
            for name in self.alone
        }
        return {
            "rules": self.rules.name,
            "conventions": self.rules.signals.to_dict(),
            "policies": [self.policy],
            "signals": by_signal,
            "all": self.all.to_dict(),
            "overheard": self.overheard.to_dict(),
            "both": self.both.to_dict(),
            "seed": self.seed,
            "blocks": self.blocks,
            "verdict": {"C21": self.verdict},
        }


def signal_worth(
    rules: RuleSet,
    policy: str = "expert",
    hands: int = 20_000,
    *,
    told_hands: int = 40,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> SignalWorth:
    """Play a policy with signals against itself without, on the same deals.

    Parameters
    ----------
    rules
        The game, with the conventions to be judged in force.
    policy
        Its play and signal parts have ``signals`` and its signal part ``use``, as ``expert`` has.
    hands
        For each pair, rounded up to whole blocks of 8; at least two blocks.
    told_hands
        Hands in which statements are counted for bits: 1 to ``MOST_TOLD``.
    seed, threads, progress
        As in ``analysis.margins.play_margins``.
    level
        That all intervals of points together hold, and each of bits by itself.

    Raises SignalWorthError if no signals are in force, the policy has none to switch off, or a
    number is out of bounds.
    Source: RULES §6, §7; STRATEGY C21.
    """
    check_level(level)
    by_bit = rules.signals.by_bit(rules.pack)
    if rules.signals == SILENCE:
        raise SignalWorthError("no signals are in force: expected --signals all or names")
    if not 2 * PLAYS <= hands <= LARGEST_RUN:
        raise SignalWorthError(f"{hands} hands a pair: expected {2 * PLAYS} to {LARGEST_RUN}")
    blocks = range(-(-hands // PLAYS))
    if not 0 <= seed <= LARGEST_SEED:
        raise SignalWorthError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    if not 1 <= told_hands <= MOST_TOLD:
        raise SignalWorthError(f"{told_hands} hands of statements: expected 1 to {MOST_TOLD}")
    total = sum(1 << bit for bit in by_bit)
    speaks = parse_policy(policy)
    if not {"signals", "use"} <= set(speaks.signal.parameters) or (
        "signals" not in speaks.play.parameters
    ):
        raise SignalWorthError(
            f"{policy} has no signals to switch off: expected a signal part with the parameters "
            "signals and use (club), and a play part with signals (expert)"
        )
    mute = speaks.with_part(speaks.signal.with_parameters({"signals": 0}))
    deaf = mute.with_part(speaks.play.with_parameters({"signals": 0}))

    def using(bits: int) -> Any:
        return speaks.with_part(speaks.signal.with_parameters({"use": float(bits)}))

    pairs = [(using(total), deaf), (using(total), mute)]
    pairs += [(using(1 << bit), deaf) for bit in by_bit]
    pairs += [(using(total ^ 1 << bit), deaf) for bit in by_bit]
    played = play_margins(
        rules, pairs, seed, blocks, points, threads=threads, progress=progress
    ).moments
    n = len(by_bit)
    weights = np.eye(2 + 2 * n, dtype=np.int64)
    weights[2 + n :] *= -1
    weights[2 + n :, 0] = 1  # all, less all but that one
    found = played.combined(weights).estimates(PLAYS, level)
    first = played.combined(weights[:1]).estimates(PLAYS, 0.90)[0]
    same = [(using(total), using(total)), (deaf, deaf)]
    scores: Moments = play_margins(
        rules, same, seed, blocks, _own_points, threads=threads, progress=progress
    ).moments
    both = scores.combined(np.array([[1, -1]])).estimates(PLAYS, level)[0]
    names = [signal.name for signal in by_bit.values()]
    return SignalWorth(
        rules=rules,
        policy=policy,
        seed=seed,
        blocks=len(blocks),
        told_hands=told_hands,
        alone=dict(zip(names, found[2 : 2 + n], strict=True)),
        left_out=dict(zip(names, found[2 + n :], strict=True)),
        all=found[0],
        overheard=found[1],
        both=both,
        bits=_bits(rules, policy, seed, told_hands, level),
        all_at_90=first,
    )


def _own_points(rows: Rows, side: int) -> np.ndarray:
    """The points of a side."""
    return rows.score[side].astype(np.int64)


def _bits(rules: RuleSet, policy: str, seed: int, hands: int, level: float) -> dict[str, Estimate]:
    """What each statement tells, mean over uses: a ratio of sums over deals, normal interval."""
    told: dict[str, np.ndarray] = defaultdict(lambda: np.zeros((2, hands)))
    for hand in range(hands):
        for name, bits in bits_told(rules, parse_policies(policy), seed, hand):
            told[name][:, hand] += bits, 1
    quantile, found = NormalDist().inv_cdf((1 + level) / 2), {}
    for name, (bits, uses) in told.items():
        mean = bits.sum() / uses.sum()
        error = sqrt(((bits - mean * uses) ** 2).sum() * hands / max(hands - 1, 1)) / uses.sum()
        half = quantile * float(error)
        found[name] = Estimate(
            float(mean), float(mean) - half, float(mean) + half, hands, "deal", level, "ratio"
        )
    return found
