"""Discards ranked: which are legal, that the figures are right, and that they can be trusted."""

from __future__ import annotations

import json

import pytest
from scipy import stats

from analysis import discard_search, estimates
from analysis.discard_ranking import Ranking
from analysis.discard_search import PAYOFF, Playouts, together
from analysis.discards import DiscardError, discards, legal_discards
from analysis.parts import PARTS
from sim.cards import CardError, format_cards, parse_cards
from sim.hands import play_hands
from sim.policies.policy import PolicyError
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import compiled_only, each_preset, naive_rules, names
from tests.naive import discards as naive

HAND = "Pagat Fool T5 T8 T12 SK SQ S7 S6 BK B8 B7 CV C9 D10 DC DQ"
GRANDE = "Angel World Sun Moon T16 T15 T14 T13 S6 S7 B6 B7 C9 C8 D9 D8 D7"
# Only S7, S8, B7 and B8 may go: six pairs, all of them leaders.
FOUR = "Angel Pagat SK BK CK DK T6 T8 T10 T12 T14 S7 S8 B7 B8"
# And C4 too: ten pairs, six of them leaders.
FIVE = "Angel Pagat SK BK CK DK T6 T8 T10 T12 S7 S8 B7 B8 C4"


def cards(text: str, rules: RuleSet = OTTOCENTO) -> int:
    return parse_cards(text, rules.cards)


@pytest.fixture(scope="module")
def ranked() -> Ranking:
    return discards(HAND, OTTOCENTO, "simple", 20, seed=3)


# ---- what may go ---------------------------------------------------------------------------


def check_legal(hand: int, rules: RuleSet) -> None:
    expected = naive.legal_discards(names(hand, rules), naive_rules(rules))
    found = legal_discards(hand, rules)
    assert len(found) == len(expected)
    assert {frozenset(names(pair, rules)) for pair in found} == expected


@each_preset
def test_legal_discards_are_those_of_the_rules(rules: RuleSet) -> None:  # RULES §3, §7
    rows = play_hands(rules, parse_policies("random"), 4, 0, 40)
    for number in range(40):
        check_legal(int(rows.hand[rows.dealer[number], number]), rules)


@pytest.mark.parametrize("plain", ["", "S7", "S7 B7", "S7 B7 C4"])
def test_trumps_go_for_want_of_plain_cards_only(plain: str) -> None:  # RULES §7
    trumps = ["T6", "T7", "T8", "T9", "T10", "T11", "T12", "T13"]
    wanted = 8 - len(plain.split())
    check_legal(
        cards(" ".join(["Angel Pagat Fool SK BK CK DK", plain, *trumps[:wanted]]), PARTITA), PARTITA
    )


# ---- the figures ---------------------------------------------------------------------------


@compiled_only
def test_every_discard_is_there_the_best_first(ranked: Ranking) -> None:
    places = ranked.places
    assert sorted(place.cards for place in places) == sorted(legal_discards(HAND))
    assert sum(place.leader for place in places) == 6
    behind = [place.behind.mean for place in places]
    assert behind == sorted(behind) and behind[0] == 0
    assert places[0].cards == ranked.best and not places[0].separated
    values = [place.value.mean for place in places if place.leader]
    assert values == sorted(values, reverse=True)


@compiled_only
def test_parts_add_up_to_the_value_and_to_what_is_lost(ranked: Ranking) -> None:
    for place in ranked.places:
        assert tuple(place.parts) == tuple(place.behind_parts) == PARTS
        total = sum(part.mean for part in place.parts.values())
        assert total == pytest.approx(place.value.mean, abs=1e-9)
        lost = sum(part.mean for part in place.behind_parts.values())
        assert lost == pytest.approx(place.behind.mean, abs=1e-9)


@compiled_only
def test_a_discard_is_played_as_it_is_in_any_hand() -> None:
    """The sums are those of hands that the dealer plays with a policy that discards this pair."""
    playouts = Playouts(OTTOCENTO, cards(HAND), parse_policies(["simple", "random"])[:2], 5)
    pair = cards("CV DQ")
    sums = playouts.add_up([pair, cards("S6 S7")], range(40, 1240))
    assert sums.n == 1200
    one = playouts.add_up([pair], range(40, 640)).plus(playouts.add_up([pair], range(640, 1240)))
    for name, moments in one.by_part.items():
        assert moments.sums[0] == sums.by_part[name].sums[0]
    assert one.kept[0, 0] == sums.kept[0, 0]
    assert sums.kept[1, 0] == 1200  # he holds the Fool, which stays with its side; RULES §3


GOLDEN = [("CV DQ", 35.565), ("CV DC", 27.512), ("DC DQ", 25.824), ("C9 DQ", 22.466)]


@compiled_only
def test_the_same_seed_gives_the_same_answer(ranked: Ranking) -> None:
    told = [(format_cards(p.cards), round(p.value.mean, 3)) for p in ranked.places[:4]]
    assert told == GOLDEN
    again = discards(HAND, OTTOCENTO, "simple", 20, seed=3, threads=1)
    assert json.dumps(again.to_dict()) == json.dumps(ranked.to_dict())


@compiled_only
def test_the_precision_is_reached() -> None:
    found = discards(FOUR, PARTITA, "simple", 0.4)
    assert 0.3 < found.width <= 0.4 and not found.cut
    assert found.of_leaders.n > 1000


