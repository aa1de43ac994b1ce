"""What statements tell: the deals left are those in which they are true. RULES §6, §7."""

from __future__ import annotations

from math import sqrt

import pytest

from analysis.signal_bits import alternatives, bits_told
from sim.cards import indices
from sim.explanations import start_of
from sim.policies.spec import parse_policies
from sim.replaying import replay
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from sim.signals import all_signals
from sim.worlds import count_worlds, worlds
from tests.helpers import naive_rules, names
from tests.naive import signals as naive

ALL = [rules.with_signals(all_signals(rules.pack)) for rules in (OTTOCENTO, PARTITA)]
CLUB = parse_policies("simple+signal:club")
N = 400


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_the_share_of_deals_left_is_that_of_worlds_in_which_it_is_true(rules: RuleSet) -> None:
    by_bit, looked_at = rules.signals.by_bit(rules.pack), set()
    for hand in range(2):
        played = replay(rules, CLUB, 81, hand)
        position = start_of(played)
        cards = [card for trick in played.tricks for card in trick.cards]
        for k, (card, bits) in enumerate(zip(cards, played.signals, strict=True)):
            maker, leads = position.seat, position.table.position == 0
            position.play(card, bits)
            if position.over or not bits or k % 3:
                continue
            listener = (maker + 2) % 4
            drawn = worlds(position, listener, N, seed=5)
            before = count_worlds(position, listener)
            gone = sum(int(of) for of in position.table.played) | int(position.table.exposed)
            for bit in indices(bits):
                signal = by_bit[bit]
                told = alternatives(signal, position, maker, listener, card, leads)
                if told is None:
                    continue
                after = sum(
                    count_worlds(position, listener, holds={maker: h}, lacks={maker: n})
                    for h, n in told
                )
                # Taken literally, it is not the last card of a suit that counts, but what is said.
                suit = next((s for s in rules.cards.suits if s >> card & 1), 0)
                aside = suit if signal.moment == "trump_or_last_of_suit" else 0
                true = 0
                for hands, discard in zip(
                    drawn.hands.tolist(), drawn.discards.tolist(), strict=True
                ):
                    known = gone | (discard if maker == played.dealer else 0)
                    true += signal.name in naive.statements(
                        naive_rules(rules),
                        rules.cards.names[card],
                        bool(leads),
                        set(names(hands[maker] & ~aside, rules)),
                        set(names(known, rules)),
                    )
                share = after / before
                assert 0 < share <= 1
                error = sqrt(share * (1 - share) / N)
                assert abs(true / N - share) <= 5 * error + 3 / N, (hand, k, signal.name)
                looked_at.add(signal.statement)
    least = {"void"} if rules.combinations else {"void", "top", "holds", "one_more"}
    assert looked_at >= least


def test_bits_are_at_least_nothing() -> None:
    told = [*bits_told(ALL[1], CLUB, 82, 1)]
    assert told and all(bits >= -1e-9 for _, bits in told)
