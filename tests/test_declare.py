"""What a player may declare, and that he can do no other. RULES §4."""

from pathlib import Path

import pytest

from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, RuleSet
from tests.helpers import illegal_answer


@pytest.mark.parametrize(
    ("answer", "rules"),
    [
        ("0b100000000000 & ~view.legal | 0b10000 & ~view.legal", OTTOCENTO),
        ("1 << 14 | view.legal", OTTOCENTO),
        ("-1", OTTOCENTO),
        ("1 << 12 if not view.hand & view.rules.pagat else 1 << 13 | 0xFFF", OTTOCENTO),
        ("view.legal | 1 << 12", OTTOCENTO_DIGITAL),
        ("view.legal & (view.legal - 1) if popcount(view.legal) > 1 else 0", OTTOCENTO_DIGITAL),
    ],
)
def test_illegal_declarations_stop_the_hands(tmp_path: Path, rules: RuleSet, answer: str) -> None:
    error = illegal_answer(tmp_path, rules, "declare", answer)
    assert error.trick == 0
    assert "declares the bits" in str(error)
