"""``make run-postgresql``: one command starts a private PostgreSQL and a server on it, and stops both."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests import folders
from tests.databases import servers
from tests.waiting import wait_until

from boardkeeper.client import Client, bot, person

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that the user `nobody` can read, too: PostgreSQL runs as that user when root runs the tests."""
    missing = servers.missing_reason()
    if missing or os.environ.get(servers.OTHER_SERVER):
        pytest.skip(missing or "the tests use another server, so the package may be missing")
    with tempfile.TemporaryDirectory(prefix="bkrun-", dir=folders.SHORT) as made:
        Path(made).chmod(0o755)
        yield Path(made) / "postgresql-data"


@contextmanager
def run_command(repository: Path, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the command. Yields its process and the address of its server."""
    program = [sys.executable, str(repository / "tools" / "run_postgresql.py"), "--folder", str(folder)]
    with subprocess.Popen(
        [*program, "--listen", "127.0.0.1:0", "--no-web"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            yield process, read_address(process)
        finally:
            process.terminate()


def read_address(process: subprocess.Popen[str]) -> str:
    """Return the address in the line ``listening`` of the log."""
    assert process.stdout is not None
    seen = []
    for line in process.stdout:
        seen.append(line)
        found = re.search(r"listening .*?\baddress=(\S+)", line)
        if found:
            return found[1]
    pytest.fail(f"it does not listen: {''.join(seen)}")


def postgresql_process(folder: Path) -> int:
    """Return the id of the PostgreSQL process that runs in the folder."""
    return int((folder / "data" / "postmaster.pid").read_text().splitlines()[0])


def test_games_are_stored_across_ctrl_c_and_another_start(repository: Path, folder: Path) -> None:
    with run_command(repository, folder) as (process, server):
        with Client(server) as client:
            game = client.create_game("orleans", [person("Anna"), bot("sensible")]).seats[0].game_id
        os.killpg(process.pid, signal.SIGINT)  # as the terminal does
        rest, _ = process.communicate()
        assert process.returncode == 0, rest
        assert "PostgreSQL: stopped; the data stay in" in rest
        assert not (folder / "data" / "postmaster.pid").exists()
    with run_command(repository, folder) as (_, server), Client(server) as client:
        assert client.game(game).game_id == game


def test_a_second_run_on_the_same_folder_is_rejected(repository: Path, folder: Path) -> None:
    program = [sys.executable, str(repository / "tools" / "run_postgresql.py"), "--folder", str(folder)]
    with run_command(repository, folder):
        second = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr.startswith(f"another run uses {folder}")


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux does this")
def test_both_end_when_the_run_is_killed(repository: Path, folder: Path) -> None:
    with run_command(repository, folder) as (process, server):
        left = postgresql_process(folder)
        process.kill()
        process.wait()
        wait_until(lambda: not Path(f"/proc/{left}").exists())
        wait_until(lambda: not is_listening(server))
    with run_command(repository, folder) as (_, server):
        assert is_listening(server)


def is_listening(server: str) -> bool:
    host, _, port = server.rpartition(":")
    with socket.socket() as connection:
        return connection.connect_ex((host, int(port))) == 0
