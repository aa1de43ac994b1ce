"""What a card is worth where it might be played: forced upon a player, and the hand played on.

Hands are played by a policy; where the question arises the player plays another card, and all go on
as they are used to. The cards of all hands stay as they were dealt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.exchanges import side_sign
from analysis.margins import points
from analysis.moments import Moments
from analysis.totals import FEW, ByKind, total
from sim.cards import indices
from sim.hands import finish, play_hands
from sim.kernels.decisions import ask_play
from sim.players import compiled
from sim.policies.policy import Policy, weights_of
from sim.policies.spec import parse_policies
from sim.positions import Position
from sim.rows import Rows
from sim.rules import OTTOCENTO, RuleSet

PART = 250  # deals
SITUATIONS = (
    "leading",
    "first to trump, last to play: it wins",
    "first to trump, others to play",
    "under partner's trump",
    "under an opponent's trump",
)
OPENINGS = (
    "low from longest suit",
    "low from shortest suit",
    "court below the King",
    "King",
    "low trump",
    "highest trump",
    "Fool",
)

# Differences of points by what the question is: one of each question in each deal at most.
Found = ByKind[tuple[int, ...]]


def pagat_choices(
    policy: str | Policy = "expert",
    rules: RuleSet = OTTOCENTO,
    deals: int = 5_000,
    *,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Wherever the Pagat's holder may play it or keep it: what playing it now wins or costs.

    Parameters
    ----------
    policy
        Of all seats: a SPEC or a Policy. Keeping it, the holder plays the card that the policy
        would choose if the Pagat might not be played.
    rules, deals, seed
        The game, how many deals, the dealer rotating, and 0 to 2^64 - 1.
    level
        That all intervals of the table hold together (Bonferroni).
    threads, progress
        As in ``sim.parts.map_parts``; the table does not depend on the threads.

    Returns
    -------
    DataFrame
        By ``situation`` (of ``SITUATIONS``) and ``trick`` (1 first): ``mean``, ``low``, ``high`` of
        points a hand, own side less the other, the Pagat played less kept; ``n``, ``unit``,
        ``level``, ``method``; and ``separated``, whether the interval leaves out 0. Rows of fewer
        than ``FEW`` deals are left out.

    Raises PolicyError for a policy that cannot be had. Source: RULES §2.
    """
    return _tabled(
        _pagat_part, ["situation", "trick"], policy, rules, deals, seed, level, threads, progress
    )


