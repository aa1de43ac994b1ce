"""Play as a careful beginner does."""

from sim.kernels.bits import highest, lowest, popcount
from sim.policies import policy
from sim.policies.view import (
    beats,
    cannot_be_beaten,
    cheapest,
    dearest,
    partner_is_sure,
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
    cards = view.legal & ~rules.fool
    if not cards:
        return lowest(view.legal), LOW
    choice, reason = cards, LOW
    if winning_seat(view) == view.partner:
        if partner_is_sure(view):
            return dearest(view, cards), FEED
    else:
        winning = beats(view, cards)
        if winning and table.position == 3:
            if winning & rules.pagat:
                return lowest(rules.pagat), SAVE_PAGAT
            choice, reason = winning, WIN_LAST
        elif (
            winning
            and table.on_table & (rules.kings | rules.queens | rules.honours)
            and cannot_be_beaten(view, highest(winning))
        ):
            return highest(winning), WIN_SURE
    card = cheapest(view, choice)
    precious = rules.kings | rules.queens | rules.honours
    if reason == LOW and 1 << card & precious and view.legal & rules.fool:
        return lowest(rules.fool), EXCUSE
    return card, reason
