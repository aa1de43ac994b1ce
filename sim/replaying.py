"""One hand of a run played again, and checked against the run. RULES §2-4, §7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from sim.cards import indices
from sim.columns import rows_table
from sim.combinations import kind_names, score
from sim.hands import play_hand
from sim.kernels.combinations import _declarable
from sim.kernels.conditional_deal import Dealing
from sim.kernels.state import (
    ILLEGAL_CARD,
    ILLEGAL_DECLARATION,
    ILLEGAL_DISCARD,
    UNTIMELY_SIGNAL,
    UNTRUE_SIGNAL,
)
from sim.manifests import PROGRAM, RunError
from sim.players import IllegalAnswer
from sim.policies.policy import Policy
from sim.positions import Position
from sim.replays import Count, Declaration, Replay, Trick
from sim.rows import Rows
from sim.rules import RuleSet

if TYPE_CHECKING:
    from sim.run import Run


def replay(
    rules: RuleSet,
    policies: Sequence[Policy],
    seed: int,
    hand: int,
    dealing: Dealing | None = None,
) -> Replay:
    """Deal and play one hand of a run again.

    Parameters
    ----------
    rules, policies, seed
        Those of the run, the policies of seats 0 to 3.
    hand
        Its number in the run.
    dealing
        The run's conditions on deals, as ``sim.conditions`` reads them from its manifest.

    Returns
    -------
    Replay
        The hand; up to there, if a policy answers illegally.

    Raises
    ------
    ValueError
        A seed or number out of bounds.

    Source: RULES §2-4, 7.
    """
    return replay_of(policies, seed, hand, *play_hand(rules, policies, seed, hand, dealing))


def replay_of(
    policies: Sequence[Policy],
    seed: int,
    hand: int,
    position: Position,
    row: Rows,
    error: IllegalAnswer | None,
    game: int | None = None,
) -> Replay:
    """The replay of a hand that ``sim.hands`` has just played; ``game`` is its number, if any."""
    rules = position.rules
    table, hidden = position.table, position.hidden
    played = Replay(
        rules=rules,
        policies=tuple(policy.spec for policy in policies),
        seed=seed,
        hand=hand,
        game=game,
        dealer=int(table.dealer),
        dealt=tuple(int(cards) for cards in hidden.dealt),
        discard=int(hidden.discard),
        exposed=int(table.exposed),
        declarations=tuple(_declarations(position, error)),
        tricks=tuple(_tricks(position, error)),
        signals=tuple(int(bits) for bits in table.signals[: _legal_plays(position, error)]),
        error=error,
    )
    if error is not None:
        return replace(played, legal=position.legal if error.kind == ILLEGAL_CARD else 0)
    pile0 = int(row.won0[0])
    piles = (pile0, rules.cards.all ^ pile0)
    before = [int(won) for won in table.won]
    before[played.dealer % 2] |= played.discard
    counts = tuple(
        Count(
            tricks=int(table.tricks[side]),
            declared=int(table.declared_points[side] + table.declared_points[side + 2]),
            in_tricks=int(table.trick_points[side]),
            pile=score(piles[side], rules),
            last_trick=rules.last_trick_points if row.last_trick[0] == side else 0,
            total=int(row.score[side, 0]),
        )
        for side in range(2)
    )
    given = tuple(had & ~has for had, has in zip(before, piles, strict=True))
    return replace(played, given=given, counts=counts, row=row)


def _declarations(position: Position, error: IllegalAnswer | None) -> list[Declaration]:
    """The declarations in the order they were made, up to an illegal one."""
    rules, table, hidden = position.rules, position.table, position.hidden
    if not rules.combinations or (error and error.kind == ILLEGAL_DISCARD):
        return []
    late = rules.declare_when == "before_own_first_card"
    first = int(table.first_leader) if late else int(table.dealer) + 1
    made: list[Declaration] = []
    for seat in ((first + turn) % 4 for turn in range(4)):
        refused = error and error.kind == ILLEGAL_DECLARATION and error.seat == seat
        if refused or not table.has_declared[seat]:
            break
        declared = int(hidden.declared[seat])
        kinds = kind_names(declared)
        hand = int(hidden.dealt[seat]) & ~int(hidden.discard)
        counted = _declarable(hand, declared)
        found = score(counted, rules)
        made.append(
            Declaration(
                seat=seat,
                held=kind_names(int(hidden.held[seat])),
                cricche={kind: c for kind, c in found.cricche.items() if kind in kinds},
                sequences={kind: s for kind, s in found.sequences.items() if kind in kinds},
                points=int(table.declared_points[seat]),
                shown=int(table.shown[seat]),
                withheld=hand & ~counted,
            )
        )
    return made


def _tricks(position: Position, error: IllegalAnswer | None) -> list[Trick]:
    """The tricks in order, up to an illegal answer."""
    rules, table = position.rules, position.table
    plays = [int(card) for card in table.plays[: _legal_plays(position, error)]]
    seat_of = {
        card: seat for seat, cards in enumerate(position.hidden.dealt) for card in indices(cards)
    }
    leaders = [seat_of[card] for card in plays[::4]]
    winners = [*leaders[1:], int(table.leader) if len(plays) % 4 == 0 else None]
    tricks = []
    for i, leader in enumerate(leaders):
        cards, winner = plays[4 * i : 4 * i + 4], winners[i]
        counted = 0
        if rules.trick_combinations and winner is not None:
            counted = sum(1 << card for card in cards)
            fool = rules.cards.fool
            if fool in cards and seat_of[fool] % 2 != winner % 2 and not rules.fool_in_lost_trick:
                counted ^= 1 << fool
        found = score(counted, rules)
        tricks.append(
            Trick(leader, tuple(cards), winner, found.cricche, found.sequences, found.total)
        )
    return tricks


def _legal_plays(position: Position, error: IllegalAnswer | None) -> int:
    """How many cards were played before an illegal answer, if there was one."""
    rules, table = position.rules, position.table
    if error is None:
        return 4 * rules.tricks
    late = rules.declare_when == "before_own_first_card"
    if error.kind in (UNTIMELY_SIGNAL, UNTRUE_SIGNAL):  # with a card, or before one is led
        return 4 * error.trick + int(table.position)
    if error.kind == ILLEGAL_CARD or (error.kind == ILLEGAL_DECLARATION and late):
        return 4 * error.trick + (error.seat - int(table.leader)) % 4
    return 0


def check_against(run: Run, hand: int, played: Replay) -> None:
    """Check that a hand played again is the one that a run holds.

    Parameters
    ----------
    run
        A run, on disk or in memory; a hand in a part that is not finished is not looked at, nor
        one of a run that keeps a summary, but for the program that made it.
    hand, played
        Its number, and the replay.

    Raises
    ------
    RunError
        The run has no such hand, or its row differs in some column.
    """
    manifest = run.manifest
    if not 0 <= hand < manifest.hands:
        raise RunError(f"hand {hand}: expected one of the run's, 0 to {manifest.hands - 1}")
    if manifest.keep == "summary":  # there is no row
        if manifest.program != PROGRAM:
            raise RunError(
                f"the run was made by {manifest.program} and keeps no row of hand {hand} to check "
                f"it with: expected {PROGRAM}"
            )
        return
    parts = [p for p in manifest.parts if p["hand_range"][0] <= hand <= p["hand_range"][1]]
    for table in replace(run, manifest=replace(manifest, parts=parts)).batches():
        found = table.filter(pc.equal(table["hand_id"], hand)).to_pylist()
        if not found:
            continue
        if played.row is None:
            raise RunError(f"hand {hand} was finished in the run, but not now: {played.error}")
        now = rows_table(played.row, hand, table.column_names).to_pylist()[0]
        for column, value in found[0].items():
            if now[column] != value:
                raise RunError(
                    f"hand {hand} has {column} = {value} in the run, but {now[column]} when "
                    "played again: expected the same program, rules and policies"
                )
        return
    if parts or run.tables:
        raise RunError(f"hand {hand} is not in the part that should hold it: make the run again")