def opening_leads(
    policy: str | Policy = "expert",
    rules: RuleSet = OTTOCENTO,
    deals: int = 5_000,
    *,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """What each kind of first lead wins or costs against the lead that the policy chooses.

    Parameters and columns as of ``pagat_choices``, by ``opening`` (of ``OPENINGS``). Deals in which
    the first leader has no such card are left out, so that rows speak of different deals; where it
    is the policy's own lead the difference is 0. Source: STRATEGY C11, C12.
    """
    return _tabled(_opening_part, ["opening"], policy, rules, deals, seed, level, threads, progress)


Part = Callable[[RuleSet, Sequence[Policy], int, range], Found]


def _tabled(
    play: Part,
    names: list[str],
    policy: str | Policy,
    rules: RuleSet,
    deals: int,
    seed: int,
    level: float,
    threads: int | None,
    progress: bool,
) -> pd.DataFrame:
    seats = parse_policies(policy)
    compiled(seats)  # here, not in several threads
    found = total(
        lambda part: play(rules, seats, seed, part),
        *(deals, PART),
        threads=threads,
        progress=progress,
    )
    shown = {key: moments for key, moments in sorted(found.items()) if moments.n >= FEW}
    rows = []
    for key, moments in shown.items():
        alone = moments.estimates(1, 1 - (1 - level) / len(shown), "deal")[0]
        each = replace(alone, level=level, method="bonferroni")
        told = [
            _NAMES[name][at] if name in _NAMES else at for name, at in zip(names, key, strict=True)
        ]
        separated = not each.low <= 0 <= each.high
        rows.append(dict(zip(names, told, strict=True)) | each.to_dict() | {"separated": separated})
    columns = [*names, "mean", "low", "high", "n", "unit", "level", "method", "separated"]
    return pd.DataFrame(rows, columns=columns)


_NAMES: dict[str, Sequence[str]] = {"situation": SITUATIONS, "opening": OPENINGS}


def _position(rows: Rows, i: int, rules: RuleSet, seed: int, hand: int) -> Position:
    """The hand of a row before the first lead."""
    return Position.start(
        rules,
        int(rows.dealer[i]),
        rows.hand[:, i].tolist(),
        int(rows.discard[i]),
        rows.declared[:, i].tolist(),
        seed=seed,
        hand=hand,
    )


def _won(positions: Iterable[tuple[Position, int]], policies: Sequence[Policy]) -> NDArray[Any]:
    """Points that the seat to play wins, its side less the other, by playing a card: int64 (n,).

    The positions stand in the same trick, with as many cards on the table.
    """
    after, seats = [], []
    for position, card in positions:
        moved = position.copy()
        moved.play(card)
        after.append(moved)
        seats.append(position.seat)
    return side_sign(np.array(seats)) * points(finish(after, policies), 0)


def _pagat_part(rules: RuleSet, policies: Sequence[Policy], seed: int, deals: range) -> Found:
    rows = play_hands(rules, policies, seed, deals.start, len(deals), log_plays=True)
    bundles, weights = tuple(each.decisions for each in policies), weights_of(tuple(policies))
    pagat = rules.cards.pagat
    asked: dict[tuple[int, int], list[tuple[int, Position, int]]] = defaultdict(list)
    for i, hand in enumerate(deals):
        holder, played = int(rows.pagat[0, i]), int(rows.pagat[1, i])
        position = _position(rows, i, rules, seed, hand)
        for card in rows.plays[i, : 4 * (played + 1)].tolist():
            position.declare_if_due()
            if position.seat == holder and position.legal >> pagat & 1:
                view = position.view(holder)
                others = view.legal & ~(1 << pagat)
                kept = pagat
                if others:
                    kept, _ = ask_play(bundles, holder, view._replace(legal=others), weights)
                if others >> kept & 1:
                    at = int(position.table.trick), int(position.table.position)
                    situation = _situation(position, rules.cards.trumps)
                    asked[at].append((situation, position.copy(), kept))
            position.play(card)
    found: Found = ByKind()
    for (trick, _), some in sorted(asked.items()):
        now = _won([(position, pagat) for _, position, _ in some], policies)
        later = _won([(position, kept) for _, position, kept in some], policies)
        situations = np.array([situation for situation, _, _ in some])
        for situation in np.unique(situations).tolist():
            won = (now - later)[situations == situation]
            found += ByKind({(situation, trick + 1): Moments.of(won[None])})
    return found


def _situation(position: Position, trumps: int) -> int:
    """Where the Pagat may be played, an index of ``SITUATIONS``: all other trumps beat it."""
    table = position.table
    if not int(table.led):
        return 0
    winning, winner = int(table.best) >> 2, int(table.best) & 3
    if not trumps >> winning & 1:
        return 1 if int(table.position) == 3 else 2
    return 3 if winner == position.seat ^ 2 else 4


def _opening_part(rules: RuleSet, policies: Sequence[Policy], seed: int, deals: range) -> Found:
    rows = play_hands(rules, policies, seed, deals.start, len(deals), log_plays=True)
    asked: dict[int, list[tuple[int, Position, int]]] = defaultdict(list)
    for i, hand in enumerate(deals):
        position = _position(rows, i, rules, seed, hand)
        for opening, card in _openings(position.legal, rules).items():
            asked[opening].append((i, position, card))
    found: Found = ByKind()
    for opening, some in asked.items():
        at = np.array([i for i, _, _ in some])
        sign = side_sign(rows.first_trick_leader[at].astype(np.int64))
        forced = _won([(position, card) for _, position, card in some], policies)
        found[opening,] = Moments.of((forced - sign * points(rows, 0)[at])[None])
    return found


def _openings(hand: int, rules: RuleSet) -> dict[int, int]:
    """For each of ``OPENINGS`` that a hand has, by index, its card."""
    pack = rules.cards
    suits = sorted((suit & hand for suit in pack.suits[:4]), key=int.bit_count)
    kings, courts = pack.rank("K"), pack.rank("Q") | pack.rank("C") | pack.rank("V")
    low = [suit & ~kings & ~courts for suit in suits]
    trumps = hand & pack.trumps & ~(1 << pack.pagat)
    cards = [
        _lowest(next((some for some in reversed(low) if some), 0)),
        _lowest(next((some for some in low if some), 0)),
        _lowest(next((suit & courts for suit in reversed(suits) if suit & courts), 0)),
        _lowest(next((suit & kings for suit in reversed(suits) if suit & kings), 0)),
        _lowest(trumps),
        trumps.bit_length() - 1 if trumps else None,
        _lowest(hand & 1 << pack.fool),
    ]
    return {at: card for at, card in enumerate(cards) if card is not None}


def _lowest(cards: int) -> int | None:
    return next(iter(indices(cards)), None)
