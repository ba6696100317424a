"""Without the extras a service starts and says what it lacks, and all else works."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.socket


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Any:
    """What came of it (see :mod:`tests.service.service_without_extras`)."""
    folder = tmp_path_factory.mktemp("bare")
    done = subprocess.run(
        [sys.executable, "-m", "tests.service.service_without_extras", str(folder)],
        cwd=repository, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_service_without_webhooks_serves_all_else(told: Any) -> None:
    assert told["served"] == {
        "create": "FAILED_PRECONDITION WEBHOOKS_NOT_INSTALLED",
        "test": "FAILED_PRECONDITION WEBHOOKS_NOT_INSTALLED",
        "list": 1,
        "dead": "OK",
        "remove": "OK",
        "fed": True,
    }


def test_traces_say_what_to_install(told: Any) -> None:
    assert told["tracing"].startswith("1: ")
    assert "pip install 'boardkeeper[tracing]'" in " ".join(told["tracing"].split())


def test_postgresql_says_what_to_install_whatever_is_to_be_done(told: Any) -> None:
    for command, said in told["postgres"].items():
        status = 5 if command in ("check", "rebuild") else 1  # these could not check
        assert said.startswith(f"{status}: "), command
        assert "pip install 'boardkeeper[postgres]'" in " ".join(said.split()), (command, said)
        assert "Traceback" not in said, command
