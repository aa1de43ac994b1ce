"""A rule set as compiled code has it."""

from __future__ import annotations

from functools import cache

import numpy as np

from sim.cards import indices
from sim.kernels.predicates import address_of
from sim.kernels.state import RULES, records
from sim.rules import RuleSet
from sim.signals import MOMENTS, STATEMENTS


@cache
def rules_record(rules: RuleSet) -> np.record:
    """The RULES record of a rule set, one for all who ask: not to be changed."""
    pack = rules.cards
    record = records(RULES, 1)[0]
    record.whole_pack, record.trumps, record.honours = pack.all, pack.trumps, pack.honours
    record.kings, record.queens = pack.rank("K"), pack.rank("Q")
    record.cavaliers, record.valets = pack.rank("C"), pack.rank("V")
    record.aces, record.pips = pack.rank("A"), pack.pips
    record.equal_trumps = pack.equal_trumps
    plain_trumps = pack.trumps & ~(pack.honours | pack.equal_trumps)
    high = record.kings | (pack.honours & ~(1 << pack.pagat | 1 << pack.fool))
    low = record.aces | pack.equal_trumps
    courts = (record.valets, record.cavaliers, record.queens)
    record.worth[:] = (pack.pips, plain_trumps, low, *courts, high, 1 << pack.pagat)
    record.suits[:] = (*pack.suits, pack.trumps)
    for suit in record.suits:
        for card in range(pack.size):
            if suit >> card & 1:
                record.suit_of[card] = suit
    record.rank[:] = range(64)
    equal = [*indices(pack.equal_trumps)]
    record.rank[equal] = min(equal)
    record.fool, record.pagat = 1 << pack.fool, 1 << pack.pagat
    record.hand_size = pack.hand_size
    record.combinations = rules.combinations
    record.trick_combinations = rules.trick_combinations
    record.fool_in_lost_trick = rules.fool_in_lost_trick
    record.fool_exchange = rules.fool_exchange == "end_of_hand"
    record.suit_second_wild = bool(rules.suit_second_wild)
    record.grande_wild_before_16 = bool(rules.grande_wild_before_16)
    record.any_subset = rules.declare == "any_subset"
    record.declare_late = rules.combinations and rules.declare_when == "before_own_first_card"
    record.trumps_forced = rules.discard_trumps == "forced_exposed"
    record.dealer_leads = rules.first_lead == "dealer"
    record.pair_counting = rules.counting == "point_a_pair"
    record.last_trick_points = rules.last_trick_points
    if record.pair_counting:
        honours = (pack.honours & ~int(record.fool)).bit_count()
        values = 4 * (honours + 4) + 3 * 4 + 2 * 4 + 4 + 5
        record.par = (values + pack.size // 2) // 2
    for bit, signal in rules.signals.by_bit(rules.pack).items():
        record.signals |= 1 << bit
        record.moments[bit] = MOMENTS.index(signal.moment)
        record.statements[bit] = STATEMENTS.index(signal.statement)
        record.signal_card[bit] = 1 << pack.names.index(signal.card) if signal.card else 0
        if signal.predicate is not None:
            record.predicates[bit] = address_of(signal.predicate)
    record.long_suit_min = rules.long_suit_min or 0
    record.pagat_risk_trumps = rules.pagat_risk_trumps or 0
    return record


def has_signals(rules: RuleSet) -> bool:
    """Whether any signals are in force."""
    return bool(rules_record(rules).signals)
