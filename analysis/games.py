"""Whole games in figures: how long they are, where they end, who wins them. STRATEGY C4, C24."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from analysis.estimates import Estimate, check_level, mean_of, proportion
from sim.game_runs import GamesRun
from sim.games import DRAW, ENDS
from sim.manifests import Manifest, RunError

# Who can win: the side that dealt first, the other, nobody; and the sides by number.
WINNERS = ("first dealers", "others", "nobody", "side 0", "side 1")


@dataclass(frozen=True, eq=False)
class GamesSummary:
    """The figures of a run of games.

    Attributes
    ----------
    manifest
        What the run is.
    lengths
        Games by their number of hands: int64 (k,), from 0.
    ends
        Games by where they ended, in the order of ``ENDS``: int64 (4,).
    wins
        Games by who won, in the order of ``WINNERS``: int64 (5,).
    level
        Of each interval on its own.
    """

    manifest: Manifest
    lengths: NDArray[np.int64]
    ends: NDArray[np.int64]
    wins: NDArray[np.int64]
    level: float

    @property
    def games(self) -> int:
        """Games read."""
        return int(self.lengths.sum())

    @property
    def mean_length(self) -> Estimate | None:
        """Hands to a game; None for a single game."""
        if self.games < 2:
            return None
        hands = np.arange(len(self.lengths))
        total, squares = (int(self.lengths @ hands**power) for power in (1, 2))
        return mean_of(total, squares, self.games, self.level, unit="game")

    @property
    def length_shares(self) -> dict[int, Estimate]:
        """Share of games with so many hands."""
        found = self.lengths.nonzero()[0].tolist()
        return {hands: self._share(self.lengths[hands]) for hands in found}

    @property
    def end_shares(self) -> dict[str, Estimate]:
        """Share of games ended at each stage: those that can happen under the rules."""
        ends = ENDS[:3] if self.manifest.rules.game == "to_target" else ENDS[3:]
        return {end: self._share(self.ends[ENDS.index(end)]) for end in ends}

    @property
    def win_shares(self) -> dict[str, Estimate]:
        """Share of games won by each of ``WINNERS``."""
        return {who: self._share(won) for who, won in zip(WINNERS, self.wins, strict=True)}

    def _share(self, events: np.int64) -> Estimate:
        return proportion(int(events), self.games, self.level, unit="game")

    def to_dict(self) -> dict[str, Any]:
        """The summary ready for JSON."""
        mean = self.mean_length
        return {
            "rules": self.manifest.rules.name,
            "policies": self.manifest.specs,
            "games": self.games,
            "seed": self.manifest.seed,
            "length": {
                "mean": mean.to_dict() if mean else None,
                "distribution": {str(k): v.to_dict() for k, v in self.length_shares.items()},
            },
            "ended": {end: share.to_dict() for end, share in self.end_shares.items()},
            "won": {who: share.to_dict() for who, share in self.win_shares.items()},
        }


def summarise_games(run: GamesRun | str | Path, level: float = 0.95) -> GamesSummary:
    """The figures of a run of games, read once, part by part.

    Parameters
    ----------
    run
        A run or its directory; of an unfinished one, the finished parts.
    level
        Of the intervals.

    Raises
    ------
    RunError
        The directory is no run of games, a part cannot be read, or none is finished.
    ValueError
        A level out of bounds.
    """
    level = check_level(level)
    run = run if isinstance(run, GamesRun) else GamesRun.open(run)
    lengths, ends, wins = (
        np.zeros(1, np.int64),
        np.zeros(len(ENDS), np.int64),
        np.zeros(5, np.int64),
    )
    for table in run.batches():
        hands, first_dealer, winner = (
            table.column(name).to_numpy() for name in ("hands", "first_dealer", "winner")
        )
        more = np.bincount(hands, minlength=len(lengths))
        more[: len(lengths)] += lengths
        lengths = more
        ended = table.column("ended").cast("string")
        ends += [pc.sum(pc.equal(ended, end)).as_py() for end in ENDS]
        drawn = winner == DRAW
        by_first = (winner == first_dealer % 2) & ~drawn
        counts = (by_first, ~by_first & ~drawn, drawn, winner == 0, winner == 1)
        wins += [int(each.sum()) for each in counts]
    if not lengths.sum():
        raise RunError("no games to sum up: expected a run with a finished part")
    return GamesSummary(run.manifest, lengths, ends, wins, level)
