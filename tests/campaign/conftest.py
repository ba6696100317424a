"""Setup of the tests of campaigns."""

from __future__ import annotations

import pytest
from tests import randomness


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed the random sources before any fixture."""
    randomness.seed_randomness(item.nodeid)
