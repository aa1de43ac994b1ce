"""Play as a good club player does."""

from sim.kernels.bits import lowest, popcount
from sim.kernels.combinations import ANGEL, _trick_points
from sim.policies import policy
from sim.policies.chances import corrected, outlook, pagat_falls, side_wins
from sim.policies.heard import heard, requests
from sim.policies.view import beats, winning_seat
from sim.policies.worth import contatori, worth

REASONS = (
    "has no choice",
    "leads trumps",
    "leads a card worth having",
    "leads a card of no worth",
    "plays the Fool rather than another card",
    "wins with the Pagat",
    "wins the trick",
    "gives to a trick that the side should win",
    "keeps good cards from a trick that may be lost",
    "does as partner asks by a signal",
)
ONLY, LEAD_TRUMP, LEAD_GOOD, LEAD_LOW, EXCUSE, PAGAT_WINS, WIN, FEED, WITHHOLD, ASKED = range(
    len(REASONS)
)
GOOD = 4.0  # points from which a card is worth having, for the reasons


@policy.helper
def lowest_of_run(view, cards):
    """Those of ``cards`` to choose among: of pips that stand together in a suit, the lowest."""
    pips = cards & view.rules.pips
    return cards & ~(pips & pips << 1)


@policy.helper
def stake_of(cards, ours, theirs, wild, rules, weights):
    """Worth of the cards on the table."""
    stake = 0.0
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        stake += worth(card, ours, theirs, wild, rules, weights)
    return stake


@policy.play(
    reasons=REASONS,
    # What cards are worth.
    complete=1,
    deny=1,
    sequences=1.7,
    cricche=1.3,
    trick_combinations=0.85,
    pagat=120,
    upper=10,
    grande=9.4,
    grande_falls=0.44,
    # What is known of the others.
    count_cards=1,
    infer_voids=1,
    use_declared=1,
    contest=0.9,
    rebeat=0.43,
    help=0.87,
    # What is done about it.
    feed=1,
    withhold=1,
    later=3.3,
    lead_sure=0.13,
    keep=0.45,
    protect_pagat=1,
    keep_pagat=0.27,
    keep_pagat_by=0.094,
    hunt_pagat=1,
    protect_fool=9.2,
    save_trumps=25,
    save_any_trump=6.8,
    make_void=5.1,
    partita=0.085,
    # Whether signals are made and used, and what it is worth to do as partner asks.
    signals=1,
    answer=8,
)
def expert(view, weights):
    """The card with the best outlook: trick won or lost, cards gained or given, strength spent."""
    table, rules = view.table, view.rules
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal), ONLY
    side, position = view.seat & 1, table.position
    scale = weights.partita if rules.pair_counting else 1.0
    others = outlook(view, weights)
    wanted = unwanted = 0  # sets: the cards that partner asks for, and asks not to play
    if rules.signals and weights.signals:
        others = corrected(others, heard(view), rules)
        wanted, unwanted = requests(view)
    asked = wanted | unwanted
    ours, theirs = table.won[side] | view.discard, table.won[1 - side]
    if rules.combinations:
        ours |= view.hand & (ANGEL | rules.fool)  # never lost
    wild = contatori(ours, theirs) if rules.combinations else 0

    played = table.on_table & ~rules.fool
    minded = played if weights.hunt_pagat else played & ~rules.pagat
    stake = stake_of(minded, ours, theirs, wild, rules, weights)
    stake += scale * weights.later * (3 - position)
    unseen_trumps = others.unseen & rules.trumps
    share = 1.0 / max(popcount(unseen_trumps), 1)
    beside_pagat = popcount(view.hand & rules.trumps) - 1
    winning = beats(view, view.legal & ~rules.fool)
    as_it_stands = 0.5
    if view.legal & ~winning and table.best >= 0:
        is_ours = winning_seat(view) & 1 == side
        as_it_stands = side_wins(
            position, others, table.best >> 2, is_ours, table.led, rules, weights
        )

    drawn = 0.0  # what a trump led may draw
    if position == 0 and weights.hunt_pagat:
        pagat = worth(lowest(rules.pagat), ours, theirs, wild, rules, weights)
        drawn = pagat_falls(others, rules) * pagat

    choice, best, reason = -1, -1e9, ONLY
    rest = lowest_of_run(view, view.legal)
    while rest:
        card = lowest(rest)
        bit = 1 << card
        rest ^= bit
        suit = rules.suit_of[card]
        if bit & rules.fool:
            outcome, why = as_it_stands * stake - scale * weights.protect_fool, EXCUSE
        else:
            value = worth(card, ours, theirs, wild, rules, weights)
            wins = as_it_stands
            if bit & winning:
                led = table.led if table.led else suit
                wins = side_wins(position, others, rules.rank[card], True, led, rules, weights)
            # Chance that a card kept comes home some other time, and what is spent with it.
            keep, cost = weights.keep, 0.0
            if bit & rules.trumps:
                power = share * popcount(unseen_trumps & ((1 << rules.rank[card]) - 1))
                keep += (1.0 - keep) * power
                cost = scale * weights.save_trumps * power
                if rules.combinations:
                    cost += weights.save_any_trump
            else:
                if view.hand & suit == bit:
                    cost = -scale * weights.make_void
                if position == 0 and (others.right | others.left) & suit & -(2 << card):
                    keep += weights.lead_sure  # an opponent may beat it
            if bit & rules.pagat:
                if weights.protect_pagat:
                    keep = min(weights.keep_pagat + weights.keep_pagat_by * beside_pagat, 0.9)
                else:
                    value = 1.0
            if position >= 2 and rules.trick_combinations:
                points = _trick_points(played | bit, rules)
                value += 2 * weights.trick_combinations * points
            habit = weights.feed if wins > keep else weights.withhold
            outcome = wins * stake + habit * (wins - keep) * value - cost
            if position == 0:
                why = LEAD_TRUMP if bit & rules.trumps else LEAD_GOOD if value > GOOD else LEAD_LOW
                if bit & rules.trumps:
                    outcome += wins * drawn
            elif bit & winning:
                why = PAGAT_WINS if bit & rules.pagat else WIN
            else:
                why = FEED if wins > keep else WITHHOLD
        if bit & asked:
            outcome += scale * (weights.answer if bit & wanted else -weights.answer)
            why = ASKED if bit & wanted else why
        if outcome > best:
            choice, best, reason = card, outcome, why
    return choice, reason
