"""A real server, and the command line in a subprocess or in this process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests import randomness
from tests.client.fake_service import FakeGames, fake_service

from boardkeeper.client import Client, NewGame, Seat, bot
from boardkeeper.service.process.server import running_service
from boardkeeper.terminal.main import main
from boardkeeper.terminal.saved_seats import SavedSeat, SeatFile

NO_SERVER = "127.0.0.1:1"
"""An address at which no server listens."""

PROGRAM = [sys.executable, "-m", "boardkeeper"]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed randomness before any fixture."""
    randomness.seed_randomness(item.nodeid)


@dataclass
class CommandResult:
    """Exit status and output of a command."""

    status: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


RunCommand = Callable[..., CommandResult]
"""The type of the fixtures ``run_program`` and ``run_in_process``."""
Homes = Callable[..., dict[str, str]]
"""The type of the fixture ``homes``."""


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that all tests of this process share."""
    with running_service(tmp_path_factory.mktemp("service") / "games.db", heartbeat_seconds=0.2) as address:
        yield address


@pytest.fixture
def client(address: str) -> Iterator[Client]:
    with Client(address, retry_timeout=5.0) as client:
        yield client


@pytest.fixture(scope="session")
def finished_game(address: str) -> NewGame:
    """A game that two bots on the server have finished."""
    with Client(address) as client:
        new = client.create_game("orleans", [bot("sensible", "Anna"), bot("random", "Bruno")])
        for _ in client.watch(new.game.game_id):
            pass
        return NewGame(client.game(new.game.game_id), ())


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Variables of a user without games, which override those of the developer."""
    return {
        "BOARDKEEPER_HOME": str(tmp_path / "home"),
        "BOARDKEEPER_SERVER": NO_SERVER,
        "BOARDKEEPER_LANGUAGE": "",
        "NO_COLOR": "",
    }


@pytest.fixture
def service() -> Iterator[tuple[str, FakeGames]]:
    """The address of a fake server, and its script."""
    with fake_service() as running:
        yield running


@pytest.fixture
def record(client: Client, finished_game: NewGame, tmp_path: Path) -> Path:
    """The record of a finished game, in the folder where the command line runs."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(client.record(finished_game.game.game_id))
    return path


@pytest.fixture
def homes(tmp_path: Path, address: str) -> Homes:
    """Create the home folder of a user with some seats, and return its environment variable."""

    def home(name: str, *seats: Seat, server: str = address) -> dict[str, str]:
        for seat in seats:
            SeatFile(tmp_path / name).add(SavedSeat(seat.game_id, seat.number, seat.token, server, ""))
        return {"BOARDKEEPER_HOME": str(tmp_path / name)}

    return home


@pytest.fixture
def run_program(environment: dict[str, str], tmp_path: Path) -> RunCommand:
    """Run the command line in a subprocess, in an empty folder."""

    def run(*arguments: str, seconds: float = 110, **variables: str) -> CommandResult:
        done = subprocess.run(
            [*PROGRAM, *arguments],
            cwd=tmp_path,
            env={**os.environ, **environment, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return CommandResult(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def run_in_process(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> RunCommand:
    """Run the command line in this process, which saves the start of an interpreter per command."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, **variables: str) -> CommandResult:
        with monkeypatch.context() as patched:
            for name, value in {**environment, **variables}.items():
                patched.setenv(name, value)
            capsys.readouterr()
            try:
                status = main(arguments)
            except SystemExit as exit:  # for wrong usage
                status = int(exit.code or 0)
        return CommandResult(status, *capsys.readouterr())

    return run
