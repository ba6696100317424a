"""A real service, and the command line as a person starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests import randomness

from boardkeeper.client import Client, NewGame, bot
from boardkeeper.service.process.server import running_service
from boardkeeper.terminal.main import main

NOBODY = "127.0.0.1:1"
"""Where no service listens."""

PROGRAM = [sys.executable, "-m", "boardkeeper"]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before any fixture."""
    randomness.seed_randomness(item.nodeid)


@dataclass
class Ran:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service on a file of its own, shared by the tests of this process."""
    with running_service(tmp_path_factory.mktemp("service") / "games.db", heartbeat_seconds=0.2) as address:
        yield address


@pytest.fixture
def client(address: str) -> Iterator[Client]:
    with Client(address, retry_timeout=5.0) as client:
        yield client


@pytest.fixture(scope="session")
def ended(address: str) -> NewGame:
    """A game that two bots in the service have played to its end."""
    with Client(address) as client:
        new = client.create_game("orleans", [bot("sensible", "Anna"), bot("random", "Bruno")])
        for _ in client.watch(new.game.game_id):
            pass
        return NewGame(client.game(new.game.game_id), ())


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Of a person who has not played yet, and whose settings do not disturb."""
    return {
        "BOARDKEEPER_HOME": str(tmp_path / "home"),
        "BOARDKEEPER_SERVER": NOBODY,
        "BOARDKEEPER_LANGUAGE": "",
        "NO_COLOR": "",
    }


@pytest.fixture
def boardkeeper(environment: dict[str, str], tmp_path: Path) -> Any:
    """Run the command line in an empty folder."""

    def run(*arguments: str, seconds: float = 110, **variables: str) -> Ran:
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
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def inside(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """As ``boardkeeper``, but in this process: for many commands, each of which would need a second to begin."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, **variables: str) -> Ran:
        with monkeypatch.context() as patched:
            for name, value in {**environment, **variables}.items():
                patched.setenv(name, value)
            capsys.readouterr()
            try:
                status = main(arguments)
            except SystemExit as exit:  # how argparse ends
                status = int(exit.code or 0)
        return Ran(status, *capsys.readouterr())

    return run
