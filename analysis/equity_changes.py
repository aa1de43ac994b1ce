"""What hiding declarations, or another discard, changes in the chance of winning at a score."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analysis.equity import Equity
from analysis.equity_tables import Chances
from analysis.estimates import Estimate
from analysis.moments import Moments
from analysis.win_payoff import MILLION, WinPayoff
from sim.hands import play_hands
from sim.parts import map_parts
from sim.policies.policy import Policy
from sim.policies.spec import PARTS, parse_policies

# Hands to play for each change, half of them dealt by the side that deals.
HANDS = 40_000
PART = 10_000
# What we might do instead, by the part that does it.
DECLARES = {"nothing": "we hide all we hold", "hide": "we hide hands below 30 points"}
DISCARDS = ("low", "void", "courts", "pips", "combine", "pisarri")


class Change(NamedTuple):
    """Something done otherwise in one hand, and what that does to the chance of winning."""

    what: str
    part: str  # as in a SPEC: declare:nothing
    worth: Estimate


def changes(
    found: Equity, hands: int = HANDS, *, threads: int | None = None, progress: bool = False
) -> list[Change]:
    """What we gain or lose in the chance of winning by playing the next hand with another part.

    Our own policy and the same with one part exchanged play the same deals, both partners alike;
    later hands are played as the table has it. Hiding so tells what others make of what is shown,
    too, if the policies that play look at it.

    Parameters
    ----------
    found
        The chance at a score; its table, taken as it is, values the hands.
    hands
        To be played with each part, of which half have the right dealer.
    threads, progress
        As in ``sim.run.map_parts``.

    Returns
    -------
    list of Change
        Hiding, where the game has combinations; discards of the parts named in ``DISCARDS`` but our
        own, where we deal. The means are differences of chances, ours less our own policy's;
        intervals hold together (``max-t`` over deals).

    Raises IllegalAnswer as ``sim.hands.play_hands``. Source: RULES §4, §5, §7; STRATEGY C20.
    """
    rules, (us, them), score = found.rules, found.policies, found.score
    chances = Chances.of(found.outcomes, rules, score[:2])
    payoff = WinPayoff(score, chances, (us, them), found.hands, found.seed)
    others = _others(found)
    if not others:
        return []

    def play(part: range) -> Moments:
        chances = []
        for policy in (us, *(us.with_part(PARTS[kind][name]) for _, kind, name in others)):
            rows = play_hands(rules, parse_policies([policy, them]), found.seed, part[0], len(part))
            # Side 0 plays as we do, so its hands are those in which it is us.
            chances.append(payoff.chance(rows)[rows.dealer % 2 == score.dealer])
        return Moments.of(np.array(chances[1:]) - chances[0])

    ranges = [range(a, min(a + PART, hands)) for a in range(0, hands, PART)]
    total = None
    for _, more in map_parts(play, ranges, threads=threads, progress=progress):
        total = more if total is None else total + more
    assert total is not None
    worth = total.estimates(MILLION, found.level, "deal")
    return [
        Change(what, f"{kind}:{name}", each)
        for (what, kind, name), each in zip(others, worth, strict=True)
    ]


def _others(found: Equity) -> list[tuple[str, str, str]]:
    """What is to be told, and the kind and name of the part."""
    us: Policy = found.policies[0]
    told = []
    if found.rules.combinations:
        told += [(what, "declare", name) for name, what in DECLARES.items()]
    if found.score.dealer == 0:
        told += [(f"we discard as {name} does", "discard", name) for name in DISCARDS]
    return [each for each in told if us.parts[each[1]].name != each[2]]
