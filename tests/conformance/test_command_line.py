"""``boardkeeper conformance`` runs any command as a client."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from tests.client.conftest import PROGRAM, RunCommand, environment, run_in_process, run_program
from tests.conformance import drivers
from tests.waiting import wait_until

from boardkeeper.conformance.command_clients import ADDRESS_PLACEHOLDER, OutputTail, command_client
from boardkeeper.conformance.observations import ClientExit
from boardkeeper.conformance.scenarios import scenarios
from boardkeeper.service.process.server import run_loop

pytestmark = pytest.mark.socket

__all__ = ["environment", "run_in_process", "run_program"]

GOOD = """
import sys
sys.path.insert(0, {repository!r})
from tests.conformance import drivers
drivers.blocking(sys.argv[1], print)
"""


@pytest.fixture
def client(repository: Path, tmp_path: Path) -> list[str]:
    """The command of a correct client."""
    (tmp_path / "good.py").write_text(GOOD.format(repository=str(repository)))
    return [sys.executable, "good.py", "{address}"]


def test_the_scenarios_are_listed(run_in_process: RunCommand) -> None:
    listed = run_in_process("conformance", "--list", "--json").records
    assert [it["scenario"] for it in listed] == list(scenarios())
    assert all(it["story"] and it["why"] and it["must"] for it in listed)


def test_clients_pass_or_fail(run_in_process: RunCommand, client: list[str]) -> None:
    chosen = ("--scenario", "hidden", "--scenario", "token")
    good = run_in_process("conformance", *chosen, "--json", "--", *client)
    assert good.status == 0, good
    assert [(it["scenario"], it["verdict"], it["faults"]) for it in good.records] == [
        ("hidden", "passed", []),
        ("token", "passed", []),
    ]
    # The first client exits without a call and prints a message. The second one does not exit.
    silent = run_in_process(
        "conformance", *chosen, "--", sys.executable, "-c", "import sys; sys.exit('no idea')", "{address}"
    )
    assert silent.status == 1
    assert "failed   token" in silent.out
    assert "the client exited with status 1; it made no call, and it printed: no idea" in silent.out
    assert silent.out.count("it made no call") == 1
    assert f"Why it matters: {scenarios()['hidden'].why}" in silent.out
    assert "same as in hidden" in silent.out
    assert "0 passed, 2 failed" in silent.out
    waiting = [sys.executable, "-c", "import time; time.sleep(1000)", "{web}"]
    stuck = run_in_process("conformance", "--scenario", "token", "--timeout", "1", "--", *waiting)
    assert stuck.status == 1
    assert "the client did not exit; it made no call" in stuck.out


def test_the_kit_and_its_clients_use_no_proxy(run_in_process: RunCommand, repository: Path) -> None:
    """The client uses plain gRPC, which reads the proxy variables, and not the SDK of Boardkeeper."""
    program = str(repository / "clients" / "examples" / "python" / "play_with_stubs.py")
    client = [sys.executable, program, "{address}"]
    chosen = ("--scenario", "hidden", "--scenario", "token")
    for exceptions in ({"no_proxy": "a.example"}, {"no_grpc_proxy": "b.example"}):
        result = run_in_process("conformance", *chosen, "--", *client, http_proxy="http://127.0.0.1:1", **exceptions)
        assert result.status == 0, result


def test_child_processes_of_a_client_are_terminated() -> None:
    """The first process exits at once, and a child process keeps its pipes open."""

    async def run() -> tuple[ClientExit, int]:
        program = "sleep 1000 & echo $!; exit 3"
        done = await command_client(["sh", "-c", program, ADDRESS_PLACEHOLDER])("", "")
        return done, int(done.out)

    done, child = run_loop(run())
    assert done.status == 3
    # The pipes close shortly before the process ends.
    wait_until(lambda: not is_running(child))


def is_running(process: int) -> bool:
    """Return whether a process has not ended. A zombie has."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def test_the_end_of_the_output_of_a_client_is_reported() -> None:
    async def read() -> str:
        pipe, tail = asyncio.StreamReader(), OutputTail(5)
        pipe.feed_data(b"a whole ")
        pipe.feed_data("évening".encode())
        pipe.feed_eof()
        await tail.read(pipe)
        return str(tail)

    assert run_loop(read()) == "ening"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name the client to test"),
        (("--", sys.executable, "my_client.py"), "the command must contain {address}"),
        (("--", "no-such-program-anywhere", "{address}"), "the program no-such-program-anywhere does not exist"),
        (("--scenario", "weather", "--", sys.executable, "{address}"), "unknown scenario 'weather'"),
        (("--serve", "weather"), "unknown scenario 'weather'"),
        (("--serve", "token", "--", sys.executable, "{address}"), "you start the client yourself"),
        (("--serve", "token", "--listen", "nonsense"), "cannot listen on 'nonsense': write HOST:PORT"),
        (("--serve", "token", "--listen", "127.0.0.1:99999"), "cannot listen on '127.0.0.1:99999': write HOST:PORT"),
        (("--serve", "token", "--listen", "unix:kit.sock"), "cannot listen on 'unix:kit.sock': write HOST:PORT"),
    ],
)
def test_invalid_arguments_are_errors(run_in_process: RunCommand, arguments: tuple[str, ...], message: str) -> None:
    done = run_in_process("conformance", *arguments)
    assert done.status == 2
    assert message in done.err


def test_a_scenario_can_be_served_to_a_client_that_the_user_starts() -> None:
    serving = subprocess.Popen(
        [*PROGRAM, "conformance", "--serve", "stream-ended", "--listen", "127.0.0.1:0"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with serving:
        assert serving.stderr is not None
        try:
            ready = next(line for line in serving.stderr if "Waiting for one client at" in line)
            drivers.blocking(ready.partition(" at ")[2].split()[0].removesuffix("."), lambda _line: None)
            out, _ = serving.communicate(timeout=60)
        finally:
            serving.kill()
        assert serving.returncode == 0, out
        assert out.startswith("passed   stream-ended")
