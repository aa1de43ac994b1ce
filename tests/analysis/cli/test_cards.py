"""``tarocchino score``. RULES §3, 4, 7."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sim.combinations import score
from sim.rules import OTTOCENTO, PARTITA
from tests.analysis.cli.conftest import Command


def cells(out: str) -> list[list[str]]:
    """The words of every line that has some."""
    return [line.split() for line in out.splitlines() if line.strip(" ─")]


def test_the_json_is_the_one_others_rely_on(tarocchino: Command) -> None:
    said = tarocchino("score", "--json", "SK SQ SC SV SA Fool")
    assert (said.status, said.err) == (0, "")
    assert json.loads(said.out) == {
        "rules": "ottocento",
        "cards": ["SA", "SV", "SC", "SQ", "SK", "Fool"],
        "cricche": {},
        "cricche_points": 0,
        "sequences": {"swords": {"length": 6, "points": 25}},  # RULES §4
        "sequence_points": 25,
        "total": 25,
        # RULES §3: 5 + 4 + 3 + 2 + 1 + 5, less half a point for each of six cards
        "card_points": 17.0,
    }
    assert said.out.count("\n") == 1


@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
@pytest.mark.parametrize("cards", ["", "pagat, FOOL\tsk  dk", "Angel World Pagat Fool SK BK CK DK"])
def test_the_json_is_the_score(tarocchino: Command, rules, cards: str) -> None:
    said = tarocchino("score", cards, "--rules", rules.name, "--json")
    assert json.loads(said.out) == score(cards, rules).to_dict()


def test_the_table_shows_combinations_and_sums(tarocchino: Command) -> None:
    said = tarocchino("score", "SK SQ SC SV SA DK BK CK Pagat Fool World")
    assert (said.status, said.err) == (0, "")
    assert cells(said.out) == [
        ["SA", "SV", "SC", "SQ", "SK", "BK", "CK", "DK", "Pagat", "World", "Fool"],
        ["ottocento"],
        ["combination", "cards", "points"],
        ["honours", "3", "18"],
        ["kings", "4", "34"],
        ["cricche", "52"],
        ["swords", "7", "30"],
        ["sequences", "30"],
        ["total", "82"],
        ["card", "points:", "39.5"],
    ]


def test_the_table_says_what_is_doubled(tarocchino: Command) -> None:  # RULES §4
    said = tarocchino("score", "SK SQ SV BK BQ BV CK CQ CV")
    assert ["cricche,", "doubled", str(2 * (17 + 14 + 12))] in cells(said.out)
    assert ["sequences,", "doubled", str(2 * 3 * 10)] in cells(said.out)


def test_partita_has_card_points_alone(tarocchino: Command) -> None:  # RULES §7
    said = tarocchino("score", "SK T2 Fool", "--rules", "partita")
    assert cells(said.out) == [["SK", "T2", "Fool"], ["card", "points:", "10"]]


def test_no_cards_score_nothing(tarocchino: Command) -> None:
    said = tarocchino("score", "")
    assert cells(said.out)[0] == ["no", "cards"] and ["total", "0"] in cells(said.out)


def test_a_rule_file_is_read(tarocchino: Command, tmp_path: Path) -> None:
    path = tmp_path / "strict.toml"
    path.write_text('base = "ottocento"\nsuit_second_wild = false\n')
    said = tarocchino("score", "SK SQ Pagat Fool", "--rules", path, "--json")
    assert json.loads(said.out)["rules"] == "strict"
    assert json.loads(said.out)["sequences"]["swords"]["length"] == 3  # RULES §4, Ruling


@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (
            "SK SX",
            ["unknown card 'SX'", "expected one of the tarocchino pack such as SA, T15, Pagat"],
        ),
        ("SK sk", ["SK is named twice"]),
        ("T2", ["unknown card 'T2'", "the tarocchino pack"]),
        ("☃", ["unknown card '☃'"]),
    ],
)
def test_wrong_cards_are_refused(
    tarocchino: Command, cards: str, told: list[str], options: list[str]
) -> None:
    tarocchino("score", cards, *options).refused(*told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("base = ottocento", ["is not TOML"]),
        (b"\xff\xfe", ["is not TOML"]),
        ("trick_combinations = false", ["has base = None: expected ottocento, ottocento-digital"]),
        ('base = "chess"', ['has base = "chess": expected ottocento']),
        ('base = "ottocento"\nface = 3', ["unknown rule field 'face'", "expected one of pack"]),
        ('base = "ottocento"\ndiscards = 3', ["62 = 4 x 15 + 2", "expected 2"]),
        ('base = "ottocento"\ntarget = "far"', ["expected a whole number from 1 to"]),
        ('base = "ottocento"\npack = "bolognese"', ['expected "tarocchino" or "piedmontese"']),
        ('base = "partita"\ncombinations = true', ["combinations = true cannot be played"]),
    ],
)
def test_wrong_rule_files_are_refused(
    tarocchino: Command, tmp_path: Path, text: str | bytes, told: list[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    tarocchino("score", "SK", "--rules", path).refused("mine.toml", *told)


def test_unknown_rules_are_refused(tarocchino: Command, tmp_path: Path) -> None:
    expected = "expected ottocento, ottocento-digital, partita, or a .toml file"
    tarocchino("score", "SK", "--rules", "tressette").refused("'tressette'", expected)
    missing, folder = tmp_path / "no.toml", tmp_path / "folder.toml"
    folder.mkdir()
    tarocchino("score", "SK", "--rules", missing).refused("cannot read", "No such file")
    tarocchino("score", "SK", "--rules", folder).refused("cannot read", "Is a directory")
