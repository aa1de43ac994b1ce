"""``tarocchino discard``: table, JSON and chart, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.discards import discards
from sim.cards import format_cards
from sim.rules import OTTOCENTO, PARTITA
from tests.analysis.cli.conftest import Command
from tests.helpers import compiled_only

pytestmark = compiled_only
HAND = "Pagat Fool T5 T8 T12 SK SQ S7 S6 BK B8 B7 CV C9 D10 DC DQ"
FOUR = "Angel Pagat SK BK CK DK T6 T8 T10 T12 T14 S7 S8 B7 B8"
FAST = ("--policy", "simple", "--precision", "20")


def lines(out: str) -> list[str]:
    return [" ".join(line.split()) for line in out.splitlines() if line.strip(" ─")]


def test_the_json_is_the_ranking(tarocchino: Command) -> None:
    said = tarocchino("discard", HAND, *FAST, "--seed", 9, "--json")
    assert said.status == 0
    assert said.out.count("\n") == 1
    told = json.loads(said.out)
    assert told == discards(HAND, OTTOCENTO, "simple", 20, seed=9).to_dict()
    assert told["rules"] == "ottocento" and told["policies"] == ["simple", "simple"]
    first = told["discards"][0]
    assert {"cards", "value", "behind", "separated", "parts"} <= set(first)
    assert set(first["value"]) == {"mean", "low", "high", "n", "unit", "level", "method"}
    assert told["cut"] is False and 0 < told["width"] <= 20


def test_flags_are_passed_on(tarocchino: Command) -> None:
    said = tarocchino(
        *("discard", FOUR, "--rules", "partita", "--policy", "simple", "--policy", "random"),
        *("--level", 0.9, "--threads", 1, "--json"),
    )
    expected = discards(FOUR, PARTITA, ["simple", "random"], 0.1, level=0.9)
    assert json.loads(said.out) == expected.to_dict()


def test_the_table_has_the_best_and_what_the_others_cost(tarocchino: Command) -> None:
    found = discards(HAND, OTTOCENTO, "simple", 20)
    out = lines(tarocchino("discard", HAND, *FAST).out)
    assert out[0] == "ottocento: policy simple, seed 1"
    names = [format_cards(place.cards) for place in found.places]
    assert out[2].startswith(f"Best: {names[0]}; not separated from it: {names[1]}")
    assert f"differences to ± {found.width:.2f} (asked: ± 20)." in " ".join(out)
    best, second = found.places[:2]
    value = f"{best.value.mean:+.2f} ± {best.value.high - best.value.mean:.2f}"
    assert any(line.startswith(f"{names[0]} {value} best") for line in out)
    behind = f"{second.behind.mean:.2f} ± {second.behind.high - second.behind.mean:.2f}"
    assert any(f"{behind} not separated" in line for line in out)
    lost = [
        f"{part.mean + 0.0:.1f}".replace("-0.0", "0.0") for part in second.behind_parts.values()
    ]
    assert f"{names[1]} {' '.join(lost)} {second.behind.mean:.1f}" in out
    left = len(names) - len(found.shown(12))
    assert out[-2].startswith(f"{left} more are ") or out[-1].startswith(f"{left} more are ")


def test_partita_has_no_parts_and_two_policies_are_named(tarocchino: Command) -> None:
    said = tarocchino(
        *("discard", FOUR, "--rules", "partita", "--policy", "simple", "--policy", "random"),
        *("--precision", 2),
    )
    assert lines(said.out)[0] == "partita: policies simple (dealer's side), random, seed 1"
    assert "against it, and where" not in said.out and "more are" not in said.out


def test_it_says_if_the_time_ended_it(tarocchino: Command) -> None:
    arguments = ("discard", FOUR, "--rules", "partita", "--policy", "simple", "--precision")
    assert "The time ended it early" in tarocchino(*arguments, 0.001, "--time", 0.05).out
    assert "The time ended it early" not in tarocchino(*arguments, 2).out


def test_the_chart_is_saved(tarocchino: Command, tmp_path: Path) -> None:
    path = tmp_path / "new" / "discards"
    said = tarocchino("discard", HAND, *FAST, "--chart", path, "--json")
    assert said.status == 0 and json.loads(said.out)
    assert {file.suffix for file in path.parent.iterdir()} == {".png", ".svg"}
    assert "Chart: " in said.err


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "Missing argument"),
        (("",), "0 cards are named: expected 17"),
        ((HAND[:-3],), "16 cards are named: expected 17"),
        ((HAND + " SV",), "18 cards are named: expected 17"),
        ((HAND[:-3] + " DC",), "DC is named twice"),
        ((HAND[:-3] + " D11",), "unknown card 'D11'"),
        ((FOUR, "--rules", "partita", "--policy", "genius"), "unknown policy 'genius'"),
        ((HAND, *("--policy", "simple") * 3), "3 policies are given"),
        ((HAND, *("--policy", "simple") * 4), "4 policies: expected one for all seats"),
        ((HAND, "--precision", "0"), "'0' is no half-width: expected a number above 0"),
        ((HAND, "--time", "soon"), "'soon' is no time in seconds: expected a number above 0"),
        ((HAND, "--time", "-1"), "'-1' is no time in seconds"),
        ((HAND, "--seed", "-1"), "seed -1: expected 0 to"),
        ((HAND, "--level", "95"), "is no level"),
        ((HAND, "--rules", "chess"), "'chess'"),
        ((HAND, "--chart", "discards.txt"), "the suffix .txt: expected .png, .svg, .pdf or none"),
    ],
)
def test_wrong_input_is_refused(
    tarocchino: Command, arguments: tuple[str, ...], told: str, options: tuple[str, ...]
) -> None:
    tarocchino("discard", *arguments, *options).refused(told)


def test_discards_by_games_won(tarocchino: Command, folder: Path) -> None:
    options = ("--policy", "simple", "--payoff", "win", "--score", "-12", "--hand", 3)
    options += ("--rules", "partita", "--precision", 0.05)
    said = tarocchino("discard", FOUR, *options, "--chart", "won.svg")
    assert said.status == 0 and (folder / "won.svg").exists()
    assert "At -12 to 0 before hand 3 of 4, the deal with us" in said.out
    told = json.loads(tarocchino("discard", FOUR, *options, "--json").out)
    assert told["payoff_kind"] == "win" and told["at_score"]["hand"] == 3
    best = told["discards"][0]["value"]
    assert 0 < best["mean"] < 1 and f"{100 * best['mean']:.2f} ±" in said.out
    tarocchino("discard", FOUR, *options, "--deals", "them").refused("they deal: expected us")
