"""The probability of conditions where it is estimated, and what is too rare."""

from __future__ import annotations

from typing import Any

import pytest

from sim import compositions, condition_probability
from sim.condition_probability import ConditionError
from sim.conditions import read_conditions
from sim.rules import OTTOCENTO
from tests.helpers import compiled_only


@pytest.fixture
def not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No composition is listed: all but fixed cards is dealt again."""
    monkeypatch.setattr(compositions, "MOST_TRIED", 0)


def probability(deal: str | None, where: str) -> dict[str, Any]:
    found = read_conditions(OTTOCENTO, deal, where).probability
    assert found is not None
    return found


@compiled_only
@pytest.mark.parametrize(
    ("deal", "where"),
    [
        (None, "dealer.trumps >= 6 and eldest.kings = 0"),
        ("eldest: Fool", "eldest.swords_sequence = 1"),
        ("0: Angel", "0.grande = 1 and 1.trumps >= 4"),
    ],
)
def test_the_estimate_is_that_of_counting(
    deal: str | None, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = probability(deal, where)
    monkeypatch.setattr(compositions, "MOST_TRIED", 0)
    monkeypatch.setattr(condition_probability, "LEVEL", 0.9999)
    estimate = probability(deal, where)
    by_seat = deal is not None and deal.startswith("0")
    assert {**estimate, "mean": 0, "low": 0, "high": 0, "by_dealer": 0} == {
        **{"mean": 0, "low": 0, "high": 0, "by_dealer": 0},
        **{"n": 1_000_000, "unit": "deal", "level": 0.9999},
        "method": "mover" if by_seat else "clopper-pearson",
    }
    assert estimate["low"] < counted["probability"] < estimate["high"]
    assert estimate["low"] < estimate["mean"] < estimate["high"]
    assert estimate["high"] - estimate["low"] < 0.01
    assert ("by_dealer" in estimate) == ("by_dealer" in counted) == by_seat
    if by_seat:
        # Seat 0 has 17 cards when it deals, and is likelier to have the Angel.
        assert counted["by_dealer"][0] > counted["by_dealer"][2]
        assert sum(counted["by_dealer"]) / 4 == pytest.approx(counted["probability"])
        assert estimate["by_dealer"] == pytest.approx(counted["by_dealer"], rel=0.05)


@compiled_only
@pytest.mark.usefixtures("not_listed")
def test_what_is_too_rare_is_refused_with_its_probability() -> None:
    with pytest.raises(ConditionError) as error:
        probability(None, "dealer.trumps >= 12")
    assert "too rare: their probability is about 0.000" in str(error.value)
    assert "expected at least one in 1,000" in str(error.value)
    with pytest.raises(ConditionError, match=r"about 0 .* and 0 of 1,000,000 deals meet them"):
        probability(None, "dealer.trumps >= 16")
    # Seat 0 has two cards more when it deals.
    with pytest.raises(ConditionError, match=r"of 250,000 deals by seat [123] meet them"):
        probability(None, "0.trumps >= 11")


def test_the_same_conditions_are_never_too_rare_where_they_are_listed() -> None:
    assert 0.0001 < probability(None, "dealer.trumps >= 12")["probability"] < 0.001
    assert probability(None, "dealer.trumps = 17")["probability"] < 1e-9
