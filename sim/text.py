"""Hands as text: a deal on one line, and a replay as players follow it. RULES §1-4, §7."""

from __future__ import annotations

from collections.abc import Sequence

from sim.cards import COURTS, SUIT_LETTERS, SUITS, CardError, format_cards, indices, parse_cards
from sim.kernels.state import rules_record
from sim.replays import Declaration, Replay, Trick
from sim.rules import RuleSet

WIDTH = 17  # of a column of points


def format_deal(dealer: int, hands: Sequence[int], rules: RuleSet) -> str:
    """A deal on one line: the dealer, a colon, and the cards of seats 0 to 3 between bars.

    Parameters
    ----------
    dealer
        Seat.
    hands
        Cards dealt, sets, the dealer's with the two he discards.
    rules
        Name the pack.

    Source: RULES §1.
    """
    return f"{dealer}: " + " | ".join(format_cards(cards, rules.cards) for cards in hands)


def parse_deal(text: str, rules: RuleSet) -> tuple[int, tuple[int, ...]]:
    """Read a deal that ``format_deal`` wrote; names and spaces as ``parse_cards`` takes them.

    Returns
    -------
    (dealer, hands)
        A seat, and the cards dealt to seats 0 to 3 as sets.

    Raises
    ------
    CardError
        The line has another form, or its cards are no deal of the pack.

    Source: RULES §1, 3, 7.
    """
    dealer_text, colon, hands_text = text.partition(":")
    if not colon:
        raise CardError("the deal has no colon: expected DEALER: four hands with | between them")
    if dealer_text.strip() not in ("0", "1", "2", "3"):
        raise CardError(f"the dealer is {dealer_text.strip()!r}: expected a seat, 0 to 3")
    dealer = int(dealer_text)
    parts = hands_text.split("|")
    if len(parts) != 4:
        raise CardError(f"the deal has {len(parts)} hands: expected 4 with | between them")
    hands: list[int] = []
    for seat, part in enumerate(parts):
        count = rules.tricks + (rules.discards if seat == dealer else 0)
        try:
            cards = parse_cards(part, rules.cards, count)
        except CardError as error:
            raise CardError(f"seat {seat}: {error}") from None
        for other, others_cards in enumerate(hands):
            if cards & others_cards:
                twice = format_cards(cards & others_cards, rules.cards)
                raise CardError(
                    f"seats {other} and {seat} both hold {twice}: each card can appear once"
                )
        hands.append(cards)
    return dealer, tuple(hands)


def format_replay(played: Replay) -> str:
    """A replay as text that a player can follow, lines of at most 100 columns.

    The hands by suit, the discard, the declarations, the tricks, the Fool's settlement, and the
    count, with side 0's pile laid out in columns: trumps, then each suit, a dot where a card is
    missing, so that side 1's combinations are read from the dots. Source: RULES §2-4, 7.
    """
    sections = [_heading(played), _hands(played), _discard(played)]
    if played.rules.combinations:
        sections.append(_declarations(played))
    if played.tricks:
        sections.append(_tricks(played))
    if played.error:
        sections.append(_broken_off(played))
    else:
        sections += [_settlement(played), _piles(played), _combinations(played), _score(played)]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"
