"""The packages in ``site`` are installed for these tests: they stand on the path, with their entry points."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardkeeper.titles import registry

SITE = Path(__file__).parent / "site"


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder, on the path of this process and of those that it starts. No title is allowed before or after."""
    monkeypatch.syspath_prepend(str(SITE))
    monkeypatch.setenv("PYTHONPATH", str(SITE), prepend=":")
    monkeypatch.setattr(registry, "_outside", {})
    yield SITE
    for name in [name for name in sys.modules if name.partition(".")[0] in ("pebbles_title", "broken_titles")]:
        del sys.modules[name]
