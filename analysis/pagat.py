"""The price of the Pagat, and of every other card, under named policies.

The exchange value of a card X is, for two opponents s and t and a dealer,

    V(X) = E[D(deal) - D(deal with X and a card Y exchanged) | X dealt to s, Y any card of t's],

where D is the score of s's side less the other's and everything is replayed, the discard too; it is
averaged over all s, t and dealers, each with the same weight. Over the whole pack V sums to 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from analysis.estimates import Estimate, check_level
from analysis.exchanges import PART, ROUND, Exchanges, card_groups, play_exchanges
from analysis.margins import PLAYS, play_margins, points
from analysis.moments import Moments
from analysis.moved import Moved
from analysis.pagat_fate import FOOL_AT, Cell, cells
from analysis.pagat_price import HOLDERS, Price, play_pagat
from analysis.parts import PARTS
from analysis.totals import total
from sim.conditions import ROLES
from sim.hands import LARGEST_SEED
from sim.manifests import LARGEST_RUN, PROGRAM
from sim.players import compiled
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, RuleSet

HABITS = {
    "protecting": {"protect_pagat": 0.0},
    "hunting": {"hunt_pagat": 0.0},
    "both": {"protect_pagat": 0.0, "hunt_pagat": 0.0},
}


class PagatError(ValueError):
    """Values were asked for that cannot be had."""


@dataclass(frozen=True, eq=False)
class Pagat:
    """The values of all cards, and of the Pagat more closely.

    Attributes
    ----------
    rules, policies, seed, level
        What was played, policies by seat; level of each set of intervals.
    exchanges, moved
        Of all cards, over the same deals.
    price
        Of the Pagat, over deals of its own.
    habit_margins
        What ``HABITS`` are worth, where all seats play one policy that has them.
    """

    rules: RuleSet
    policies: tuple[Policy, ...]
    seed: int
    level: float
    exchanges: Exchanges
    moved: Moved
    price: Price
    habit_margins: Moments | None

    @cached_property
    def groups(self) -> dict[str, list[int]]:
        """Cards by what players call them (``analysis.exchanges.card_groups``)."""
        return card_groups(self.rules)

    @cached_property
    def values(self) -> dict[str, Estimate]:
        """The exchange value of every card, ``max-t`` over the pack."""
        return dict(
            zip(self.rules.cards.names, self.exchanges.values(level=self.level), strict=True)
        )

    @cached_property
    def group_values(self) -> dict[str, dict[str, Estimate]]:
        """By group, ``opponents``, ``dealer``, ``eldest`` of ``Exchanges``, ``moved`` of ``Moved``.

        Each of the four is ``max-t`` over the groups.
        """
        groups = [*self.groups.values()]
        columns = {
            of: self.exchanges.values(of, self.level, groups)
            for of in ("opponents", "dealer", "eldest")
        }
        columns["moved"] = self.moved.means(self.level, groups)
        return {
            name: {of: column[i] for of, column in columns.items()}
            for i, name in enumerate(self.groups)
        }

    @cached_property
    def parts(self) -> dict[str, dict[str, Estimate]]:
        """Where the Pagat's value comes from: ``PARTS`` and ``all``, each ``static`` and ``play``.

        Their sum is ``value``; the intervals of all hold together.
        """
        n = len(PARTS)
        one, none = np.eye(n, dtype=np.int64), np.zeros((n, n), np.int64)
        kinds = {"value": (one, one), "static": (one, none), "play": (none, one)}
        rows = [np.hstack(of) for of in kinds.values()]
        weights = np.concatenate([np.vstack([row, row.sum(axis=0)]) for row in rows])
        found = iter(self.price.moments.combined(weights).estimates(2, self.level, "deal"))
        by_kind = {
            kind: dict(zip([*PARTS, "all"], islice(found, n + 1), strict=True)) for kind in kinds
        }
        return {part: {kind: of[part] for kind, of in by_kind.items()} for part in [*PARTS, "all"]}

    @cached_property
    def value(self) -> Estimate:
        """The exchange value of the Pagat, on its own."""
        whole = np.ones((1, 2 * len(PARTS)), np.int64)
        return self.price.moments.combined(whole).estimates(2, self.level, "deal")[0]

    @property
    def kept(self) -> Estimate:
        """How often its holder's side has the Pagat in the end."""
        return self.price.fate.kept(self.level)

    @cached_property
    def habits(self) -> dict[str, Estimate]:
        """Points a hand that each of ``HABITS`` is worth against a side without it."""
        if self.habit_margins is None:
            return {}
        return dict(zip(HABITS, self.habit_margins.estimates(PLAYS, self.level), strict=True))

    @property
    def specs(self) -> list[str]:
        """The policies of seats 0 to 3 by SPEC."""
        return [policy.spec for policy in self.policies]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, with all that is needed to make it again."""
        level, fate, names = self.level, self.price.fate, self.rules.cards.names
        partner = {of: self.exchanges.values(of, level) for of in ("dealer", "eldest")}
        moved = self.moved.means(level, [[card] for card in range(len(names))])
        return {
            "rules": self.rules.name,
            "policies": self.specs,
            "seed": self.seed,
            "values": {card: found.to_dict() for card, found in self.values.items()},
            "groups": {
                name: {"cards": [names[card] for card in self.groups[name]]}
                | {of: found.to_dict() for of, found in columns.items()}
                for name, columns in self.group_values.items()
            },
            "rather_than_partner": {
                of: {name: each.to_dict() for name, each in zip(names, found, strict=True)}
                for of, found in partner.items()
            },
            "moved": {
                name: {
                    "effect": moved[card].to_dict(),
                    "turns": self.moved.turns(card, level).to_dict(),
                    "quantiles": self.moved.quantiles(card),
                }
                for card, name in enumerate(names)
            },
            "some_card_turns": self.moved.any_turns(level).to_dict(),
            "pagat": self.value.to_dict(),
            "parts": {
                name: {kind: found.to_dict() for kind, found in of.items()}
                for name, of in self.parts.items()
            },
            "kept": self.kept.to_dict(),
            "by_role": [
                _told(cell, role=role) | {"rather_than_partner": partner.to_dict()}
                for role, (cell, partner) in fate.role_cells(level).items()
            ],
            "by_beside": [_told(c, beside=k) for (k,), c in cells(fate.by_beside, level).items()],
            "by_fool": [
                _told(cell, fool=FOOL_AT[at], beside=beside)
                for (at, beside), cell in cells(fate.by_fool, level).items()
            ],
            "by_role_and_beside": [
                _told(cell, role=ROLES[at], beside=beside)
                for (at, beside), cell in cells(fate.by_role, level).items()
            ],
            "by_side_trumps": [
                _told(cell, trumps=trumps) for (trumps,), cell in cells(fate.by_side, level).items()
            ],
            "survival": [
                {"trick": trick, "in_hand": held.to_dict(), "not_caught": safe.to_dict()}
                for trick, (held, safe) in enumerate(fate.survival(level), 1)
            ],
            "fates": {name: found.to_dict() for name, found in fate.shares(level).items()},
            "habits": {name: found.to_dict() for name, found in self.habits.items()},
            "program": PROGRAM,
            "rule_fields": self.rules.to_dict(),
            "policy_parts": [policy.to_dict() for policy in self.policies],
        }


def _told(cell: Cell, **told: Any) -> dict[str, Any]:
    """One cell of a table, ready for JSON."""
    return {**told, "n": cell.n, "kept": cell.kept.to_dict(), "price": cell.price.to_dict()}


def price_cards(
    policies: str | Policy | Sequence[str | Policy] = "simple",
    rules: RuleSet = OTTOCENTO,
    hands: int = 1_000_000,
    *,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> Pagat:
    """Play deals with cards exchanged, and say what the cards, and the Pagat, are worth.

    Parameters
    ----------
    policies
        SPECs or Policies: one for all seats, two for the sides, four for the seats.
    rules
        The game.
    hands
        Played for the values of all cards, as many for the Pagat, and as many for its habits;
        rounded up to whole rounds of deals.
    seed
        0 to 2^64 - 1.
    level
        Of each set of intervals that hold together, and of each on its own.
    threads, progress
        As in ``sim.parts.map_parts``; the result does not depend on the threads.

    Returns
    -------
    Pagat
        Values of all cards, and of the Pagat in parts; what becomes of it.

    Raises
    ------
    PagatError
        A number out of bounds.
    PolicyError
        A policy that cannot be had.
    IllegalAnswer
        A policy answered what the rules forbid.
    ValueError
        A level out of bounds.
    """
    chosen = parse_policies(policies)
    if not 1 <= hands <= LARGEST_RUN:
        raise PagatError(f"{hands} hands: expected 1 to {LARGEST_RUN}")
    if not 0 <= seed <= LARGEST_SEED:
        raise PagatError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    check_level(level)
    compiled(chosen)  # here, not in several threads

    def deals_of(plays: int, whole: int) -> int:
        """Deals, in whole rounds, each of which takes so many plays."""
        return whole * -(-hands // (plays * whole))

    run: dict[str, Any] = {"threads": threads, "progress": progress}
    cards = total(
        lambda deals: _Cards.play(rules, chosen, seed, deals),
        *(deals_of(2 * rules.tricks + 1, ROUND), PART),
        **run,
    )
    price = total(
        lambda deals: play_pagat(rules, chosen, seed, deals), deals_of(4, HOLDERS), PART, **run
    )
    habits = None
    pairs = _without_habits(chosen)
    if pairs:
        blocks = max(2, -(-hands // (PLAYS * len(pairs))))
        habits = play_margins(rules, pairs, seed, range(blocks), points, **run).moments
    return Pagat(rules, chosen, seed, level, cards.exchanges, cards.moved, price, habits)


@dataclass(frozen=True, eq=False)
class _Cards:
    """Both quantities of all cards, over the same deals."""

    exchanges: Exchanges
    moved: Moved

    @classmethod
    def play(cls, rules: RuleSet, policies: Sequence[Policy], seed: int, deals: range) -> _Cards:
        exchanges, rows = play_exchanges(rules, policies, seed, deals)
        return cls(exchanges, Moved.of(rows, rules))

    def __add__(self, other: _Cards) -> _Cards:
        return _Cards(self.exchanges + other.exchanges, self.moved + other.moved)


def _without_habits(policies: Sequence[Policy]) -> list[tuple[Policy, Policy]]:
    """The policy of all seats against itself without each of ``HABITS``; none if it lacks them."""
    policy = policies[0]
    has = all(policy.play.parameters.get(name) for name in HABITS["both"])
    if not has or any(other != policy for other in policies):
        return []
    return [
        (policy, replace(policy, play=policy.play.with_parameters(off))) for off in HABITS.values()
    ]
