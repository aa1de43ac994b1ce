"""The set of strategy charts: what is in it, its captions and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis import forced_cards
from analysis.chart_folder import PDF, write_charts
from analysis.charts import A4
from analysis.results import read_provenance
from analysis.strategy_pages import left_out, strategy_pages
from sim.policies.spec import parse_policy
from sim.rules import OTTOCENTO, PARTITA
from tests.helpers import compiled_only, contents

pytestmark = [compiled_only, pytest.mark.usefixtures("few")]
NAMES = (
    *("01_discards", "02_pagat_price", "03_card_values", "04_pagat_by_trick", "05_leads"),
    *("06_middle_trumps", "07_declare_or_hide", "08_payoff", "09_habits"),
)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of few deals are shown."""
    monkeypatch.setattr(forced_cards, "FEW", 20)


def words(figure: object) -> str:
    from matplotlib.text import Text

    return " ".join(each.get_text() for each in figure.findobj(Text))  # type: ignore[attr-defined]


def test_every_chart_says_what_was_played_and_the_same_call_gives_the_same_bytes(
    tmp_path: Path,
) -> None:
    for folder in ("one", "two"):
        pages = strategy_pages("simple", OTTOCENTO, 2000, seed=7, threads=2 - (folder == "one"))
        write_charts(tmp_path / folder, pages, told=str)
    made = contents(tmp_path / "one")
    assert made == contents(tmp_path / "two")
    kinds = (".csv", ".png", ".svg")
    assert sorted(map(str, made)) == sorted(
        [PDF, *(name + kind for name in NAMES[:-1] for kind in kinds)]
    )
    for name in NAMES[:-1]:
        told = read_provenance(tmp_path / "one" / f"{name}.csv")
        assert told["seed"] == 7 and told["rules"]["name"] == "ottocento" and told["policies"]
        assert len(pd.read_csv(tmp_path / "one" / f"{name}.csv", comment="#")) > 0


def test_the_table_of_the_pagat_has_what_both_panels_draw() -> None:
    pages = strategy_pages("simple", OTTOCENTO, 2000, seed=7)
    page = next(page for page in pages if page.name == "02_pagat_price")
    left, right = page.figure.axes
    prices, kept = (page.table[page.table.what == what] for what in ("price", "kept"))
    np.testing.assert_allclose(left.lines[0].get_xydata(), prices[["beside", "mean"]])
    assert len(kept) > 10
    for line in right.lines:
        of_role = kept[kept.role == line.get_label()]
        np.testing.assert_allclose(line.get_ydata(), 100 * of_role["mean"])


def test_every_caption_has_rules_policy_number_and_seed_in_partita_too() -> None:  # RULES §7
    pages = list(strategy_pages("simple", PARTITA, 2000, seed=7))
    assert [page.name for page in pages] == [*NAMES[:5], NAMES[7]]
    for page in pages:
        told = " ".join(words(page.figure).split())
        assert sorted(page.figure.get_size_inches()) == pytest.approx(A4), page.name
        for part in ("Rules partita", "simple", "seed 7", "95 %"):
            assert part in told, page.name
    out = left_out(parse_policy("simple"), PARTITA)
    assert [each.split(":")[0] for each in out] == ["middle trumps", "to declare or to hide",
                                                    "habits"]  # fmt: skip
    assert left_out(parse_policy("expert"), OTTOCENTO) == []
