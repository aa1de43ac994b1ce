"""``tarocchino odds``: the questions players ask, exactly answered."""

from __future__ import annotations

import json
from fractions import Fraction as F
from pathlib import Path

import pytest

from analysis.first_cards import first_cards
from analysis.odds import odds, odds_of_seat
from sim.cards import TAROCCHINO
from sim.combinations import KINDS
from sim.rules import PARTITA
from tests.analysis.cli.conftest import Command

MINE = "SK SQ S6 S7 BV B8 B10 C10 CA DK D9 Moon T10 M2 Fool"


def test_the_json_is_the_one_others_rely_on(tarocchino: Command) -> None:
    said = tarocchino("odds", "--json")
    assert (said.status, said.err) == (0, "")
    told = json.loads(said.out)
    assert told == json.loads(json.dumps(odds().to_dict()))
    promised = ["rules", "cards", "combinations", "three_cricche", "three_sequences", "nothing"]
    assert {*promised, "points", "trumps"} <= set(told)
    assert told["combinations"]["kings"]["exact"] == "4550/111569"


def test_a_situation_is_given_by_flags(tarocchino: Command) -> None:
    said = tarocchino(
        *("odds", "--hold", "Pagat SK", "--gone", "angel", "--cards", "16", "--json"),
        *("--where", "Trumps = 6 AND cups=0", "--rules", "ottocento-digital"),
    )
    told = json.loads(said.out)
    assert (told["hold"], told["gone"], told["cards"]) == (["SK", "Pagat"], ["Angel"], 16)
    assert told["where"] == {"trumps": 6, "cups": 0}
    assert told["rules"] == "ottocento-digital"


def test_what_another_seat_was_dealt(tarocchino: Command) -> None:
    said = tarocchino("odds", "--mine", MINE, "--seat", "partner", "--json", "--has", "Angel World")
    told = json.loads(said.out)
    found = odds_of_seat(MINE, "partner")
    assert F(told["points"]["mean"]["exact"]) == found.points.mean
    assert " ".join(told["mine"]) == "S6 S7 SQ SK B8 B10 BV C10 CA D9 DK M2 T10 Moon Fool"
    assert told["seat"] == "partner"
    assert F(told["has"]["each"]["Angel"]["exact"]) == F(15, 47)
    assert F(told["has"]["all"]["exact"]) == F(15 * 14, 47 * 46)
    assert [*told["has"]["number"]] == ["0", "1", "2"]
    assert "kept" not in told


@pytest.mark.parametrize("asked", [("--cards", 17), ("--mine", MINE, "--seat", "dealer")])
def test_the_dealers_cards_are_those_dealt_and_what_he_keeps_is_simulated(
    tarocchino: Command, asked: tuple[object, ...]
) -> None:
    told = json.loads(tarocchino("odds", *asked, "--json").out)
    assert told["cards"] == 17
    assert tuple(told["kept"]["combinations"]) == KINDS
    assert told["kept"]["policy"] == "simple"
    assert {"mean", "low", "high", "n", "unit", "level", "method"} == set(told["kept"]["points"])
    out = " ".join(tarocchino("odds", *asked).out.split())
    assert "odds of the 17 cards dealt to the dealer; what he keeps after discarding depends" in out
    assert "Kept by a dealer of the policy simple: simulated, 20,000 hands, 95 %" in out


def test_the_tables_have_percent_and_one_in_so_many(tarocchino: Command) -> None:
    said = tarocchino("odds", "--has", "Pagat Fool")
    assert (said.status, said.err) == (0, "")
    rows = [line.split() for line in said.out.splitlines()]
    assert ["kings", "4.08", "24.5", "3.83", "0.24", "–", "–", "–"] in rows
    assert ["nothing", "46.18", "2.17"] in rows
    assert ["three", "cricche", "or", "more", "0.012", "8,340"] in rows
    assert ["mean", "11.278"] in rows
    assert ["all", "of", "them", "5.55", "18.0"] in rows
    assert "dealt to the dealer" not in said.out
    assert any(row[:3] == ["5", "24.5", "24.0"] for row in rows)  # trumps, and with the Fool


