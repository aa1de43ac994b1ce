"""Play as a careful beginner does."""

from sim.kernels.bits import highest, popcount
from sim.policies import policy
from sim.policies.view import (
    beats,
    cannot_be_beaten,
    cheapest,
    dearest,
    winning_seat,
)

REASONS = (
    "leads low from the longest suit",
    "leads the highest trump, having no plain card",
    "gives a good card to a winning partner",
    "wins cheaply, playing last",
    "wins what is worth having with a sure card",
    "saves the Pagat",
    "plays the Fool rather than lose a good card",
    "plays low",
)
LEAD_LOW, LEAD_TRUMP, FEED, WIN_LAST, WIN_SURE, SAVE_PAGAT, EXCUSE, LOW = range(len(REASONS))


@policy.helper
def lead(view):
    """Low from the longest plain suit; else the highest trump but the Pagat; else the Fool."""
    rules = view.rules
    longest, most = 0, 0
    for suit in range(4):
        cards = view.hand & rules.suits[suit]
        length = popcount(cards)
        if length > most:
            longest, most = cards, length
    if longest:
        return cheapest(view, longest), LEAD_LOW
    return highest(view.hand & ~rules.fool if view.hand & ~rules.fool else view.hand), LEAD_TRUMP


@policy.play(reasons=REASONS)
def simple(view, weights):
    """Follow low, win cheaply, feed a winning partner, keep the Pagat and the Fool."""
    table, rules = view.table, view.rules
    if table.position == 0:
        return lead(view)
    last = table.position == 3
    without_fool = view.legal & ~rules.fool
    if not without_fool:
        return cheapest(view, view.legal), LOW
    winner = winning_seat(view)
    if winner == view.partner:
        best = table.cards[(winner - table.leader) & 3]
        safe = last or (cannot_be_beaten(view, best) and not table.voids[view.right] & table.led)
        if safe:
            return dearest(view, without_fool), FEED
    else:
        winning = beats(view, without_fool)
        if last and winning:
            if winning & rules.pagat:
                return cheapest(view, rules.pagat), SAVE_PAGAT
            return cheapest(view, winning), WIN_LAST
        worth = rules.kings | rules.queens | rules.cavaliers | rules.honours
        if winning and table.on_table & worth:
            card = highest(winning)
            if cannot_be_beaten(view, card):
                return card, WIN_SURE
    card = cheapest(view, without_fool)
    precious = rules.kings | rules.queens | rules.honours
    if 1 << card & precious and view.legal & rules.fool:
        return highest(rules.fool), EXCUSE
    return card, LOW
