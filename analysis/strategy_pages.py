"""The set of charts that a player would print: computed and drawn, each with its table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis import pagat_charts
from analysis.chart_folder import Page
from analysis.charts import A4, axes, foot, new_figure, styled
from analysis.compare import compare
from analysis.compare_charts import comparison_chart
from analysis.discard_strategies import discards_by_kind
from analysis.forced_cards import opening_leads, pagat_choices
from analysis.habit_charts import habits_chart
from analysis.habits import habits
from analysis.pagat import Pagat, price_cards
from analysis.pagat_fate import cells
from analysis.strategy_charts import (
    LANDSCAPE,
    choices_chart,
    discards_chart,
    hiding_chart,
    leads_chart,
    price_chart,
    trumps_chart,
)
from analysis.strategy_tables import THRESHOLDS, middle_trumps, part_margins
from analysis.totals import FEW
from sim.conditions import ROLES
from sim.manifests import PROGRAM
from sim.policies.policy import Policy
from sim.policies.spec import parse_policy
from sim.rules import OTTOCENTO, RuleSet

SHIPPED = "random", "simple", "expert"
# Cards forced upon a player are slow to play: so many times fewer deals.
FORCED = 10
# Deals with all cards exchanged are many hands each: so many times more hands.
EXCHANGED = 5
LEADS = "longest", "short", "court", "trump"


def left_out(policy: Policy, rules: RuleSet) -> list[str]:
    """Charts that make no sense for a game or policy, each with the reason."""
    told = []
    if not rules.combinations:
        reason = f"{rules.name} has no combinations"
        told += [f"middle trumps: {reason}", f"to declare or to hide: {reason}"]
    if not any(value for part in policy.parts.values() for value in part.parameters.values()):
        told.append(f"habits: {policy.spec} has no parameters")
    return told


def strategy_pages(
    policy: str | Policy = "expert",
    rules: RuleSet = OTTOCENTO,
    hands: int = 100_000,
    *,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    progress: bool = False,
) -> Iterator[Page]:
    """Compute and draw the charts, one after the other.

    Parameters
    ----------
    policy
        Of all seats, except where a chart compares others with it.
    rules
        The game; ``left_out`` says what it has not.
    hands
        For each comparison of a chart; a tenth where single cards are forced upon a player,
        five times as many where every card is exchanged.
    seed, level
        0 to 2^64 - 1; of the intervals of each chart.
    threads, progress
        As in ``sim.parts.map_parts``; the charts do not depend on the threads.

    Yields
    ------
    Page
        Each as soon as it is made.

    Raises PagatError, CompareError or PolicyError for what cannot be asked.
    """
    base = policy if isinstance(policy, Policy) else parse_policy(policy)
    flags: dict[str, Any] = {
        "seed": seed,
        "level": level,
        "threads": threads,
        "progress": progress,
    }
    forced = max(100, hands // FORCED)

    def page(
        name: str, what: str, table: pd.DataFrame, played: int, draw: Callable[[str], Axes],
        told: str, policies: tuple[Policy, ...] = (base,),
    ) -> Page:  # fmt: skip
        specs = ", ".join(each.spec for each in policies)
        words = (
            f"Rules {rules.name} · policy {specs} · {told} · seed {seed} · intervals "
            f"{100 * level:.4g} %"
        )
        provenance = {
            "what": what,
            "program": PROGRAM,
            "rules": rules.to_dict(),
            "policies": [each.to_dict() for each in policies],
            "seed": seed,
            "hands": played,
            "level": level,
        }
        return Page(name, table, provenance, cast("Figure", draw(words).figure))

    table = discards_by_kind(base, rules, hands, **flags)
    yield page(
        "01_discards", "best discard by kind of the dealer's hand", table, hands,
        lambda words: discards_chart(table, words),
        f"{hands:,} deals, the same for each discard (all seats, discard aside, play alike); all "
        "together (max-|t|, Bonferroni over cells)",
    )  # fmt: skip

    prices = price_cards(base, rules, EXCHANGED * hands, **flags)
    for name, table, draw in _price_pages(prices):
        yield Page(name, table, _price_provenance(prices, name), draw)

    choices = pagat_choices(base, rules, forced, **flags)
    yield page(
        "04_pagat_by_trick", "the Pagat played now, less kept, where both are legal", choices,
        forced, lambda words: choices_chart(choices, words),
        f"{forced:,} deals, good chances and bad alike, all cards as they lay; kept: the policy's "
        "next choice; all together (Bonferroni)",
    )  # fmt: skip
    openings = opening_leads(base, rules, forced, **flags)
    leads = part_margins("lead", LEADS, base, rules, hands, **flags)
    both = pd.concat(
        [
            openings.rename(columns={"opening": "lead"}).assign(what="first lead"),
            leads.rename(columns={"part": "lead"}).assign(what="every lead"),
        ]
    )
    yield page(
        "05_leads", "a lead less the policy's own", both, forced,
        lambda words: leads_chart(openings, leads, words),
        f"first lead: {forced:,} deals, each kind where the leader has one; every lead: "
        f"{leads.n[0]:,} blocks of 8 hands; each panel together (Bonferroni; max-|t|)",
    )  # fmt: skip

    if rules.combinations:
        trumps = pd.concat([middle_trumps(base, rules, hands, **flags), _exchanged_trumps(prices)])
        yield page(
            "06_middle_trumps", "numbered trumps and the Grande (STRATEGY C9)", trumps, hands,
            lambda words: trumps_chart(trumps, words),
            f"{hands:,} deals for the piles, {prices.exchanges.opponents.n:,} for the exchange; "
            "each kind together (max-|t|)",
        )  # fmt: skip
        names = [f"hide(threshold={points})" for points in THRESHOLDS] + ["nothing"]
        hiding = part_margins("declare", names, base, rules, hands, **flags)
        yield page(
            "07_declare_or_hide", "a declaring part less the policy's own", hiding, hands,
            lambda words: hiding_chart(hiding, words),
            f"{hiding.n[0]:,} blocks of 8 hands, both partners; all together (max-|t|)",
        )  # fmt: skip

    against = [parse_policy(spec) for spec in SHIPPED if spec != base.spec] + [base]
    matrix = compare(against, rules, hands, **flags)
    rows = [
        {"row": row, "column": column, **each.to_dict()}
        for row, found in zip(matrix.specs, matrix.payoff, strict=True)
        for column, each in zip(matrix.specs, found, strict=True)
    ]
    drawn = _on_page(comparison_chart(matrix), LANDSCAPE)
    yield page("08_payoff", "row policy's side less column policy's", pd.DataFrame(rows), hands,
               lambda _: drawn, "", tuple(against))  # fmt: skip

    if not any(each.startswith("habits") for each in left_out(base, rules)):
        worth = habits(base, rules, hands, **flags)
        matters = worth[worth.high > worth.low]
        idle = ", ".join(worth.habit[worth.high == worth.low])
        yield page(
            "09_habits", "the policy over itself with one parameter at 0", worth, hands,
            lambda words: _on_page(habits_chart(matters, words), A4),
            f"{worth.n[0]:,} blocks of 8 hands each; all together (max-|t|); the values do not "
            f"add up{f'; never changed anything: {idle}' if idle else ''}",
        )  # fmt: skip


def _price_provenance(found: Pagat, what: str) -> dict[str, Any]:
    return {
        "what": what[3:].replace("_", " "),
        "program": PROGRAM,
        "rules": found.rules.to_dict(),
        "policies": [found.policies[0].to_dict()],
        "seed": found.seed,
        "hands": {
            "cards": found.exchanges.opponents.n,
            "moved": found.moved.effects.n,
            "pagat": found.price.fate.hands,
        },
        "level": found.level,
    }


def _price_pages(found: Pagat) -> Iterator[tuple[str, pd.DataFrame, Figure]]:
    """The Pagat's price by trumps held, and the values of cards."""
    by_trumps = pagat_prices(found)
    yield "02_pagat_price", by_trumps, _pagat_figure(found, by_trumps)
    values = pd.DataFrame(
        {"card": name, "what": what, **each.to_dict()}
        for name, columns in found.group_values.items()
        for what, each in columns.items()
    )
    ax = pagat_charts.card_values(found, axes(LANDSCAPE))
    told = f"{found.exchanges.opponents.n:,} deals, opponents' cards exchanged in each"
    figure = cast("Figure", ax.figure)
    foot(figure, _price_words(found, told, "all together (max-|t|)"))
    yield "03_card_values", values, figure


