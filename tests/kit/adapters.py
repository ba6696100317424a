"""The adapters of the registered titles: ``ADAPTER`` in ``tests/titles/<title>/adapter.py``."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec

import pytest

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.titles.registry import TITLES


@cache
def adapter_of(id: str) -> Adapter:
    """Return the adapter of a title; raises ``ModuleNotFoundError`` if it has none."""
    found: Adapter = import_module(f"tests.titles.{id}.adapter").ADAPTER
    return found


def adapters() -> tuple[Adapter, ...]:
    """Return the adapters of all titles that have one. ``test_every_title.py`` checks that every title does."""
    return tuple(adapter_of(id) for id in TITLES if find_spec(f"tests.titles.{id}.adapter"))


EACH_TITLE = [pytest.param(it, id=it.id) for it in adapters()]
"""Parameters of tests that run for each title."""

EACH_GAME = [pytest.param(it, players, id=f"{it.id}-{players}") for it in adapters() for players in it.players]
"""Parameters of tests that run for each title and number of players."""
