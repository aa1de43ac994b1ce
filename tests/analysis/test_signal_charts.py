"""The chart of signals draws what its table says. STRATEGY C21."""

from __future__ import annotations

import pandas as pd

from analysis.signal_charts import signals_chart

NAN = float("nan")
TABLE = pd.DataFrame(
    [
        ("all", 2.5, 1.5, 3.5, NAN, NAN, NAN, NAN, NAN, NAN),
        ("throw", 1.0, -0.5, 2.5, 2.0, 1.0, 3.0, 1.2, 1.1, 1.3),
    ],
    columns=[
        *("signal", "alone", "alone_low", "alone_high", "left_out", "left_out_low"),
        *("left_out_high", "bits", "bits_low", "bits_high"),
    ],
)


def test_every_interval_is_drawn_and_filled_where_it_excludes_nothing() -> None:
    ax = signals_chart(TABLE, "told")
    containers = [container for each in ax.figure.axes for container in each.containers]
    points = [container[0] for container in containers]
    filled = {float(line.get_xdata()[0]): line.get_markerfacecolor() != "white" for line in points}
    assert filled == {1.0: False, 1.2: True, 2.0: True, 2.5: True}
    ends = [container[2][0].get_segments()[0][:, 0] for container in containers]
    drawn = sorted((float(low), float(high)) for low, high in ends)
    assert drawn == [(-0.5, 2.5), (1.0, 3.0), (1.1, 1.3), (1.5, 3.5)]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["all", "throw"]
