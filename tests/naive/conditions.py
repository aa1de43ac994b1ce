"""Conditions on a deal, with sets of names: the slow twin of sim/conditions.py."""

import re
from collections.abc import Collection, Sequence

from tests.naive import combinations, packs
from tests.naive.packs import Rules

ROLES = {"eldest": 1, "second": 2, "third": 3, "dealer": 0}
RANKS = {
    "kings": packs.KINGS,
    "queens": packs.QUEENS,
    "cavaliers": packs.CAVALIERS,
    "valets": packs.VALETS,
    "aces": packs.ACES,
}


def hands_of(who: str, dealer: int, hands: Sequence[Collection[str]]) -> list[set[str]]:
    """The hand of a role or seat, or both hands of a side."""
    if who in ("dealers", "others"):
        first = dealer if who == "dealers" else dealer + 1
        return [set(hands[seat % 4]) for seat in (first, first + 2)]
    seat = int(who) if who.isdigit() else (dealer + ROLES[who]) % 4
    return [set(hands[seat])]


def number(what: str, hand: set[str], rules: Rules) -> int:
    """How often one hand has something: cards of a kind, one card, or a combination."""
    if what in ("honours", "grande"):
        return int(what in combinations.held(hand, rules))
    kind, _, combination = what.partition("_")
    if combination:
        return int(kind in combinations.held(hand, rules))
    if what in RANKS:
        return len(hand & RANKS[what])
    if what in packs.SUITS:
        return sum(packs.suit(card, rules) == what for card in hand)
    if what == "moors":
        return len(hand & packs.EQUAL_TRUMPS[rules["pack"]])
    if what == "pips":
        return sum(packs.is_pip(card, rules) for card in hand)
    assert what in packs.pack(rules)
    return int(what in hand)


def meets(where: str, dealer: int, hands: Sequence[Collection[str]], rules: Rules) -> bool:
    """Whether a deal meets every condition of a text."""
    for part in where.split(" and "):
        found = re.fullmatch(r"(\w+)\.(\w+) (\S+) (\d+)", part)
        assert found, part
        who, what, operator, right = found.groups()
        left = sum(number(what, hand, rules) for hand in hands_of(who, dealer, hands))
        n = int(right)
        if not {
            "=": left == n,
            "!=": left != n,
            "<": left < n,
            "<=": left <= n,
            ">": left > n,
            ">=": left >= n,
        }[operator]:
            return False
    return True
