"""The chart of habits shows every habit, its interval and what was played."""

import pandas as pd
import pytest

from analysis.habit_charts import WORDS, habits_chart
from sim.policies.spec import parse_policy

TABLE = pd.DataFrame(
    {
        "habit": ["feed", "deny", "hunt"],
        "mean": [20.0, 0.5, -3.0],
        "low": [15.0, -1.0, -4.0],
        "high": [25.0, 2.0, -2.0],
    }
)


def test_every_habit_has_its_interval_and_its_number() -> None:
    ax = habits_chart(TABLE, "Rules ottocento · seed 1")
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [f"{WORDS['feed']} (feed)", f"{WORDS['deny']} (deny)", "hunt"]
    assert [text.get_text() for text in ax.texts] == ["+20.00", "+0.50", "-3.00"]
    assert ax.figure.get_supxlabel() == "Rules ottocento · seed 1"
    ends = [bars.lines[2][0].get_segments()[0] for bars in ax.containers]
    assert [(a[0], b[0]) for a, b in ends] == [
        pytest.approx(pair) for pair in ((15, 25), (-1, 2), (-4, -2))
    ]


def test_only_habits_apart_from_0_are_filled() -> None:
    ax = habits_chart(TABLE, "")
    filled = [bars.lines[0].get_markerfacecolor() != "white" for bars in ax.containers]
    assert filled == [True, False, True]


def test_every_habit_of_expert_is_told_in_words() -> None:
    assert set(WORDS) == set(parse_policy("expert").play.parameters)
