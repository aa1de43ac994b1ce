"""What a hand is worth: the Fool's exchange, card points, scores. RULES §3, §4, §7."""

from __future__ import annotations

from sim.kernels.bits import index, lowest, popcount
from sim.kernels.combinations import _combinations
from sim.kernels.compiling import fused, kernel


@kernel
def _combination_difference(pile, rules):
    """Combination points of a pile less those of the rest of the pack."""
    if not rules.combinations:
        return 0
    _, own_cricche, own_sequences = _combinations(pile, rules)
    _, cricche, sequences = _combinations(rules.whole_pack ^ pile, rules)
    return own_cricche + own_sequences - cricche - sequences


@kernel
def _given_for_fool(pile, rules):
    """The card, as a set, that a side gives from its pile for keeping the Fool. RULES §3."""
    pips = pile & rules.pips
    if pips:
        return 1 << lowest(pips)
    candidates = pile & (rules.aces | (rules.trumps & ~rules.honours))
    if not candidates:
        candidates = pile & rules.valets
    if not candidates:
        candidates = pile & rules.cavaliers
    if not candidates:
        candidates = pile & rules.queens
    if not candidates:
        candidates = pile & (rules.kings | rules.honours) & ~rules.fool
    best = 1 << lowest(candidates)
    candidates ^= best
    best_difference = _combination_difference(pile ^ best, rules)
    while candidates:
        card = 1 << lowest(candidates)
        candidates ^= card
        difference = _combination_difference(pile ^ card, rules)
        if difference > best_difference:
            best, best_difference = card, difference
    return best


@kernel
def _pile0(table, discard, rules):
    """Side 0's pile after settlement, the discard and the Fool included."""
    pile = table.won[0]
    if table.dealer & 1 == 0:
        pile |= discard
    if not rules.fool_exchange:
        return pile
    for side in range(2):
        if table.tricks[side] == 0:
            return 0 if side == 0 else rules.whole_pack
    if table.fool_lost:
        if table.fool_seat & 1 == 0:
            return pile ^ _given_for_fool(pile, rules)
        return pile | _given_for_fool(rules.whole_pack ^ pile, rules)
    return pile


@fused
def _doubled_card_points(pile, rules):
    """Twice the card points of a set of cards, so that half points stay whole. RULES §3, §7."""
    if rules.pair_counting:
        high = rules.kings | (rules.honours & ~rules.fool)
        cards = popcount(pile & ~rules.fool)
        points = cards + (cards & 1)
        if pile & rules.fool:
            points += 10
    else:
        high = rules.kings | rules.honours
        points = popcount(pile)
    return points + 2 * (
        4 * popcount(pile & high)
        + 3 * popcount(pile & rules.queens)
        + 2 * popcount(pile & rules.cavaliers)
        + popcount(pile & rules.valets)
    )


@kernel
def _score_sets(masks, rules, kinds, cricche, sequences, card_points):
    """Combinations and card points of many sets; the last four arguments are filled."""
    for i in range(len(masks)):
        combined = masks[i] if rules.combinations else 0
        kinds[i], cricche[i], sequences[i] = _combinations(combined, rules)
        card_points[i] = 0.5 * _doubled_card_points(masks[i], rules)


@kernel
def _write_row(rows, i, table, hidden, rules):
    """Settle a finished hand and write it as row i, all but what its piles score."""
    pile0 = _pile0(table, hidden.discard, rules)
    rows.dealer[i] = table.dealer
    rows.discard[i] = hidden.discard
    rows.won0[i] = pile0
    rows.last_trick[i] = table.leader & 1
    rows.first_trick_leader[i] = table.first_leader
    for seat in range(4):
        rows.hand[seat, i] = hidden.dealt[seat]
        rows.held[seat, i] = hidden.held[seat]
        rows.declared[seat, i] = hidden.declared[seat]
        rows.declared_points[seat, i] = table.declared_points[seat]
    for side in range(2):
        rows.tricks[side, i] = table.tricks[side]
        rows.trick_points[side, i] = table.trick_points[side]
    rows.pagat[0, i] = table.pagat_seat
    rows.pagat[1, i] = table.pagat_trick
    rows.pagat[2, i] = 0 if pile0 & rules.pagat else 1
    rows.fool[0, i] = table.fool_seat
    rows.fool[1, i] = table.fool_trick
    rows.fool[2, i] = 0 if pile0 & rules.fool else 1


@kernel
def _write_log(logs, i, table, rules):
    """Write what was played in a hand, and said if signals are in force, as row i."""
    for k in range(4 * rules.hand_size):
        logs.plays[i, k] = table.plays[k]
        if rules.signals:
            logs.signals[i, k] = table.signals[k]


@kernel
def _score_rows(rows, first, end, rules):
    """Count the piles of rows ``first`` to ``end - 1``, and score them."""
    for side in range(2):
        for row in range(first, end):
            i = index(row)
            pile = rows.won0[i] ^ (rules.whole_pack if side else 0)
            _, cricche, sequences = _combinations(pile if rules.combinations else 0, rules)
            card_points = _doubled_card_points(pile, rules) >> 1
            score = rows.declared_points[side, i] + rows.declared_points[side + 2, i]
            score += rows.trick_points[side, i] + cricche + sequences + card_points - rules.par
            score += rules.last_trick_points if rows.last_trick[i] == side else 0
            rows.cricche[side, i] = cricche
            rows.sequences[side, i] = sequences
            rows.card_points[side, i] = card_points
            rows.score[side, i] = score
