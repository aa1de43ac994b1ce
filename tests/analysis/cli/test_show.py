"""Summaries on the terminal say what the summary holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sim
from analysis.cli.show import show_summary
from analysis.cli.tables import WIDTH
from analysis.frequencies import summarise
from sim.combinations import KINDS
from sim.conditions import ROLES
from sim.run import Run


@pytest.fixture(scope="module")
def ottocento() -> Run:
    return sim.simulate(hands=600, seed=3, policies=["simple", "random"])


def shown(run: Run, capsys: pytest.CaptureFixture[str], directory: Path | None = None) -> str:
    show_summary(summarise(run, level=0.9), directory)
    return capsys.readouterr().out


def table(text: str, title: str) -> dict[str, list[float]]:
    """The numbers of a table by the words at the beginning of their rows."""
    rows, body = {}, text.partition(title + " ")[2].split("\n")
    for line in body[4:]:  # after the title, an empty line, the heads and a rule
        if not line.strip():
            break
        name = re.match(r" *([a-zA-Z].*?)  ", line)
        assert name
        rows[name[1]] = [float(n) for n in re.findall(r"-?\d+\.\d+", line)]
    return rows


def test_the_head_names_rules_hands_seed_policies_and_level(ottocento, capsys) -> None:
    text = " ".join(shown(ottocento, capsys).split())
    assert text.startswith(
        "ottocento: 600 hands, seed 3, policies simple, random, simple, random (seats 0 to 3) "
        "In brackets: 90 % intervals, each on its own."
    )
    alone = sim.simulate(sim.PARTITA, hands=10, policies="random")
    assert shown(alone, capsys).startswith("partita: 10 hands, seed 1, policy random\n")


def test_the_table_of_declarations(ottocento, capsys) -> None:
    rows = table(shown(ottocento, capsys), "Declared, % of hands")
    expected = summarise(ottocento, level=0.9).tables["combinations"]
    assert list(rows) == list(KINDS)
    for kind in KINDS:
        for i, role in enumerate(ROLES):
            of = (expected.combination == kind) & (expected.role == role)
            ends = expected[of & (expected.what == "declared")][["mean", "low", "high"]]
            assert rows[kind][3 * i : 3 * i + 3] == pytest.approx(100 * ends.values[0], abs=0.0051)


def test_the_table_of_scores(ottocento, capsys) -> None:
    rows = table(shown(ottocento, capsys), "Score, points a hand")
    scores = ottocento.to_pandas(["dealer", "score0", "score1"]).astype(int)
    margin = (scores.score0 - scores.score1) * (-1) ** (scores.dealer % 2)
    means = {
        "side 0": scores.score0.mean(),
        "side 1": scores.score1.mean(),
        "the dealer's side": (scores.score0 + scores.score1 + margin).mean() / 2,
        "the other side": (scores.score0 + scores.score1 - margin).mean() / 2,
        "the dealer's side minus the other": margin.mean(),
    }
    assert {who: mean for who, (mean, _, _) in rows.items()} == pytest.approx(means, abs=0.0051)
    assert all(low < mean < high for mean, low, high in rows.values())


@pytest.mark.parametrize("card", ["Pagat", "Fool"])
def test_the_table_of_where_a_card_went(ottocento, capsys, card: str) -> None:
    rows = table(shown(ottocento, capsys), f"Where the {card} went")
    hands = ottocento.to_pandas().astype(int)
    seat, trick, side = (hands[f"{card.lower()}_{what}"] for what in ("seat", "trick", "side"))
    for role, turn in (("eldest", 1), ("second", 2), ("third", 3), ("dealer", 0)):
        held = seat == (hands.dealer + turn) % 4
        kept = (side == seat % 2)[held].mean()
        expected = [100 * held.mean(), 100 * kept, trick[held].mean()]
        assert rows[role][::3] == pytest.approx(expected, abs=0.0051)


def test_games_without_combinations_have_no_such_table(capsys) -> None:
    text = shown(sim.simulate(sim.PARTITA, hands=100, policies="random"), capsys)
    assert "Declared" not in text and "Where the Pagat went" in text


def test_one_hand_is_shown_too(capsys) -> None:
    text = shown(sim.simulate(hands=1, policies="random"), capsys)
    assert "Score" not in text  # no interval
    assert "–" in text  # of what was not seen


def test_notes_stand_below(capsys) -> None:
    run = sim.simulate(hands=10, policies="random", columns=["dealer", "score0", "score1"])
    assert "No pagat: the run was made without pagat_seat, pagat_trick, pagat_side." in " ".join(
        shown(run, capsys).split()
    )


def test_a_path_is_not_broken(ottocento, capsys) -> None:
    directory = Path("a long way " * 20)
    text = shown(ottocento, capsys, directory)
    assert text.endswith(f"\nRun: {directory}\n")


@pytest.mark.parametrize("columns", [80, None])
def test_tables_are_no_wider_than_the_page(ottocento, capsys, monkeypatch, columns) -> None:
    if columns is not None:
        monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal
        monkeypatch.setenv("COLUMNS", str(columns))
    text = re.sub(r"\x1b\[\d*m", "", shown(ottocento, capsys))
    longest = max(len(line) for line in text.splitlines())
    assert longest <= (columns or WIDTH)
    assert "…" not in text  # nothing is cut off
