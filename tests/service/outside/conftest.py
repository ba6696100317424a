"""The packages in ``site`` are installed for these tests: they are on the path, with their entry points."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from boardkeeper.titles import registry
from boardkeeper.wire import messages
from boardkeeper.wire.envelopes import Envelope

SITE = Path(__file__).parent / "site"
ENVELOPES = {"_COMMANDS": "_plan_commands", "_BOARDS": "_plan_board", "_DETAILS": "_plan_detail"}


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder, on the path of this process and of those that it starts. No title is allowed before or after."""
    with on_the_path(SITE, monkeypatch):
        yield SITE


@contextmanager
def on_the_path(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put a folder with packages on the path of this process and its children, and forget their titles afterwards."""
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", str(site), prepend=":")
    monkeypatch.setattr(registry, "_outside", {})
    for name, plan in ENVELOPES.items():
        monkeypatch.setattr(messages, name, Envelope(getattr(messages, name)._message, getattr(messages, plan)))
    messages._cached_command.cache_clear()
    yield
    messages._cached_command.cache_clear()
