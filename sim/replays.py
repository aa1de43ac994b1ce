"""A hand with everything that happened in it, from the deal to the count. RULES §2-4, §7."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from sim.cards import indices
from sim.combinations import Cricca, Score, Sequence
from sim.players import IllegalAnswer
from sim.rows import Rows
from sim.rules import RuleSet


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
