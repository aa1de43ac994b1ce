"""A card moved to the other side at the end, and the piles counted again: nothing is replayed.

It is another quantity than the exchange value: the play went as it went. STRATEGY C1, C3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.estimates import Estimate, proportion
from analysis.exchanges import group_weights
from analysis.margins import points
from analysis.moments import Moments
from sim.combinations import score_sets
from sim.rows import Rows
from sim.rules import RuleSet

# Effects are counted in half points, as they are: no card moves so many.
MOST = 4000
QUANTILES = 0.5, 0.9, 0.99


def pile_points(won0: NDArray[Any], rules: RuleSet) -> NDArray[np.int64]:
    """Twice the points of side 0's pile less those of the rest of the pack: int64 (n,).

    Combinations and card points, for piles of any size. Source: RULES §3, §4, §7.
    """
    pile = won0.astype(np.uint64)
    own, other = (score_sets(each, rules) for each in (pile, rules.cards.all ^ pile))
    of_each = (
        2 * (each.cricche.astype(np.int64) + each.sequences)
        + (2 * each.card_points).astype(np.int64)
        for each in (own, other)
    )
    return next(of_each) - next(of_each)


@dataclass(frozen=True, eq=False)
class Moved:
    """What moving a card costs the side that has it, counted over hands.

    Attributes
    ----------
    effects
        Moments, in half points, of each card of the pack.
    counts
        Hands by card and half points: int64 (cards, MOST).
    turned
        Hands that the other side wins once that card is moved: int64 (cards,).
    any_turned
        Hands that some card alone would turn.
    """

    effects: Moments
    counts: NDArray[np.int64]
    turned: NDArray[np.int64]
    any_turned: int

    @classmethod
    def of(cls, rows: Rows, rules: RuleSet) -> Moved:
        """Each card of each hand moved by itself. Source: STRATEGY C3."""
        size, won0 = rules.cards.size, rows.won0.astype(np.int64)
        bits = np.int64(1) << np.arange(size, dtype=np.int64)[:, None]
        owner = np.where(won0 & bits, 1, -1)
        after = pile_points((won0 ^ bits).ravel(), rules).reshape(size, -1)
        effects = owner * (pile_points(won0, rules) - after)
        margin = owner * 2 * points(rows, 0)
        turned = (margin > 0) & (margin < effects)
        counts = [np.bincount(each, minlength=MOST) for each in effects]
        return cls(
            Moments.of(effects), np.array(counts), turned.sum(axis=1), int(turned.any(axis=0).sum())
        )

    def __add__(self, other: Moved) -> Moved:
        return Moved(
            self.effects + other.effects,
            self.counts + other.counts,
            self.turned + other.turned,
            self.any_turned + other.any_turned,
        )

    def means(self, level: float, groups: Sequence[Sequence[int]]) -> list[Estimate]:
        """Mean effect of a card of each group, in points, all intervals together."""
        weights, whole = group_weights(groups, len(self.turned))
        return self.effects.combined(weights).estimates(2 * whole, level, "deal")

    def turns(self, card: int, level: float) -> Estimate:
        """How often the card, moved, gives the hand to the other side."""
        return proportion(int(self.turned[card]), self.effects.n, level)

    def any_turns(self, level: float) -> Estimate:
        """How often some card, moved alone, gives the hand to the other side."""
        return proportion(self.any_turned, self.effects.n, level)

    def quantiles(self, card: int) -> dict[str, float]:
        """Of the card's effect, in points, those of ``QUANTILES``."""
        upto = self.counts[card].cumsum() / self.effects.n
        return {f"{q:g}": int(np.searchsorted(upto, q)) / 2 for q in QUANTILES}
