"""Playing hands: the checked functions over the hand loop."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.cards import format_cards
from sim.failures import playing, which_raises
from sim.kernels import hand as kernels
from sim.kernels.compiling import before_hands
from sim.kernels.conditional_deal import Dealing, _deal_hands_under
from sim.kernels.deal import _deal_blocks, _deal_game_hands, _deal_hands
from sim.kernels.decisions import as_argument
from sim.kernels.state import (
    FAULT,
    HIDDEN,
    ILLEGAL_CARD,
    ILLEGAL_DECLARATION,
    ILLEGAL_DISCARD,
    LOGS,
    MOST_HANDS,
    NONE,
    ROWS,
    TABLE,
    UNTIMELY_SIGNAL,
    UNTRUE_SIGNAL,
    empty_table,
    records,
    rules_record,
)
from sim.kernels.user_code import CodeError
from sim.policies.policy import Policy, PolicyError, weights_of
from sim.positions import Position
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
    signals: NDArray[np.uint32]  # likewise; (0, 0) also if no convention is in force


def _empty(dtype: np.dtype) -> np.record:
    return np.empty(1, dtype).view(np.recarray)[0]


_LOGGED = ("plays", "signals")
_NO_LOGS = records(LOGS, 1)[0]  # where nothing is logged


def _empty_rows(log_plays: bool) -> np.record:
    rows = _empty(ROWS)
    rows.log_plays, rows.in_games = log_plays, False
    return rows


def _filled(rows: np.record, logs: Any, n: int, rules: RuleSet) -> Rows:
    """The first n hands of a ROWS record, with what was logged of them: LOGS, tables, or None."""
    columns = {name: rows[name][..., :n] for name in Rows._fields if name not in _LOGGED}
    logged = {name: np.empty((0, 0), LOGS[name].base) for name in _LOGGED}
    if logs is not None:
        kept = _LOGGED if has_signals(rules) else _LOGGED[:1]
        logged |= {name: logs[name][:n, : 4 * rules.tricks] for name in kept}
    return Rows(**columns, **logged)


def has_signals(rules: RuleSet) -> bool:
    """Whether any signals are in force."""
    return bool(rules_record(rules).signals)


def as_heard(rules: RuleSet, policies: Sequence[Policy]) -> Sequence[Policy]:
    """The policies as they play: where no signals are in force, nobody is asked for any."""
    if has_signals(rules):
        return policies
    return [policy.silenced for policy in policies]


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


def compiled(policies: Sequence[Policy]) -> Any:
    """The policies of seats 0 to 3 as the hand loop takes them, those of users' files compiled.

    Raises PolicyError if one cannot be compiled, or answers something else than it should.
    """
    try:
        return as_argument(tuple(policy.decisions for policy in policies))
    except CodeError as error:
        raise PolicyError(str(error)) from error


def play_hands(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    first: int,
    n: int,
    log_plays: bool = False,
    dealing: Dealing | None = None,
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
    dealing
        Conditions on the deals (``sim.conditions``); None for any deal.

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
    return _finished(_play(rules, policies, seed, first, n, log_plays, _dealer_of(dealing)))


def play_deals(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    first: int,
    hands: NDArray[np.uint64] | NDArray[np.int64],
    log_plays: bool = False,
    stride: int = 1,
) -> Rows:
    """Play given deals as hands ``first``, ``first + stride``, … of this seed.

    Parameters
    ----------
    rules, policies, seed, log_plays
        As for ``play_hands``.
    first
        Number of the first hand, which decides the dealer (modulo 4) and what players draw.
    hands
        (4, n): the cards dealt to seats 0 to 3, sets, two more to the hand's dealer.
    stride
        From one hand's number to the next one's; with a multiple of 4 the same seat always deals.

    Returns
    -------
    Rows
        As of ``play_hands``.

    Raises IllegalAnswer and ValueError as ``play_hands``; ValueError also if the cards are no
    deals. Source: RULES §2-4, 7.
    """
    dealt = np.asarray(hands).astype(np.int64)
    n = dealt.shape[-1]
    dealers = (first + stride * np.arange(n)) % 4
    size = np.where(np.arange(4)[:, None] == dealers, 2, 0) + rules.tricks
    pack = rules.cards.all
    # Sets of the right sizes whose union is the pack have no card in common.
    if dealt.shape != (4, n) or not (
        (np.bitwise_count(dealt) == size).all()
        and (np.bitwise_or.reduce(dealt, axis=0) == pack).all()
    ):
        raise ValueError(
            f"no deals: expected (4, n) sets that make up the pack, {rules.tricks} cards a seat "
            "and two more to the dealer"
        )

    def deal(rows: np.record, *_: Any) -> None:
        rows.hand[:, :n] = dealt

    return _finished(_play(rules, policies, seed, first, n, log_plays, deal, stride))


def play_blocks(rules: RuleSet, policies: Sequence[Policy], seed: int, first: int, n: int) -> Rows:
    """Play blocks ``first`` to ``first + n - 1`` of this seed: one deal each, from every dealer.

    A block is four hands and a talon of two cards, which goes to each seat in turn: that seat
    deals. All other cards stay where they are. Its hands are numbered 4 b to 4 b + 3, so that
    the random numbers of a seat are the same whoever plays against it.

    Parameters
    ----------
    rules, policies, seed
        As for ``play_hands``.
    first, n
        Numbers of blocks; n from 1 to MOST_HANDS / 4.

    Returns
    -------
    Rows
        As of ``play_hands``: 4 n hands, those of a block together.

    Raises IllegalAnswer and ValueError as ``play_hands``. Source: RULES §3, §7.
    """

    def deal(rows: np.record, key: np.uint64, *_: Any) -> None:
        _deal_blocks(rows, key, first, n, rules_record(rules))

    return _finished(_play(rules, policies, seed, 4 * first, 4 * n, False, deal))


def play_game_hands(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    games: NDArray[np.int64],
    number: int,
    before: NDArray[np.int64],
    log_plays: bool = False,
) -> Rows:
    """Deal and play one hand, of the same number, in each of some games.

    Parameters
    ----------
    rules, policies, seed, log_plays
        As for ``play_hands``.
    games
        (n,): numbers of the games; their first dealer is that modulo 4. n from 1 to MOST_HANDS.
    number
        Of the hand in its game, from 0: the deal passes to the right.
    before
        (2, n): score of sides 0 and 1 in each game before the hand, points.

    Returns
    -------
    Rows
        As of ``play_hands``, one column a game. Hands are played to their end, wherever that of
        the game may be: what players do does not depend on it.

    Raises IllegalAnswer and ValueError as ``play_hands``. Source: RULES §2-5, 7.
    """
    deal = _dealer_of_games(games, number, before)

    def named(i: int) -> str:
        return f"game {games[i]}, hand {number}"

    rows, _, _, error = _play(rules, policies, seed, 0, len(games), log_plays, deal, named=named)
    if error is not None:
        raise error.in_game(int(games[error.hand]), number)
    return rows


def play_hand(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    hand: int,
    dealing: Dealing | None = None,
) -> tuple[Position, Rows, IllegalAnswer | None]:
    """Deal and play one hand of a run, and keep the table it was played on.

    Parameters
    ----------
    rules, policies, seed, dealing
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
    rows, table, hidden, error = _play(rules, policies, seed, hand, 1, True, _dealer_of(dealing))
    return Position(rules, table, hidden), rows, error


