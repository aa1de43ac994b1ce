"""Hands as text: a deal on one line, and a replay as players follow it. RULES §1-4, §7."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from sim.cards import SUITS, CardError, Pack, format_cards, indices, parse_cards
from sim.counts import combination_lines, pile_lines, score_lines
from sim.replays import Declaration, Replay, Trick
from sim.rules import RuleSet

WIDTH, INDENT = 100, 19  # columns of a line, and of its label


def format_deal(dealer: int, hands: Sequence[int], rules: RuleSet) -> str:
    """A deal on one line: the dealer, a colon, and the cards of seats 0 to 3 with bars between.

    Parameters
    ----------
    dealer
        Seat.
    hands
        Cards dealt, sets, the dealer's with the two he discards.
    rules
        They name the pack.

    Source: RULES §1.
    """
    return f"{dealer}: " + " | ".join(format_cards(cards, rules.cards) for cards in hands)


def parse_deal(text: str, rules: RuleSet) -> tuple[int, tuple[int, ...]]:
    """Read a deal as ``format_deal`` writes it; names as ``parse_cards`` takes them.

    Returns
    -------
    (dealer, hands)
        A seat, and the cards dealt to seats 0 to 3, sets.

    Raises
    ------
    CardError
        The line has another form, or its cards are no deal of the pack.

    Source: RULES §1, 3, 7.
    """
    before, colon, after = text.partition(":")
    if not colon:
        raise CardError("the deal has no colon: expected 'DEALER: hand | hand | hand | hand'")
    if before.strip() not in ("0", "1", "2", "3"):
        raise CardError(f"the dealer is {before.strip()!r}: expected a seat, 0 to 3")
    dealer, parts = int(before), after.split("|")
    if len(parts) != 4:
        raise CardError(f"the deal has {len(parts)} hands: expected 4 with | between them")
    hands: list[int] = []
    for seat, part in enumerate(parts):
        try:
            cards = parse_cards(part, rules.cards)
        except CardError as error:
            raise CardError(f"seat {seat}: {error}") from None
        for other, held in enumerate(hands):
            if cards & held:
                twice = rules.cards.names[next(indices(cards & held))]
                raise CardError(
                    f"seats {other} and {seat} both have {twice}: expected each card once"
                )
        hands.append(cards)
    for seat, cards in enumerate(hands):
        expected = rules.tricks + (rules.discards if seat == dealer else 0)
        if cards.bit_count() != expected:
            who = f"seat {seat}, the dealer," if seat == dealer else f"seat {seat}"
            raise CardError(f"{who} has {cards.bit_count()} cards: expected {expected}")
    return dealer, tuple(hands)


def format_replay(played: Replay) -> str:
    """A replay as text that a player can follow, in lines of at most 100 columns.

    The hands by suit, the discard, the declarations, each trick, the settlement, and the count:
    side 0's pile in columns, trumps first and then each suit, with a dot where a card is missing,
    so that side 1's combinations are read from the dots; combinations and score of both sides.
    Source: RULES §2-4, 7.
    """
    sections = [_heading(played), _hands(played)]
    if played.discard:
        sections.append(_discard(played))
    if played.declarations:
        sections.append(_declarations(played))
    if played.tricks:
        sections.append(_tricks(played))
    if played.error:
        sections.append(_broken_off(played))
    elif played.counts:
        sections += [_settlement(played), pile_lines(played)]
        if played.rules.combinations:
            sections.append(combination_lines(played))
        sections.append(score_lines(played))
    return "\n\n".join("\n".join(line.rstrip() for line in lines) for lines in sections) + "\n"


def _item(label: str, text: str) -> list[str]:
    """A labelled paragraph, its further lines under the first."""
    label = f"  {label}"
    return wrap(
        f"{label:<{INDENT}}{text}",
        WIDTH,
        subsequent_indent=" " * INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _heading(played: Replay) -> list[str]:
    specs = played.policies
    if len(set(specs)) == 1:
        policies = [f"All seats play {specs[0]}."]
    elif specs[:2] == specs[2:]:
        policies = [f"Side {side} plays {specs[side]}." for side in range(2)]
    else:
        policies = [f"Seat {seat} plays {spec}." for seat, spec in enumerate(specs)]
    game = "" if played.game is None else f"game {played.game}, "
    return [
        f"{played.rules.name}, seed {played.seed}, {game}hand {played.hand}",
        "Seats 0 and 2 are side 0, seats 1 and 3 are side 1.",
        *policies,
    ]


def _seat(seat: int, played: Replay) -> str:
    return f"seat {seat}" + {0: ", dealer", 1: ", eldest"}.get((seat - played.dealer) % 4, "")


def _hands(played: Replay) -> list[str]:
    pack, lines = played.rules.cards, ["Hands dealt"]
    suits = dict(zip(SUITS, pack.suits, strict=True))
    for seat, hand in enumerate(played.dealt):
        trumps = [*[*indices(hand & pack.trumps)][::-1], *indices(hand & 1 << pack.fool)]
        lines += _item(_seat(seat, played), f"trumps  {_named(trumps, pack)}")
        for name, suit in suits.items():
            lines += _item("", f"{name:<8}{_named([*indices(hand & suit)][::-1], pack)}")
    return lines


def _named(cards: list[int], pack: Pack) -> str:
    return " ".join(pack.names[card] for card in cards) or "-"


def _discard(played: Replay) -> list[str]:
    pack = played.rules.cards
    lines = ["Discard", *_item(_seat(played.dealer, played), format_cards(played.discard, pack))]
    if played.exposed:
        lines += _item("", f"all see {format_cards(played.exposed, pack)}")
    return lines


def _list(of: Declaration | Trick) -> str:
    """Combinations as "kings of 3 for 17, cups of 4 for 15"; three or more of a sort double."""
    sorts = []
    for found in (of.cricche, of.sequences):
        told = [f"{kind} of {n} for {points}" for kind, (n, points) in found.items()]
        if told:
            sorts.append(", ".join([*told, "doubled"] if len(told) >= 3 else told))
    return "; ".join(sorts)


def _declarations(played: Replay) -> list[str]:
    pack = played.rules.cards
    late = played.rules.declare_when == "before_own_first_card"
    when = "each just before the first card of his own" if late else "before the first trick"
    lines = [f"Declarations, {when}"]
    for made in played.declarations:
        told = f"{_list(made)}: {made.points} points" if made.points else "nothing"
        lines += _item(_seat(made.seat, played), told)
        if made.shown:
            lines += _item("", f"shows {format_cards(made.shown, pack)}")
        if made.withheld:
            lines += _item("", f"withholds {format_cards(made.withheld, pack)}")
        silent = [kind for kind in made.held if kind not in {**made.cricche, **made.sequences}]
        if silent:
            lines += _item("", f"does not declare {', '.join(silent)}")
    return lines


def _tricks(played: Replay) -> list[str]:
    names = played.rules.cards.names
    lines = [
        "Tricks, numbered from 0 (> leads, * wins)",
        "      " + "".join(f" {f'seat {s}':<10}" for s in range(4)),
    ]
    for number, trick in enumerate(played.tricks):
        cells = [""] * 4
        for position, card in enumerate(trick.cards):
            seat = trick.seat_of(card)
            won = "*" if seat == trick.winner else ""
            cells[seat] = f"{' ' if position else '>'}{names[card]}{won}"
        line = f"  {number:>2}  " + "".join(f"{cell:<11}" for cell in cells)
        if trick.winner is not None and trick.points:
            line += f"side {trick.winner % 2}: {_list(trick)}"
        lines.append(line)
        lines += _signals(played, number)
    return lines


def _signals(played: Replay, number: int) -> list[str]:
    """Who signalled what in a trick: with his card, or before partner leads. RULES §6, §7."""
    return [
        f"      seat {seat} signals {', '.join(names)}"
        for by_seat in played.said[4 * number : 4 * number + 4]
        for seat, names in by_seat.items()
    ]


def _settlement(played: Replay) -> list[str]:
    """What became of the Fool and the discard. RULES §3, §7."""
    rules, pack = played.rules, played.rules.cards
    number, trick = next((n, t) for n, t in enumerate(played.tricks) if pack.fool in t.cards)
    side, dealers = trick.seat_of(pack.fool) % 2, played.dealer % 2
    winners = trick.winner % 2 if trick.winner is not None else None
    told = [f"Side {side} played the Fool to trick {number}, which side {winners} won."]
    if rules.fool_exchange == "none":
        told.append(f"Side {side} keeps it and owes nothing.")
    elif side == winners:
        told.append("Nothing is owed.")
    without_trick = [played.counts[side].tricks == 0 for side in range(2)]
    for loser, given in enumerate(played.given):
        names = format_cards(given, pack)
        if given and without_trick[loser]:
            told.append(f"Side {loser} took no trick and gives up {names}.")
        elif given:
            told.append(f"Side {loser} keeps the Fool and gives {names} for it.")
    if not (played.given[dealers] and without_trick[dealers]):
        told.append(f"The discard counts to side {dealers}.")
    return ["Settlement", *(f"  {sentence}" for sentence in told)]


def _broken_off(played: Replay) -> list[str]:
    lines = [
        "Broken off",
        *wrap(str(played.error), WIDTH, initial_indent="  ", subsequent_indent="  "),
    ]
    if played.error and played.legal:
        legal = format_cards(played.legal, played.rules.cards)
        lines += [f"  It might have played {legal}."]
    return lines