def test_partita_has_trumps_and_suits_only(tarocchino: Command) -> None:
    said = tarocchino("odds", "--rules", "partita", "--cards", "15")
    assert (said.status, said.err) == (0, "")
    assert "Combinations" not in said.out and "Kept" not in said.out
    assert "dealt to the dealer" in said.out
    told = json.loads(tarocchino("odds", "--rules", "partita", "--json").out)
    assert told == json.loads(json.dumps(odds(PARTITA).to_dict()))


def test_a_chart_is_saved_and_said_so(tarocchino: Command, tmp_path: Path) -> None:
    chart = tmp_path / "new" / "odds.svg"
    said = tarocchino("odds", "--hold", "Pagat", "--chart", chart)
    assert said.status == 0 and chart.stat().st_size > 10_000
    assert said.out.endswith(f"Chart: {chart}\n")
    said = tarocchino("odds", "--json", "--chart", chart)
    assert json.loads(said.out) and said.err == f"Chart: {chart}\n"


def test_what_the_first_five_cards_tell(tarocchino: Command) -> None:  # STRATEGY C15
    rows = [
        line.split() for line in tarocchino("odds", "--first", "4 trumps Fool").out.splitlines()
    ]
    assert ["in", "the", "whole", "hand", "7.158", "5.323"] in rows
    assert ["points", "of", "the", "whole", "hand", "12.825", "11.278"] in rows
    told = json.loads(tarocchino("odds", "--first", "4 of trumps", "--json").out)
    found = first_cards(TAROCCHINO.trumps, 4)
    assert F(told["exact"]) == found.probability
    assert {int(n): F(p["exact"]) for n, p in told["rest"].items()} == found.rest
    assert F(told["points"]["mean"]["exact"]) == found.points.mean


def test_pips_among_the_first_five_cards_have_no_points(tarocchino: Command) -> None:
    assert "points" not in tarocchino("odds", "--first", "2 swords").out
    assert "points" not in json.loads(tarocchino("odds", "--first", "2 swords", "--json").out)
    partita = tarocchino("odds", "--first", "3 trumps", "--rules", "partita")
    assert partita.status == 0 and "points" not in partita.out


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("--first", "trumps"), "'trumps': expected how many of which cards, such as"),
        (("--first", "2 jokers"), "unknown card 'jokers'"),
        (("--first", "5 kings"), "cards seen = 5: expected a whole number from 0 to 4"),
        (("--first", "2 kings", "--hold", "SK"), "--first goes with --rules, --cards and --json"),
        (("--first", "2 kings", "--cards", "5"), "expected more than the first 5"),
    ],
)
def test_wrong_first_cards_are_refused(
    tarocchino: Command, asked: tuple[str, ...], told: str
) -> None:
    tarocchino("odds", *asked).refused(told)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("--hold SK,Fool --gone Fool", "both held and gone: Fool; expected each card in one place"),
        ("--cards 99", "cards of the hand = 99: expected a whole number from 1 to 62"),
        ("--cards 2 --hold SK,SQ,SC", "3 cards are held: expected at most the 2 of the hand"),
        ("--hold X", "unknown card 'X'"),
        ("--has SK,SK", "SK"),
        ("--mine SK --seat partner", "one's own hand has 1 cards: expected 15, or 17 as dealer"),
        ("--seat partner", "--mine and --seat go together: expected both, or neither"),
        ("--mine SK", "--mine and --seat go together: expected both, or neither"),
        ("--where trumps>6", "'trumps>6': expected exact numbers of trumps or of suits"),
        ("--where trumps=6,cups=0", "expected exact numbers of trumps or of suits"),
        ("--where dealer.trumps=6", "expected exact numbers of trumps or of suits"),
        ("--where hearts=2", "unknown condition 'hearts': expected one of swords"),
        ("--where cups=11", "cups = 11: expected a whole number from 0 to 10"),
        ("--rules partita --has M1", "unknown card 'M1'"),
        ("--level 2", "expected a number between 0 and 1"),
        ("--chart x.bmp", "expected .png, .svg, .pdf or none"),
    ],
)  # fmt: skip
def test_a_wrong_question_is_bad_input(tarocchino: Command, asked: str, told: str) -> None:
    tarocchino("odds", *asked.split(), "--json").refused(told)


def test_a_number_given_twice_is_refused(tarocchino: Command) -> None:
    tarocchino("odds", "--where", "cups = 1 and cups = 2").refused("each once")
