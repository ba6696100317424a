"""The Python examples of docs/engine.md and the README run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = ("docs/engine.md", "README.md")
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page: str) -> list[str]:
    """Return the Python blocks of a page that use the engine."""
    text = (Path(__file__).parents[2] / page).read_text("utf-8")
    return [block for block in _BLOCK.findall(text) if "boardkeeper import engine" in block]


@pytest.mark.parametrize(("page", "at"), [(page, at) for page in PAGES for at in range(len(blocks(page)))])
def test_the_examples_run(page: str, at: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(blocks(page)[at], f"{page} {at}", "exec"), {"__name__": "example"})
    assert capsys.readouterr().out


def test_there_are_examples_on_each_page() -> None:
    assert all(blocks(page) for page in PAGES)
