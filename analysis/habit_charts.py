"""The chart of habits: what each is worth, with its interval."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from analysis.charts import draw_interval, foot, name_rows, new_figure, styled, zero_line

# What the habits of ``expert`` are, for those who do not read its parameters.
WORDS = {
    "complete": "gathers what completes its own combinations",
    "deny": "takes what breaks the others' combinations",
    "sequences": "minds sequences",
    "cricche": "minds cricche",
    "trick_combinations": "minds combinations inside a trick",
    "pagat": "minds who gets the Pagat",
    "upper": "minds who gets World, Sun and Moon",
    "grande": "minds who gets the trumps of the Grande",
    "grande_falls": "minds the low trumps of the Grande less",
    "count_cards": "remembers the cards played",
    "infer_voids": "remembers the voids shown",
    "use_declared": "remembers the cards declared",
    "contest": "fears that an opponent beats what he can",
    "rebeat": "trusts partner to beat an opponent in turn",
    "help": "trusts partner with a trick left to him",
    "feed": "gives good cards to tricks of its side",
    "withhold": "keeps good cards from tricks of the others",
    "later": "wants a trick more if many are still to play",
    "lead_sure": "leads plain cards that cannot be beaten",
    "keep": "thinks that a card kept may come home later",
    "protect_pagat": "does not risk the Pagat as any card",
    "keep_pagat": "thinks that the Pagat kept may come home",
    "keep_pagat_by": "keeps the Pagat longer beside many trumps",
    "hunt_pagat": "hunts the other side's Pagat",
    "protect_fool": "keeps the Fool for need",
    "save_trumps": "spares high trumps",
    "save_any_trump": "spares any trump",
    "make_void": "plays its last card of a suit",
    "partita": "weighs all this by the points of Partita",
    "signals": "makes use of signals",
    "answer": "does what partner asks by signals",
}


@styled
def habits_chart(table: pd.DataFrame, told: str) -> Axes:
    """Draw a table of ``analysis.habits.habits`` on a figure of its own.

    ``told`` is the caption: policies, hands, rules, seed. Points that differ from 0 by their
    interval are filled. Returns the Axes; ``figure`` saves it.
    """
    figure = new_figure((8.27, 1.8 + 0.27 * len(table)))
    ax = figure.subplots()
    for y, row in enumerate(table.to_dict("records")):
        mean, low, high = row["mean"], row["low"], row["high"]
        draw_interval(ax, y, (mean, low, high), filled=low > 0 or high < 0)
        ax.annotate(
            f"{mean:+.2f}",
            (high, y),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
        )
    zero_line(ax)
    named = [f"{WORDS[habit]} ({habit})" if habit in WORDS else habit for habit in table.habit]
    name_rows(ax, named)
    ax.tick_params(axis="y", labelsize=9)
    ax.margins(x=0.12)
    ax.set_xlabel("points a hand over the same policy without the habit")
    ax.set_title("What each habit is worth")
    foot(figure, told)
    return ax
