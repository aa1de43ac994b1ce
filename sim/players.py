"""The policies at a table: compiled, heard or silent, and what they answer that is illegal."""

from __future__ import annotations

import copyreg
from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.cards import format_cards
from sim.kernels.decisions import as_argument
from sim.kernels.rules_record import has_signals
from sim.kernels.state import (
    ILLEGAL_CARD,
    ILLEGAL_DECLARATION,
    ILLEGAL_DISCARD,
    UNTIMELY_SIGNAL,
    UNTRUE_SIGNAL,
)
from sim.kernels.user_code import CodeError
from sim.policies.policy import Policy, PolicyError
from sim.rules import RuleSet


def as_heard(rules: RuleSet, policies: Sequence[Policy]) -> Sequence[Policy]:
    """The policies as they play: where no signals are in force, nobody is asked for any."""
    if has_signals(rules):
        return policies
    return [policy.silenced for policy in policies]


def compiled(policies: Sequence[Policy]) -> Any:
    """The policies of seats 0 to 3 as the hand loop takes them, those of users' files compiled.

    Raises PolicyError if one cannot be compiled, or answers something else than it should.
    """
    try:
        return as_argument(tuple(policy.decisions for policy in policies))
    except CodeError as error:
        raise PolicyError(str(error)) from error


class IllegalAnswer(RuntimeError):
    """A policy discarded, declared or played what the rules forbid, or signalled so or untruly."""

    def __init__(self, rules: RuleSet, policies: Sequence[Policy], hand: int, fault: np.record):
        self.hand, self.seat, self.trick = hand, int(fault.seat), int(fault.trick)
        self.game: int | None = None
        self.kind, self.answer = int(fault.kind), int(fault.answer)
        wrong = {UNTIMELY_SIGNAL: "not its moment", UNTRUE_SIGNAL: "untrue"}
        in_force = rules.signals.by_bit(rules.pack)
        signal = in_force[self.answer].name if self.kind in wrong else ""
        told = {
            ILLEGAL_DISCARD: f"discards {_cards(self.answer, rules)}",
            ILLEGAL_DECLARATION: f"declares the bits {self.answer:#b}",
            ILLEGAL_CARD: f"plays {rules.cards.describe(self.answer)} in trick {self.trick}",
            UNTIMELY_SIGNAL: f"signals {signal} in trick {self.trick}",
            UNTRUE_SIGNAL: f"signals {signal} in trick {self.trick}",
        }[self.kind]
        self.told = (
            f"seat {self.seat}: the policy {policies[self.seat].spec} {told}, "
            f"which is {wrong.get(self.kind, 'illegal')}"
        )
        super().__init__(f"hand {hand}, {self.told}")

    def __reduce__(self) -> Any:
        # A worker of a cluster sends it as it is.
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]

    def in_game(self, game: int, hand: int) -> IllegalAnswer:
        """The same, of a hand of a game by its number there."""
        self.game, self.hand = game, hand
        self.args = (f"game {game}, hand {hand}, {self.told}",)
        return self


def _cards(cards: int, rules: RuleSet) -> str:
    known = cards > 0 and not cards & ~rules.cards.all
    return f'"{format_cards(cards, rules.cards)}"' if known else f"the set {cards}"
