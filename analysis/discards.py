"""A dealer's discards ranked by what they win, on common completions of the other cards.

Every legal pair is played out, the same policies at all seats, on the same ways to deal the cards
that the dealer does not see. A search drops in rounds what is clearly behind; what it leaves, six
at most, are the leaders. All figures then come from fresh completions, so that choosing flatters
none: the leaders on as many as the precision takes, the others on fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import inf
from time import monotonic

from analysis.discard_ranking import Ranking
from analysis.discard_search import Playouts
from analysis.equity import Score
from analysis.estimates import check_level
from analysis.margins import PAYOFFS
from analysis.win_payoff import MILLION, win_payoff
from sim.cards import indices, parse_cards
from sim.hands import LARGEST_SEED
from sim.kernels.discard import _legal_discard, _may_discard
from sim.kernels.rules_record import rules_record
from sim.players import compiled
from sim.policies.policy import Policy
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, RuleSet

# Of the time given, the share after which the search ends, and the play of all on fresh
# completions.
SEARCH_SHARE, OTHERS_SHARE = 0.3, 0.6
FAST = {"simple", "random"}  # play parts


class DiscardError(ValueError):
    """Discards were asked for that cannot be ranked."""


def legal_discards(hand: str | int, rules: RuleSet = OTTOCENTO) -> list[int]:
    """Every pair that the dealer may discard, as sets, in the order of the pack.

    Parameters
    ----------
    hand
        The dealer's cards, two more than the others have: names, or a set.
    rules
        Say what may go: no King, no Honour; where ``discard_trumps`` is ``forced_exposed`` trumps
        only for want of plain cards.

    Raises CardError for unknown cards or cards named twice, DiscardError for another number of
    them. Source: RULES §3, §7.
    """
    cards, record = _hand(hand, rules), rules_record(rules)
    allowed, _ = _may_discard(cards, record)
    pairs = (1 << one | 1 << two for one, two in combinations(indices(allowed), 2))
    return [pair for pair in pairs if _legal_discard(pair, cards, record)]


def _hand(hand: str | int, rules: RuleSet) -> int:
    size = rules.tricks + rules.discards
    if isinstance(hand, str):
        return parse_cards(hand, rules.cards, size)
    if hand.bit_count() != size or hand & ~rules.cards.all:
        raise DiscardError(f"the dealer's hand: expected {size} cards of the {rules.pack} pack")
    return hand


def discards(
    hand: str | int,
    rules: RuleSet = OTTOCENTO,
    policies: str | Policy | Sequence[str | Policy] = "expert",
    precision: float | None = None,
    *,
    level: float = 0.95,
    payoff: str = "points",
    score: Score | None = None,
    time: float | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = False,
) -> Ranking:
    """Rank every discard that the dealer may make from a hand.

    Parameters
    ----------
    hand
        The dealer's cards before the discard, 17 (15 in Partita): names, or a set.
    rules
        The game.
    policies
        One for all seats, or two: that of the dealer's side, and that of the other. Their own
        discards do not matter.
    precision
        Half-width of the differences among the leaders: it decides how many completions are
        played. None: 1 point where all play as ``simple`` or ``random`` do, which is fast, else 2;
        a tenth of that in games without combinations, which score less; with ``win`` 0.005.
    payoff
        ``points``, ``win`` or ``winner_takes``, of the dealer's side less the other's.
    score
        With ``win``: the state of the game before the hand, which we deal. What counts is our
        chance of winning the game once the hand is played; the table is made with the same
        policies. None: the hand itself is to be won.
    level
        Of the leaders' intervals together, and of the others' together.
    time
        Seconds, from when the policies are compiled; None: as many as it takes. Only where it cuts
        the work short does the answer depend on it, and is not the same again.
    seed
        0 to 2^64 - 1.
    threads, progress
        As in ``sim.parts.map_parts``; the answer does not depend on the threads.

    Returns
    -------
    Ranking
        All legal pairs, best first.

    Raises
    ------
    CardError
        A card is unknown or named twice.
    DiscardError
        Another number of cards, a number or payoff out of bounds, a score without ``win``, or one
        in which others deal.
    EquityError
        A state that the game does not know.
    PolicyError
        A policy that cannot be had, or more than two.
    IllegalAnswer
        A policy answered what the rules forbid.
    ValueError
        A level out of bounds.

    Source: RULES §3, §7; HOUSE of this project, numbers.
    """
    cards, pairs = _hand(hand, rules), legal_discards(hand, rules)
    seats = parse_policies(policies)
    if payoff not in PAYOFFS:
        raise DiscardError(f"unknown payoff {payoff!r}: expected {', '.join(PAYOFFS)}")
    if score is not None and payoff != "win":
        raise DiscardError("a score without the payoff win: expected --payoff win beside it")
    if score is not None and score.dealer != 0:
        raise DiscardError("they deal: expected us, since it is the dealer who discards")
    if precision is None and payoff == "win":
        precision = 0.005
    if precision is None:
        precision = 1.0 if {policy.play.name for policy in seats} <= FAST else 2.0
        precision *= 1.0 if rules.combinations else 0.1
    if not 0 < precision < inf:
        raise DiscardError(f"a precision of {precision}: expected more than 0")
    if time is not None and not 0 < time < inf:
        raise DiscardError(f"a time of {time} seconds: expected more than 0")
    if not 0 <= seed <= LARGEST_SEED:
        raise DiscardError(f"seed {seed}: expected 0 to {LARGEST_SEED}")
    check_level(level)
    if not isinstance(policies, str | Policy) and len(policies) > 2:
        raise DiscardError(
            f"{len(policies)} policies: expected one for all seats, or those of the dealer's side "
            "and of the other"
        )
    at_score, of_hand, scale = None, PAYOFFS[payoff], 1
    if score is not None:
        at_score = win_payoff(
            score, rules, seats[:2], seed=seed, threads=threads, progress=progress
        )
        of_hand, scale = at_score.of_us, MILLION
    playouts = Playouts(rules, cards, seats[:2], seed, of_hand, threads, progress)
    compiled(playouts.seats(pairs[0]))  # here, not in several threads
    start = monotonic()

    def until(share: float) -> float:
        return inf if time is None else start + share * time

    found = playouts.search(pairs, precision * scale, level, until(SEARCH_SHARE))
    first, last = found.searched, found.searched + found.for_leaders
    of_others = None
    if found.others:
        fresh = range(first, first + found.for_others)
        of_others = playouts.add_up([*found.leaders, *found.others], fresh, until(OTHERS_SHARE))
        first += of_others.n
    of_leaders = None if of_others is None else of_others.first(len(found.leaders))
    if first < last:
        more = playouts.add_up(found.leaders, range(first, last), until(1))
        of_leaders = more if of_leaders is None else of_leaders.plus(more)
    assert of_leaders is not None
    return Ranking(
        rules,
        cards,
        seats[:2],
        seed,
        payoff,
        at_score,
        level,
        precision,
        found.searched,
        cut=monotonic() > until(1) or of_leaders.n < found.for_leaders,
        leaders=found.leaders,
        others=found.others,
        of_leaders=of_leaders,
        of_others=of_others,
    )
