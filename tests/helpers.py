"""What several tests need: rule sets and rows for the naive twins, replayed hands, subprocesses."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from sim import run
from sim.cards import format_cards
from sim.columns import column_names, rows_table
from sim.hands import play_hands
from sim.players import IllegalAnswer
from sim.policies.spec import parse_policies
from sim.positions import Position
from sim.rows import Rows
from sim.rules import PRESETS, RuleSet
from sim.run import Run
from sim.signals import Conventions, Signal
from tests.naive import combinations, hand

ROOT = Path(__file__).parents[1]
HERE = Path(__file__).parent
CHOOSY = f"{HERE / 'strategies' / 'choosy.py'}:choosy"
WORKED_HANDS = json.loads((HERE / "cases" / "hands_public.json").read_text("utf-8"))
# Mixes of policies: at all seats, by side, by seat.
MIXES: dict[str, list[str]] = {
    "random": ["random"],
    "simple": ["simple"],
    "sides": ["simple", "random"],
    "seats": ["random", "simple+discard:random", "simple+declare:nothing", CHOOSY],
}
SEATS = range(4)
PAGAT_WITHHELD, FOOL_WITHHELD = 1 << 12, 1 << 13

# The beginning of a policy file, and a play part.
POLICY_HEAD = """
from sim.kernels.bits import highest, lowest, popcount
from sim.policies import policy
from sim.policies.declare.all import all_
from sim.policies.discard.random import random as random_discard
from sim.policies.play.random import random as random_play
from sim.policies.signal.silent import silent
"""
LOWEST = """
@policy.play
def bottom(view, weights):
    return lowest(view.legal), 0
"""

each_preset = pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
# For tests of so many hands that uncompiled code would take hours.
compiled_only = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too many hands uncompiled")


def naive_rules(rules: RuleSet) -> dict[str, Any]:
    """A rule set as the naive twins read it."""
    fields = rules.to_dict()
    del fields["name"]
    return fields


def names(cards: int, rules: RuleSet) -> list[str]:
    """The cards of a set by name, in canonical order."""
    return format_cards(cards, rules.cards).split()


def row_dicts(rules: RuleSet, rows: Rows, first: int = 0) -> list[dict[str, Any]]:
    """Rows as a run writes them, one dictionary a hand, of every column."""
    columns = column_names(rules, log_plays=len(rows.plays) > 0)
    return rows_table(rows, first, columns).to_pylist()


def with_own_signals(rules: RuleSet, with_a_card: int, before_partner_leads: int) -> RuleSet:
    """The rules with so many own requests in force, the first of bit 24. RULES §6, §7."""
    moments = ["any_card"] * with_a_card + ["before_partner_leads"] * before_partner_leads
    own = tuple(Signal(f"own{i}", moment) for i, moment in enumerate(moments))
    return rules.with_signals(Conventions(own=own))


def kind_names(declared: int) -> tuple[set[str], set[str]]:
    """The combinations and the cards withheld that the bits of a declaration stand for."""
    kinds = {kind for bit, kind in enumerate(combinations.KINDS) if declared >> bit & 1}
    withheld = {
        card for card, bit in (("Pagat", PAGAT_WITHHELD), ("Fool", FOOL_WITHHELD)) if declared & bit
    }
    return kinds, withheld


def naive_row(rules: RuleSet, row: dict[str, Any]) -> dict[str, int]:
    """A logged hand played again by the naive twin: every column but ``hand_id`` and ``plays``."""
    declared = [kind_names(row.get(f"declared{seat}", 0)) for seat in SEATS]
    return hand.play_hand(
        naive_rules(rules),
        row["dealer"],
        [names(row[f"hand{seat}"], rules) for seat in SEATS],
        names(row["discard"], rules),
        [kinds for kinds, _ in declared],
        [withheld for _, withheld in declared],
        [rules.cards.names[card] for card in row["plays"]],
    )


def differences(rules: RuleSet, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Where logged rows differ from the naive twin: hand, column, both values."""
    told = []
    for row in rows:
        expected = naive_row(rules, row)
        found = {k: v for k, v in row.items() if k not in ("hand_id", "plays")}
        if found != expected:
            columns = {k for k in found | expected if found.get(k) != expected.get(k)}
            told += [
                f"hand {row['hand_id']}, {k}: {found.get(k)} is not {expected.get(k)}"
                for k in sorted(columns)
            ]
    return told


