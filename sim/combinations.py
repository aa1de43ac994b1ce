"""Combinations and card points of any set of cards, of one in full or of many. RULES §3, §4, §7."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.cards import CardError, indices, parse_cards
from sim.kernels.combinations import (
    CRICCA_CARDS,
    CRICCHE,
    KINDS,
    _combinations,
    _cricche,
    _lengths,
    _sequence_points,
)
from sim.kernels.rules_record import rules_record
from sim.kernels.settlement import _doubled_card_points, _score_sets
from sim.rules import OTTOCENTO, RuleSet


class Cricca(NamedTuple):
    """A cricca: its cards, three or four, and its points before doubling."""

    cards: int
    points: int


class Sequence(NamedTuple):
    """A sequence: its length, contatori included, and its points before doubling."""

    length: int
    points: int


@dataclass(frozen=True)
class Score:
    """What one set of cards holds and is worth.

    ``cricche`` and ``sequences`` have the combinations present, by kind in the order of ``KINDS``;
    ``cricche_points`` and ``sequence_points`` are their sums, doubled from three on;
    ``card_points`` leave out the last trick.
    """

    rules: RuleSet
    cards: int
    cricche: dict[str, Cricca]
    sequences: dict[str, Sequence]
    cricche_points: int
    sequence_points: int
    card_points: float

    @property
    def total(self) -> int:
        """Points of all combinations."""
        return self.cricche_points + self.sequence_points

    def to_dict(self) -> dict[str, Any]:
        """The score ready for JSON: cards by name, half points as ``.5``, others whole."""
        pack, points = self.rules.cards, self.card_points
        return {
            "rules": self.rules.name,
            "cards": [pack.names[card] for card in indices(self.cards)],
            "cricche": {kind: found._asdict() for kind, found in self.cricche.items()},
            "cricche_points": self.cricche_points,
            "sequences": {kind: found._asdict() for kind, found in self.sequences.items()},
            "sequence_points": self.sequence_points,
            "total": self.total,
            "card_points": int(points) if points == int(points) else points,
        }


class SetScores(NamedTuple):
    """What many sets of cards are worth, one element a set."""

    kinds: NDArray[np.uint16]  # combinations present, bit i for KINDS[i]
    cricche: NDArray[np.int16]  # points, doubled from three on
    sequences: NDArray[np.int16]  # points, doubled from three on
    card_points: NDArray[np.float64]  # points, without the last trick


def kind_names(kinds: int) -> list[str]:
    """The combinations that a bit set stands for; bits beyond those of ``KINDS`` are ignored."""
    return [name for bit, name in enumerate(KINDS) if int(kinds) >> bit & 1]


def score(cards: str | int, rules: RuleSet = OTTOCENTO) -> Score:
    """Points of the combinations in a set of cards, as declared or counted at the end.

    Parameters
    ----------
    cards
        Names as in ``"SK SQ Fool"``, or a set (bit ``i`` for card ``i``).
    rules
        The pack, what the contatori may replace, and how cards count; without combinations
        there are none.

    Returns
    -------
    Score
        Each combination present, doubled sums, and card points.

    Raises
    ------
    CardError
        A name is unknown or appears twice, or the set has cards that the pack lacks.

    Source: RULES §3, §4, §7.
    """
    pack, record = rules.cards, rules_record(rules)
    if isinstance(cards, str):
        cards = parse_cards(cards, pack)
    cards = _within_pack(int(cards), rules)
    cricche: dict[str, Cricca] = {}
    sequences: dict[str, Sequence] = {}
    doubled = 0, 0
    if rules.combinations:
        points = zip(KINDS[:CRICCHE], CRICCA_CARDS, _cricche(cards), strict=True)
        cricche = {kind: Cricca((cards & of).bit_count(), n) for kind, of, n in points if n}
        lengths = zip(KINDS[CRICCHE:], _lengths(cards, record), strict=True)
        sequences = {kind: Sequence(n, _sequence_points(n)) for kind, n in lengths if n}
        doubled = _combinations(cards, record)[1:]
    return Score(
        rules, cards, cricche, sequences, *doubled, _doubled_card_points(cards, record) / 2
    )


def score_sets(masks: ArrayLike, rules: RuleSet = OTTOCENTO) -> SetScores:
    """Combinations and card points of many sets of cards, compiled and without the GIL.

    Parameters
    ----------
    masks
        Sets of cards, uint64 (n,), bit ``i`` for card ``i``.
    rules
        As for ``score``.

    Returns
    -------
    SetScores
        Arrays of shape (n,).

    Raises
    ------
    CardError
        The sets are no whole numbers of shape (n,), or one has cards that the pack lacks.

    Source: RULES §3, §4, §7.
    """
    given = np.asarray(masks)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise CardError(
            f"sets of cards as {given.dtype} of shape {given.shape}: expected uint64 of shape (n,)"
        )
    sets = np.ascontiguousarray(given, np.uint64)
    _within_pack(int(np.bitwise_or.reduce(sets)), rules)
    n = len(sets)
    scores = SetScores(
        np.empty(n, np.uint16), np.empty(n, np.int16), np.empty(n, np.int16), np.empty(n)
    )
    _score_sets(sets.view(np.int64), rules_record(rules), *scores)
    return scores


def _within_pack(cards: int, rules: RuleSet) -> int:
    if cards < 0 or cards & ~rules.cards.all:
        raise CardError(
            f"the set {cards} has cards beyond the {rules.pack} pack: "
            f"expected bits 0 to {rules.cards.size - 1}"
        )
    return cards
