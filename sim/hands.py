"""Playing hands: the checked functions over the hand loop, and positions within a hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from sim.cards import format_cards
from sim.kernels import hand as kernels
from sim.kernels import streams
from sim.kernels.combinations import _combinations
from sim.kernels.decisions import as_argument
from sim.kernels.settlement import _write_row
from sim.kernels.state import (
    FAULT,
    HIDDEN,
    ILLEGAL_CARD,
    ILLEGAL_DECLARATION,
    ILLEGAL_DISCARD,
    MOST_HANDS,
    NONE,
    NOTHING_WINS,
    ROWS,
    TABLE,
    View,
    records,
    rules_record,
)
from sim.kernels.tricks import _legal, _put, _take
from sim.policies.policy import Policy, PolicyError, weights_of
from sim.rules import RuleSet

LARGEST_SEED = 2**64 - 1


class Rows(NamedTuple):
    """Columns of hands played, one array for each group: by seat or side first, hands last.

    Sets of cards are int64 here, as the kernels leave them; points int16; ``pagat`` and ``fool``
    are seat, trick and side.
    """

    dealer: NDArray[np.uint8]  # (n,)
    hand: NDArray[np.int64]  # (4, n)
    discard: NDArray[np.int64]  # (n,)
    held: NDArray[np.uint16]  # (4, n)
    declared: NDArray[np.uint16]  # (4, n)
    declared_points: NDArray[np.int16]  # (4, n)
    tricks: NDArray[np.uint8]  # (2, n)
    trick_points: NDArray[np.int16]  # (2, n)
    won0: NDArray[np.int64]  # (n,)
    cricche: NDArray[np.int16]  # (2, n)
    sequences: NDArray[np.int16]  # (2, n)
    card_points: NDArray[np.int16]  # (2, n)
    last_trick: NDArray[np.uint8]  # (n,)
    score: NDArray[np.int16]  # (2, n)
    pagat: NDArray[np.uint8]  # (3, n)
    fool: NDArray[np.uint8]  # (3, n)
    first_trick_leader: NDArray[np.uint8]  # (n,)
    plays: NDArray[np.uint8]  # (n, cards played), or (0, 0) if not logged


def _empty_rows(log_plays: bool) -> np.record:
    rows = np.empty(1, ROWS).view(np.recarray)[0]
    rows.log_plays = log_plays
    return rows


def _filled(rows: np.record, n: int, rules: RuleSet) -> Rows:
    """The first n hands of a ROWS record."""
    columns = {name: rows[name][..., :n] for name in Rows._fields if name != "plays"}
    plays = rows.plays[:n, : 4 * rules.tricks] if rows.log_plays else rows.plays[:0, :0]
    return Rows(**columns, plays=plays)


class IllegalAnswer(RuntimeError):
    """A policy discarded, declared or played what the rules forbid."""

    def __init__(self, rules: RuleSet, policies: Sequence[Policy], hand: int, fault: np.record):
        self.hand, self.seat, self.trick = hand, int(fault.seat), int(fault.trick)
        self.kind, self.answer = int(fault.kind), int(fault.answer)
        told = {
            ILLEGAL_DISCARD: f"discards {_cards(self.answer, rules)}",
            ILLEGAL_DECLARATION: f"declares the bits {self.answer:#b}",
            ILLEGAL_CARD: f"plays {_card(self.answer, rules)} in trick {self.trick}",
        }[self.kind]
        super().__init__(
            f"hand {hand}, seat {self.seat}: the policy {policies[self.seat].spec} {told}, "
            "which is illegal"
        )


def _card(card: int, rules: RuleSet) -> str:
    known = 0 <= card < rules.cards.size
    return rules.cards.names[card] if known else f"card number {card}"


def _cards(cards: int, rules: RuleSet) -> str:
    known = cards > 0 and not cards & ~rules.cards.all
    return f'"{format_cards(cards, rules.cards)}"' if known else f"the set {cards}"


class PolicyFailure(RuntimeError):
    """A user's policy raised an exception while it was playing."""


