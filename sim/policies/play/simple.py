"""Play as a careful beginner does."""

from sim.kernels.bits import highest, lowest
from sim.policies import policy
from sim.policies.lead.longest import REASONS as LEADS
from sim.policies.lead.longest import longest
from sim.policies.view import (
    beats,
    cannot_be_beaten,
    cheapest,
    dearest,
    partner_is_sure,
    winning_seat,
)

REASONS = (
    *LEADS,
    "gives a good card to a winning partner",
    "wins cheaply, playing last",
    "wins what is worth having with a sure card",
    "saves the Pagat",
    "plays the Fool rather than lose a good card",
    "plays low",
)
FEED, WIN_LAST, WIN_SURE, SAVE_PAGAT, EXCUSE, LOW = range(len(LEADS), len(REASONS))


@policy.play(reasons=REASONS)
def simple(view, weights):
    """Follow low, win cheaply, feed a winning partner, keep the Pagat and the Fool."""
    table, rules = view.table, view.rules
    if table.position == 0:
        return longest(view, weights)
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
