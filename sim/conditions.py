"""Deals under conditions: cards fixed to a hand (``--deal``) and what hands have (``--where``).

The grammar::

    deal   WHO: CARDS; WHO: CARDS …          dealer: Pagat Fool; eldest: SK
    where  WHO.WHAT OP N and WHO.WHAT OP N … dealer.trumps >= 6 and eldest.kings = 0

WHO is a role (``eldest``, ``second``, ``third``, ``dealer``) or a seat (0 to 3); in ``where`` also
a side, ``dealers`` or ``others``, whose two hands are counted together. OP is one of
``= != < <= > >=``. All is about the cards as dealt: the dealer's 17 before he discards.

WHAT is a number of cards: ``trumps`` (without the Fool), ``swords``, ``batons``, ``cups``,
``coins``, ``kings``, ``queens``, ``cavaliers``, ``valets``, ``aces``, ``moors`` (in Partita, trumps
II to V), ``pips`` (plain cards but courts and Aces); or one card by its name, 1 if it is there; or
a combination, 1 for a hand that has it: ``honours``, ``grande``, and, where the bare name is a
number of cards, ``kings_cricca`` … ``valets_cricca``, ``swords_sequence`` … ``coins_sequence``,
``moors_sequence``, ``aces_sequence``.

The dealer rotates as in every run. With a seat for WHO the condition may be likelier when that
seat deals; then ``probability`` is the mean over the four dealers and has ``by_dealer`` beside it,
and means over all deals weigh the hands of each dealer by it.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sim.cards import SUITS, format_cards, parse_cards
from sim.compositions import Plan, Term, dealing, hand_sizes, plan
from sim.condition_probability import ConditionError, probability_of
from sim.kernels.combinations import CRICCHE, KINDS
from sim.kernels.conditional_deal import MOST_TERMS, Dealing
from sim.kernels.state import NONE
from sim.rules import RuleSet

# In the order in which they declare, and (Ottocento) play to the first trick.
ROLES = ("eldest", "second", "third", "dealer")
SEATS = ("0", "1", "2", "3")
SIDES = {"dealers": 0b1010, "others": 0b0101}  # bit sets of roles
OPERATORS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


class Condition(NamedTuple):
    """One condition of ``where``, in canonical spelling."""

    who: str
    what: str
    operator: str
    number: int

    def __str__(self) -> str:
        return f"{self.who}.{self.what} {self.operator} {self.number}"


@dataclass(frozen=True, eq=False)
class Conditions:
    """What is asked of the deals of a run.

    Attributes
    ----------
    deal, where
        In canonical spelling; None if not given.
    dealing
        For ``play_hands``; None if nothing is asked, like ``probability``.
    probability
        Of a deal that meets all: ``{"probability", "exact"}`` where it is counted, else an
        estimate from a pilot of deals; with ``by_dealer`` (a number for each seat that may deal)
        if it depends on who deals.
    """

    deal: str | None = None
    where: str | None = None
    dealing: Dealing | None = None
    probability: dict[str, Any] | None = None


def read_conditions(
    rules: RuleSet, deal: str | None = None, where: str | None = None
) -> Conditions:
    """Read conditions, find how to deal under them, and how likely they are.

    Parameters
    ----------
    rules
        The pack, and what combinations there are.
    deal, where
        Texts of the grammar above; None for no condition of that kind.

    Returns
    -------
    Conditions
        Dealt constructively where the compositions of the hands can be listed, else by dealing
        again; the deals have the distribution of all deals that meet the conditions either way.

    Raises
    ------
    CardError
        A card that the pack lacks, or named twice.
    ConditionError
        A text that cannot be read, conditions that no deal meets, or so rare that dealing again
        until they are met would take more than ``MOST_DEALS_A_HAND`` deals a hand.
    """
    if deal is None and where is None:
        return Conditions()
    fixed = _parse_deal(deal, rules) if deal is not None else {}
    conditions = _parse_where(where, rules) if where is not None else []
    if len(conditions) > MOST_TERMS:
        raise ConditionError(f"{len(conditions)} conditions: expected at most {MOST_TERMS}")
    plans = _plans(rules, fixed, conditions)
    dealing_ = dealing(plans)
    spelled = [f"{who}: {format_cards(cards, rules.cards)}" for who, cards in fixed.items()]
    return Conditions(
        "; ".join(spelled) if spelled else None,
        " and ".join(map(str, conditions)) if conditions else None,
        dealing_,
        probability_of(rules, plans, dealing_),
    )


# ---- the grammar --------------------------------------------------------------------------


def _parse_deal(text: str, rules: RuleSet) -> dict[str, int]:
    """Sets of cards by role or seat."""
    fixed: dict[str, int] = {}
    for part in text.split(";"):
        who, colon, cards = (piece.strip() for piece in part.partition(":"))
        who = who.lower()
        if not colon or not cards:
            raise ConditionError(f'{part.strip()!r} fixes no cards: expected "dealer: Pagat Fool"')
        if who not in (*ROLES, *SEATS):
            raise ConditionError(f"unknown seat or role {who!r}: expected {_listed(ROLES, SEATS)}")
        if who in fixed:
            raise ConditionError(f"{who} is named twice: expected all its cards together")
        fixed[who] = parse_cards(cards, rules.cards)
    parse_cards(" ".join(format_cards(cards, rules.cards) for cards in fixed.values()), rules.cards)
    return fixed


def _parse_where(text: str, rules: RuleSet) -> list[Condition]:
    conditions = []
    for part in re.split(r"\s+and\s+", text.strip(), flags=re.IGNORECASE):
        found = re.fullmatch(r"(\w+)\s*\.\s*(\w+)\s*(!=|<=|>=|=|<|>)\s*(\d{1,3})", part)
        if not found:
            raise ConditionError(
                f"{part!r} is no condition: expected WHO.WHAT OP N such as dealer.trumps >= 6, "
                f"OP one of {' '.join(OPERATORS)}, conditions joined by and"
            )
        who, what, operator_, number = found.groups()
        who = who.lower()
        if who not in (*ROLES, *SEATS, *SIDES):
            raise ConditionError(f"unknown {who!r}: expected {_listed(ROLES, SEATS, SIDES)}")
        conditions.append(Condition(who, _spelled(what, rules), operator_, int(number)))
    return conditions


def _listed(*names: Any) -> str:
    return ", ".join(name for group in names for name in group)


def _countable(rules: RuleSet) -> dict[str, int]:
    """The sets of cards that are counted, by name."""
    pack = rules.cards
    ranks = zip(("kings", "queens", "cavaliers", "valets", "aces"), "KQCVA", strict=True)
    return {
        "trumps": pack.trumps,
        **dict(zip(SUITS, pack.suits, strict=True)),
        **{name: pack.rank(letter) for name, letter in ranks},
        "moors": pack.equal_trumps,
        "pips": pack.pips,
    }


def _combination_names(rules: RuleSet) -> dict[str, int]:
    """The combinations by the names they have here, as numbers of ``KINDS``."""
    if not rules.combinations:
        return {}
    counted = _countable(rules)
    return {
        f"{kind}_{'cricca' if i < CRICCHE else 'sequence'}" if kind in counted else kind: i
        for i, kind in enumerate(KINDS)
    }


def _spelled(what: str, rules: RuleSet) -> str:
    """What is counted, in canonical spelling."""
    known = (*_countable(rules), *_combination_names(rules))
    if what.lower() in known:
        return what.lower()
    if what.lower() in rules.cards.index:
        return rules.cards.names[rules.cards.index[what.lower()]]
    raise ConditionError(
        f"unknown {what!r} under {rules.name}: expected a card or one of {', '.join(known)}"
    )


# ---- how to deal --------------------------------------------------------------------------


def _plans(rules: RuleSet, fixed: dict[str, int], conditions: Sequence[Condition]) -> list[Plan]:
    """How to deal, by dealer; one and the same plan where they do not differ."""
    of_seats = any(who in SEATS for who in (*fixed, *(each.who for each in conditions)))
    made: dict[Any, Plan] = {}
    plans = []
    for dealer in range(4):
        when = f" when seat {dealer} deals" if of_seats else ""
        by_role = [0, 0, 0, 0]
        for who, cards in fixed.items():
            by_role[_hands(who, dealer).bit_length() - 1] |= cards
        for role, size, cards in zip(ROLES, hand_sizes(rules), by_role, strict=True):
            if cards.bit_count() > size:
                raise ConditionError(
                    f"{cards.bit_count()} cards are fixed to the {role}{when}: "
                    f"expected at most {size}"
                )
        terms = tuple(_term(condition, dealer, rules) for condition in conditions)
        key = (*by_role, terms)
        if key not in made:
            made[key] = plan(rules, by_role, terms)
        if not made[key].probability:
            raise ConditionError(
                f"no deal meets the conditions{when}: expected cards and numbers that go together"
            )
        plans.append(made[key])
    return plans


def _hands(who: str, dealer: int) -> int:
    """The hands of a role, seat or side, a bit set by role."""
    if who in SIDES:
        return SIDES[who]
    return 1 << (ROLES.index(who) if who in ROLES else (int(who) - dealer - 1) % 4)


def _term(condition: Condition, dealer: int, rules: RuleSet) -> Term:
    who, what, operator_, number = condition
    holds = OPERATORS[operator_]
    allowed = sum(1 << n for n in range(rules.cards.size + 1) if holds(n, number))
    hands, counted, kinds = _hands(who, dealer), _countable(rules), _combination_names(rules)
    if what in kinds:
        return Term(hands, 0, kinds[what], allowed)
    return Term(hands, counted.get(what) or rules.cards.mask([what]), NONE, allowed)
