"""Without the extras a server starts, names the missing packages, and everything else works."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.socket


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Any:
    """The output of :mod:`tests.service.service_without_extras`."""
    folder = tmp_path_factory.mktemp("bare")
    done = subprocess.run(
        [sys.executable, "-m", "tests.service.service_without_extras", str(folder)],
        cwd=repository, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_server_without_webhooks_works(results: Any) -> None:
    assert results["served"] == {
        "create": "FAILED_PRECONDITION WEBHOOKS_NOT_INSTALLED",
        "test": "FAILED_PRECONDITION WEBHOOKS_NOT_INSTALLED",
        "list": 1,
        "dead": "OK",
        "remove": "OK",
        "fed": True,
    }


def test_tracing_names_the_package_to_install(results: Any) -> None:
    assert results["tracing"].startswith("1: ")
    assert "pip install 'boardkeeper[tracing]'" in " ".join(results["tracing"].split())


def test_every_command_for_postgresql_names_the_package_to_install(results: Any) -> None:
    for command, output in results["postgres"].items():
        status = 5 if command in ("check", "rebuild") else 1  # these report that they could not check
        assert output.startswith(f"{status}: "), command
        assert "pip install 'boardkeeper[postgres]'" in " ".join(output.split()), (command, output)
        assert "Traceback" not in output, command
