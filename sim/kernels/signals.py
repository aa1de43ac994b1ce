"""Whether a signal is made at its moment, and whether it is true. RULES §6, §7."""

from __future__ import annotations

from sim.kernels.bits import highest, lowest, popcount
from sim.kernels.compiling import kernel
from sim.kernels.predicates import ask_predicate
from sim.kernels.state import NONE, UNTIMELY_SIGNAL, UNTRUE_SIGNAL
from sim.signals import MOMENTS, STATEMENTS

_MOMENT = {name: i for i, name in enumerate(MOMENTS)}
ANY_CARD, ANY_SUIT = _MOMENT["any_card"], _MOMENT["any_suit"]
PLAIN_SUIT, TRUMP = _MOMENT["plain_suit"], _MOMENT["trump"]
LEADING, FOLLOWING = _MOMENT["leading"], _MOMENT["following"]
LEADING_PLAIN, LEADING_TRUMP = _MOMENT["leading_plain_suit"], _MOMENT["leading_trump"]
BEFORE_LEAD = _MOMENT["before_partner_leads"]

_STATEMENT = {name: i for i, name in enumerate(STATEMENTS)}
REQUEST, VOID, LONG_SUIT = _STATEMENT["request"], _STATEMENT["void"], _STATEMENT["long_suit"]
ALL_BUT_ONE, ONE_MORE = _STATEMENT["all_but_one"], _STATEMENT["one_more"]
PAGAT_AT_RISK, TOP, TOP_TWO = (_STATEMENT[name] for name in ("pagat_at_risk", "top", "top_two"))
HOLDS, HOLDS_QUEEN, OWN = (_STATEMENT[name] for name in ("holds", "holds_queen", "own"))


@kernel
def _timely(moment, card, leading, hand, rules):
    """Whether a signal of some moment may go with a card (NONE: before partner leads).

    ``leading``: the card was led; ``hand``: what is held after it.
    """
    if card == NONE or moment == BEFORE_LEAD:
        return card == NONE and moment == BEFORE_LEAD
    if moment == ANY_CARD:
        return True
    suit = rules.suit_of[card]
    if suit == 0:
        return False  # the Fool
    trump = suit == rules.trumps
    if moment == ANY_SUIT:
        return True
    if moment == PLAIN_SUIT:
        return not trump
    if moment == TRUMP:
        return trump
    if moment == LEADING:
        return leading
    if moment == LEADING_PLAIN:
        return leading and not trump
    if moment == LEADING_TRUMP:
        return leading and trump
    if moment == FOLLOWING:
        return not leading
    return trump or hand & suit == 0


@kernel
def _holds_top(number, suit, hand, unseen, rules):
    """Whether so many of the highest cards left of a suit are held, as far as one can see."""
    mine = hand & suit
    for _ in range(number - 1):
        if mine:
            mine ^= 1 << highest(mine)
    if mine == 0:
        return False
    top = highest(mine)
    above = unseen & suit & -(2 << top)
    if (1 << top) & rules.equal_trumps:
        above &= ~rules.equal_trumps
    return above == 0


@kernel
def _true(bit, card, view, unseen):
    """Whether a statement made with a card is true by what its maker can see.

    ``view``: his, after the card has left his hand; ``unseen``: the cards that may be in others'.
    """
    rules, hand = view.rules, view.hand
    statement = rules.statements[bit]
    if statement == OWN:
        return ask_predicate(rules.predicates[bit], view, card)
    suit = 0 if card == NONE else rules.suit_of[card]
    if statement == REQUEST:
        return True
    if statement == VOID:
        return hand & suit == 0
    if statement == LONG_SUIT:
        return popcount(hand & suit) + 1 >= rules.long_suit_min
    if statement == ALL_BUT_ONE:
        return popcount(unseen & suit) <= 1
    if statement == ONE_MORE:
        return popcount(hand & suit) == 1
    if statement == PAGAT_AT_RISK:
        others = popcount(hand & rules.trumps) - 1
        return hand & rules.pagat != 0 and others <= rules.pagat_risk_trumps
    if statement == HOLDS:
        return hand & rules.signal_card[bit] != 0
    if statement == HOLDS_QUEEN:
        return hand & suit & rules.queens != 0
    about = suit if rules.moments[bit] == PLAIN_SUIT else rules.trumps
    return _holds_top(2 if statement == TOP_TWO else 1, about, hand, unseen, rules)


@kernel
def _unseen_by_maker(view):
    """The cards that may still be in other hands, for all that the player of a view knows."""
    played = view.table.played
    seen = played[0] | played[1] | played[2] | played[3] | view.table.exposed
    return view.rules.whole_pack & ~(seen | view.hand | view.discard)


@kernel
def _judge(view, card, signals):
    """What is wrong with signals in force: (0, 0), or the kind of fault and the bit of the signal.

    ``view``: that of the maker, after ``card`` has left his hand (NONE: before partner leads).
    """
    rules, table = view.rules, view.table
    unseen = _unseen_by_maker(view)
    while signals:
        bit = lowest(signals)
        signals ^= 1 << bit
        if not _timely(rules.moments[bit], card, table.leader == view.seat, view.hand, rules):
            return UNTIMELY_SIGNAL, bit
        if not _true(bit, card, view, unseen):
            return UNTRUE_SIGNAL, bit
    return 0, 0


@kernel
def _truthful(view, card):
    """The statements and requests in force that one might make now without a fault."""
    rules, table = view.rules, view.table
    unseen, found = _unseen_by_maker(view), 0
    left = rules.signals
    while left:
        bit = lowest(left)
        left ^= 1 << bit
        timely = _timely(rules.moments[bit], card, table.leader == view.seat, view.hand, rules)
        if timely and _true(bit, card, view, unseen):
            found |= 1 << bit
    return found