def compiled(policies: Sequence[Policy]) -> Any:
    """The policies of seats 0 to 3 as the hand loop takes them, those of users' files compiled.

    Raises PolicyError if one cannot be compiled; the message says why.
    """
    try:
        return as_argument(tuple(policy.decisions for policy in policies))
    except NumbaError as error:
        # numba's own headings tell a user nothing; what follows them does.
        lines = [line for line in str(error).splitlines() if line.strip()]
        told = next((line for line in lines if not line.startswith("Failed in")), str(error))
        files = ", ".join(sorted({name for policy in policies for name in policy.file_hashes}))
        raise PolicyError(
            f"a policy of {files} cannot be compiled: {told.strip()} "
            "(with NUMBA_DISABLE_JIT=1 it runs uncompiled, to be debugged)"
        ) from error


@contextmanager
def _playing(policies: Sequence[Policy]) -> Iterator[None]:
    """Within it, what a user's policy raises is told as such."""
    try:
        yield
    except Exception as error:
        if not any(policy.files for policy in policies):
            raise
        raise PolicyFailure(f"a policy raises {type(error).__name__}: {error}") from error


def empty_table() -> np.record:
    """The table before a hand: nothing known."""
    table = records(TABLE, 1)[0]
    table.pagat_seat = table.fool_seat = NONE
    return table


def play_hands(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    first: int,
    n: int,
    log_plays: bool = False,
    lanes: int = kernels.LANES,
) -> Rows:
    """Deal and play hands ``first`` to ``first + n - 1`` of the run with this seed.

    Parameters
    ----------
    rules, policies
        The game, and the policies of seats 0 to 3.
    seed
        0 to 2^64 - 1.
    first, n
        Hand numbers; the dealer is the hand's number modulo 4. n from 1 to MOST_HANDS.
    log_plays
        Whether ``plays`` is filled.
    lanes
        Hands played in lockstep; it changes the speed, never the rows.

    Returns
    -------
    Rows
        Arrays by column, hands along the last axis (``plays``: the first). Scores in points.

    Raises
    ------
    IllegalAnswer
        A policy answered what the rules forbid.
    ValueError
        A seed or range out of bounds.

    Source: RULES §2-4, 7, 8.
    """
    rows, _, _, error = _play(rules, policies, seed, first, n, log_plays, lanes)
    if error is not None:
        raise error
    return rows


def play_hand(
    rules: RuleSet, policies: Sequence[Policy], seed: int, hand: int
) -> tuple[Position, Rows, IllegalAnswer | None]:
    """Deal and play one hand of a run, and keep the table it was played on.

    Parameters
    ----------
    rules, policies, seed
        As for ``play_hands``.
    hand
        Its number.

    Returns
    -------
    (position, rows, error)
        If no policy answers illegally, the finished hand, its row with ``plays``, and None.
        Else the hand as it stands when the error is found, and no row.

    Raises ValueError as ``play_hands``. Source: RULES §2-4, 7, 8.
    """
    rows, table, hidden, error = _play(rules, policies, seed, hand, 1, log_plays=True, lanes=1)
    return Position(rules, table, hidden), rows, error


def _play(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    first: int,
    n: int,
    log_plays: bool,
    lanes: int,
) -> tuple[Rows, np.record, np.record, IllegalAnswer | None]:
    """Rows, the first lane's table and hidden cards, and what stopped the hands if anything did."""
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    if first < 0 or not 1 <= n <= MOST_HANDS or first + n > 2**63 - 1:
        raise ValueError(f"{n} hands from {first}: expected 1 to {MOST_HANDS}, from 0 up")
    filled = _empty_rows(log_plays)
    tables, hiddens, faults = (records(dtype, lanes) for dtype in (TABLE, HIDDEN, FAULT))
    argument = compiled(policies)
    with _playing(policies):
        failed = kernels._play_hands(
            argument,
            weights_of(tuple(policies)),
            np.uint64(seed),
            first,
            n,
            filled,
            tables,
            hiddens,
            empty_table(),
            rules_record(rules),
            faults,
        )
    if failed != NONE:
        fault = next(fault for fault in faults if fault.kind)
        error = IllegalAnswer(rules, policies, failed, fault)
        return _filled(filled, 0, rules), tables[0], hiddens[0], error
    return _filled(filled, n, rules), tables[0], hiddens[0], None


