"""Positions within a hand, made and moved on card by card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sim.cards import format_cards
from sim.kernels import streams
from sim.kernels.combinations import _combinations
from sim.kernels.declare import _enter_declaration, _legal_declaration
from sim.kernels.discard import _lay_away, _legal_discard
from sim.kernels.hand import _lead_first
from sim.kernels.rules_record import rules_record
from sim.kernels.state import HIDDEN, View, empty_table, records
from sim.kernels.tricks import _legal, _put, _take
from sim.rules import RuleSet


@dataclass
class Position:
    """A hand at any point of its play: the public table and what is hidden.

    ``table`` and ``hidden`` are the records of ``sim.kernels.state``; a position is made at its
    start and moved on card by card, or copied.
    """

    rules: RuleSet
    table: np.record
    hidden: np.record
    to_declare: tuple[int, ...] = (
        0,
        0,
        0,
        0,
    )  # by seat, for those who do so before their first card

    @classmethod
    def start(
        cls,
        rules: RuleSet,
        dealer: int,
        hands: Sequence[int],
        discard: int,
        declared: Sequence[int] = (0, 0, 0, 0),
        *,
        score: tuple[int, int] = (0, 0),
        hand_number: int = 0,
        seed: int = 0,
        hand: int = 0,
    ) -> Position:
        """A hand about to be led to.

        Parameters
        ----------
        hands
            Cards dealt to seats 0 to 3, as sets, the dealer's with the two he discards.
        discard
            The dealer's discard, a set.
        declared
            Declaration of each seat, as bits; with ``before_own_first_card`` each is made just
            before the seat's first card (``play``), unless it has been (``declare``).
        score, hand_number
            State of the game, as policies see it.
        seed, hand
            Key of the random numbers that policies draw.

        Raises ValueError if the cards are no deal, or the discard or a declaration is illegal.
        Source: RULES §3, 4, 7.
        """
        hands, discard = [int(cards) for cards in hands], int(discard)
        pack, size = rules.cards, rules.tricks
        sizes = [size + 2 if seat == dealer else size for seat in range(4)]
        if sum(hands) != pack.all or [cards.bit_count() for cards in hands] != sizes:
            raise ValueError(f"no deal: expected {sizes} cards that make up the pack")
        record = rules_record(rules)
        if not _legal_discard(discard, hands[dealer], record):
            raise ValueError(f"the discard {format_cards(discard, pack)!r} is illegal")
        table, hidden = empty_table(), records(HIDDEN, 1)[0]
        table.dealer, table.score[:], table.hand_number = dealer, score, hand_number
        _lead_first(table, record)
        hidden.key = streams.hand_key(np.uint64(seed), hand)
        hidden.dealt[:] = hidden.hands[:] = hands
        _lay_away(table, hidden, discard, record)
        position = cls(rules, table, hidden, tuple(int(bits) for bits in declared))
        if rules.combinations:
            for seat in range(4):
                hidden.held[seat] = _combinations(int(hidden.hands[seat]), record)[0]
            if rules.declare_when == "before_first_trick":
                for turn in range(1, 5):
                    position.declare((dealer + turn) % 4, int(declared[(dealer + turn) % 4]))
        return position

    def declare(self, seat: int, declared: int) -> None:
        """A seat declares, as bits. Raises ValueError if it may not. Source: RULES §4."""
        record, hand = rules_record(self.rules), int(self.hidden.hands[seat])
        held, cricche, sequences = _combinations(hand, record)
        if not _legal_declaration(declared, hand, held, record):
            raise ValueError(f"seat {seat} may not declare the bits {declared:#b}")
        points = cricche + sequences
        _enter_declaration(self.table, self.hidden, seat, declared, points, record)

    def declare_if_due(self) -> None:
        """The seat to play declares, where that is done before one's own first card.

        Raises ValueError as ``declare``. Source: RULES §4.
        """
        late = rules_record(self.rules).declare_late
        if late and not self.table.has_declared[self.seat]:
            self.declare(self.seat, self.to_declare[self.seat])

    def copy(self) -> Position:
        """Another position that starts from this one."""
        return Position(self.rules, self.table.copy(), self.hidden.copy(), self.to_declare)

    @property
    def over(self) -> bool:
        """Whether the last trick has been played."""
        return bool(self.table.trick == self.rules.tricks)

    @property
    def seat(self) -> int:
        """The seat to play."""
        return int(self.table.leader + self.table.position) & 3

    @property
    def legal(self) -> int:
        """The cards, as a set, that may be played now. Source: RULES §2."""
        record = rules_record(self.rules)
        return int(_legal(int(self.hidden.hands[self.seat]), int(self.table.led), record))

    def view(self, seat: int) -> View:
        """What the player at a seat knows; ``legal`` is his choice if it is his turn, else 0."""
        mine = seat == self.seat
        key = streams.step(
            streams.stream(self.hidden.key, streams.PLAY + seat), int(self.table.trick)
        )
        return View(
            seat,
            (seat + 1) & 3,
            (seat + 2) & 3,
            (seat + 3) & 3,
            int(self.hidden.hands[seat]),
            self.legal if mine else 0,
            int(self.hidden.discard) if seat == self.table.dealer else 0,
            np.uint64(key),
            self.table,
            rules_record(self.rules),
        )

    def play(self, card: int, signals: int = 0) -> None:
        """The seat to play plays a card, with signals. Raises ValueError if the card is illegal.

        Source: RULES §2.
        """
        seat = self.seat
        if card < 0 or not self.legal >> card & 1:
            raise ValueError(f"seat {seat} may not play {self.rules.cards.describe(card)}")
        self.declare_if_due()
        table, record = self.table, rules_record(self.rules)
        table.signals[4 * table.trick + table.position] = signals
        _put(table, self.hidden, seat, card, record)
        if table.position == 4:
            _take(table, record)
