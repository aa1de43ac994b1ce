"""A whole hand, from the deal to the score (RULES §2 to §4, §7)."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from tests.naive import combinations, discards, packs, settlement, tricks
from tests.naive.packs import FOOL, Rules


class Trick(NamedTuple):
    """A finished trick: who led, the cards in order of play, who won."""

    leader: int
    cards: list[str]
    winner: int

    def seat_of(self, card: str) -> int:
        """The seat that played the card (RULES §2)."""
        return (self.leader + self.cards.index(card)) % 4


def check_deal(rules: Rules, dealer: int, hands: Sequence[Collection[str]]) -> None:
    """Assert that the hands are a deal of the whole pack (RULES §3, §7)."""
    cards = [card for hand in hands for card in hand]
    assert sorted(cards) == sorted(packs.pack(rules)), "the hands are not the pack"
    size = (len(packs.pack(rules)) - rules["discards"]) // 4
    for seat in range(4):
        extra = rules["discards"] if seat == dealer else 0
        assert len(hands[seat]) == size + extra, f"wrong number of cards at seat {seat}"


def check_declaration(
    rules: Rules, hand: Collection[str], kinds: Collection[str], withheld: Collection[str]
) -> None:
    """Assert that a player may declare these kinds with these cards withheld (RULES §4)."""
    kinds, withheld = set(kinds), set(withheld)
    if not rules["combinations"]:
        assert not kinds and not withheld, "nothing is declared in this game"
    elif rules["declare"] == "all_or_nothing":
        assert not withheld, "nothing may be withheld"
        assert kinds in (set(), combinations.held(hand, rules)), "all or nothing"
    else:
        assert rules["declare"] == "any_subset"
        assert withheld <= {"Pagat", FOOL} & set(hand), "only one's own Pagat or Fool"
        kept = set(hand) - withheld
        assert kinds <= combinations.held(kept, rules), "declared but not held"


def play_tricks(
    rules: Rules, dealer: int, hands: Sequence[Iterable[str]], plays: Sequence[str]
) -> list[Trick]:
    """The tricks of a hand, every play asserted to be legal (RULES §2).

    `hands` are those after the discard.
    """
    left = [set(hand) for hand in hands]
    assert len(plays) == sum(len(hand) for hand in left), "wrong number of plays"
    assert rules["first_lead"] in ("eldest", "dealer")
    leader = dealer if rules["first_lead"] == "dealer" else (dealer + 1) % 4
    played = []
    for start in range(0, len(plays), 4):
        cards: list[str] = []
        for position in range(4):
            seat = (leader + position) % 4
            card = plays[start + position]
            assert card in left[seat], f"seat {seat} does not hold {card}"
            assert card in tricks.legal(left[seat], cards, rules), f"{card} may not be played"
            left[seat].remove(card)
            cards.append(card)
        winner = (leader + tricks.winner(cards, rules)) % 4
        played.append(Trick(leader, cards, winner))
        leader = winner
    return played


def settle_tricks(
    rules: Rules, dealer: int, discard: Collection[str], played: Sequence[Trick]
) -> tuple[list[set[str]], str | None]:
    """Both piles after settlement and the card given for the Fool (RULES §3, §7)."""
    piles: list[set[str]] = [set(), set()]
    tricks_won = [0, 0]
    fool_side, lost = 0, False
    for trick in played:
        side = trick.winner % 2
        piles[side] |= set(trick.cards)
        tricks_won[side] += 1
        if FOOL in trick.cards:
            fool_side = trick.seat_of(FOOL) % 2
            lost = side != fool_side
    return settlement.settle(piles, tricks_won, discard, dealer % 2, fool_side, lost, rules)


def points_in_tricks(rules: Rules, played: Sequence[Trick]) -> list[int]:
    """What each side scores for combinations inside the tricks it won (RULES §4)."""
    scored = [0, 0]
    for trick in played:
        side = trick.winner % 2
        fool_counts = rules["fool_in_lost_trick"]
        if FOOL in trick.cards and trick.seat_of(FOOL) % 2 == side:
            fool_counts = True
        scored[side] += combinations.trick_points(trick.cards, fool_counts, rules)
    return scored


def kinds_bits(kinds: Collection[str], withheld: Collection[str] = ()) -> int:
    """Combinations as a number, one bit each; bits 12 and 13 for what was withheld (RULES §4)."""
    names = [*combinations.KINDS, "Pagat", FOOL]
    return sum(2**bit for bit, name in enumerate(names) if name in kinds or name in withheld)


def play_hand(
    rules: Rules,
    dealer: int,
    hands: Sequence[Collection[str]],
    discard: Collection[str],
    declared: Sequence[Collection[str]],
    withheld: Sequence[Collection[str]],
    plays: Sequence[str],
) -> dict[str, int]:
    """Every column of a hand; AssertionError on anything illegal (RULES §2 to §4, §7).

    `hands` are those dealt, the dealer's with the extra two. The columns are those of a row
    of a run without `hand_id`, `plays` and `signals`.
    """
    check_deal(rules, dealer, hands)
    legal = discards.legal_discards(hands[dealer], rules)
    assert len(discard) == 2 and frozenset(discard) in legal, "illegal discard"
    in_play = [set(hand) for hand in hands]
    in_play[dealer] -= set(discard)
    for seat in range(4):
        check_declaration(rules, in_play[seat], declared[seat], withheld[seat])

    played = play_tricks(rules, dealer, in_play, plays)
    piles, _ = settle_tricks(rules, dealer, discard, played)
    last_trick = played[-1].winner % 2

    row = {"dealer": dealer, "discard": packs.mask(discard, rules)}
    row["won0"] = packs.mask(piles[0], rules)
    row["first_trick_leader"] = played[0].leader
    for seat in range(4):
        row[f"hand{seat}"] = packs.mask(hands[seat], rules)
    for name, card in (("pagat", "Pagat"), ("fool", FOOL)):
        row[f"{name}_seat"] = next(seat for seat in range(4) if card in in_play[seat])
        row[f"{name}_trick"] = next(n for n, trick in enumerate(played) if card in trick.cards)
        row[f"{name}_side"] = 0 if card in piles[0] else 1

    scores = [0.0, 0.0]
    for side in range(2):
        row[f"tricks{side}"] = sum(trick.winner % 2 == side for trick in played)
        points = settlement.card_points(piles[side], rules)
        assert points == int(points), "half a point"
        row[f"card_points{side}"] = int(points)
        scores[side] = points
        if rules["counting"] == "point_a_pair":
            scores[side] -= settlement.card_points(packs.pack(rules), rules) / 2
        if side == last_trick:
            scores[side] += rules["last_trick_points"]

    if rules["combinations"]:
        row["last_trick"] = last_trick
        for seat in range(4):
            row[f"held{seat}"] = kinds_bits(combinations.held(in_play[seat], rules))
            row[f"declared{seat}"] = kinds_bits(declared[seat], withheld[seat])
            points = combinations.declaration_points(
                in_play[seat], declared[seat], withheld[seat], rules
            )
            row[f"declared_points{seat}"] = points
            scores[seat % 2] += points
        in_tricks = points_in_tricks(rules, played)
        for side in range(2):
            cricche_points, sequence_points = combinations.points(piles[side], rules)
            row[f"trick_points{side}"] = in_tricks[side]
            row[f"cricche{side}"] = cricche_points
            row[f"sequences{side}"] = sequence_points
            scores[side] += in_tricks[side] + cricche_points + sequence_points

    for side in range(2):
        assert scores[side] == int(scores[side]), "half a point"
        row[f"score{side}"] = int(scores[side])
    return row
