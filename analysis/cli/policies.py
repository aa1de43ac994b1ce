"""The command that lists policies and the parts they are made of."""

from __future__ import annotations

import json
from typing import Any

from analysis.cli.options import Json


def policies(as_json: Json = False) -> None:
    """Policies, and the parts and parameters they are mixed from."""
    from sim.policies.spec import PARTS, POLICIES

    if as_json:
        parts: dict[str, Any] = {
            kind: [
                {**part.to_dict(), "description": part.description, "reasons": part.reasons}
                for part in of_kind.values()
            ]
            for kind, of_kind in PARTS.items()
        }
        print(
            json.dumps(
                {"policies": [policy.to_dict() for policy in POLICIES.values()], "parts": parts}
            )
        )
        return
    from analysis.cli.show_policies import show_policies

    show_policies(POLICIES, PARTS)
