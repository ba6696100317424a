"""Fixtures of the tests with other clients."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.foreign.servers import KINDS, Server, running_process
from tests.waiting import wait_until

from boardkeeper.client import Client, bot
from boardkeeper.service.process.server import running_service


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Return the gRPC server that the test runs with."""
    kind: str = request.param
    return kind


@pytest.fixture
def server(kind: str, tmp_path: Path) -> Iterator[Server]:
    """A server without heartbeats: nothing but the client's own frames ends a stream of a client that leaves."""
    with running_process(tmp_path, kind, **{"heartbeat-seconds": "3600"}) as server:
        yield server


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a finished game, about a megabyte."""
    folder = tmp_path_factory.mktemp("record")
    with running_service(folder / "games.db") as address, Client(address) as client:
        game_id = client.create_game("orleans", [bot("random")] * 4).game.game_id
        wait_until(lambda: client.game(game_id).standings)
        (folder / "record").write_bytes(client.record(game_id))
    return folder / "record"
