"""The chart of the trial: what each claim is worth in points, with its intervals."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from analysis.charts import BLUE, VERMILION, caption, styled
from analysis.trial_statements import CHANGED
from analysis.verdicts import POINTS

LOOKS = ((BLUE, "o"), (VERMILION, "D"))
LINEAR = 2.0  # points to both sides of 0 within which the scale is linear


@styled
def trial_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw what claims are worth in points, from a table of ``analysis.trials.trial``.

    Parameters
    ----------
    table
        Its rows in points that are not counted are drawn, the first two policies.
    told
        The caption: hands, rules, seed.

    Returns
    -------
    Axes
        On a figure of its own: a line for each statement, a marker with its interval for each
        policy, filled where the row's verdict is ``holds``; on the right the verdict on the claim.
        A star marks points a hand that the advice changes, others are points a hand.

    Raises ValueError if there is no such row.
    """
    drawn = table[table.quantity.str.startswith("points", na=False) & table.p_holm.notna()]
    drawn = drawn[drawn["mean"].notna()]  # of too few hands to say anything
    if drawn.empty:
        raise ValueError("nothing to draw: expected claims that are measured in points")
    statements = list(dict.fromkeys(zip(drawn.claim, drawn.measured, strict=True)))
    figure = Figure(figsize=(12.5, 1.9 + 0.36 * len(statements)), layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.subplots()
    ax.axvspan(-POINTS, POINTS, color="#eeeeee", zorder=0)
    ax.axvline(0, color="#888888", linewidth=1)
    for i, (policy, (colour, marker)) in enumerate(
        zip(dict.fromkeys(drawn.players), LOOKS, strict=False)
    ):
        rows = drawn[drawn.players == policy]
        for row in rows.itertuples():
            ax.errorbar(
                row.mean,
                statements.index((row.claim, row.measured)) + 0.3 * i - 0.15,
                xerr=[[row.mean - row.low], [row.high - row.mean]],
                color=colour,
                marker=marker,
                markersize=5,
                markerfacecolor=colour if row.verdict == "holds" else "white",
                elinewidth=1.5,
                capsize=3,
            )
        ax.plot([], [], color=colour, marker=marker, markersize=5, linestyle="none", label=policy)
    overall = dict(zip(drawn.claim, drawn.overall, strict=True))
    claims = [claim for claim, _ in statements]
    for claim, verdict in overall.items():
        y = claims.index(claim)
        ax.annotate(
            f"{claim} {verdict}",
            (1, y),
            xycoords=("axes fraction", "data"),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
        )
        if y:
            ax.axhline(y - 0.5, color="#dddddd", linewidth=0.8)
    changed = set(drawn.measured[drawn.quantity == CHANGED])
    labels = [f"{claim}  {said}{' *' if said in changed else ''}" for claim, said in statements]
    ax.set_yticks(range(len(statements)), labels)
    ax.set_ylim(len(statements) - 0.5, -0.5)
    ax.set_xscale("symlog", linthresh=LINEAR, linscale=0.5)
    ticks = [-100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100]
    ax.set_xticks(ticks, [f"{tick:+d}" if tick else "0" for tick in ticks])
    reach = 1.6 * drawn[["low", "high"]].abs().to_numpy().max()
    ax.set_xlim(-reach, reach)
    ax.minorticks_off()
    ax.tick_params(axis="y", length=0, labelsize=9)
    ax.grid(axis="x")
    ax.set_xlabel("points a hand in favour of the claim (logarithmic beyond ±2)")
    ax.set_title("The old book on trial", pad=24)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.3)
    caption(ax, f"* of the hands that the advice changes · {told}", width=110)
    return ax
