"""Golden decisions: positions written as players tell them, read and set up. Seat 0 is to play."""

import re
from dataclasses import dataclass
from pathlib import Path

from sim.cards import SUITS, indices, parse_card, parse_cards
from sim.hands import finish
from sim.kernels.state import HIDDEN, NOTHING_WINS, empty_table, records
from sim.policies.spec import parse_policies
from sim.positions import Position
from sim.rules import PRESETS, RuleSet
from sim.worlds import reimagined

DECISIONS = Path(__file__).parent / "golden" / "decisions"
PLAYERS = {"me": 0, "right": 1, "partner": 2, "left": 3}  # seats
SETS = ("hand", "discard", "ours", "theirs", "expected")
LINES = (*SETS, "dealer", "table", "shown", "void")


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
    shown: dict[int, int]  # sets by seat
    voids: dict[int, int]
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


def decisions() -> list[Decision]:
    """Every golden decision: a file for each rule set, named after it."""
    return [
        decision
        for path in sorted(DECISIONS.glob("*.txt"))
        for decision in parse_decisions(path.read_text("utf-8"), PRESETS[path.stem])
    ]


def parse_decisions(text: str, rules: RuleSet) -> list[Decision]:
    """The entries of a text: a title, then lines indented, each a key and what it says.

    Lines with # are comments; a line indented further goes on with the one before. Raises
    ValueError that names the entry.
    """
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    entries = re.split(r"\n\s*\n", re.sub(r"\n {3,}", " ", "\n".join(lines)).strip())
    return [_parse(entry, rules) for entry in entries]


def _parse(entry: str, rules: RuleSet) -> Decision:
    title, *lines = entry.splitlines()
    pack, told, without = rules.cards, dict.fromkeys(LINES, ""), []
    suits = dict(zip((*SUITS, "trumps"), (*pack.suits, pack.trumps), strict=True))
    try:
        for line in lines:
            key, _, rest = line.strip().partition(" ")
            if key == "without":
                parameters, _, cards = rest.partition(":")
                without.append((parameters.strip(), parse_cards(cards, pack)))
            elif key not in told or told[key]:
                raise ValueError(f"the line {key!r} is unknown or stands twice")
            else:
                told[key] = rest.strip()
        hand, discard, ours, theirs, expected = (parse_cards(told[key], pack) for key in SETS)
        return Decision(
            *(title, rules, PLAYERS[told["dealer"]], hand, discard),
            tuple((seat, parse_card(card, pack)) for seat, card in _by_player(told["table"])),
            *(ours, theirs),
            {seat: parse_cards(cards, pack) for seat, cards in _by_player(told["shown"])},
            {
                seat: sum(suits[suit] for suit in names.split())
                for seat, names in _by_player(told["void"])
            },
            *(expected, tuple(without)),
        )
    except (ValueError, KeyError) as error:
        raise ValueError(f"{title}: {error}") from error


def _by_player(text: str) -> list[tuple[int, str]]:
    """ "right SK BK, left CQ" as seats and the names after them."""
    pairs = (part.split(maxsplit=1) for part in text.split(",") if part)
    return [(PLAYERS[who], names) for who, names in pairs]
