"""What policies do wrong at a table, and how it is told."""

from pathlib import Path

import pytest

from sim.failures import PolicyFailure
from sim.hands import finish, play_hands
from sim.players import IllegalAnswer
from sim.policies.policy import PolicyError
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from sim.run import simulate
from tests.helpers import compiled_only, illegal_answer, policy_file, replay, row_dicts


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("-1", "plays card number -1 in trick 4"),
        ("62", "plays card number 62 in trick 4"),
        ("64", "plays card number 64 in trick 4"),
        ("1 << 40", "plays card number 1099511627776 in trick 4"),
        ("highest(view.table.played[view.seat])", " in trick 4"),
        ("highest(view.rules.trumps | view.rules.fool)", "plays Fool in trick 4"),
    ],
)
@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
def test_illegal_cards_stop_the_hands(
    tmp_path: Path, rules: RuleSet, answer: str, told: str
) -> None:
    when = "view.table.trick == 4 and not view.hand & view.rules.fool"
    error = illegal_answer(tmp_path, rules, "play", answer, when)
    assert error.trick == 4
    assert 12 <= error.hand < 16  # the hands in lockstep
    assert told in str(error)
    # The hand alone fails in the same way.
    logged = play_hands(rules, parse_policies("simple"), 311, error.hand, 1)
    assert logged.dealer[0] == error.hand % 4


def test_a_revoke_stops_the_hands_and_is_named(tmp_path: Path) -> None:  # RULES §2
    revoke = "highest(view.hand & ~view.legal)"
    error = illegal_answer(tmp_path, OTTOCENTO, "play", revoke, "view.hand & ~view.legal")
    assert f"plays {OTTOCENTO.cards.names[error.answer]} in trick {error.trick}" in str(error)


def test_a_position_is_not_finished_illegally(tmp_path: Path) -> None:
    path = policy_file(tmp_path, "@policy.play\ndef wrong(view, weights):\n    return 61, 0\n")
    rows = play_hands(OTTOCENTO, parse_policies("random"), 312, 0, 12, log_plays=True)
    (row,) = [row for row in row_dicts(OTTOCENTO, rows) if row["fool_trick"] < 8][:1]
    position = replay(OTTOCENTO, row, 40, seed=312)
    with pytest.raises(IllegalAnswer, match="plays Fool in trick 10"):
        finish([position], parse_policies(f"{path}:wrong"))


def test_an_error_in_a_policy_stops_the_hands(tmp_path: Path) -> None:
    path = policy_file(tmp_path, "@policy.play\ndef mine(view, weights):\n"
                 "    if view.table.trick == 3:\n        raise ValueError('lost my head')\n"
                 "    return lowest(view.legal), 0\n")  # fmt: skip
    with pytest.raises(
        PolicyFailure, match=r"hand 0: mine\.py, line \d+: mine raises ValueError: lost my head"
    ):
        play_hands(PARTITA, parse_policies(f"{path}:mine"), 304, 0, 10)


@compiled_only
@pytest.mark.parametrize(
    "body",
    ["return view.nothing, 0", "return unknown(view), 0", "return lowest(view.legal)",
     "return 'SK', 0", "return {}[view], 0"],
)  # fmt: skip
def test_a_policy_that_cannot_be_compiled_is_refused(tmp_path: Path, body: str) -> None:
    path = policy_file(tmp_path, f"@policy.play\ndef mine(view, weights):\n    {body}\n")
    with pytest.raises(PolicyError) as error:
        simulate(PARTITA, 10, policies=f"{path}:mine", out=tmp_path / "run")
    assert "mine.py" in str(error.value) and "expected " in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert not (tmp_path / "run").exists()