@dataclass
class Position:
    """A hand at any point of its play: the public table and what is hidden.

    ``table`` and ``hidden`` are the records of ``sim.kernels.state``; a position is made at its
    start and moved on card by card, or copied.
    """

    rules: RuleSet
    table: np.record
    hidden: np.record

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
            Declaration of each seat, as bits; with ``before_own_first_card`` those of seats that
            play before the first card of theirs is given are made when it is (``play``).
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
        if sum(hands) != pack.all or [int(h).bit_count() for h in hands] != sizes:
            raise ValueError(f"no deal: expected {sizes} cards that make up the pack")
        record = rules_record(rules)
        if not kernels._legal_discard(int(discard), int(hands[dealer]), record):
            raise ValueError(f"the discard {format_cards(discard, pack)!r} is illegal")
        table, hidden = empty_table(), records(HIDDEN, 1)[0]
        table.dealer, table.score[:], table.hand_number = dealer, score, hand_number
        table.leader = dealer if rules.first_lead == "dealer" else (dealer + 1) % 4
        table.first_leader = table.leader
        table.best = NOTHING_WINS | table.leader
        hidden.key = streams.hand_key(np.uint64(seed), hand)
        hidden.dealt[:] = hidden.hands[:] = hands
        hidden.hands[dealer] ^= discard
        hidden.discard = discard
        if kernels._may_discard(int(hands[dealer]), record)[1]:
            table.exposed = discard & pack.trumps
        position = cls(rules, table, hidden)
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
        if not kernels._legal_declaration(declared, hand, held, record):
            raise ValueError(f"seat {seat} may not declare the bits {declared:#b}")
        points = cricche + sequences
        kernels._enter_declaration(self.table, hand, seat, declared, held, points, record)

    def copy(self) -> Position:
        """Another position that starts from this one."""
        return Position(self.rules, self.table.copy(), self.hidden.copy())

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
        if card < 0 or not self.legal >> card & 1:
            raise ValueError(f"seat {self.seat} may not play {_card(card, self.rules)}")
        table, record = self.table, rules_record(self.rules)
        table.signals[4 * table.trick + table.position] = signals
        _put(table, self.hidden, self.seat, card, record)
        if table.position == 4:
            _take(table, record)


def finish(positions: Sequence[Position], policies: Sequence[Policy]) -> Rows:
    """Play positions to their end, all standing in the same trick with as many cards on the table.

    Returns Rows, one column a position, and leaves the positions as they are. Raises ValueError if
    they differ in rules, trick or position, or are none or more than MOST_HANDS, and IllegalAnswer
    as ``play_hands``.
    """
    n = len(positions)
    if not 1 <= n <= MOST_HANDS:
        raise ValueError(f"{n} positions: expected 1 to {MOST_HANDS}")
    rules, at = positions[0].rules, positions[0].table
    for position in positions:
        if position.rules != rules or (position.table.trick, position.table.position) != (
            at.trick,
            at.position,
        ):
            raise ValueError("positions differ in rules or in how far they are played")
    tables, hiddens, faults = (records(dtype, n) for dtype in (TABLE, HIDDEN, FAULT))
    for i, position in enumerate(positions):
        tables[i], hiddens[i] = position.table, position.hidden
    record, rows = rules_record(rules), _empty_rows(log_plays=True)
    argument, weights = compiled(policies), weights_of(tuple(policies))
    with _playing(policies):
        kernels._play_on(argument, weights, tables, hiddens, record, faults)
    for i in range(n):
        if faults[i].kind:
            raise IllegalAnswer(rules, policies, i, faults[i])
        _write_row(rows, i, tables[i], hiddens[i], record)
    return _filled(rows, n, rules)
