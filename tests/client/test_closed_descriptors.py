"""The command line runs without standard descriptors, which a parent process can close."""

from __future__ import annotations

import os
import subprocess

import pytest
from tests.client.conftest import NO_SERVER, PROGRAM

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]

if os.name != "posix":
    pytest.skip("only POSIX shells close descriptors", allow_module_level=True)


CLOSED = ("<&-", ">&-", "2>&-", "<&- >&- 2>&-")
COMMANDS = (
    (("config",), 0),
    (("demo", "--players", "2"), 0),
    (("titles", "--server", NO_SERVER), 3),
    (("play", "--players", "2"), 0),
)


@pytest.mark.parametrize(
    ("closed", "command", "status"),
    [
        # A demo takes seconds. It writes to standard output, and to standard error like `play`.
        pytest.param(
            it, *command, marks=[pytest.mark.soak] if command[0][0] == "demo" and it not in CLOSED[1::2] else []
        )
        for it in CLOSED
        for command in COMMANDS
    ],
)
def test_a_command_runs_without_standard_descriptors(
    environment: dict[str, str], closed: str, command: tuple[str, ...], status: int
) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *PROGRAM, *command],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    assert bool(done.stderr) == ("2" not in closed and status > 1) or command[0] in ("play", "demo")
