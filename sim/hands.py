"""Playing hands: the checked functions over the hand loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.failures import playing, which_raises
from sim.kernels import hand as kernels
from sim.kernels.compiling import before_hands
from sim.kernels.conditional_deal import Dealing, _deal_hands_under
from sim.kernels.deal import _deal_blocks, _deal_hands
from sim.kernels.rules_record import rules_record
from sim.kernels.state import FAULT, HIDDEN, MOST_HANDS, NONE, TABLE, empty_table, records
from sim.players import IllegalAnswer, as_heard, compiled
from sim.policies.policy import Policy, weights_of
from sim.positions import Position
from sim.rows import Rows, empty_logs, empty_rows, filled_rows
from sim.rules import RuleSet

LARGEST_SEED = 2**64 - 1


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
    return _finished(play_dealt(rules, policies, seed, first, n, log_plays, _dealer_of(dealing)))


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

    return _finished(play_dealt(rules, policies, seed, first, n, log_plays, deal, stride))


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

    return _finished(play_dealt(rules, policies, seed, 4 * first, 4 * n, False, deal))


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
    rows, table, hidden, error = play_dealt(
        rules, policies, seed, hand, 1, True, _dealer_of(dealing)
    )
    return Position(rules, table, hidden), rows, error


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


def _finished(played: Played) -> Rows:
    rows, _, _, error = played
    if error is not None:
        raise error
    return rows


def play_dealt(
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
    """Play hands ``first``, ``first + stride``, … of this seed, dealt in whatever way.

    Parameters
    ----------
    rules, policies, seed, first, n, log_plays, stride
        As for ``play_hands`` and ``play_deals``.
    deal
        Fills the hands of rows.
    named
        Tells which hand the i-th is, where a policy raises; by its number in the run if not given.

    Returns
    -------
    (rows, table, hidden, error)
        The rows, or none if a policy answered illegally; the first lane's table and hidden cards
        as they then stand; and that answer, or None.

    Raises ValueError as ``play_hands``. Source: RULES §2-4, 7.
    """
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    if first < 0 or not 1 <= n <= MOST_HANDS or first + stride * n > 2**63 - 1 or stride < 1:
        raise ValueError(f"{n} hands from {first}: expected 1 to {MOST_HANDS}, from 0 up")
    filled, logs = empty_rows(log_plays), empty_logs(log_plays)
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
        return filled_rows(filled, None, 0, rules), tables[0], hiddens[0], error
    return filled_rows(filled, logs if log_plays else None, n, rules), tables[0], hiddens[0], None


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
    record, rows = rules_record(rules), empty_rows(log_plays=False)
    policies = as_heard(rules, policies)
    argument, weights = compiled(policies), weights_of(tuple(policies))
    before_hands()
    with playing(rules, policies):
        failed = kernels._finish_hands(argument, weights, tables, hiddens, rows, record, faults)
    if failed != NONE:
        raise IllegalAnswer(rules, policies, failed, faults[failed])
    return filled_rows(rows, tables, n, rules)
