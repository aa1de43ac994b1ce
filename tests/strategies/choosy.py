"""A policy for the tests: declares some combinations, withholds some cards, plays at random."""

from sim.kernels.bits import popcount
from sim.kernels.streams import draw_below
from sim.policies import policy
from sim.policies.discard.random import random as random_discard
from sim.policies.play.random import random as random_play
from sim.policies.signal.silent import silent

PAGAT_WITHHELD, FOOL_WITHHELD = 1 << 12, 1 << 13


@policy.declare
def some(view, weights):
    """Combinations by the flip of a coin; at times the contatori are withheld."""
    rules, coins = view.rules, draw_below(view.key, 0, 1 << 16)
    if not rules.any_subset:
        return view.legal if coins & 1 else 0
    withheld = 0
    if coins & 1 << 12 and view.hand & rules.pagat:
        withheld |= PAGAT_WITHHELD
    if coins & 1 << 13 and view.hand & rules.fool:
        withheld |= FOOL_WITHHELD
    legal = view.legal
    if withheld:  # then those that need no contatore
        courts = rules.kings | rules.queens | rules.cavaliers | rules.valets
        legal &= 0b11110
        for suit in range(4):
            own = view.hand & rules.suits[suit] & courts
            if own & rules.kings and popcount(own) >= 3:
                legal |= 1 << (5 + suit)
        if popcount(view.hand & rules.equal_trumps) >= 3:
            legal |= 1 << 10
        if popcount(view.hand & rules.aces) >= 3:
            legal |= 1 << 11
    return withheld | (legal & coins & 0xFFF)


choosy = policy.Policy.of(discard=random_discard, declare=some, play=random_play, signal=silent)
