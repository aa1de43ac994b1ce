"""What the chart of a ranking of discards shows, and that all of it is on the page."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.text import Text

from analysis.charts import save
from analysis.discard_charts import discard_chart
from analysis.discard_ranking import Ranking
from analysis.discards import discards
from sim.cards import format_cards
from sim.rules import OTTOCENTO, PARTITA
from tests.analysis.test_compare_charts import check_layout
from tests.helpers import compiled_only

pytestmark = compiled_only
HAND = "Pagat Fool T5 T8 T12 SK SQ S7 S6 BK B8 B7 CV C9 D10 DC DQ"
FOUR = "Angel Pagat SK BK CK DK T6 T8 T10 T12 T14 S7 S8 B7 B8"


@pytest.fixture(scope="module")
def found() -> Ranking:
    return discards(HAND, OTTOCENTO, "simple", 20, seed=5)


def test_every_discard_shown_has_its_interval(found: Ranking) -> None:
    left = discard_chart(found)
    shown = found.shown(12)
    names = [format_cards(place.cards) for place in shown]
    assert [label.get_text() for label in left.get_yticklabels()] == names
    for y, (place, bar) in enumerate(zip(shown, left.containers, strict=True)):
        ((ends,),) = (lines.get_segments() for lines in bar.lines[2])
        np.testing.assert_allclose(ends, [[place.behind.low, y], [place.behind.high, y]])


def test_the_parts_are_those_of_what_is_lost(found: Ranking) -> None:
    right = discard_chart(found).figure.axes[1]
    expected = [[part.mean for part in p.behind_parts.values()] for p in found.shown(12)]
    np.testing.assert_allclose(right.images[0].get_array(), expected)
    low, high = right.images[0].get_clim()
    assert high == -low == np.abs(expected).max()  # white is even


def test_the_caption_tells_what_was_played(found: Ranking) -> None:
    figure = discard_chart(found).figure
    told = " ".join(text.get_text() for text in figure.findobj(Text)).replace("\n", " ")
    assert f"{format_cards(found.best)} is best" in told
    assert f"The dealer holds {format_cards(found.hand)} · rules ottocento · policy simple" in told
    assert f"{found.of_leaders.n:,} completions" in told and "seed 5 · intervals 95 %" in told


def test_all_of_it_is_on_the_page(found: Ranking) -> None:
    check_layout(discard_chart(found))
    check_layout(discard_chart(discards(FOUR, PARTITA, ["simple", "random"], 2)))


def test_the_same_ranking_gives_the_same_bytes(found: Ranking, tmp_path) -> None:
    one, two = (
        save(discard_chart(found).figure, tmp_path / f"{name}.png")[0].read_bytes()
        for name in ("one", "two")
    )
    assert one == two
