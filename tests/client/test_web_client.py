"""The browser client where it needs no browser: its own tests, in the Node.js of the environment."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.client.in_node import run_in_node

from build_web import WEB

TESTS = sorted((WEB / "test").glob("*.test.ts"))


@pytest.mark.usefixtures("sdk")
@pytest.mark.parametrize("tests", [pytest.param(it, id=it.name.removesuffix(".test.ts")) for it in TESTS])
def test_the_web_client(tests: Path) -> None:
    done = run_in_node("--test", "--test-reporter=spec", tests, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ℹ pass 0" not in done.stdout
