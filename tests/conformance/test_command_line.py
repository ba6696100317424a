"""``boardkeeper conformance``: any command is a client."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.client.conftest import PROGRAM, boardkeeper, environment, inside
from tests.conformance import drivers

from boardkeeper.service.conformance.scenarios import scenarios

pytestmark = pytest.mark.socket

__all__ = ["boardkeeper", "environment", "inside"]

GOOD = """
import sys
sys.path.insert(0, {repository!r})
from tests.conformance import drivers
drivers.blocking(sys.argv[1], print)
"""


@pytest.fixture
def client(repository: Path, tmp_path: Path) -> list[str]:
    """A command that plays as it should."""
    (tmp_path / "good.py").write_text(GOOD.format(repository=str(repository)))
    return [sys.executable, "good.py", "{address}"]


def test_the_scenarios_are_listed(inside: Any) -> None:
    listed = inside("conformance", "--list", "--json").records
    assert [it["scenario"] for it in listed] == list(scenarios())
    assert all(it["story"] and it["why"] and it["must"] for it in listed)


def test_a_client_that_passes_and_one_that_does_not(inside: Any, client: list[str]) -> None:
    chosen = ("--scenario", "hidden", "--scenario", "token")
    good = inside("conformance", *chosen, "--json", "--", *client)
    assert good.status == 0, good
    assert [(it["scenario"], it["verdict"], it["faults"]) for it in good.records] == [
        ("hidden", "passed", []),
        ("token", "passed", []),
    ]
    # The first never calls, and says a word about it; the second would stay for ever.
    silent = inside("conformance", *chosen, "--", sys.executable, "-c", "import sys; sys.exit('no idea')", "{address}")
    assert silent.status == 1
    assert "failed   token" in silent.out
    assert "it ended with status 1; it never called, and it said: no idea" in silent.out
    assert f"Why it matters: {scenarios()['token'].why}" in silent.out
    assert "0 passed, 2 failed" in silent.out
    waiting = [sys.executable, "-c", "import time; time.sleep(1000)", "{web}"]
    stuck = inside("conformance", "--scenario", "token", "--timeout", "1", "--", *waiting)
    assert stuck.status == 1
    assert "it did not end by itself; it never called" in stuck.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "which client?"),
        (("--", sys.executable, "my_client.py"), "the command needs {address}"),
        (("--", "no-such-program-anywhere", "{address}"), "there is no program no-such-program-anywhere"),
        (("--scenario", "weather", "--", sys.executable, "{address}"), "there is no scenario weather"),
        (("--serve", "weather"), "there is no scenario weather"),
    ],
)
def test_what_cannot_be_tried_is_said_at_once(inside: Any, arguments: tuple[str, ...], says: str) -> None:
    done = inside("conformance", *arguments)
    assert done.status == 2
    assert says in done.err


def test_a_scenario_can_be_served_to_a_client_that_is_started_by_hand() -> None:
    serving = subprocess.Popen(
        [*PROGRAM, "conformance", "--serve", "stream-ended", "--listen", "127.0.0.1:0"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with serving:
        assert serving.stderr is not None
        try:
            said = next(line for line in serving.stderr if "waits for one client at" in line)
            drivers.blocking(said.partition(" at ")[2].partition(",")[0].partition(";")[0], lambda _line: None)
            out, _ = serving.communicate(timeout=60)
        finally:
            serving.kill()
        assert serving.returncode == 0, out
        assert out.startswith("passed   stream-ended")
