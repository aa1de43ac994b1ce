"""``tarocchino compare``: table, JSON and chart, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.cli.show_compare import _common_deals
from analysis.compare import compare
from sim.rules import OTTOCENTO, PARTITA
from tests.analysis.cli.conftest import Command
from tests.helpers import compiled_only

pytestmark = compiled_only
TWO, THREE = ("random", "simple"), ("random", "simple", "simple+declare:nothing")


def lines(out: str) -> list[str]:
    return [" ".join(line.split()) for line in out.splitlines() if line.strip(" ─")]


def test_the_json_is_the_comparison(tarocchino: Command) -> None:
    said = tarocchino("compare", *THREE, "--hands", "4e2", "--seed", 9, "--json")
    assert said.status == 0
    assert said.out.count("\n") == 1
    assert json.loads(said.out) == compare(THREE, OTTOCENTO, 400, seed=9).to_dict()


def test_flags_are_passed_on(tarocchino: Command) -> None:
    said = tarocchino(
        *("compare", *TWO, "--hands", 2000, "--rules", "partita", "--payoff", "win", "--json"),
        *("--level", 0.9, "--until", 0.3, "--threads", 1),
    )
    options = {"payoff": "win", "level": 0.9, "until": 0.3}
    assert json.loads(said.out) == compare(TWO, PARTITA, 2000, **options).to_dict()


def test_the_table_has_every_margin_with_its_half_width(tarocchino: Command) -> None:
    found = compare(THREE, hands=400)
    out = lines(tarocchino("compare", *THREE, "--hands", 400).out)
    assert out[0] == (
        "ottocento: 400 hands a pair in 50 blocks (deals played from both sides), seed 1"
    )
    assert out[1] == "± 95 % intervals, all pairs together (max-|t| over blocks)."
    assert out[2:4] == ["Points a hand, row less column", "1 2 3"]
    for i, line in enumerate(out[4:7]):
        cells = [f"{e.mean:+.2f} ± {e.high - e.mean:.2f}" for e in found.payoff[i]]
        cells[i] = "–"
        assert line == " ".join([str(i + 1), THREE[i], *cells])
    assert out[7:9] == ["Ranking, mean against all others", "policy place mean"]
    best = found.ranking[0]
    mean = f"{best.mean.mean:+.2f} ± {best.mean.high - best.mean.mean:.2f}"
    assert out[9] == f"{best.policy} {best.place} {mean}"
    fresh = found.fresh_mean
    told = " ".join(out[12:])
    assert "simple, chosen as the best, again on 50 fresh blocks: " in told
    assert f"{fresh.mean:+.2f} ± {fresh.high - fresh.mean:.2f} against the others." in told
    low, high = min(found.variance_removed), max(found.variance_removed)
    assert f"remove {100 * low:.0f} to {100 * high:.0f} % of the variance" in told


def test_ties_are_told(tarocchino: Command) -> None:
    out = lines(tarocchino("compare", "simple", "simple", "--hands", 400).out)
    assert "1 simple – +0.00 ± 0.00" in out
    assert out.count("simple 1 +0.00 ± 0.00 not separated from simple") == 2
    assert "Common deals remove 100 % of the variance of each pair." in out


def test_won_hands_are_in_percent(tarocchino: Command) -> None:
    (found,) = compare(TWO, PARTITA, 400, payoff="win").by_pair
    out = lines(tarocchino("compare", *TWO, "--hands", 400, "--payoff", "win",
                           "--rules", "partita").out)  # fmt: skip
    assert "Hands won, row less column, % of hands" in out
    assert f"1 random – {100 * found.mean:.2f} ± {100 * (found.high - found.mean):.2f}" in out
    assert "± 95 % intervals, Student's t over blocks." in out


def test_it_says_if_the_half_width_was_not_reached(tarocchino: Command) -> None:
    arguments = ("compare", *TWO, "--rules", "partita", "--hands", 1600, "--until")
    told = "was not reached in so many hands."
    narrow, wide = (tarocchino(*arguments, until).out for until in (0.01, 100))
    assert f"The half-width 0.01 {told}" in narrow and told not in wide
    assert "all pairs together, at every moment (confidence sequences)" in " ".join(lines(wide))


def test_the_chart_is_saved(tarocchino: Command, tmp_path: Path) -> None:
    path = tmp_path / "new" / "payoff"
    said = tarocchino("compare", *TWO, "--hands", 80, "--chart", path, "--json")
    assert said.status == 0 and json.loads(said.out)
    assert {file.suffix for file in path.parent.iterdir()} == {".png", ".svg"}
    assert "Chart: " in said.err


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "Missing argument"),
        (("simple",), "1 to compare: expected two policies or more"),
        (("simple", "genius"), "unknown policy 'genius': expected random"),
        ((*TWO, "--hands", "many"), "'many' is no count"),
        ((*TWO, "--hands", "8"), "8 hands a pair: expected 16 to"),
        ((*TWO, "--hands", "800", "--until", "1"), "800 hands a pair: expected 1600 to"),
        ((*TWO, "--payoff", "money"), "unknown payoff 'money': expected points, win, winner_takes"),
        ((*TWO, "--until", "-1"), "'-1' is no half-width: expected a number above 0"),
        ((*TWO, "--until", "nan"), "'nan' is no half-width"),
        ((*TWO, "--until", "soon"), "'soon' is no half-width"),
        ((*TWO, "--seed", "-1"), "seed -1: expected 0 to"),
        ((*TWO, "--level", "95"), "is no level"),
        ((*TWO, "--rules", "chess"), "'chess'"),
        ((*TWO, "--chart", "payoff.txt"), "the suffix .txt: expected .png, .svg, .pdf or none"),
    ],
)
def test_wrong_input_is_refused(
    tarocchino: Command, arguments: tuple[str, ...], told: str, options: tuple[str, ...]
) -> None:
    tarocchino("compare", *arguments, *options).refused(told)


def test_an_illegal_play_is_a_failure_in_one_line(tarocchino: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from sim.policies import policy\n\n\n"
        "@policy.play\ndef wrong(view, weights):\n    return 0, 0\n"
    )
    said = tarocchino("compare", "simple", f"{path}:wrong", "--hands", 80, "--json")
    assert (said.status, said.out) == (1, "")
    assert "the policy mine.py:wrong plays" in said.line and "which is illegal" in said.line


@compiled_only
def test_won_games_are_compared_at_a_score(tarocchino: Command, folder: Path) -> None:
    at = ("--payoff", "win", "--score", "700-760", "--deals", "them", "--hands", 400)
    said = tarocchino("compare", *TWO, *at, "--chart", "won.svg")
    assert said.status == 0 and (folder / "won.svg").exists()
    assert "At 700 to 760, the deal with them; chances after the hand from 200,000" in said.out
    told = json.loads(tarocchino("compare", *TWO, *at, "--json").out)
    assert told["at_score"]["deals"] == "them"
    mean = told["payoff"][0][1]["mean"]
    assert f"{100 * mean:+.2f} ±" in said.out and 0 < abs(mean) < 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--score", "1-2"), "a score without the payoff win: expected --payoff win beside it"),
        (("--payoff", "win", "--deals", "us"), "--deals without a score: expected --score"),
        (("--payoff", "win", "--score", "1-2", "--deals", "me"), "--deals me: expected us or them"),
        (("--payoff", "win", "--score", "1-2", "--hand", 2), "no fixed number of hands"),
    ],
)
def test_scores_that_do_not_fit_are_refused(
    tarocchino: Command, options: tuple[object, ...], told: str
) -> None:
    tarocchino("compare", *TWO, *options).refused(told)


@pytest.mark.parametrize(
    ("removed", "told"),
    [
        ([0.604], "Common deals remove 60 % of the variance of each pair."),
        ([0.6, 0.1, 0.2], "Common deals remove 10 to 60 % of the variance of each pair."),
        ([0.0], "Common deals remove 0 % of"),
        ([-0.14], "Common deals do not help here: they add 14 % to the variance of each pair."),
        ([-0.14, -0.02, 0.0], "Common deals do not help here: they add 0 to 14 % to the variance"),
        ([0.6, -0.14], "remove up to 60 % of the variance of a pair; where they do not help, they"),
    ],
)
def test_common_deals_that_do_not_help_are_told_so(removed: list[float], told: str) -> None:
    assert told in _common_deals(removed)