@compiled_only
def test_the_time_only_cuts_and_the_answer_says_so() -> None:
    found = discards(HAND, OTTOCENTO, "simple", 0.01, time=0.1)
    assert found.cut and found.to_dict()["cut"]
    assert found.width > 0.01
    assert len(found.places) == len(legal_discards(HAND))


@compiled_only
def test_two_policies_are_those_of_the_dealers_side_and_the_other() -> None:
    values = [
        discards(FOUR, PARTITA, policies, 1).places[0].value.mean
        for policies in (["simple", "random"], "simple", ["random", "simple"])
    ]
    assert values[0] > values[1] > values[2]


# ---- what a player would say ---------------------------------------------------------------


@compiled_only
def test_an_absurd_discard_is_last_and_separated() -> None:
    """To lay away Sun and Moon from a Grande of eight."""
    last = discards(GRANDE, OTTOCENTO, "simple", 10).places[-1]
    assert format_cards(last.cards) == "Moon Sun"
    assert last.separated and last.behind.low > 35
    assert last.behind_parts["declared"].mean == 35  # RULES §4, Grande


@compiled_only
def test_discards_that_are_alike_are_not_told_apart() -> None:
    """Two black suits with the same cards, and players who treat suits alike."""
    found = discards(FOUR, PARTITA, "random", 0.4)
    swords, batons = (found.leaders.index(cards(pair, PARTITA)) for pair in ("S7 S8", "B7 B8"))
    among = found.of_leaders.by_part[PAYOFF].among([swords, batons])
    _, _, difference = together(among, 0.99)
    assert difference.low < 0 < difference.high
    assert difference.high - difference.low < 1.6


@pytest.fixture(scope="module")
def true_values() -> dict[int, float]:
    """What each discard of ``FIVE`` wins in a long run, of another seed."""
    pairs = legal_discards(FIVE, PARTITA)
    playouts = Playouts(PARTITA, cards(FIVE, PARTITA), parse_policies("simple")[:2], 1000)
    sums = playouts.add_up(pairs, range(200_000), split=False)
    return dict(zip(pairs, sums.by_part[PAYOFF].sums / sums.n, strict=True))


@compiled_only
def test_the_leaders_intervals_hold_a_long_runs_answer_together(monkeypatch, true_values) -> None:
    """In 95 of 100 runs that choose six leaders of ten: fewer than 87 come once in 1000 times."""
    monkeypatch.setattr(estimates, "DRAWS", 20_000)
    for number in ("FIRST_ROUND", "FEWEST"):
        monkeypatch.setattr(discard_search, number, 500)
    level, runs, held, chosen = 0.95, 100, 0, set()
    for seed in range(1, runs + 1):
        found = discards(FIVE, PARTITA, "simple", 10, level=level, seed=seed)
        leaders = [place for place in found.places if place.leader]
        best = true_values[found.best]
        true = [(place.value, true_values[place.cards]) for place in leaders]
        true += [(place.behind, best - true_values[place.cards]) for place in leaders]
        held += all(each.low <= value <= each.high for each, value in true)
        chosen.add(found.best)
    assert len(chosen) >= 3  # or it would not be seen that choosing flatters none
    assert held >= stats.binom.ppf(0.001, runs, level) == 87


@compiled_only
def test_discards_never_seen_to_differ_are_not_held_to_be_equal(true_values) -> None:
    """B7 or B8 goes with C4: it matters about once in ten thousand completions."""
    pairs = [cards(pair, PARTITA) for pair in ("B7 C4", "B8 C4")]
    playouts = Playouts(PARTITA, cards(FIVE, PARTITA), parse_policies("simple")[:2], 1)
    score = playouts.add_up(pairs, range(500), split=False).by_part[PAYOFF]
    assert score.sums[0] == score.sums[1]
    _, _, difference = together(score, 0.95)
    assert true_values[pairs[0]] != true_values[pairs[1]]
    assert difference.low < true_values[pairs[0]] - true_values[pairs[1]] < difference.high
    # Two standard deviations, which are 18 points, times Student's t over n.
    assert difference.high == pytest.approx(2**0.5 * 18 * 2.2 / 500, rel=0.15)


# ---- what is refused -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "options", "error", "told"),
    [
        (HAND[:-3], {}, CardError, "16 cards are named: expected 17"),
        (HAND.replace("DQ", "X9"), {}, CardError, "X9"),
        (HAND.replace("DQ", "DC"), {}, CardError, "DC is named twice"),
        (HAND, {"rules": PARTITA}, CardError, "unknown card 'S6'"),
        (7, {}, DiscardError, "the dealer's hand: expected 17 cards of the tarocchino pack"),
        (HAND, {"precision": 0}, DiscardError, "a precision of 0: expected more than 0"),
        (HAND, {"time": -1}, DiscardError, "a time of -1 seconds: expected more than 0"),
        (HAND, {"seed": -1}, DiscardError, "seed -1: expected 0 to"),
        (HAND, {"level": 1}, ValueError, "level 1: expected a number between 0 and 1"),
        (HAND, {"policies": ["simple"] * 4}, DiscardError, "4 policies: expected one for all"),
        (HAND, {"policies": "genius"}, PolicyError, "unknown policy 'genius'"),
    ],
)
def test_wrong_input_is_refused(hand, options, error, told) -> None:
    with pytest.raises(error, match=told):
        discards(hand, **options)
