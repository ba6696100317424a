"""The examples of docs/reinforcement-learning.md and of the docstrings run."""

from __future__ import annotations

import doctest
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("tests.rl.test_environments")  # skips without the packages, but not in CI

from boardkeeper import rl

PAGE = Path(__file__).parents[2] / "docs/reinforcement-learning.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("at", range(len(BLOCKS)))
def test_the_examples_of_the_page_run(at: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(BLOCKS[at], f"{PAGE} {at}", "exec"), {"__name__": "example"})
    assert capsys.readouterr().out


def test_the_examples_of_docstrings_pass() -> None:
    modules = [import_module(f"boardkeeper.rl.{it.name}") for it in pkgutil.iter_modules(rl.__path__)]
    assert sum(doctest.testmod(it).attempted for it in modules) > 10
    assert sum(doctest.testmod(it).failed for it in modules) == 0
