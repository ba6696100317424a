"""The adapters of the registered titles: ``ADAPTER`` in ``tests/titles/<title>/adapter.py``."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec

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
