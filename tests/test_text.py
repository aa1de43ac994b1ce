"""Deals on one line, replays as text, and the golden games. RULES §1-4, §7."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cards import CardError, format_cards
from sim.policies.spec import parse_policies
from sim.replaying import replay
from sim.replays import Replay
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, PRESETS, RuleSet
from sim.signals import all_signals
from sim.text import format_deal, format_replay, parse_deal
from tests.test_replaying import boastful, coy, greedy, playing, revoking

GOLDEN = Path(__file__).parent / "golden"
# Set it to write the golden games anew: see tests/golden/README.md.
REWRITE = "TAROCCHINO_REWRITE_GOLDEN"


# ---- a deal on one line ---------------------------------------------------------------------


@st.composite
def deals(draw: st.DrawFn) -> tuple[RuleSet, int, list[int]]:
    rules = draw(st.sampled_from([*PRESETS.values()]))
    dealer = draw(st.integers(0, 3))
    cards = draw(st.permutations(range(rules.cards.size)))
    hands, start = [], 0
    for seat in range(4):
        end = start + rules.tricks + (2 if seat == dealer else 0)
        hands.append(sum(1 << card for card in cards[start:end]))
        start = end
    return rules, dealer, hands


@settings(deadline=None)
@given(deal=deals(), coin=st.randoms())
def test_a_deal_is_read_as_it_was_written(
    deal: tuple[RuleSet, int, list[int]], coin: random.Random
) -> None:
    rules, dealer, hands = deal
    text = format_deal(dealer, hands, rules)
    assert "\n" not in text
    assert parse_deal(text, rules) == (dealer, tuple(hands))
    as_typed = "".join(coin.choice((c.lower(), c.upper())) for c in text).replace(" ", "\t, ")
    assert parse_deal(as_typed.replace("\t, |\t, ", "|"), rules) == (dealer, tuple(hands))


DEAL = format_deal(0, [(1 << 17) - 1, *(((1 << 15) - 1) << n for n in (17, 32, 47))], OTTOCENTO)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("0: ", "", "the deal has no colon: expected 'DEALER: hand"),
        ("0: ", "4: ", "the dealer is '4': expected a seat, 0 to 3"),
        ("0: ", "seat 0: ", "the dealer is 'seat 0': expected a seat, 0 to 3"),
        ("0: ", ": ", "the dealer is '': expected a seat, 0 to 3"),
        ("0: ", "1: ", "seat 0 has 17 cards: expected 15"),
        (" | ", " ", "the deal has 1 hands: expected 4"),
        ("Angel Fool", "Angel Fool |", "the deal has 5 hands: expected 4"),
        ("Angel", "T17", "seat 3: unknown card 'T17'"),
        ("Angel", "Ang\nel", "seat 3: unknown card 'Ang'"),
        ("Angel", "Fool", "seat 3: Fool is named twice"),
        ("Angel", "SA", "seats 0 and 3 both have SA: expected each card once"),
        (" Angel", "", "seat 3 has 14 cards: expected 15"),
        ("SA ", "", "seat 0, the dealer, has 16 cards: expected 17"),
    ],
)
def test_a_wrong_deal_is_refused(old: str, new: str, told: str) -> None:
    assert parse_deal(DEAL, OTTOCENTO)[0] == 0
    assert old in DEAL
    with pytest.raises(CardError) as refused:
        parse_deal(DEAL.replace(old, new), OTTOCENTO)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


# ---- golden games ---------------------------------------------------------------------------


class Golden(NamedTuple):
    rules: RuleSet
    policies: str
    hand: int
    shows: Callable[[Replay], bool]  # what the game is there for


def fool_led(played: Replay) -> bool:
    return any(trick.cards[0] == played.rules.cards.fool for trick in played.tricks)


def without_trick(played: Replay) -> bool:
    """A side that dealt, and played the Fool, takes no trick."""
    (loser,) = (side for side, count in enumerate(played.counts) if count.tricks == 0)
    return played.row.fool[0, 0] % 2 == played.dealer % 2 == loser


def doubled(played: Replay) -> bool:
    """The cricche of a pile and the sequences of a declaration are doubled."""
    cricche = max(len(count.pile.cricche) for count in played.counts)
    return cricche >= 3 and max(len(made.sequences) for made in played.declarations) >= 3


def scored_tricks(played: Replay) -> bool:
    return all(count.in_tricks for count in played.counts)


def gives_no_pip(played: Replay) -> bool:
    """The Fool's side has no pip to give. RULES §3, step 2."""
    given = played.given[0] | played.given[1]
    return given.bit_count() == 1 and not given & played.rules.cards.pips


def signals(played: Replay) -> int:
    """How many different signals are made. RULES §6, §7."""
    return len({name for names in played.signal_names for name in names})


SPOKEN = [rules.with_signals(all_signals(rules.pack)) for rules in (OTTOCENTO, PARTITA)]
GAMES = {
    "ottocento-doubled": Golden(OTTOCENTO, "random", 24, lambda r: fool_led(r) and doubled(r)),
    "ottocento-no-trick": Golden(OTTOCENTO, "random", 1298, without_trick),
    "ottocento-scored-tricks": Golden(OTTOCENTO, "simple", 985, scored_tricks),
    "ottocento-no-pip": Golden(OTTOCENTO, "simple", 1015, gives_no_pip),
    "digital-fool-led": Golden(OTTOCENTO_DIGITAL, "simple", 101, fool_led),
    "partita-fool-led": Golden(PARTITA, "simple", 11, fool_led),
    "partita-no-trick": Golden(PARTITA, "random", 1503, without_trick),
    "partita-exposed-trump": Golden(PARTITA, "simple", 7720, lambda r: r.exposed > 0),
    "ottocento-signals": Golden(SPOKEN[0], "simple+signal:club", 4, lambda r: signals(r) >= 2),
    "partita-signals": Golden(SPOKEN[1], "simple+signal:club", 4, lambda r: signals(r) >= 10),
}


