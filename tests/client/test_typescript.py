"""Run the tests of the TypeScript SDK in Node.js."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from build_web import environment, node

TESTS = sorted((Path(__file__).resolve().parents[2] / "clients" / "typescript" / "test").glob("*.test.ts"))


@pytest.mark.parametrize("tests", [pytest.param(it, id=it.name.removesuffix(".test.ts")) for it in TESTS])
def test_the_sdk_in_typescript(sdk: Path, tests: Path) -> None:
    done = subprocess.run(
        [node(), "--test", "--test-reporter=spec", tests],
        cwd=sdk, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ℹ pass 0" not in done.stdout