def assert_same(found: Rows, expected: Rows) -> None:
    """Every column is equal."""
    for name, left, right in zip(Rows._fields, found, expected, strict=True):
        np.testing.assert_array_equal(left, right, err_msg=name)


def declare_if_due(position: Position, declared: Sequence[int]) -> None:
    """The seat to play declares, where that is done before one's own first card."""
    rules, seat = position.rules, position.seat
    late = rules.combinations and rules.declare_when == "before_own_first_card"
    if late and not position.table.has_declared[seat]:
        position.declare(seat, int(declared[seat]))


def replay(rules: RuleSet, row: dict[str, Any], cards: int, seed: int) -> Position:
    """The position of a logged hand of the run with this seed after so many cards."""
    declared = [row.get(f"declared{seat}", 0) for seat in SEATS]
    position = Position.start(
        rules,
        row["dealer"],
        [row[f"hand{seat}"] for seat in SEATS],
        row["discard"],
        declared,
        seed=seed,
        hand=row["hand_id"],
    )
    for card in row["plays"][:cards]:
        declare_if_due(position, declared)
        position.play(card)
    return position


def policy_file(folder: Path, text: str) -> Path:
    """A user's policy file with the usual imports."""
    path = folder / "mine.py"
    path.write_text(POLICY_HEAD + text, "utf-8")
    return path


def illegal_answer(
    folder: Path, rules: RuleSet, kind: str, answer: str, when: str = "True"
) -> IllegalAnswer:
    """What is raised where seat 2 answers ``answer`` in one of its decisions."""
    legal = {
        "discard": "random_discard(view, weights)",
        "declare": "view.legal",
        "play": "lowest(view.legal)",
    }
    given = f"{answer} if {when} else {legal[kind]}"
    path = policy_file(folder, f"@policy.{kind}\ndef wrong(view, weights):\n"
                 f"    return {f'({given}), 0' if kind == 'play' else given}\n")  # fmt: skip
    policies = parse_policies(["simple", "simple", f"{path}:wrong", "simple"])
    with pytest.raises(IllegalAnswer) as error:
        play_hands(rules, policies, 311, 12, 40)
    assert len(str(error.value).splitlines()) == 1
    assert error.value.seat == 2
    assert "seat 2: the policy mine.py:wrong" in str(error.value)
    return error.value


def contents(directory: Path) -> dict[str, bytes]:
    """Every file of a run but the lock."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


def parts_of(directory: Path) -> list[int]:
    """The first hands of the finished parts, each checked to be there and sound."""
    opened = Run.open(directory)
    assert sum(len(table) for table in opened.batches()) == sum(
        part["hand_range"][1] - part["hand_range"][0] + 1 for part in opened.manifest.parts
    )
    return [part["hand_range"][0] for part in opened.manifest.parts]


def python(
    code: str, *arguments: str, folder: Path = ROOT, fails: bool = False, **environment: str
) -> str:
    """What a program prints with the packages of ``folder``; its errors too if it ``fails``."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)} | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (result.returncode != 0) == fails, result.stderr
    return result.stdout + (result.stderr if fails else "")


@contextmanager
def held_run(rules: RuleSet, out: Path | str) -> Iterator[None]:
    """Within it, a thread has begun a run of 250 hands and makes no part yet; then it finishes."""
    begun, go = threading.Event(), threading.Event()
    make = run._make_part

    def wait(*arguments: Any) -> Any:
        begun.set()
        assert go.wait(60)
        return make(*arguments)

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(1) as pool:
        patch.setattr(run, "_make_part", wait)
        first = pool.submit(run.simulate, rules, 250, policies="random", out=out)
        try:
            assert begun.wait(60)
            yield
        finally:
            go.set()
        assert first.result().manifest.finished
