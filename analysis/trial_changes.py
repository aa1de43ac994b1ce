"""How advice on one decision is measured: the same deals with it and without, where they differ.

A hand in which both come to the same says nothing and is left out, which is settled before it is
known who wins what.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from analysis.margins import points
from analysis.moments import Moments
from analysis.trial_estimates import Measured, mean
from analysis.trial_players import PART, Measure, Players, dealers_side, played, seats_of, total
from sim.combinations import score_sets
from sim.hands import play_hands
from sim.kernels.combinations import ANGEL, NUMBERED, T5
from sim.rows import Rows
from sim.rules import OTTOCENTO, RuleSet

# Of rows played with the advice: the hands that are looked at.
Where = Callable[[Rows, RuleSet], NDArray[np.bool_]]


def discards(
    first: str,
    second: str,
    rules: RuleSet = OTTOCENTO,
    *,
    where: Where | None = None,
    spoils: bool = False,
) -> Measure:
    """Points that the first discard part wins the dealer's side over the second, where they differ.

    All seats have the same policy otherwise, and the same cards. ``where`` leaves out more hands.
    With ``spoils`` not the result counts, but how much less the Grande in the other side's pile
    scores.
    """

    def changes(one: Rows, other: Rows) -> NDArray[np.bool_]:
        differ: NDArray[np.bool_] = one.discard != other.discard
        return differ if where is None else differ & where(one, rules)

    def won(rows: Rows) -> NDArray[np.int64]:
        return dealers_side(rows) * points(rows, 0)

    def spoilt(rows: Rows) -> NDArray[np.int64]:
        return -_grande_of_the_others(rows, rules)

    specs = [f"{{0}}+discard:{part}" for part in (first, second)]
    return _changed([specs[0]], [specs[1]], changes, spoilt if spoils else won, rules)


def openings(first: str, second: str) -> Measure:
    """Points that the first opening lead wins Eldest's side over the second, where they differ.

    Lead parts by SPEC, which are to differ in the first trick alone.
    """

    def changes(one: Rows, other: Rows) -> NDArray[np.bool_]:
        return one.plays[:, 0] != other.plays[:, 0]

    def won(rows: Rows) -> NDArray[np.int64]:
        return -dealers_side(rows) * points(rows, 0)

    specs = [f"{{0}}+lead:{part}" for part in (first, second)]
    return _changed([specs[0]], [specs[1]], changes, won, OTTOCENTO)


def plays(first: str, second: str) -> Measure:
    """Points that the first policy wins a side over the second, where a card is played differently.

    SPECs in which ``{0}`` stands for the players' own. Both partners change; the other side plays
    the second policy.
    """

    def changes(one: Rows, other: Rows) -> NDArray[np.bool_]:
        return (one.plays != other.plays).any(axis=1)

    def won(rows: Rows) -> NDArray[np.int64]:
        return points(rows, 0)

    return _changed([first, second], [second], changes, won, OTTOCENTO)


# ---- hands to look at ------------------------------------------------------------------------


def void_possible(rows: Rows, rules: RuleSet) -> NDArray[np.bool_]:
    """Where two cards can void a suit."""
    lengths = _lengths_without_king(rows, rules)
    found: NDArray[np.bool_] = ((lengths == 1) | (lengths == 2)).any(axis=0)
    return found


def no_void_possible(rows: Rows, rules: RuleSet) -> NDArray[np.bool_]:
    """Where two cards can void no suit."""
    return ~void_possible(rows, rules)


def one_single_card(rows: Rows, rules: RuleSet) -> NDArray[np.bool_]:
    """Where one plain suit has a single card that may go, and only one."""
    found: NDArray[np.bool_] = (_lengths_without_king(rows, rules) == 1).sum(axis=0) == 1
    return found


def numbered_trumps_go(rows: Rows, rules: RuleSet) -> NDArray[np.bool_]:
    """Where the discard is two of the trumps 5 to 16."""
    found: NDArray[np.bool_] = rows.discard & ~np.int64(NUMBERED << T5) == 0
    return found


def _lengths_without_king(rows: Rows, rules: RuleSet) -> NDArray[np.int64]:
    """Cards of each of the dealer's plain suits, 0 where the King, who may not go, is: (4, n)."""
    hands, pack = rows.hand[rows.dealer, np.arange(len(rows.dealer))], rules.cards
    suits = np.array(pack.suits, np.int64)[:, None]
    lengths = np.bitwise_count(hands & suits).astype(np.int64)
    return np.where(hands & suits & np.int64(pack.rank("K")), 0, lengths)


# ---- what is won -----------------------------------------------------------------------------


def _grande_of_the_others(rows: Rows, rules: RuleSet) -> NDArray[np.int64]:
    """Points of the Grande in the pile of the side that did not deal, with what it doubles: (n,).

    Without the Angel there is no Grande, and no other sequence has him. RULES §4.
    """
    pile = np.where(dealers_side(rows) == 1, rows.won0 ^ np.int64(rules.cards.all), rows.won0)
    whole, rest = (
        score_sets(cards.astype(np.uint64), rules).sequences.astype(np.int64)
        for cards in (pile, pile & ~np.int64(ANGEL))
    )
    return whole - rest


def _changed(
    first: list[str],
    second: list[str],
    changes: Callable[[Rows, Rows], NDArray[np.bool_]],
    won: Callable[[Rows], NDArray[np.int64]],
    rules: RuleSet,
) -> Measure:
    """Of what is won with the first SPECs at the seats, what it is more than with the second."""

    def measure(players: Players, more_than: float) -> Measured:
        both = [
            seats_of([spec.format(players.spec) for spec in specs]) for specs in (first, second)
        ]

        def play(part: range) -> Moments:
            one, other = (
                play_hands(rules, seats, players.seed, part.start, len(part), log_plays=True)
                for seats in both
            )
            return Moments.of((won(one) - won(other))[None, changes(one, other)])

        return mean(total(played(play, players.hands, PART, players)), [1.0], more_than)

    return measure
