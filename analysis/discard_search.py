"""A dealer's discards played out on common completions, and the search for the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, inf
from time import monotonic
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from analysis.estimates import Estimate
from analysis.margins import Payoff, points
from analysis.moments import Moments
from analysis.parts import parts
from sim.cards import indices
from sim.hands import play_deals
from sim.parts import map_parts
from sim.policies.discard.fixed import fixed
from sim.policies.policy import Policy, part_of
from sim.rules import RuleSet
from sim.worlds import dealer_worlds

LEADERS = 6
FEWEST, MOST = 1000, 100_000_000  # completions
# Hands to a task, whatever the number of discards; fewer where time presses.
TASK, SHORT_TASK = 150_000, 20_000
# The search: completions of its first round, which then double; standard errors from which a
# discard is clearly behind, enough for all pairs and rounds; how narrow it gets, in precisions.
FIRST_ROUND, CLEARLY, SEARCHED = 1000, 4.0, 3.0
# The half-width of the differences of the others, in precisions.
OTHERS = 5.0
# As many more completions than the spread asks for, which the search knows only roughly.
HEADROOM = 1.1
PAYOFF = "payoff"


class Sums(NamedTuple):
    """What completions add up to for several discards, dealer's side less the other.

    ``by_part`` has the sums of the payoff and of each part of the score, one quantity a discard;
    ``kept`` how often the dealer's side has the Pagat and the Fool in the end, int64 (2, discards).
    """

    by_part: dict[str, Moments]
    kept: NDArray[np.int64]

    @property
    def n(self) -> int:
        """Completions."""
        return self.by_part[PAYOFF].n

    def plus(self, other: Sums) -> Sums:
        """Those of both."""
        both = {name: each + other.by_part[name] for name, each in self.by_part.items()}
        return Sums(both, self.kept + other.kept)

    def first(self, several: int) -> Sums:
        """Those of the first discards only."""
        by_part = {name: each.among(range(several)) for name, each in self.by_part.items()}
        return Sums(by_part, self.kept[:, :several])


class Found(NamedTuple):
    """What a search leaves: leaders and others, sets of two cards, and completions they need."""

    leaders: list[int]
    others: list[int]
    searched: int
    for_leaders: int
    for_others: int


@dataclass(frozen=True)
class Playouts:
    """A dealer's hand, and how its discards are played out; the dealer sits at seat 0."""

    rules: RuleSet
    hand: int
    policies: tuple[Policy, ...]  # of the dealer's side, of the other
    seed: int
    payoff: Payoff = points
    threads: int | None = None
    progress: bool = False

    def seats(self, pair: int) -> tuple[Policy, ...]:
        """The policies of seats 0 to 3 when the dealer discards this pair."""
        first, second = indices(pair)
        part = part_of(fixed).with_parameters({"first": first, "second": second})
        own, other = (replace(policy, discard=part) for policy in self.policies)
        return own, other, own, other

    def add_up(
        self, pairs: Sequence[int], completions: range, until: float = inf, split: bool = True
    ) -> Sums:
        """Play every pair on the same completions.

        Parameters
        ----------
        pairs
            Sets of two cards.
        completions
            Their numbers, one after the other.
        until
            A moment of ``time.monotonic`` after which no more are begun; some always are.
        split
            Whether to add up the parts beside the score.

        Returns
        -------
        Sums
            Of the completions played, from the first on.
        """
        size = max(200, (TASK if until == inf else SHORT_TASK) // len(pairs))
        ranges = [completions[i : i + size] for i in range(0, len(completions), size)]
        played = map_parts(
            lambda part: self._task(pairs, part, split),
            ranges,
            threads=self.threads,
            progress=self.progress,
            unit="completions",
        )
        found = None
        for _, more in played:
            found = more if found is None else found.plus(more)
            if monotonic() > until:
                break
        assert found is not None
        return found

    def _task(self, pairs: Sequence[int], completions: range, split: bool) -> Sums:
        first, n = completions[0], len(completions)
        deals = dealer_worlds(self.rules, self.hand, n, seed=self.seed, first=first).hands.T
        values: dict[str, list[NDArray[np.int64]]] = {}
        kept = np.empty((2, len(pairs)), np.int64)
        for i, pair in enumerate(pairs):
            # A completion is one hand, whichever the discard; every fourth has its dealer at 0.
            rows = play_deals(self.rules, self.seats(pair), self.seed, 4 * first, deals, stride=4)
            of_parts = parts(rows, 0, self.rules) if split else {}
            for name, value in ({PAYOFF: self.payoff(rows, 0)} | of_parts).items():
                values.setdefault(name, []).append(value)
            kept[:, i] = [(card[2] == 0).sum() for card in (rows.pagat, rows.fool)]
        return Sums({name: Moments.of(np.array(each)) for name, each in values.items()}, kept)

    def search(
        self, pairs: Sequence[int], precision: float, level: float, until: float = inf
    ) -> Found:
        """Find the leaders in rounds that double, and how many completions the precision takes.

        The precision is in the payoff's whole numbers. Each round drops what is clearly behind the
        best, down to ``LEADERS``. It ends when so many are left, or what is left stands close
        enough; the best of those lead.
        """
        left, done, spread = list(pairs), 0, dict.fromkeys(pairs, 0.0)
        moments, upto = None, FIRST_ROUND
        while True:
            more = self.add_up(left, range(done, upto), until, split=False).by_part[PAYOFF]
            moments = more if moments is None else moments + more
            done = moments.n
            order = np.argsort(-moments.sums.astype(float), kind="stable")
            moments, left = moments.among(order), [left[i] for i in order]
            variances = _variances_of_differences(moments)[0]
            spread |= dict(zip(left, variances, strict=True))
            behind = (moments.sums[0] - moments.sums).astype(float) / done
            clearly = behind > CLEARLY * np.sqrt(variances / done)
            clearly[:LEADERS] = False
            stay = np.flatnonzero(~clearly)
            moments, left = moments.among(stay), [left[i] for i in stay]
            close = CLEARLY * np.sqrt(variances[stay].max() / done) <= SEARCHED * precision
            if len(left) <= LEADERS or close or done < upto or monotonic() > until:
                break
            upto = 2 * done
        leaders = left[:LEADERS]
        others = [pair for pair in pairs if pair not in leaders]
        means = together(moments.among(range(len(leaders))), level)
        half = max(each.high - each.mean for each in means[len(leaders) :] or means)
        z = -ndtri((1 - level) / 4 / len(leaders) / max(1, len(others)))
        other_half = z * np.sqrt(max((spread[pair] for pair in others), default=0.0) / done)
        for_leaders = _needed(done, half / precision)
        for_others = min(for_leaders, _needed(done, other_half / precision / OTHERS))
        return Found(leaders, others, done, for_leaders, for_others)


def _needed(n: int, too_wide: float) -> int:
    """Completions for a half-width, if after n it is so many times as wide."""
    return max(FEWEST, ceil(min(MOST, HEADROOM * n * too_wide**2)))


def _variances_of_differences(moments: Moments) -> NDArray[np.float64]:
    covariance = moments.covariance
    variances = np.diagonal(covariance)
    return (variances[:, None] + variances - 2 * covariance).clip(0)


def with_unseen(moments: Moments) -> Moments:
    """The moments with room for completions of a kind that none of those played was.

    Two discards may come to the same but once in thousands of completions; where that once was not
    among those played, their difference has no spread, and an interval without width would be too
    sure. So each discard gets the spread of one completion more, a standard deviation from its mean
    and apart from the others: a difference then has √2 deviations over n for its error at least,
    about what the rule of three allows for; for all but such pairs it is next to nothing.
    """
    once = np.array([round(variance) for variance in moments.variances], object)
    return replace(moments, products=moments.products + np.diag(once))


def together(moments: Moments, level: float, scale: int = 1) -> list[Estimate]:
    """All means, then all differences, the lower number first, with intervals that hold together.

    All differences and not only those to the best, so that it does not matter which is the best.
    Values are divided by ``scale``.
    """
    moments = with_unseen(moments)
    one = np.eye(len(moments.sums), dtype=np.int64)
    differences = [one[i] - one[j] for i, j in combinations(range(len(one)), 2)]
    return moments.combined(np.array([*one, *differences])).estimates(scale, level, "deal")
