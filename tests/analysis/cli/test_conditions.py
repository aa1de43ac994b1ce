"""``tarocchino simulate`` with --deal and --where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.frequencies import summarise
from sim.run import Run
from tests.analysis.cli.conftest import Command, Said

DEAL, WHERE = "dealer: Pagat Fool; eldest: SK", "dealer.trumps >= 6 and eldest.kings != 2"
ASKED = ("--deal", DEAL, "--where", WHERE)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are written to a new folder, and rare conditions told from few deals."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sim.condition_probability.PILOT_DEALS", 4_000)


def simulate(tarocchino: Command, *arguments: object) -> Said:
    return tarocchino("simulate", "--hands", 40, "--policy", "random", *arguments)


def test_a_run_under_conditions(tarocchino: Command) -> None:
    said = simulate(tarocchino, *ASKED, "--out", "run")
    assert said.status == 0
    run = Run.open("run")
    assert (run.manifest.deal, run.manifest.where) == (DEAL, WHERE)
    share = run.manifest.condition_probability["probability"]
    note = f"Only deals with {DEAL} and {WHERE}: {share:.4g} of all deals."
    assert note in " ".join(said.out.split())
    assert summarise(run).notes == (note,)
    # The same command, in other words, only sums the run up; --resume finds it finished.
    again = simulate(tarocchino, "--deal", DEAL.upper(), "--where", WHERE, "--out", "run")
    assert (again.status, again.out) == (0, said.out)
    assert tarocchino("simulate", "--resume", "run").out == said.out
    assert note in json.loads(tarocchino("summary", "run", "--json").out)["notes"]


def test_a_hand_of_it_is_replayed(tarocchino: Command) -> None:
    simulate(tarocchino, *ASKED, "--out", "run")
    for hand in (0, 39):
        played = json.loads(tarocchino("replay", "run", hand, "--json").out)
        assert {"Pagat", "Fool"} <= set(played["hands"][played["dealer"]])
        assert "SK" in played["hands"][(played["dealer"] + 1) % 4]


def test_runs_under_other_conditions_have_other_folders(tarocchino: Command) -> None:
    for asked in ((), ("--deal", DEAL), ("--where", WHERE), ("--where", "dealer.trumps = 6")):
        assert simulate(tarocchino, *asked).status == 0
    assert len(list(Path("runs").iterdir())) == 4


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--deal", "dealer: SX"), "unknown card 'SX'"),
        (("--deal", "dealers: SK"), "unknown seat or role 'dealers': expected eldest"),
        (("--where", "dealer.trumps"), "is no condition: expected WHO.WHAT OP N"),
        (("--where", "dealer.trumps > 17"), "no deal meets the conditions: expected"),
        (("--deal", "eldest: SK", "--where", "eldest.kings = 0"), "no deal meets"),
        (("--rules", "partita", "--where", "dealer.grande = 1"), "'grande' under partita"),
        (
            ("--where", " and ".join(f"{who}.grande = 1" for who in ("dealers", "0", "1"))),
            "no deal meets",
        ),
    ],
)
def test_wrong_conditions_are_bad_input(
    tarocchino: Command, arguments: tuple[str, ...], told: str
) -> None:
    simulate(tarocchino, *arguments, "--out", "run").refused(told)
    assert not Path("run").exists()


def test_what_is_too_rare_is_bad_input(
    tarocchino: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.compositions.MOST_TRIED", 0)
    said = simulate(tarocchino, "--where", "dealer.trumps >= 15", "--out", "run")
    said.refused("too rare: their probability is about 0 (0 to 0.00092)", "expected at least one")
    assert not Path("run").exists()


@pytest.mark.parametrize("flag", ["--deal", "--where"])
def test_a_resumed_run_has_its_own_conditions(tarocchino: Command, flag: str) -> None:
    simulate(tarocchino, "--out", "run")
    text = dict(zip(ASKED[::2], ASKED[1::2], strict=True))[flag]
    tarocchino("simulate", "--resume", "run", flag, text).refused(f"{flag} does not go with")
