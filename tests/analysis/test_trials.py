"""The trial: every claim has its number and its verdict."""

import numpy as np
import pandas as pd
import pytest

from analysis.margins import points
from analysis.trial_deals import DEALT
from analysis.trial_measures import dealers_margin
from analysis.trial_statements import POINTS, Claim, Statement
from analysis.trials import COUNTED, trial
from analysis.verdicts import FAILS, HOLDS, NO_DIFFERENCE, UNDECIDED, holm
from sim.rows import Rows


def bonus(size: int) -> Claim:
    """That the dealer does better, where he gets so much beside a score of nothing."""

    def only_bonus(rows: Rows, side: int) -> np.ndarray:
        return np.where(rows.dealer % 2 == side, size, -size)

    return Claim(f"+{size}", "", "", (Statement("", POINTS, dealers_margin(only_bonus)),))


def shifted(size: int) -> Claim:
    """The same, beside the score."""

    def with_bonus(rows: Rows, side: int) -> np.ndarray:
        return points(rows, side) + np.where(rows.dealer % 2 == side, size, -size)

    return Claim(f"~{size}", "", "", (Statement("", POINTS, dealers_margin(with_bonus)),))


def test_planted_claims_get_their_verdicts() -> None:
    claims = [bonus(3), bonus(-3), bonus(0), shifted(400), shifted(-400)]
    table = trial(400, policies=("simple", "random"), claims=claims).set_index("claim")
    assert dict(zip(table.index, table.overall, strict=True)) == {
        "+3": HOLDS,
        "+-3": FAILS,
        "+0": NO_DIFFERENCE,
        "~400": HOLDS,
        "~-400": FAILS,
    }
    assert (table.loc["+3", "mean"] == 3).all()
    assert list(table.p_holm) == pytest.approx(list(holm(list(table.p))))


def test_a_claim_is_judged_by_all_its_statements() -> None:
    both = Claim("", "", "", bonus(3).statements + bonus(-3).statements)
    table = trial(100, policies=("random",), claims=[both])
    assert list(table.verdict) == [HOLDS, FAILS]
    assert set(table.overall) == {FAILS}


@pytest.fixture(scope="module")
def small() -> pd.DataFrame:
    return trial(2000, policies=("simple",), seed=3)


def test_every_claim_has_a_verdict(small: pd.DataFrame) -> None:
    assert list(dict.fromkeys(small.claim)) == [f"C{n}" for n in range(1, 26)]
    told = small[["mean", "low", "high", "n", "verdict", "overall", "level"]]
    assert told.notna().all(axis=None)
    assert (small.low <= small["mean"]).all()
    assert (small["mean"] <= small.high).all()
    simulated = small[small.players == "simple"]
    assert (simulated.p_holm >= simulated.p).all()
    assert set(simulated.unit) == {"deal", "block", "game"}
    # Nine tenths of the variance, whatever the sample.
    assert small.set_index("claim").loc["C2", "verdict"].iloc[0] == HOLDS


def test_few_hands_decide_little(small: pd.DataFrame) -> None:
    rows = small[small.claim.isin(["C8"])]
    assert set(rows.verdict) == {UNDECIDED}


def test_what_is_counted_is_exact() -> None:  # STRATEGY C14 to C19
    counted = {
        (claim.number, statement.text): float(statement.counted())
        for claim in DEALT
        for statement in claim.statements
        if statement.counted is not None
    }
    expected = [
        ("C14", 19.742428),
        *(("C15", number) for number in (0.390492, 0.404641, -1.835314)),
        ("C16", 0.481695),
        *(("C17", number) for number in (0.450126, 0.994662, 0.996740)),
        *(("C18", number) for number in (0.056731, 0.181737)),
        *(("C19", number) for number in (183.512417, 20.416147, 20.416147)),
    ]
    found = [(number, value) for (number, _), value in counted.items()]
    assert [number for number, _ in found] == [number for number, _ in expected]
    assert [value for _, value in found] == pytest.approx([value for _, value in expected], 1e-5)
    # Those that the claim itself tells: 3.16 more against 3.55, and 7.16 in all against 5.32.
    assert pytest.approx(found[1][1], abs=0.01) == 3.55 - 3.16
    assert pytest.approx(found[3][1], abs=0.01) == 5.32 - 7.16


def test_counted_claims_have_no_players_and_no_p_to_correct() -> None:
    table = trial(100, policies=("random",), claims=DEALT[1:])
    assert set(table.players) == {COUNTED}
    assert table.p_holm.isna().all()
    overall = dict(zip(table.claim, table.overall, strict=True))
    assert overall == {
        "C15": FAILS,  # few come later, but there are more than usual in all
        "C16": NO_DIFFERENCE,
        "C17": FAILS,
        "C18": FAILS,
        "C19": HOLDS,
    }


def test_too_few_hands_are_refused() -> None:
    with pytest.raises(ValueError, match="99 hands a test: expected 100 or more"):
        trial(99)
