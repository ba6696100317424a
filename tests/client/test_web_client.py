"""Run the tests of the web client that need no browser in Node.js."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.client.in_node import run_in_node

import build_web
from build_web import WEB

TESTS = sorted((WEB / "test").glob("*.test.ts"))


@pytest.mark.usefixtures("sdk")
@pytest.mark.parametrize("tests", [pytest.param(it, id=it.name.removesuffix(".test.ts")) for it in TESTS])
def test_the_web_client(tests: Path) -> None:
    done = run_in_node("--test", "--test-reporter=spec", tests, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ℹ pass 0" not in done.stdout


def test_an_isolated_build_finds_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pip adds them to PYTHONPATH for a wheel built with BOARDKEEPER_BUILD_CLIENT."""
    variables: dict[str, str] = {}
    monkeypatch.setenv("PYTHONPATH", "/packages/of/the/build")
    monkeypatch.setattr(build_web, "run", lambda *_, **given: variables.update(given))
    build_web._export()
    assert variables["PYTHONPATH"].split(os.pathsep)[-1] == "/packages/of/the/build"
