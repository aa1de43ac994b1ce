"""The chart of the trial shows every claim in points, its intervals and what was played."""

import pandas as pd
import pytest

from analysis.trial_charts import trial_chart
from analysis.trial_statements import CHANGED

TABLE = pd.DataFrame(
    [
        ("C1", "one", "simple", 50.0, 40.0, 60.0, 0.001, "holds", "holds", "points a hand"),
        ("C1", "one", "expert", 20.0, 15.0, 25.0, 0.001, "holds", "holds", "points a hand"),
        ("C2", "two", "simple", -5.0, -9.0, -1.0, 0.5, "undecided", "undecided", CHANGED),
        ("C2", "two", "expert", 2.0, 1.0, 3.0, 0.4, "undecided", "undecided", CHANGED),
        ("C3", "a share", "simple", 0.5, 0.4, 0.6, 0.01, "holds", "holds", "share"),
        ("C4", "counted", "counted", 0.5, 0.5, 0.5, None, "holds", "holds", "points of a hand"),
    ],
    columns=[
        *("claim", "measured", "players", "mean", "low", "high", "p_holm"),
        *("verdict", "overall", "quantity"),
    ],
)


def test_claims_in_points_have_their_intervals_and_verdicts() -> None:
    ax = trial_chart(TABLE, "Rules ottocento · seed 1")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["C1  one", "C2  two *"]
    assert [text.get_text() for text in ax.texts] == [
        "C1 holds",
        "C2 undecided",
        "* of the hands that the advice changes · Rules ottocento · seed 1",
    ]
    ends = [bars.lines[2][0].get_segments()[0] for bars in ax.containers]
    assert [(a[0], b[0]) for a, b in ends] == [
        pytest.approx(pair) for pair in ((40, 60), (-9, -1), (15, 25), (1, 3))
    ]
    filled = [bars.lines[0].get_markerfacecolor() != "white" for bars in ax.containers]
    assert filled == [True, False, True, False]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["simple", "expert"]


def test_a_table_without_points_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to draw: expected claims"):
        trial_chart(TABLE.iloc[4:], "")