def pagat_prices(found: Pagat) -> pd.DataFrame:
    """The Pagat's price, and how often each role keeps it, by trumps dealt beside it.

    Each interval is on its own; cells of fewer deals than ``FEW`` are left out.
    """
    fate, level = found.price.fate, found.level
    prices = [
        {"beside": beside, "role": "all", "what": "price", **cell.price.to_dict()}
        for (beside,), cell in cells(fate.by_beside, level).items()
        if cell.n >= FEW
    ]
    kept = [
        {"beside": beside, "role": ROLES[role], "what": "kept", **cell.kept.to_dict()}
        for (role, beside), cell in cells(fate.by_role, level).items()
        if cell.n >= FEW
    ]
    return pd.DataFrame([*prices, *kept])


@styled
def _pagat_figure(found: Pagat, table: pd.DataFrame) -> Figure:
    figure = new_figure(LANDSCAPE)
    left, right = figure.subplots(1, 2)
    price_chart(table, left)
    pagat_charts.kept_by_trumps(found, right)
    told = f"{found.price.fate.hands:,} deals, where {FEW} or more are alike"
    foot(figure, _price_words(found, told, "bars and bands: each on its own"))
    return figure


def _price_words(found: Pagat, told: str, intervals: str) -> str:
    """What was played for prices of cards."""
    return (
        f"Rules {found.rules.name} · policy {found.specs[0]} · {told} · seed {found.seed} · "
        f"intervals {100 * found.level:.4g} %, {intervals}"
    )


def _on_page(ax: Axes, size: tuple[float, float]) -> Axes:
    cast("Figure", ax.figure).set_size_inches(*size)
    return ax


def _exchanged_trumps(found: Pagat) -> pd.DataFrame:
    return pd.DataFrame(
        {"card": name, "what": "exchanged", **found.values[name].to_dict()}
        for name in (f"T{number}" for number in range(16, 4, -1))
    )