@pytest.mark.parametrize("name", GAMES)
def test_golden_game(name: str) -> None:
    game = GAMES[name]
    played = replay(game.rules, parse_policies(game.policies), seed=1, hand=game.hand)
    text, path = format_replay(played), GOLDEN / f"{name}.txt"
    if os.environ.get(REWRITE):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
    assert game.shows(played), f"hand {game.hand} is no longer what {path.name} is there for"


def test_every_golden_file_has_its_test() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(GAMES)


# ---- what the text says ---------------------------------------------------------------------


def section(text: str, title: str) -> list[str]:
    """The lines of the section that begins with a title, without it."""
    (lines,) = (part for part in text.split("\n\n") if part.startswith(title))
    return lines.splitlines()[1:]


@pytest.mark.parametrize("spec", ["random", "simple"])
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_lines_fit_and_the_score_adds_up(rules: RuleSet, spec: str) -> None:
    for hand in range(40):
        played = replay(rules, parse_policies(spec), seed=2, hand=hand)
        text = format_replay(played)
        assert max(map(len, text.splitlines())) <= 100
        assert not any(line != line.rstrip() for line in text.splitlines())
        tricks = section(text, "Tricks")
        assert len(tricks) == 1 + rules.tricks
        assert all(line.count("*") == line.count(">") == 1 for line in tricks[1:])
        score = [line.split() for line in section(text, "Score")]
        for side in range(2):
            points = [
                int(line[-2 + side].replace("cards", "")) for line in score if "pairs" not in line
            ]
            if rules == PARTITA:
                (pairs,) = (line for line in score if "pairs" in line)
                points.insert(0, int(pairs[3 + 3 * side]))
            assert sum(points[:-1]) == points[-1] == played.row.score[side, 0]


def test_hands_are_told_by_suit_from_the_highest_down() -> None:
    played = replay(OTTOCENTO, parse_policies("simple"), seed=1, hand=5)
    lines = section(format_replay(played), "Hands dealt")
    assert lines[5:15] == [
        "  seat 1, dealer   trumps  Sun Moon T14 T13 T8 T7 M4",
        "                   swords  SK SV",
        "                   batons  BQ BV B9",
        "                   cups    CC C8 C10",
        "                   coins   D7 D10",
        "  seat 2, eldest   trumps  T11 T10 T6 Fool",
        "                   swords  SQ S6",
        "                   batons  BK BA",
        "                   cups    CA C7",
        "                   coins   DQ DC DV D6 D9",
    ]


def test_what_is_withheld_or_not_declared_is_told() -> None:  # RULES §4, Declaring
    played = replay(OTTOCENTO, playing(declare=coy), seed=1, hand=24)
    lines = section(format_replay(played), "Declarations")
    assert lines[:3] == [
        "  seat 1, eldest   nothing",
        "                   withholds Fool",
        "                   does not declare valets, swords, batons, moors",
    ]
    assert lines[-3:] == [
        "  seat 0, dealer   grande of 3 for 10: 10 points",
        "                   shows Pagat Sun Angel",
        "                   does not declare aces",
    ]


def test_the_policies_are_named_by_seat_or_side() -> None:
    for specs, told in (
        (["simple"], ["All seats play simple."]),
        (["simple", "random"], ["Side 0 plays simple.", "Side 1 plays random."]),
        (
            ["simple", "random", "random", "random"],
            ["Seat 0 plays simple.", *(f"Seat {seat} plays random." for seat in (1, 2, 3))],
        ),
    ):
        played = replay(PARTITA, parse_policies(specs), seed=1, hand=0)
        assert format_replay(played).split("\n\n")[0].splitlines()[2:] == told


def test_the_discard_of_a_dealer_with_a_trick_counts_to_his_side() -> None:  # RULES §3
    played = replay(OTTOCENTO, parse_policies("simple"), seed=1, hand=5)
    assert section(format_replay(played), "Settlement") == [
        "  Side 0 played the Fool to trick 5, which side 1 won.",
        "  Side 0 keeps the Fool and gives B7 for it.",
        "  The discard counts to side 1.",
    ]


# ---- hands broken off -----------------------------------------------------------------------


def test_an_illegal_card_ends_the_text() -> None:
    played = replay(OTTOCENTO, playing(play=revoking, spec="mine.py:revoking"), seed=1, hand=2)
    text = format_replay(played)
    assert section(text, "Tricks")[-1].startswith("   3  ")
    assert "*" not in section(text, "Tricks")[-1]
    legal = format_cards(played.legal)
    assert section(text, "Broken off") == [
        f"  {played.error}",
        f"  It might have played {legal}.",
    ]
    assert "Score" not in text


def test_an_illegal_discard_and_an_illegal_declaration_end_the_text() -> None:
    text = format_replay(replay(OTTOCENTO, playing(discard=greedy), seed=1, hand=2))
    titles = [part.splitlines()[0] for part in text.split("\n\n")]
    assert titles == ["ottocento, seed 1, hand 2", "Hands dealt", "Broken off"]
    text = format_replay(replay(OTTOCENTO_DIGITAL, playing(declare=boastful), seed=1, hand=2))
    titles = [part.splitlines()[0].split(",")[0] for part in text.split("\n\n")]
    assert titles[3:] == ["Declarations", "Tricks", "Broken off"]
