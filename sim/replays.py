"""One hand of a run played again, with everything that happened in it. RULES §2-4, §7."""

from __future__ import annotations

from collections.abc import Sequence as Seats
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow.compute as pc

from sim.cards import indices
from sim.columns import rows_table
from sim.combinations import Cricca, Score, Sequence, kind_names, score
from sim.hands import IllegalAnswer, Rows, play_hand
from sim.kernels.combinations import _declarable
from sim.kernels.conditional_deal import Dealing
from sim.kernels.state import (
    ILLEGAL_CARD,
    ILLEGAL_DECLARATION,
    ILLEGAL_DISCARD,
    UNTIMELY_SIGNAL,
    UNTRUE_SIGNAL,
)
from sim.policies.policy import Policy
from sim.positions import Position
from sim.records import PROGRAM, RunError
from sim.rules import RuleSet

if TYPE_CHECKING:
    from sim.run import Run


class Declaration(NamedTuple):
    """What one player declared, perhaps nothing. Points of single combinations are undoubled."""

    seat: int
    held: list[str]  # kinds of combination in his hand
    cricche: dict[str, Cricca]
    sequences: dict[str, Sequence]
    points: int
    shown: int  # set: the cards laid open
    withheld: int  # set: Pagat and Fool, where kept out


class Trick(NamedTuple):
    """A trick; the last one may be broken off."""

    leader: int  # seat
    cards: tuple[int, ...]  # card numbers in order of play
    winner: int | None  # seat, None if broken off
    cricche: dict[str, Cricca]  # those that the winner scores
    sequences: dict[str, Sequence]
    points: int

    def seat_of(self, card: int) -> int:
        """The seat that played a card of the trick."""
        return (self.leader + self.cards.index(card)) % 4


class Count(NamedTuple):
    """The hand of one side counted, in points."""

    tricks: int
    declared: int
    in_tricks: int
    pile: Score  # combinations and card points after settlement
    last_trick: int
    total: int


@dataclass(frozen=True)
class Replay:
    """A hand from the deal to the count, or to a policy's illegal answer.

    Attributes
    ----------
    rules, policies, seed, hand
        What it was played from: policies as SPECs of seats 0 to 3, the number of the hand.
    dealer
        Seat.
    dealt
        Cards dealt to seats 0 to 3, sets, the dealer's with the two he discards.
    discard, exposed
        Sets: the dealer's discard (0 if illegal), and what all see of it.
    declarations
        In the order they were made; none where the rules have no combinations.
    tricks
        In the order they were played.
    signals
        Bit sets made with each card, in order of play; of a leader's partner too.
    given
        Sets: what sides 0 and 1 gave up in the settlement. That is the card for the Fool, or the
        Fool and the discard of a side without a trick.
    counts
        Of sides 0 and 1; none if the hand was broken off.
    row
        The hand's columns with ``plays``; None if it was broken off.
    error
        The illegal answer that broke it off.
    legal
        Set: the cards that might have been played instead of an illegal one.
    game
        The number of its game, in which ``hand`` counts from 0; None for a hand by itself.
    """

    rules: RuleSet
    policies: tuple[str, ...]
    seed: int
    hand: int
    dealer: int
    dealt: tuple[int, ...]
    discard: int
    exposed: int
    declarations: tuple[Declaration, ...]
    tricks: tuple[Trick, ...]
    signals: tuple[int, ...]
    given: tuple[int, ...] = (0, 0)
    counts: tuple[Count, ...] = ()
    row: Rows | None = None
    error: IllegalAnswer | None = None
    legal: int = 0
    game: int | None = None

    @property
    def signal_names(self) -> list[list[str]]:
        """The names of the signals made with each card, in order of play."""
        return [self.rules.signals.named(bits, self.rules.pack) for bits in self.signals]

    @property
    def said(self) -> list[dict[int, list[str]]]:
        """The names of the signals made with each card, by seat: a leader's partner's before it."""
        found = []
        for k, bits in enumerate(self.signals):
            by_seat: dict[int, list[str]] = {}
            for bit, signal in self.rules.signals.by_bit(self.rules.pack).items():
                if bits >> bit & 1:
                    turn = 2 if signal.moment == "before_partner_leads" else k % 4
                    seat = (self.tricks[k // 4].leader + turn) % 4
                    by_seat.setdefault(seat, []).append(signal.name)
            found.append(by_seat)
        return found

    def to_dict(self) -> dict[str, Any]:
        """The replay ready for JSON: sets by name in canonical order, tricks in order of play."""
        names = self.rules.cards.names

        def named(cards: int) -> list[str]:
            return [names[card] for card in indices(cards)]

        def combinations(of: Declaration | Trick) -> dict[str, Any]:
            return {
                "cricche": {kind: found._asdict() for kind, found in of.cricche.items()},
                "sequences": {kind: found._asdict() for kind, found in of.sequences.items()},
                "points": of.points,
            }

        return {
            "rules": self.rules.name,
            "policies": list(self.policies),
            "seed": self.seed,
            "game": self.game,
            "hand": self.hand,
            "dealer": self.dealer,
            "hands": [named(cards) for cards in self.dealt],
            "discard": named(self.discard),
            "exposed": named(self.exposed),
            "signals": self.signal_names,
            "declarations": [
                {
                    "seat": made.seat,
                    "held": made.held,
                    **combinations(made),
                    "shown": named(made.shown),
                    "withheld": named(made.withheld),
                }
                for made in self.declarations
            ],
            "tricks": [
                {
                    "leader": trick.leader,
                    "cards": [names[card] for card in trick.cards],
                    "winner": trick.winner,
                    **combinations(trick),
                }
                for trick in self.tricks
            ],
            "given": [named(cards) for cards in self.given],
            "counts": [{**side._asdict(), "pile": side.pile.to_dict()} for side in self.counts],
            "error": str(self.error) if self.error else None,
            "legal": named(self.legal),
        }


def replay(
    rules: RuleSet,
    policies: Seats[Policy],
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
    policies: Seats[Policy],
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
