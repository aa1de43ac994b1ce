"""What a dealer keeps after his discard: it depends on his policy, so it is simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.estimates import Estimate, mean_of, proportion
from analysis.odds import OddsError
from analysis.situations import Situation
from sim.cards import indices
from sim.combinations import KINDS, score_sets
from sim.kernels.discard import _discard
from sim.kernels.rules_record import rules_record
from sim.kernels.state import FAULT, HIDDEN, empty_table, records
from sim.players import compiled
from sim.policies.policy import weights_of
from sim.policies.spec import parse_policies

POLICY = "simple"


@dataclass(frozen=True)
class Kept:
    """Estimates of what a dealer holds after his discard; each hand is a deal of its own.

    ``combinations`` has, for each of the 12, how often he holds it; ``points`` is the mean of all
    combinations, doublings included.
    """

    seed: int
    combinations: dict[str, Estimate]
    nothing: Estimate
    points: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "policy": POLICY,
            "seed": self.seed,
            "combinations": {kind: found.to_dict() for kind, found in self.combinations.items()},
            "nothing": self.nothing.to_dict(),
            "points": self.points.to_dict(),
        }


def kept_by_dealer(
    situation: Situation, hands: int = 20_000, seed: int = 1, level: float = 0.95
) -> Kept:
    """What a dealer holds after discarding as ``POLICY`` does, dealt hands of the situation.

    Parameters
    ----------
    situation
        Of a dealer's hand as dealt: 17 cards.
    hands
        How many are drawn and discarded from, at least 2.
    seed
        Of the draw.
    level
        Of each interval on its own.

    Returns
    -------
    Kept
        Probabilities (Wilson, Clopper-Pearson) and mean points (Student), the unit a deal.

    Raises
    ------
    OddsError
        The hand has another number of cards, or the rules have no combinations.
    ValueError
        A level out of bounds.

    Source: RULES §3, §4.
    """
    rules = situation.rules
    dealt = rules.cards.hand_size + rules.discards
    if situation.n != dealt or not rules.combinations:
        raise OddsError(
            f"what a dealer keeps of {situation.n} cards under {rules.name}: expected {dealt}, and "
            "rules with combinations"
        )
    kept = _after_discard(situation, random_hands(situation, hands, seed), seed)
    found = score_sets(kept, rules)
    points = (found.cricche + found.sequences).astype(np.int64)
    held = {kind: int((found.kinds >> bit & 1).sum()) for bit, kind in enumerate(KINDS)}
    return Kept(
        seed,
        {kind: proportion(events, hands, level) for kind, events in held.items()},
        proportion(int((found.kinds == 0).sum()), hands, level),
        mean_of(int(points.sum()), int((points**2).sum()), hands, level),
    )


def random_hands(situation: Situation, hands: int, seed: int) -> NDArray[np.uint64]:
    """Hands of a situation drawn at random, all equally likely: sets, uint64 (hands,)."""
    rng = np.random.default_rng(seed)
    drawn = np.full(hands, situation.hold, np.uint64)
    for free, draw in situation.groups.values():
        cards = np.uint64(1) << np.array([*indices(free)], np.uint64)
        if draw:
            chosen = rng.random((hands, len(cards))).argsort(axis=1)[:, :draw]
            drawn |= np.bitwise_or.reduce(cards[chosen], axis=1)
    return drawn


def _after_discard(
    situation: Situation, hands: NDArray[np.uint64], seed: int
) -> NDArray[np.uint64]:
    """The hands without what the dealer, at seat 0, discards from each."""
    policies = parse_policies([POLICY])
    argument, weights = compiled(policies), weights_of(tuple(policies))
    rules = rules_record(situation.rules)
    hidden, fault = records(HIDDEN, 1)[0], records(FAULT, 1)[0]
    table, keys = empty_table(), np.random.default_rng([seed, 1])
    table.dealer = 0
    kept = np.empty_like(hands)
    for i, hand in enumerate(hands):
        hidden.hands[0], hidden.discard = int(hand), 0
        hidden.key = keys.integers(2**64, dtype=np.uint64)
        kept[i] = int(hand) ^ _discard(argument, weights, table, hidden, rules, fault)
    return kept
