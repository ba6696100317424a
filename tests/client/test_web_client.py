"""The browser client where it needs no browser: its own tests, in the Node.js of the environment."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from build_web import WEB, environment, node

TESTS = sorted((WEB / "test").glob("*.test.ts"))


@pytest.mark.usefixtures("sdk")
@pytest.mark.parametrize("tests", [pytest.param(it, id=it.name.removesuffix(".test.ts")) for it in TESTS])
def test_the_web_client(tests: Path) -> None:
    # Node drops types by itself, but for those that also make code; and names of modules are as Vite reads them.
    reads = ["--experimental-transform-types", "--import", "./test/hooks.js"]
    done = subprocess.run(
        [node(), *reads, "--test", "--test-reporter=spec", tests],
        cwd=WEB, env={**environment(), "NODE_NO_WARNINGS": "1"}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ℹ pass 0" not in done.stdout
