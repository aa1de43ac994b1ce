"""``tarocchino pagat``: tables, JSON and chart, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.pagat import price_cards
from analysis.pagat_fate import FATES, cells
from sim.rules import OTTOCENTO, PARTITA
from tests.analysis.cli.conftest import Command
from tests.helpers import compiled_only

pytestmark = compiled_only
SMALL = ("pagat", "--policy", "random", "--rules", "partita", "--hands")


def lines(out: str) -> list[str]:
    return [" ".join(line.split()) for line in out.splitlines() if line.strip(" ─")]


def points(found) -> str:
    return f"{found.mean:+.2f} ± {found.high - found.mean:.2f}"


def percent(found) -> str:
    return f"{100 * found.mean:.1f} ({100 * found.low:.1f}–{100 * found.high:.1f})"


def test_the_json_is_the_result_and_flags_are_passed_on(tarocchino: Command) -> None:
    said = tarocchino(*SMALL, "4e2", "--seed", 9, "--level", 0.9, "--threads", 1, "--json")
    assert said.status == 0 and said.out.count("\n") == 1
    found = price_cards("random", PARTITA, 400, seed=9, level=0.9)
    assert json.loads(said.out) == found.to_dict()


def test_policies_by_side_are_told(tarocchino: Command) -> None:
    arguments = ("pagat", "--policy", "random", "--policy", "simple", "--hands", 100)
    out = " ".join(lines(tarocchino(*arguments).out))
    assert "ottocento: policies random, simple, random, simple, seed 1; 12 deals for" in out


def test_every_table_has_its_numbers(tarocchino: Command) -> None:
    found = price_cards("simple", OTTOCENTO, 8000)
    out = lines(tarocchino("pagat", "--hands", 8000).out)
    assert "ottocento: policy simple, seed 1; 264 deals for the cards, 2,000 for the" in out[0]
    assert f"Price of the Pagat: {points(found.value)} points." in out
    assert f"has it in the end in {percent(found.kept)} % of hands." in " ".join(out)
    for name in ("Pagat", "Angel", "Moors", "Kings", "pips"):
        columns = " ".join(map(points, found.group_values[name].values()))
        assert any(line.startswith(f"{name} {columns} ") for line in out), name
    assert any(f"SK {points(found.values['SK'])} BK" in line for line in out)
    for name, of in found.parts.items():
        told = " ".join(map(points, of.values()))
        assert f"{name.replace('_', ' ')} {told}" in out
    for role, (cell, partner) in found.price.fate.role_cells(0.95).items():
        assert f"{role} {points(cell.price)} {points(partner)} {percent(cell.kept)}" in out
    cell = cells(found.price.fate.by_beside, 0.95)[4,]
    assert any(f"4 {percent(cell.kept)} {points(cell.price)} " in line for line in out)
    for name in FATES:
        assert any(line.startswith(name) for line in out)
    half, most, nearly_all = found.moved.quantiles(OTTOCENTO.cards.pagat).values()
    told = f"at most {half:g} in 50 %, {most:g} in 90 %, {nearly_all:g} in 99 % of hands."
    assert f"Moved at the end, the Pagat costs its side {told}" in out
    turned = percent(found.moved.any_turns(0.95))
    assert f"gives the hand to the other side in {turned} % of hands." in " ".join(out)


def test_partita_has_card_points_only_and_no_habits(tarocchino: Command) -> None:
    out = lines(tarocchino(*SMALL, 400).out)
    assert any(line.startswith("card points ") for line in out)
    assert not any(line.startswith(("declared ", "cricche ", "Worth of both")) for line in out)


def test_habits_of_expert_are_told(tarocchino: Command) -> None:
    arguments = ("pagat", "--policy", "expert", "--rules", "partita", "--hands", 240)
    out = lines(tarocchino(*arguments).out)
    found = price_cards("expert", PARTITA, 240)
    for name, told in (("protecting", "protecting it"), ("both", "both habits")):
        worth = points(found.habits[name])
        assert f"Worth of {told}: {worth} points a hand, on the same deals." in out


def test_the_chart_is_saved(tarocchino: Command, tmp_path: Path) -> None:
    path = tmp_path / "new" / "price"
    said = tarocchino(*SMALL, 100, "--chart", path, "--json")
    assert said.status == 0 and json.loads(said.out)
    assert {file.suffix for file in path.parent.iterdir()} == {".png", ".svg"}
    assert "Chart: " in said.err


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--policy", "genius"), "unknown policy 'genius': expected random"),
        (("--policy", "simple") * 3, "3 policies are given: expected one, two"),
        (("--hands", "many"), "'many' is no count"),
        (("--hands", "0"), "0 hands: expected 1 to"),
        (("--seed", "-1"), "seed -1: expected 0 to"),
        (("--level", "95"), "is no level"),
        (("--rules", "chess"), "'chess'"),
        (("--threads", "0"), "0 threads: expected at least 1"),
        (("--chart", "price.txt"), "the suffix .txt: expected .png, .svg, .pdf or none"),
        (("Pagat",), "unexpected extra argument"),
    ],
)
def test_wrong_input_is_refused(
    tarocchino: Command, arguments: tuple[str, ...], told: str, options: tuple[str, ...]
) -> None:
    tarocchino("pagat", *arguments, *options).refused(told)
