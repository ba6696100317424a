"""pgbouncer between services and their database: sessions may be pooled, transactions may not."""

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
from tests.service.storage.test_postgres import WAIT, new, opened, outcomes

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.writer import Stored
from boardkeeper.v1 import games_pb2

pytestmark = [pytest.mark.postgres, pytest.mark.socket]

Pooled = Callable[[str], str]


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    with postgres.database() as url:
        yield url


@pytest.fixture
def pooled(postgres: Server, url: str) -> Iterator[Pooled]:
    """Gives the URL of the database through a pooler of that mode."""
    program = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        assert "CI" not in os.environ, "CI installs it"
        pytest.skip("pgbouncer is not here")
    processes: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory(prefix="bkpool-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o777)  # who is root cannot run it as such

        def started(mode: str) -> str:
            settings = folder / "pgbouncer.ini"
            settings.write_text(
                f"[databases]\n* = host={postgres.host} user=postgres\n[pgbouncer]\nlisten_addr =\nlisten_port = 5432\n"
                f"unix_socket_dir = {folder}\nauth_type = any\npool_mode = {mode}\n"
            )
            user = ["--user", "nobody"] if os.geteuid() == 0 else []
            processes.append(
                subprocess.Popen([program, *user, str(settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            )
            through = url.replace(postgres.host, name)
            give_up = time.monotonic() + WAIT
            while True:
                try:
                    psycopg.connect(through).close()
                except psycopg.OperationalError:
                    assert processes[-1].poll() is None
                    assert time.monotonic() < give_up
                    time.sleep(0.02)
                else:
                    return through

        yield started
        for process in processes:
            process.kill()
            process.wait()


async def test_services_may_share_a_pooler_of_sessions(pooled: Pooled, tmp_path: Path) -> None:
    """They hear of each other."""
    through, chance = pooled("session"), random.Random(12)
    async with (
        run_server(through, key_file=str(tmp_path / "key")) as here,
        run_server(through, key_file=str(tmp_path / "key")) as there,
    ):
        game, tokens = await here.create()
        seen: list[int] = []
        watching = there.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id))
        for turn in range(10):
            version = await (here, there)[turn % 2].play_turn(game.game_id, tokens, chance)
            while not seen or seen[-1] < version:
                answer = await watching.read()
                seen += [answer.event.version] if answer.HasField("event") else []
        watching.cancel()
        assert seen == list(range(1, version + 1))


def test_nobody_takes_his_own_news_for_those_of_others(pooled: Pooled, tmp_path: Path) -> None:
    """The pooler tells each connection another number than that of the server's process, which signs what is told."""
    through = pooled("session")
    here, there = opened(through, tmp_path / "key"), opened(through, tmp_path / "key")
    heard = queue.SimpleQueue[PeerChanges]()
    try:
        here.listen(heard.put)
        assert heard.get(timeout=WAIT) == PeerChanges(has_gap=True)
        own, other = uuid4(), uuid4()
        assert outcomes(here, new(own)) == outcomes(there, new(other)) == [Stored()]
        assert heard.get(timeout=WAIT) == PeerChanges(new_versions={other: 1})
    finally:
        for database in (here, there):
            database.close()


def test_a_service_does_not_start_behind_a_pooler_of_transactions(pooled: Pooled, tmp_path: Path) -> None:
    with pytest.raises(StartupError, match="pool_mode = session"):
        open_database(pooled("transaction"), key_file=tmp_path / "key")
    assert not (tmp_path / "key").exists()
