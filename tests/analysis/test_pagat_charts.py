"""What the charts of the Pagat show, and that all of it is on the page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from analysis.charts import axes, save
from analysis.pagat import Pagat, price_cards
from analysis.pagat_charts import (
    GREY,
    card_values,
    fates,
    kept_by_trumps,
    kept_map,
    moved_values,
    pagat_chart,
    price_map,
    price_parts,
    survival,
)
from analysis.pagat_fate import cells
from analysis.totals import FEW
from sim.rules import OTTOCENTO, PARTITA
from tests.helpers import compiled_only

pytestmark = compiled_only
GAMES = [OTTOCENTO, PARTITA]


@pytest.fixture(scope="module", params=GAMES, ids=lambda rules: rules.name)
def found(request: pytest.FixtureRequest) -> Pagat:
    return price_cards("simple", request.param, 12_000, seed=5)


@pytest.mark.parametrize(("draw", "of"), [(card_values, "opponents"), (moved_values, "moved")])
def test_every_group_has_its_value_and_interval(found: Pagat, draw, of: str) -> None:
    ax = draw(found, axes())
    assert [label.get_text() for label in ax.get_yticklabels()] == [*found.group_values]
    for y, ((_, columns), bar) in enumerate(
        zip(found.group_values.items(), ax.containers[1::2], strict=True)
    ):
        ((ends,),) = (lines.get_segments() for lines in bar.lines[2])
        np.testing.assert_allclose(ends, [[columns[of].low, y], [columns[of].high, y]])


def test_parts_end_at_the_whole_price(found: Pagat) -> None:
    ax = price_parts(found, axes())
    bars = [bar for bar in ax.patches if bar.get_width()]
    parts = found.parts
    ends = [bar.get_x() + bar.get_width() for bar in ax.patches]
    assert ends[-3] == pytest.approx(parts["all"]["value"].mean)  # the last part's
    assert ends[-1] == pytest.approx(parts["all"]["value"].mean)
    assert sum(bar.get_width() for bar in bars[:-2]) == pytest.approx(ends[-1])
    texts = [text.get_text() for text in ax.texts]
    value = parts["card_points"]["value"]
    assert f"{value.mean:+.2f} ± {value.high - value.mean:.2f}" in texts


@pytest.mark.parametrize(
    ("draw", "what", "scale"), [(price_map, "price", 1), (kept_map, "kept", 100)]
)
def test_cells_of_few_deals_are_grey_and_the_others_have_their_number(
    found: Pagat, draw, what: str, scale: int
) -> None:
    ax = draw(found, axes())
    texts = {text.get_position(): text.get_text() for text in ax.texts}
    colours = ax.images[0].get_array()
    told = cells(found.price.fate.by_fool, found.level)
    for (fool, beside), cell in told.items():
        grey = np.allclose(colours[fool, beside], to_rgb(GREY))
        assert grey == (cell.n < FEW) == ((beside, fool) not in texts)
        if not grey:
            mean = float(texts[beside, fool].split("\n")[0])
            assert mean == pytest.approx(scale * getattr(cell, what).mean, abs=0.051)
    assert 5 < len(texts) < len(told)


def test_lines_are_survival_and_shares_kept(found: Pagat) -> None:
    safe, held = survival(found, axes()).lines
    both = found.price.fate.survival(found.level)
    np.testing.assert_allclose(safe.get_ydata(), [100 * each.mean for _, each in both])
    np.testing.assert_allclose(held.get_ydata(), [100 * each.mean for each, _ in both])
    by_role = cells(found.price.fate.by_role, found.level)
    for i, line in enumerate(kept_by_trumps(found, axes()).lines):
        for beside, kept in line.get_xydata():
            assert kept == pytest.approx(100 * by_role[i, int(beside)].kept.mean)


def test_fates_are_shares(found: Pagat) -> None:
    bars = fates(found, axes()).patches
    assert sum(bar.get_width() for bar in bars) == pytest.approx(100)


def test_all_charts_are_on_the_page_with_a_caption(found: Pagat) -> None:
    last = pagat_chart(found)
    figure = last.figure
    assert len(figure.axes) == 8
    figure.draw_without_rendering()
    page = figure.bbox
    for ax in figure.axes:
        drawn = ax.get_tightbbox()
        assert page.x0 <= drawn.x0 < drawn.x1 <= page.x1
        assert page.y0 <= drawn.y0 < drawn.y1 <= page.y1
    told = " ".join(text.get_text() for text in figure.findobj(Text)).replace("\n", " ")
    assert f"Rules {found.rules.name} · policy simple · " in told
    assert f"{found.price.fate.hands:,} for the Pagat · seed 5 · intervals 95 %" in told


def test_the_same_page_gives_the_same_bytes(found: Pagat, tmp_path: Path) -> None:
    first, again = (save(pagat_chart(found).figure, tmp_path / f"{name}.svg")[0] for name in "ab")
    assert first.read_bytes() == again.read_bytes()


def test_a_small_sample_is_drawn_all_grey() -> None:
    few = price_cards("random", PARTITA, 1)
    assert not price_map(few, axes()).texts
    pagat_chart(few).figure.draw_without_rendering()
