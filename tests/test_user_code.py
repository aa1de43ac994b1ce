"""Users' functions: what they may answer, and how it is told where they cannot be compiled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sim.failures import PolicyFailure
from sim.hands import play_hands
from sim.players import IllegalAnswer, compiled
from sim.policies.policy import PolicyError
from sim.policies.spec import parse_policies
from sim.rules import OTTOCENTO
from sim.signals import all_signals
from tests.helpers import compiled_only, policy_file

RULES = OTTOCENTO.with_signals(all_signals(OTTOCENTO.pack))
CARD, CARDS = "a card and a reason code, both int", "a set of two cards, an int"
COMBINATIONS, SIGNALS = "the bits of combinations, an int", "the bits of signals, an int"


def mine(folder: Path, kind: str, body: str) -> str:
    """The SPEC of a policy with a user's part."""
    taken = "(view, card, weights)" if kind == "signal" else "(view, weights)"
    text = f"@policy.{kind}\ndef part{taken}:\n    {body}\n"
    others = {"discard": "random_discard", "declare": "all_", "play": "random_play"}
    others = others | {"signal": "silent", kind: "part"}
    parts = ", ".join(f"{each}={function}" for each, function in others.items())
    return f"{policy_file(folder, f'{text}mine = policy.Policy.of({parts})')}:mine"


@pytest.mark.parametrize(
    ("kind", "answer", "given", "expected"),
    [
        ("discard", "3.5", "float", CARDS),
        ("discard", "view.legal / 1", "float", CARDS),
        ("discard", "3, 4", "(int, int)", CARDS),
        ("declare", "0.0", "float", COMBINATIONS),
        ("declare", "None", "None", COMBINATIONS),
        ("lead", "lowest(view.legal), 0.5", "(int, float)", CARD),
        ("play", "float(lowest(view.legal)), 0", "(float, int)", CARD),
        ("play", "lowest(view.legal)", "int", CARD),
        ("play", "'SK', 0", "(str, int)", CARD),
        ("play", "1, 2, 3", "(int, int, int)", CARD),
        ("signal", "1.0", "float", SIGNALS),
        ("signal", "1, 0", "(int, int)", SIGNALS),
        ("signal", "None", "None", SIGNALS),
    ],
)
def test_what_is_no_whole_number_is_refused(
    tmp_path: Path, kind: str, answer: str, given: str, expected: str
) -> None:
    # Uncompiled, it is found while hands are played.
    with pytest.raises((PolicyError, PolicyFailure)) as error:
        play_hands(RULES, parse_policies(mine(tmp_path, kind, f"return {answer}")), 1, 0, 1)
    told = str(error.value).replace("float64", "float").removeprefix("hand 0: ")
    assert told == f"part in mine.py answers {given}: expected {expected}"


@compiled_only
def test_an_answer_of_several_kinds_is_refused(tmp_path: Path) -> None:
    for other in ("None", "3"):
        body = f"if view.table.trick: return {other}\n    return lowest(view.legal), 0"
        with pytest.raises(PolicyError, match=r"mine\.py answers .*expected a card and a reason"):
            compiled(parse_policies(mine(tmp_path, "play", body)))


def test_any_whole_number_will_do(tmp_path: Path) -> None:
    body = "return np.uint8(lowest(view.legal)), view.table.trick > 2"
    spec = mine(tmp_path, "play", body)
    path = Path(spec.rpartition(":")[0])
    path.write_text("import numpy as np\n" + path.read_text("utf-8"), "utf-8")
    rows = play_hands(OTTOCENTO, parse_policies(spec), 1, 0, 8, log_plays=True)
    plain = mine(tmp_path, "play", "return lowest(view.legal), 0")
    assert np.array_equal(
        rows.plays, play_hands(OTTOCENTO, parse_policies(plain), 1, 0, 8, log_plays=True).plays
    )


@pytest.mark.parametrize(
    ("kind", "answer", "told"),
    [
        ("discard", "-1", "discards the set -1"),
        ("discard", "1 << 62", "discards the set 4611686018427387904"),
        ("declare", "-1", "declares the bits -0b1"),
        ("declare", "1 << 62", "declares the bits 0b1000"),
        ("play", "-1, 0", "plays card number -1 in trick 0"),
        ("play", "1 << 62, 0", "plays card number 4611686018427387904 in trick 0"),
        ("signal", "-1", "signals knock in trick 0, which is not its moment"),
    ],
)
def test_impossible_bits_are_illegal(tmp_path: Path, kind: str, answer: str, told: str) -> None:
    with pytest.raises(IllegalAnswer, match=told):
        play_hands(RULES, parse_policies(mine(tmp_path, kind, f"return {answer}")), 1, 0, 1)


@compiled_only
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("view.luck, 0", "Unknown attribute 'luck' of type View"),
        ("lucky, 0", "NameError: name 'lucky' is not defined"),
        ("view.legal[3], 0", "there is no getitem(int64, 3)"),
        ("lowest(view.legal, 3), 0", "there is no lowest(int64, 3)"),
        ("lowest(view.legal) + 'x', 0", "there is no add(int64, x)"),
        ("weights.boldness, 0", "there is no 'boldness'"),
        ("max(i for i in range(3)), 0", "The use of yield in a closure is unsupported"),
    ],
)
def test_what_cannot_be_compiled_is_told_in_a_line(tmp_path: Path, answer: str, told: str) -> None:
    with pytest.raises(PolicyError) as error:
        compiled(parse_policies(mine(tmp_path, "play", f"return {answer}")))
    line = str(error.value)
    assert line.startswith(("mine.py: part cannot be", "mine.py, line 10: part cannot be compiled"))
    assert f"compiled: {told}: expected Python that numba compiles" in line
    assert len(line) < 250 and "\n" not in line


@compiled_only
def test_what_numba_knows_no_bytecode_for_is_told_too(tmp_path: Path) -> None:
    body = "import os\n    return lowest(view.legal), 0"
    with pytest.raises(PolicyError, match=r"IMPORT_NAME\) found: expected Python that numba"):
        compiled(parse_policies(mine(tmp_path, "play", body)))
