"""What signals are worth. STRATEGY C21."""

from __future__ import annotations

import json

import pytest

from analysis.signal_worth import SignalWorthError, signal_worth
from sim.rules import OTTOCENTO
from sim.signals import read_conventions
from tests.helpers import compiled_only


def test_signals_that_nobody_uses_are_worth_exactly_nothing() -> None:
    rules = OTTOCENTO.with_signals(read_conventions("throw,drag", OTTOCENTO.pack))
    found = signal_worth(rules, "expert(signals=0)", 80, told_hands=2)
    for estimate in (found.all, found.both, found.overheard, *found.alone.values()):
        assert (estimate.mean, estimate.low, estimate.high) == (0, 0, 0)
    assert found.bits == {} and found.verdict == "makes no difference"


def test_all_but_the_only_signal_is_none() -> None:
    rules = OTTOCENTO.with_signals(read_conventions("throw", OTTOCENTO.pack))
    found = signal_worth(rules, hands=160, told_hands=2)
    assert found.alone["throw"].mean == found.left_out["throw"].mean == found.all.mean != 0
    assert found.bits["throw"].mean > 0
    told = json.loads(json.dumps(found.to_dict()))
    assert set(told["signals"]["throw"]) == {"alone", "left_out", "bits"}
    table = found.table().set_index("signal")
    assert list(table.index) == ["all", "throw"]
    assert table.alone["throw"] == found.alone["throw"].mean
    assert table.bits_low["throw"] == found.bits["throw"].low and table.bits.isna()["all"]


def test_without_signals_there_is_nothing_to_judge() -> None:
    with pytest.raises(SignalWorthError, match="no signals are in force"):
        signal_worth(OTTOCENTO)
    rules = OTTOCENTO.with_signals(read_conventions("throw", OTTOCENTO.pack))
    with pytest.raises(SignalWorthError, match="simple has no signals to switch off"):
        signal_worth(rules, "simple")


@compiled_only
def test_two_blocks_are_the_fewest() -> None:
    rules = OTTOCENTO.with_signals(read_conventions("throw", OTTOCENTO.pack))
    for hands in (-1, 0, 1, 7, 8, 9, 15):
        with pytest.raises(SignalWorthError, match=f"^{hands} hands a pair: expected 16 to"):
            signal_worth(rules, hands=hands, told_hands=1)
    assert signal_worth(rules, hands=16, told_hands=1).blocks == 2
    assert signal_worth(rules, hands=17, told_hands=1).blocks == 3


@pytest.mark.parametrize("told_hands", [0, -1, 10**12])
def test_statements_are_counted_in_one_hand_or_more(told_hands: int) -> None:
    rules = OTTOCENTO.with_signals(read_conventions("throw", OTTOCENTO.pack))
    with pytest.raises(SignalWorthError, match=f"{told_hands} hands of statements: expected 1"):
        signal_worth(rules, hands=80, told_hands=told_hands)