def play_game_hand(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    game: int,
    number: int,
    before: tuple[int, int],
) -> tuple[Position, Rows, IllegalAnswer | None]:
    """Deal and play one hand of one game, and keep the table it was played on.

    Parameters are those of ``play_game_hands``, of one game; returns as ``play_hand``. Raises
    ValueError as ``play_hands``. Source: RULES §2-5, 7.
    """
    deal = _dealer_of_games(np.array([game]), number, np.array(before)[:, None])
    rows, table, hidden, error = _play(
        *(rules, policies, seed, 0, 1, True, deal), named=lambda _: f"game {game}, hand {number}"
    )
    told = None if error is None else error.in_game(game, number)
    return Position(rules, table, hidden), rows, told


# Fills the hands of rows: (rows, key, first, n, hidden, rules).
Deal = Callable[..., None]
Played = tuple[Rows, np.record, np.record, IllegalAnswer | None]


def _dealer_of(dealing: Dealing | None) -> Deal:
    """How hands are dealt: any, or those under conditions."""
    if dealing is None:
        return _deal_hands

    def deal(
        rows: np.record, key: np.uint64, first: int, n: int, hidden: np.record, rules: np.record
    ) -> None:
        _deal_hands_under(rows, key, first, n, *dealing, hidden, rules)

    return deal


