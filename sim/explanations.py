"""Why a seat decided as it did: a replayed hand taken through again, each of its parts asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sim.cards import indices
from sim.combinations import KINDS
from sim.kernels import streams
from sim.kernels.combinations import FOOL_WITHHELD, PAGAT_WITHHELD
from sim.kernels.decisions import Decisions, ask_play, ask_signal
from sim.kernels.discard import _may_discard
from sim.kernels.rules_record import rules_record
from sim.kernels.state import NONE
from sim.manifests import RunError
from sim.players import as_heard
from sim.policies.policy import Part, Policy, weights_of
from sim.positions import Position
from sim.replays import Declaration, Replay


class Heard(NamedTuple):
    """Signals that another seat made: with its card of a trick, or before its partner led to it."""

    seat: int
    trick: int
    signals: tuple[str, ...]


class Choice(NamedTuple):
    """One decision of a seat. Cards and combinations are given by name.

    Attributes
    ----------
    decision
        ``discard``, ``declare``, ``lead`` or ``play``.
    part, reason
        The part that decided, and its habit; of a discard or declaration what the part does.
    trick, leader
        Number of the trick and the seat that leads to it; None before play.
    on_table
        Cards in the trick so far, in order of play.
    winning
        The seat whose card wins so far; None if there is none.
    hand
        Cards held.
    legal
        Cards that might have been discarded or played; combinations that might have been declared.
    chosen
        Cards discarded or played; combinations declared.
    withheld
        Pagat and Fool, where a declaration left them out.
    habits
        Parameters that made the difference: with that one at 0, the part would have played the
        card named.
    heard
        What others have signalled since the seat's last card; what they did before is known too.
    signals
        What the seat signalled with the card, and before its partner led to the trick.
    """

    decision: str
    part: str
    reason: str
    hand: tuple[str, ...]
    legal: tuple[str, ...]
    chosen: tuple[str, ...]
    withheld: tuple[str, ...] = ()
    trick: int | None = None
    leader: int | None = None
    on_table: tuple[str, ...] = ()
    winning: int | None = None
    habits: tuple[tuple[str, str], ...] = ()
    heard: tuple[Heard, ...] = ()
    signals: tuple[str, ...] = ()


def explain(played: Replay, policies: Sequence[Policy], seat: int) -> list[Choice]:
    """The decisions of a seat in a hand, in order, each with the habit that chose.

    Parameters
    ----------
    played
        The hand; if it was broken off, what came before is explained.
    policies
        Those of seats 0 to 3 that played it.
    seat
        0 to 3.

    Raises
    ------
    RunError
        A part now plays another card than in the replay.

    Source: RULES §2-4, 7.
    """
    choices = []
    if seat == played.dealer and played.discard:
        choices.append(_discard(played, policies[seat].discard))
    declaration = next((made for made in played.declarations if made.seat == seat), None)
    if declaration:
        choices.append(_declaration(played, declaration, policies[seat].declare))
    return choices + (_cards(played, policies, seat) if played.tricks else [])


def _names(cards: int, played: Replay) -> tuple[str, ...]:
    return tuple(played.rules.cards.names[card] for card in indices(cards))


def _discard(played: Replay, part: Part) -> Choice:
    hand = played.dealt[played.dealer]
    legal, _ = _may_discard(hand, rules_record(played.rules))
    return Choice(
        decision="discard",
        part=part.name,
        reason=part.description,
        hand=_names(hand, played),
        legal=_names(legal, played),
        chosen=_names(played.discard, played),
    )


def _declaration(played: Replay, made: Declaration, part: Part) -> Choice:
    return Choice(
        decision="declare",
        part=part.name,
        reason=part.description,
        hand=_names(played.dealt[made.seat] & ~played.discard, played),
        legal=tuple(made.held),
        chosen=(*made.cricche, *made.sequences),
        withheld=_names(made.withheld, played),
    )


def _cards(played: Replay, policies: Sequence[Policy], seat: int) -> list[Choice]:
    """The cards that a seat played, each asked of its policy again and checked."""
    pack, policies = played.rules.cards, as_heard(played.rules, policies)
    bundles = tuple(policy.decisions for policy in policies)
    weights, position, choices = weights_of(tuple(policies)), start_of(played), []
    cards = [card for trick in played.tricks for card in trick.cards]
    heard: list[Heard] = []
    before: list[str] = []  # signalled before partner led
    for k, (card, signals, said) in enumerate(zip(cards, played.signals, played.said, strict=True)):
        position.declare_if_due()
        table, own = position.table, said.pop(seat, [])
        heard += [Heard(who, k // 4, tuple(names)) for who, names in said.items()]
        if position.seat == seat:
            if table.position == 0:
                table.signals[k] = _partners_signals(position, bundles, weights)
            answer, reason = ask_play(bundles, seat, position.view(seat), weights)
            if answer != card:
                raise RunError(
                    f"hand {played.hand}, trick {table.trick}: seat {seat} played "
                    f"{pack.describe(card)}, but its policy {policies[seat].spec} now plays "
                    f"{pack.describe(answer)}: expected the same program, rules and policies"
                )
            choice = _card(played, position, card, _deciding(policies[seat], position), reason)
            habits = _habits(policies, position, card)
            own = before + own
            choices.append(choice._replace(habits=habits, heard=tuple(heard), signals=tuple(own)))
            heard, before = [], []
        else:
            before += own
        position.play(card, signals)
    return choices


def _deciding(policy: Policy, position: Position) -> Part:
    """The part of a policy that is asked for the next card."""
    leads = position.table.position == 0 and not policy.decisions.leads_by_play
    return policy.lead if leads else policy.play


def _habits(
    policies: Sequence[Policy], position: Position, card: int
) -> tuple[tuple[str, str], ...]:
    """The parameters without which the seat to play would not play this card, and what it would."""
    seat, names = position.seat, position.rules.cards.names
    part, bundles = _deciding(policies[seat], position), tuple(p.decisions for p in policies)
    found = []
    for habit, value in part.parameters.items():
        if value:
            without = part.with_parameters({**part.parameters, habit: 0.0})
            changed = [*policies]
            changed[seat] = policies[seat].with_part(without)
            weights = weights_of(tuple(changed))
            answer, _ = ask_play(bundles, seat, position.view(seat), weights)
            if answer != card:
                found.append((habit, names[answer]))
    return tuple(found)


def start_of(played: Replay) -> Position:
    """The hand before the first lead."""
    declared = [0] * 4
    pack = played.rules.cards
    for made in played.declarations:
        bits = sum(1 << KINDS.index(kind) for kind in (*made.cricche, *made.sequences))
        bits |= PAGAT_WITHHELD if made.withheld >> pack.pagat & 1 else 0
        bits |= FOOL_WITHHELD if made.withheld >> pack.fool & 1 else 0
        declared[made.seat] = bits
    return Position.start(
        played.rules,
        played.dealer,
        played.dealt,
        played.discard,
        declared,
        seed=played.seed,
        hand=played.hand,
    )


def _partners_signals(
    position: Position, bundles: tuple[Decisions, ...], weights: np.record
) -> int:
    """What the partner of the seat to lead says before."""
    partner, k = (position.seat + 2) % 4, 4 * int(position.table.trick)
    key = streams.step(streams.stream(position.hidden.key, streams.SIGNAL + partner), k)
    view = position.view(partner)._replace(key=np.uint64(key))
    told = int(ask_signal(bundles, partner, view, NONE, weights))
    return told & int(view.rules.signals)


def _card(played: Replay, position: Position, card: int, part: Part, reason: int) -> Choice:
    table, seat, names = position.table, position.seat, played.rules.cards.names
    start = 4 * int(table.trick)
    on_table = table.plays[start : start + int(table.position)]
    named = 0 <= reason < len(part.reasons)
    return Choice(
        decision="play" if table.position else "lead",
        part=part.name,
        reason=part.reasons[reason] if named else f"reason {reason}",
        hand=_names(position.hidden.hands[seat], played),
        legal=_names(position.legal, played),
        chosen=(names[card],),
        trick=int(table.trick),
        leader=int(table.leader),
        on_table=tuple(names[other] for other in on_table),
        winning=int(table.best & 3) if table.best >= 0 else None,
    )
