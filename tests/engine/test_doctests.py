"""The examples in the docstrings of the engine are correct."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

from boardkeeper import engine

MODULES = ["boardkeeper.engine", *(f"boardkeeper.engine.{it.name}" for it in pkgutil.iter_modules(engine.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_pass(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    assert sum(len(it.examples) for name in MODULES for it in finder.find(import_module(name))) > 15
