"""A dealer's discards ranked by what they win, on common completions of the other cards.

Every legal pair is played out, the same policies at all seats, on the same ways to deal the cards
that the dealer does not see. A search drops in rounds what is clearly behind; what it leaves, six
at most, are the leaders. All figures then come from fresh completions, so that choosing flatters
none: the leaders on as many as the precision takes, the others on fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from analysis.discard_search import SCORE, Playouts, Sums, together
from analysis.estimates import Estimate, check_level, mean_of, proportion
from analysis.moments import Moments
from analysis.parts import PARTS
from sim.cards import format_cards, indices, parse_cards
from sim.hands import LARGEST_SEED, compiled
from sim.kernels.hand import _legal_discard, _may_discard
from sim.kernels.state import rules_record
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies
from sim.records import PROGRAM
from sim.rules import OTTOCENTO, RuleSet

KEPT = ("pagat", "fool")
# Of the time given, the share after which the search ends, and the play of all on fresh
# completions.
SEARCH_SHARE, OTHERS_SHARE = 0.3, 0.6
FAST = {"simple", "random"}  # play parts


class DiscardError(ValueError):
    """Discards were asked for that cannot be ranked."""


class Place(NamedTuple):
    """A discard in the ranking.

    Attributes
    ----------
    cards
        The set of two cards.
    leader
        Whether it is one of those measured to the precision.
    value
        Points a hand, the dealer's side less the other's.
    behind
        How many points more the best discard wins, on the same completions; 0 for the best.
    separated
        Whether the interval of ``behind`` leaves out 0.
    parts, behind_parts
        What ``value`` and ``behind`` are made of, by the names of ``analysis.parts.PARTS``: they
        add up to them.
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
    rules, hand, policies, seed, level, precision
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
        sums = self.of_leaders.by_part[SCORE].sums.tolist()
        return sums.index(max(sums))

    def _leading(self) -> list[Place]:
        n, first, sums = len(self.leaders), self._first, self.of_leaders
        found = together(sums.by_part[SCORE], self.level)
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
        score = sums.by_part[SCORE]
        places = []
        for i, cards in enumerate(self.others, start=len(self.leaders)):
            value, behind = (
                replace(each, level=self.level, method="bonferroni")
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
            "precision": self.precision,
            "width": self.width,
            "cut": self.cut,
            "completions": {
                "searched": self.searched,
                "leaders": self.of_leaders.by_part[SCORE].n,
                "others": self.of_others.by_part[SCORE].n if self.of_others else 0,
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


def _mean(moments: Moments, i: int, level: float) -> Estimate:
    return mean_of(moments.sums[i], moments.products[i, i], moments.n, level)


def _less(moments: Moments, i: int, j: int, level: float) -> Estimate:
    """Quantity i less quantity j."""
    products = moments.products
    squares = products[i, i] - 2 * products[i, j] + products[j, j]
    return mean_of(moments.sums[i] - moments.sums[j], squares, moments.n, level)


def legal_discards(hand: str | int, rules: RuleSet = OTTOCENTO) -> list[int]:
    """Every pair that the dealer may discard, as sets, in the order of the pack.

    Parameters
    ----------
    hand
        The dealer's cards, two more than the others have: names, or a set.
    rules
        Say what may go: no King, no Honour; where ``discard_trumps`` is ``forced_exposed`` trumps
        only for want of plain cards.

    Raises CardError for unknown cards or cards named twice, DiscardError for another number of
    them. Source: RULES §3, §7.
    """
    cards, record = _hand(hand, rules), rules_record(rules)
    allowed, _ = _may_discard(cards, record)
    pairs = (1 << one | 1 << two for one, two in combinations(indices(allowed), 2))
    return [pair for pair in pairs if _legal_discard(pair, cards, record)]


def _hand(hand: str | int, rules: RuleSet) -> int:
    size = rules.tricks + rules.discards
    if isinstance(hand, str):
        return parse_cards(hand, rules.cards, size)
    if hand.bit_count() != size or hand & ~rules.cards.all:
        raise DiscardError(f"the dealer's hand: expected {size} cards of the {rules.pack} pack")
    return hand


def discards(
    hand: str | int,
    rules: RuleSet = OTTOCENTO,
    policies: str | Policy | Sequence[str | Policy] = "expert",
    precision: float | None = None,
    *,
    level: float = 0.95,
    time: float | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = False,
) -> Ranking:
    """Rank every discard that the dealer may make from a hand.

    Parameters
    ----------
    hand
        The dealer's cards before the discard, 17 (15 in Partita): names, or a set.
    rules
        The game.
    policies
        One for all seats, or two: that of the dealer's side, and that of the other. Their own
        discards do not matter.
    precision
        Half-width, in points, of the differences among the leaders: it decides how many completions
        are played. None: 1 where all play as ``simple`` or ``random`` do, which is fast, else 2;
        a tenth of that in games without combinations, which score less.
    level
        Of the leaders' intervals together, and of the others' together.
    time
        Seconds, from when the policies are compiled; None: as many as it takes. Only where it cuts
        the work short does the answer depend on it, and is not the same again.
    seed
        0 to 2^64 - 1.
    threads, progress
        As in ``sim.run.map_parts``; the answer does not depend on the threads.

    Returns
    -------
    Ranking
        All legal pairs, best first.

    Raises
    ------
    CardError
        A card is unknown or named twice.
    DiscardError
        Another number of cards, or a number out of bounds.
    PolicyError
        A policy that cannot be had, or more than two.
    IllegalAnswer
        A policy answered what the rules forbid.
    ValueError
        A level out of bounds.

    Source: RULES §3, §7; HOUSE of this project, numbers.
    """
    cards, pairs = _hand(hand, rules), legal_discards(hand, rules)
    seats = parse_policies(policies)
    if precision is None:
        precision = 1.0 if {policy.play.name for policy in seats} <= FAST else 2.0
        precision *= 1.0 if rules.combinations else 0.1
    if not 0 < precision < inf:
        raise DiscardError(f"a precision of {precision} points: expected more than 0")
    if time is not None and not 0 < time < inf:
        raise DiscardError(f"a time of {time} seconds: expected more than 0")
    if not 0 <= seed <= LARGEST_SEED:
        raise DiscardError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    check_level(level)
    if not isinstance(policies, str | Policy) and len(policies) > 2:
        raise DiscardError(
            f"{len(policies)} policies: expected one for all seats, or those of the dealer's side "
            "and of the other"
        )
    playouts = Playouts(rules, cards, seats[:2], seed, threads, progress)
    compiled(playouts.seats(pairs[0]))  # here, not in several threads
    start = monotonic()

    def until(share: float) -> float:
        return inf if time is None else start + share * time

    found = playouts.search(pairs, precision, level, until(SEARCH_SHARE))
    first, last = found.searched, found.searched + found.for_leaders
    of_others = None
    if found.others:
        fresh = range(first, first + found.for_others)
        of_others = playouts.add_up([*found.leaders, *found.others], fresh, until(OTHERS_SHARE))
        first += of_others.n
    of_leaders = None if of_others is None else of_others.first(len(found.leaders))
    if first < last:
        more = playouts.add_up(found.leaders, range(first, last), until(1))
        of_leaders = more if of_leaders is None else of_leaders.plus(more)
    assert of_leaders is not None
    return Ranking(
        rules,
        cards,
        seats[:2],
        seed,
        level,
        precision,
        found.searched,
        cut=monotonic() > until(1) or of_leaders.n < found.for_leaders,
        leaders=found.leaders,
        others=found.others,
        of_leaders=of_leaders,
        of_others=of_others,
    )
