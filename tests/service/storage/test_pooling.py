"""PgBouncer in front of the database: session pooling works, transaction pooling is rejected."""

from __future__ import annotations

import os
import queue
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from tests.databases.servers import Server
from tests.service.api_server import run_server
from tests.service.storage.postgres_games import WAIT, new_game, open_postgres, store

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.writer import Stored
from boardkeeper.v1 import games_pb2

pytestmark = [pytest.mark.postgres, pytest.mark.socket]

StartPooler = Callable[[str], str]


@pytest.fixture
def start_pooler(postgres: Server, url: str) -> Iterator[StartPooler]:
    """Starts a pooler in a mode; returns the URL of the database through it."""
    program = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        assert "CI" not in os.environ, "CI must install PgBouncer"
        pytest.skip("PgBouncer is not installed")
    processes: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory(prefix="bkpool-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o777)  # it does not run as root

        def start(mode: str) -> str:
            settings = folder / "pgbouncer.ini"
            settings.write_text(
                f"[databases]\n* = host={postgres.host} user=postgres\n[pgbouncer]\nlisten_addr =\nlisten_port = 5432\n"
                f"unix_socket_dir = {folder}\nauth_type = any\npool_mode = {mode}\n"
            )
            user = ["--user", "nobody"] if os.geteuid() == 0 else []
            processes.append(
                subprocess.Popen([program, *user, str(settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            )
            pooler_url = url.replace(postgres.host, name)
            deadline = time.monotonic() + WAIT
            while True:
                try:
                    psycopg.connect(pooler_url).close()
                except psycopg.OperationalError:
                    assert processes[-1].poll() is None
                    assert time.monotonic() < deadline
                    time.sleep(0.02)
                else:
                    return pooler_url

        yield start
        for process in processes:
            process.kill()
            process.wait()


async def test_services_behind_a_session_pooler_are_notified(start_pooler: StartPooler, tmp_path: Path) -> None:
    pooler_url, chance = start_pooler("session"), random.Random(12)
    async with (
        run_server(pooler_url, key_file=str(tmp_path / "key")) as first,
        run_server(pooler_url, key_file=str(tmp_path / "key")) as second,
    ):
        game, tokens = await first.create()
        versions: list[int] = []
        watching = second.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id))
        for turn in range(10):
            version = await (first, second)[turn % 2].play_turn(game.game_id, tokens, chance)
            while not versions or versions[-1] < version:
                answer = await watching.read()
                versions += [answer.event.version] if answer.HasField("event") else []
        watching.cancel()
        assert versions == list(range(1, version + 1))


def test_processes_behind_a_pooler_ignore_their_own_notifications(start_pooler: StartPooler, tmp_path: Path) -> None:
    """The pooler gives clients other process ids than the server's, which notifications contain."""
    pooler_url = start_pooler("session")
    first, second = open_postgres(pooler_url, tmp_path / "key"), open_postgres(pooler_url, tmp_path / "key")
    received = queue.SimpleQueue[PeerChanges]()
    try:
        first.listen(received.put)
        assert received.get(timeout=WAIT) == PeerChanges(has_gap=True)
        own, other = uuid4(), uuid4()
        assert store(first, new_game(own)) == store(second, new_game(other)) == [Stored()]
        assert received.get(timeout=WAIT) == PeerChanges(new_versions={other: 1})
    finally:
        for database in (first, second):
            database.close()


def test_a_service_does_not_start_behind_a_transaction_pooler(start_pooler: StartPooler, tmp_path: Path) -> None:
    with pytest.raises(StartupError, match="pool_mode = session"):
        open_database(start_pooler("transaction"), key_file=tmp_path / "key")
    assert not (tmp_path / "key").exists()
