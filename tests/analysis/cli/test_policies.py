"""``tarocchino policies``: every policy and part, with what is known of it."""

from __future__ import annotations

import json

from sim.policies.spec import PARTS, POLICIES, parse_policy
from tests.analysis.cli.conftest import Command


def test_every_policy_and_part_has_its_line(tarocchino: Command) -> None:
    said = tarocchino("policies")
    assert (said.status, said.err) == (0, "")
    lines = [line.split() for line in said.out.splitlines()]
    for name, policy in POLICIES.items():
        assert [name, *(part.name for part in policy.parts.values())] in lines
    text = " ".join(said.out.split())
    for kind, of_kind in PARTS.items():
        section = text.partition(f"{kind.capitalize()} parts name version what it does")[2]
        for part in of_kind.values():
            values = ", ".join(f"{name}={value:g}" for name, value in part.parameters.items())
            told = f"{part.name} {part.version} {part.description}"
            assert f"{told} ({values})" if values else told in section
    example = said.out.partition("A SPEC mixes them: ")[2].strip().rstrip(".")
    assert parse_policy(example).spec == example


def test_json_has_them_all(tarocchino: Command) -> None:
    said = tarocchino("policies", "--json")
    assert said.status == 0 and said.out.count("\n") == 1
    told = json.loads(said.out)
    assert told["policies"] == [policy.to_dict() for policy in POLICIES.values()]
    assert list(told["parts"]) == list(PARTS)
    (hide,) = (part for part in told["parts"]["declare"] if part["name"] == "hide")
    assert hide == {
        "name": "hide",
        "version": 1,
        "parameters": {"threshold": 30.0},
        "description": PARTS["declare"]["hide"].description,
        "reasons": [],
    }
    (short,) = (part for part in told["parts"]["lead"] if part["name"] == "short")
    assert short["reasons"] == list(PARTS["lead"]["short"].reasons)
