"""Golden decisions: positions written as players tell them, read and set up. Seat 0 is to play."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from sim.cards import SUITS, indices, parse_card, parse_cards
from sim.hands import finish
from sim.kernels.state import HIDDEN, NOTHING_WINS, empty_table, records
from sim.policies.spec import parse_policies
from sim.positions import Position
from sim.rules import PRESETS, RuleSet
from sim.worlds import reimagined

DECISIONS = Path(__file__).parent / "golden" / "decisions.txt"
PLAYERS = ("me", "right", "partner", "left")  # seats 0 to 3
LINES = (
    *("rules", "dealer", "hand", "discard", "table", "ours", "theirs"),
    *("shown", "void", "expected", "without"),
)


@dataclass(frozen=True)
class Decision:
    """One entry: what the player sees, what he should play, and why."""

    title: str
    rules: RuleSet
    dealer: int
    hand: int
    discard: int
    table: tuple[tuple[int, int], ...]  # seat and card, in order of play
    ours: int
    theirs: int
    shown: dict[int, int] = field(hash=False)
    voids: dict[int, int] = field(hash=False)
    expected: int  # set
    without: tuple[tuple[str, int], ...]  # parameters changed, and the cards chosen then

    @property
    def trick(self) -> int:
        """Number of tricks gone by."""
        return self.rules.tricks - self.hand.bit_count()

    def position(self) -> Position:
        """The hand as it stands, hidden cards left out: not everyone's hand is there.

        Who played each card of the tricks gone by is not told; they are dealt out to the seats.
        """
        pack = self.rules.cards
        table, hidden = empty_table(), records(HIDDEN, 1)[0]
        table.dealer, table.trick = self.dealer, self.trick
        table.leader = table.first_leader = -len(self.table) % 4
        table.best = NOTHING_WINS | int(table.leader)
        table.has_declared[:] = self.rules.combinations
        table.won[:] = self.ours, self.theirs
        table.tricks[:] = [(cards.bit_count() + 2) // 4 for cards in (self.ours, self.theirs)]
        gone, fool = self.ours | self.theirs, 1 << pack.fool
        owners = {card: seat for seat, cards in self.shown.items() for card in indices(cards)}
        if gone & fool:
            owners[pack.fool] = table.fool_seat = 0 if self.ours & fool else 1
        for card in sorted(indices(gone), key=lambda card: card not in owners):
            fewest = min(range(4), key=lambda seat: int(table.played[seat]).bit_count())
            seat = owners.get(card, fewest)
            table.played[seat] |= 1 << card
            if card == pack.pagat:
                table.pagat_seat = seat
        for seat in range(4):
            table.shown[seat] = self.shown.get(seat, 0)
            table.voids[seat] = self.voids.get(seat, 0)
        hidden.hands[0], hidden.discard = self.hand, self.discard
        position = Position(self.rules, table, hidden)
        for seat, card in self.table:
            hidden.hands[seat] = 1 << card
            position.play(card)
        return position

    def choice(self, parameters: str = "") -> int:
        """The card that ``expert`` plays, whatever is hidden: asked in three worlds."""
        position, policies = self.position(), parse_policies(f"expert({parameters})")
        worlds = [reimagined(position, 0, seed) for seed in range(3)]
        k = 4 * self.trick + len(self.table)
        (card,) = set(finish(worlds, policies).plays[:, k].tolist())
        return card


def parse_decisions(text: str) -> list[Decision]:
    """The entries of a text: a title, then lines indented, each a key and what it says.

    Lines with # are comments. Raises ValueError (CardError for a card) that names the entry.
    """
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    entries = re.split(r"\n\s*\n", "\n".join(lines).strip())
    return [_parse(entry.splitlines()) for entry in entries]


def _parse(lines: list[str]) -> Decision:
    title, told, without = lines[0], {}, []
    for line in lines[1:]:
        key, _, rest = line.strip().partition(" ")
        if key == "" or key not in LINES or (key in told and key != "without"):
            raise ValueError(f"{title}: the line {line.strip()!r}")
        if key == "without":
            without.append(rest.strip())
        told[key] = rest.strip()
    rules = PRESETS[told["rules"]]
    pack = rules.cards

    def cards(key: str) -> int:
        return parse_cards(told.get(key, ""), pack)

    table = []
    for played in filter(None, re.split(r",\s*", told.get("table", ""))):
        who, card = played.split()
        table.append((PLAYERS.index(who), parse_card(card, pack)))
    shown = {seat: parse_cards(names, pack) for seat, names in _by_player(told.get("shown", ""))}
    suits = dict(zip((*SUITS, "trumps"), (*pack.suits, pack.trumps), strict=True))
    voids = {
        seat: sum(suits[suit] for suit in names.split())
        for seat, names in _by_player(told.get("void", ""))
    }
    changes = []
    for line in without:
        parameters, _, names = line.partition(":")
        changes.append((parameters, parse_cards(names, pack)))
    return Decision(
        title, rules, PLAYERS.index(told["dealer"]), cards("hand"), cards("discard"), tuple(table),
        cards("ours"), cards("theirs"), shown, voids, cards("expected"), tuple(changes),
    )  # fmt: skip


def _by_player(text: str) -> list[tuple[int, str]]:
    """ "right SK BK, left CQ" as seats and the names after them."""
    pairs = (part.split(maxsplit=1) for part in filter(None, re.split(r",\s*", text)))
    return [(PLAYERS.index(who), names) for who, names in pairs]
