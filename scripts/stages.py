"""The hand loop stopped after each stage: what one hand costs, stage by stage.

A stage costs what the loop up to its end takes, less the loop up to the stage before. The processor
overlaps stages, so these are shares of the whole and not times that the stages would take alone.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import sim
from sim.columns import column_names, rows_table
from sim.hands import play_hands
from sim.kernels.compiling import kernel
from sim.kernels.deal import _deal_hands
from sim.kernels.hand import CHUNK, LANES, _begin, _discard_chunk, _hold, _play_on
from sim.kernels.rules_record import rules_record
from sim.kernels.settlement import _score_rows, _write_row
from sim.kernels.state import FAULT, HIDDEN, ROWS, TABLE, empty_table, records
from sim.manifests import Manifest
from sim.players import compiled
from sim.policies.policy import weights_of
from sim.policies.spec import parse_policies
from sim.records import write_part

DEAL, OPEN, PLAY, ROW = range(4)
# Each stage, where the loop stops after it, and what rules are left out then.
STAGES: dict[str, tuple[int, tuple[str, ...]]] = {
    "deal": (DEAL, ()),
    "discard": (OPEN, ("combinations",)),
    "declare": (OPEN, ()),
    "play": (PLAY, ("trick_combinations",)),
    "combinations in tricks": (PLAY, ()),
    "settle, score, row": (ROW, ()),
}


@kernel
def _play_until(last, policies, weights, n, rows, tables, hiddens, empty, rules, faults):
    """Hands 0 to n - 1 of the run with seed 1, each as far as stage ``last``."""
    _deal_hands(rows, 1, 0, n, hiddens[0], rules)
    if last == DEAL:
        return
    for start in range(0, n, CHUNK):
        end = min(start + CHUNK, n)
        tables[0] = empty
        _discard_chunk(
            policies, weights, 1, 0, 1, start, end, rows, tables[0], hiddens[0], rules, faults[0]
        )
        if rules.combinations:
            _hold(rows, start, end, rules)
        for lanes in range(start, end, LANES):
            for lane in range(LANES):
                i, table, hidden = min(lanes + lane, end - 1), tables[lane], hiddens[lane]
                tables[lane] = empty
                _begin(policies, weights, table, hidden, 1, i, rows, i, rules, faults[lane])
            if last >= PLAY:
                _play_on(policies, weights, tables, hiddens, rules, faults)
            if last >= ROW:
                for lane in range(LANES):
                    i = min(lanes + lane, end - 1)
                    _write_row(rows, i, tables[lane], hiddens[lane], rules)
        if last >= ROW:
            _score_rows(rows, start, end, rules)


def until(policy: str, last: int, without: tuple[str, ...], n: int) -> Callable[[], np.record]:
    """A call that plays n hands of Ottocento up to a stage, some flags of RULES switched off.

    It returns the ROWS record, filled if ``last`` is ROW.
    """
    policies = parse_policies(policy)
    record = rules_record(sim.OTTOCENTO).copy()
    for flag in without:
        record[flag] = False
    rows = records(ROWS, 1)[0]
    tables, hiddens, faults = (records(dtype, LANES) for dtype in (TABLE, HIDDEN, FAULT))
    arguments = (
        *(last, compiled(policies), weights_of(policies), n, rows),
        *(tables, hiddens, empty_table(), record, faults),
    )

    def play() -> np.record:
        _play_until(*arguments)
        return rows

    return play


def deal_and_play(n: int) -> Callable[[], object]:
    """A call that plays n hands as the yardstick in C does: at random, without combinations."""
    return until("random", PLAY, ("combinations", "trick_combinations"), n)


def to_parquet(policy: str, n: int) -> Callable[[], None]:
    """A call that writes the rows of n hands, at most one part of a run, with all columns."""
    policies = parse_policies(policy)
    rules = sim.OTTOCENTO
    columns = column_names(rules)
    manifest = Manifest(rules, 1, n, [each.to_dict() for each in policies], columns)
    rows = play_hands(rules, policies, 1, 0, n)

    def write() -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "hands").mkdir()
            write_part(Path(folder), range(n), rows_table(rows, 0, columns), manifest)

    return write


def stage_calls(policy: str, n: int) -> dict[str, Callable[[], object]]:
    """What is timed for a profile, by stage: the loop to its end, and the writing alone."""
    calls: dict[str, Callable[[], object]] = {
        stage: until(policy, last, off, n) for stage, (last, off) in STAGES.items()
    }
    return {**calls, "write to Parquet": to_parquet(policy, n)}


def profile(nanoseconds: dict[str, list[float]]) -> dict[str, float]:
    """Nanoseconds of a hand by stage, medians of the rounds.

    Parameters
    ----------
    nanoseconds
        For each of ``stage_calls``, nanoseconds a hand in each round.
    """
    to_end = np.array([nanoseconds[stage] for stage in STAGES])
    of_stage = np.diff(to_end, axis=0, prepend=0)
    told = {stage: float(np.median(each)) for stage, each in zip(STAGES, of_stage, strict=True)}
    told["write to Parquet"] = statistics.median(nanoseconds["write to Parquet"])
    return {stage: round(ns, 1) for stage, ns in told.items()}
