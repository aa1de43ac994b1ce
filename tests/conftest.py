"""Settings of all tests."""

import pytest
from hypothesis import settings

from sim import manifests

# The first example waits for the compiler. The same examples each time, as in every other test.
settings.register_profile("tests", deadline=None, derandomize=True)
# For scripts/faults: --hypothesis-profile=faults.
settings.register_profile("faults", deadline=None, derandomize=True, max_examples=600)
settings.load_profile("tests")


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in parts of 100 hands."""
    monkeypatch.setattr(manifests, "PART", 100)
