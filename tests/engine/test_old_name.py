"""The old name of the engine still works, with a warning."""

from __future__ import annotations

import importlib

import pytest

from boardkeeper import engine


def test_the_old_name_has_the_same_objects_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match="boardkeeper.engine"):
        rules = importlib.import_module("boardkeeper.rules")
    assert {name: getattr(rules, name) for name in engine.__all__} == {
        name: getattr(engine, name) for name in engine.__all__
    }
