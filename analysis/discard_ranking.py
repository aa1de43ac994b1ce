"""The ranking of a dealer's discards: what each wins, how far behind the best, and where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from analysis.discard_search import PAYOFF, Sums, together, with_unseen
from analysis.estimates import Estimate, mean_of, proportion
from analysis.moments import Moments
from analysis.parts import PARTS
from analysis.win_payoff import MILLION, WinPayoff
from sim.cards import format_cards
from sim.manifests import PROGRAM
from sim.policies.policy import Policy
from sim.rules import RuleSet

KEPT = ("pagat", "fool")
# Of ``Place.value``, by payoff.
UNITS = {
    "points": "points a hand, the dealer's side less the other",
    "win": "hands won less hands lost, a hand",
    "winner_takes": "points a hand, only the winner's, the dealer's side less the other",
    "win_at_score": "chance of winning the game",
}


class Place(NamedTuple):
    """A discard in the ranking.

    Attributes
    ----------
    cards
        The set of two cards.
    leader
        Whether it is one of those measured to the precision.
    value
        Points a hand, the dealer's side less the other's, or what else the payoff counts.
    behind
        How much more the best discard wins, on the same completions; 0 for the best.
    separated
        Whether the interval of ``behind`` leaves out 0.
    parts, behind_parts
        Points that the score is made of, by the names of ``analysis.parts.PARTS``; where points
        are what counts, they add up to ``value`` and ``behind``.
    kept
        How often the dealer's side has the Pagat and the Fool in the end.
    """

    cards: int
    leader: bool
    value: Estimate
    behind: Estimate
    separated: bool
    parts: dict[str, Estimate]
    behind_parts: dict[str, Estimate]
    kept: dict[str, Estimate]


@dataclass(frozen=True, eq=False)
class Ranking:
    """All discards of a hand, ranked.

    Attributes
    ----------
    rules, hand, policies, seed, payoff_kind, at_score, level, precision
        What was asked; the policies are those of the dealer's side and of the other.
    searched
        Completions on which the leaders were chosen; none of them counts in any figure.
    cut
        Whether the time ended it before the precision was reached.
    leaders, others
        Sets of two cards.
    of_leaders, of_others
        What they won on fresh completions. Those of the others have the leader in front that won
        most; None if there are no others.
    """

    rules: RuleSet
    hand: int
    policies: tuple[Policy, ...]
    seed: int
    payoff_kind: str
    at_score: WinPayoff | None
    level: float
    precision: float
    searched: int
    cut: bool
    leaders: list[int]
    others: list[int]
    of_leaders: Sums
    of_others: Sums | None

    @cached_property
    def places(self) -> list[Place]:
        """Every discard, the best first, the others by how far they are behind.

        The leaders' values and all their differences have intervals that hold together
        (``max-t``); so have the others', together, whichever leader is the best
        (``bonferroni``). Parts have ``student-t`` intervals, each on its own.
        """
        places = self._leading()
        if self.of_others is not None:
            places += self._trailing(self.of_others)
        return sorted(places, key=lambda place: (place.cards != self.best, place.behind.mean))

    @property
    def scale(self) -> int:
        """Units of the payoff's whole numbers in one of ``value``."""
        return MILLION if self.at_score else 1

    @property
    def unit(self) -> str:
        """What ``value`` counts, a key of ``UNITS``."""
        return "win_at_score" if self.at_score else self.payoff_kind

    @property
    def best(self) -> int:
        """The discard that won most."""
        return self.leaders[self._first]

    @property
    def width(self) -> float:
        """The largest half-width of the leaders' differences to the best; 0 with one leader."""
        return max(place.behind.high - place.behind.mean for place in self.places if place.leader)

    def shown(self, rows: int) -> list[Place]:
        """The places that a reader wants: those not separated, the leaders, and so many at least.

        In order; the rest are all clearly behind.
        """
        return [
            place
            for i, place in enumerate(self.places)
            if i < rows or place.leader or not place.separated
        ]

    @property
    def _first(self) -> int:
        sums = self.of_leaders.by_part[PAYOFF].sums.tolist()
        return sums.index(max(sums))

    def _leading(self) -> list[Place]:
        n, first, sums = len(self.leaders), self._first, self.of_leaders
        found = together(sums.by_part[PAYOFF], self.level, self.scale)
        behind = {first: Estimate(0.0, 0.0, 0.0, found[0].n, "deal", self.level, "exact")}
        for (one, two), each in zip(combinations(range(n), 2), found[n:], strict=True):
            if first == one:
                behind[two] = each
            elif first == two:
                low, high = 0.0 - each.high, 0.0 - each.low
                behind[one] = replace(each, mean=0.0 - each.mean, low=low, high=high)
        return [
            self._place(sums, i, cards, found[i], behind[i], leader=True)
            for i, cards in enumerate(self.leaders)
        ]

    def _trailing(self, sums: Sums) -> list[Place]:
        several = 2 * len(self.others) * len(self.leaders)
        level = 1 - (1 - self.level) / several
        score = with_unseen(sums.by_part[PAYOFF])
        places = []
        for i, cards in enumerate(self.others, start=len(self.leaders)):
            value, behind = (
                replace(_over(each, self.scale), level=self.level, method="bonferroni")
                for each in (_mean(score, i, level), _less(score, self._first, i, level))
            )
            places.append(self._place(sums, i, cards, value, behind, leader=False))
        return places

    def _place(
        self, sums: Sums, i: int, cards: int, value: Estimate, behind: Estimate, *, leader: bool
    ) -> Place:
        own = {name: _mean(sums.by_part[name], i, self.level) for name in PARTS}
        less = {name: _less(sums.by_part[name], self._first, i, self.level) for name in PARTS}
        kept = {
            card: proportion(int(events), value.n, self.level)
            for card, events in zip(KEPT, sums.kept[:, i], strict=True)
        }
        separated = not behind.low <= 0 <= behind.high
        return Place(cards, leader, value, behind, separated, own, less, kept)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, with all that is needed to make it again."""
        pack = self.rules.cards
        return {
            "rules": self.rules.name,
            "hand": format_cards(self.hand, pack),
            "policies": [policy.spec for policy in self.policies],
            "discards": [_told(place, self.rules) for place in self.places],
            "payoff_kind": self.payoff_kind,
            "payoff_unit": UNITS[self.unit],
            "at_score": self.at_score.to_dict() if self.at_score else None,
            "precision": self.precision,
            "width": self.width,
            "cut": self.cut,
            "completions": {
                "searched": self.searched,
                "leaders": self.of_leaders.by_part[PAYOFF].n,
                "others": self.of_others.by_part[PAYOFF].n if self.of_others else 0,
            },
            "level": self.level,
            "seed": self.seed,
            "program": PROGRAM,
            "rule_fields": self.rules.to_dict(),
            "policy_parts": [policy.to_dict() for policy in self.policies],
        }


def _told(place: Place, rules: RuleSet) -> dict[str, Any]:
    def ready(of: dict[str, Estimate]) -> dict[str, Any]:
        return {name: each.to_dict() for name, each in of.items()}

    return {
        "cards": format_cards(place.cards, rules.cards),
        "value": place.value.to_dict(),
        "behind": place.behind.to_dict(),
        "separated": place.separated,
        "leader": place.leader,
        "parts": ready(place.parts),
        "behind_parts": ready(place.behind_parts),
        "kept": ready(place.kept),
    }


def _over(estimate: Estimate, scale: int) -> Estimate:
    mean, low, high = (each / scale for each in (estimate.mean, estimate.low, estimate.high))
    return replace(estimate, mean=mean, low=low, high=high)


def _mean(moments: Moments, i: int, level: float) -> Estimate:
    return mean_of(moments.sums[i], moments.products[i, i], moments.n, level)


def _less(moments: Moments, i: int, j: int, level: float) -> Estimate:
    """Quantity i less quantity j."""
    products = moments.products
    squares = products[i, i] - 2 * products[i, j] + products[j, j]
    return mean_of(moments.sums[i] - moments.sums[j], squares, moments.n, level)
