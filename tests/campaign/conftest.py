"""Services as those of the tests of the service."""

from __future__ import annotations

import pytest
from tests import randomness


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before any fixture."""
    randomness.seed_randomness(item.nodeid)