def _dealer_of_games(games: NDArray[np.int64], number: int, before: NDArray[np.int64]) -> Deal:
    """How the hands of this number are dealt in some games, and the score they start from."""

    def deal(
        rows: np.record, key: np.uint64, first: int, n: int, hidden: np.record, rules: np.record
    ) -> None:
        rows.in_games, rows.hand_number = True, number
        rows.before[:, :n] = before
        _deal_game_hands(rows, key, games, number, hidden, rules)

    return deal


def _finished(played: Played) -> Rows:
    rows, _, _, error = played
    if error is not None:
        raise error
    return rows


def _play(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    first: int,
    n: int,
    log_plays: bool,
    deal: Deal,
    stride: int = 1,
    named: Callable[[int], str] | None = None,
) -> Played:
    """Rows, the first lane's table and hidden cards, and what stopped the hands if anything did.

    ``named`` tells which hand the i-th is; by its number in the run if not given.
    """
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    if first < 0 or not 1 <= n <= MOST_HANDS or first + stride * n > 2**63 - 1 or stride < 1:
        raise ValueError(f"{n} hands from {first}: expected 1 to {MOST_HANDS}, from 0 up")
    filled, logs = _empty_rows(log_plays), _empty(LOGS) if log_plays else _NO_LOGS
    tables, hiddens, faults = (records(dtype, kernels.LANES) for dtype in (TABLE, HIDDEN, FAULT))
    policies = as_heard(rules, policies)
    argument, record, key = compiled(policies), rules_record(rules), np.uint64(seed)
    before_hands()
    deal(filled, key, first, n, hiddens[0], record)
    weights = weights_of(tuple(policies))

    def play(k: int) -> int:
        numbers = (key, first, stride, k)
        lanes = (tables, hiddens, empty_table(), record, faults)
        return kernels._play_hands(argument, weights, *numbers, filled, logs, *lanes)

    def find() -> tuple[str, np.record]:
        i = which_raises(play, n)
        return named(i) if named else f"hand {first + stride * i}", tables[i % kernels.LANES]

    with playing(rules, policies, find):
        failed = play(n)
    if failed != NONE:
        fault = next(fault for fault in faults if fault.kind)
        error = IllegalAnswer(rules, policies, failed, fault)
        return _filled(filled, None, 0, rules), tables[0], hiddens[0], error
    return _filled(filled, logs if log_plays else None, n, rules), tables[0], hiddens[0], None


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
    whole = -(-n // kernels.LANES) * kernels.LANES  # the last one is played again in spare lanes
    tables, hiddens, faults = (records(dtype, whole) for dtype in (TABLE, HIDDEN, FAULT))
    for i in range(whole):
        position = positions[min(i, n - 1)]
        tables[i], hiddens[i] = position.table, position.hidden
    record, rows = rules_record(rules), _empty_rows(log_plays=False)
    policies = as_heard(rules, policies)
    argument, weights = compiled(policies), weights_of(tuple(policies))
    before_hands()
    with playing(rules, policies):
        failed = kernels._finish_hands(argument, weights, tables, hiddens, rows, record, faults)
    if failed != NONE:
        raise IllegalAnswer(rules, policies, failed, faults[failed])
    return _filled(rows, tables, n, rules)
