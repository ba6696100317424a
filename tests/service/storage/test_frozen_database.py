"""A database server that stands still, while the kernel keeps its connections and takes new ones: nothing says no."""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import grpc
import pytest
from psycopg.waiting import Wait
from tests.databases import servers
from tests.databases.servers import Pair, Server
from tests.service.api_server import grpc_error, run_server
from tests.service.storage.test_failover import Health, Player, assert_chains, assert_once, insist, watch
from tests.service.storage.test_postgres import WAIT, moved, new, opened, outcomes
from tests.service.storage.test_postgres_faults import unreachable, works
from tests.waiting import SECONDS, until, wait_until

from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.errors import UnreachableError
from boardkeeper.service.storage.postgres import notifications, reader, timeouts
from boardkeeper.service.storage.postgres.reader import PostgresReader
from boardkeeper.service.storage.postgres.timeouts import TimeoutConnection
from boardkeeper.service.storage.postgres.writer import PostgresWriter
from boardkeeper.service.storage.writer import Append, Batch, Outcome, Stored
from boardkeeper.v1 import games_pb2

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(sys.platform != "linux", reason="the server's processes are found in /proc"),
]

_TURNS = 10
_PATIENCE = 4
"""Seconds: more than a server that is not frozen takes on a busy machine."""


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TimeoutConnection, "response_timeout", float(_PATIENCE))
    monkeypatch.setattr(reader, "_WAIT_SECONDS", 2.0)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of its own, which can be frozen."""
    missing = servers.missing_reason()
    if missing:
        pytest.skip(missing)
    server = servers.start_server("fsync=off", "shared_buffers=32MB")
    yield server
    server.close()


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    with server.database() as url:
        try:
            yield f"{url}&connect_timeout={_PATIENCE}"
        finally:
            server.thaw()


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return tmp_path / "key"


def test_who_waits_for_a_frozen_server_is_told_that_it_does_not_answer(server: Server, url: str, key: Path) -> None:
    """What it was sent is carried out when it goes on, or not; it is there once, and so is what is sent again."""
    database = opened(url, key)
    try:
        game, other = uuid4(), uuid4()
        assert outcomes(database, new(game)) == [Stored()]
        server.freeze()
        assert [unreachable(it) for it in outcomes(database, moved(game, 2))] == [True]
        assert f"answered nothing for {_PATIENCE} seconds" in str(database.log.writer.last_error)
        assert [unreachable(it) for it in outcomes(database, new(other))] == [True]
        assert not works(database)
        with pytest.raises(UnreachableError):
            database.game_tables.lobby_row(game)
        server.thaw()
        wait_until(lambda: works(database))
        version = database.log.versions([game])[game]
        assert outcomes(database, *(moved(game, at) for at in range(version + 1, 4))) == [Stored()] * (3 - version)
        linked, head, at = database.log.select_chain(game)
        assert [row[0] for row in linked] == [1, 2, 3]
        assert (head, at) == (linked[-1][3], 3)
    finally:
        database.close()


def test_a_frozen_server_is_let_go_of_and_what_waits_is_told_so(server: Server, url: str, key: Path) -> None:
    """However much is queued, only the first of it is waited for."""
    database = opened(url, key)
    database.listen(lambda _news: None)
    games = [uuid4() for _ in range(8)]
    assert outcomes(database, *map(new, games)) == [Stored()] * 8
    told: list[Outcome] = []
    began, go_on = threading.Event(), threading.Event()

    def first(outcomes: list[Outcome]) -> None:
        began.set()
        assert go_on.wait(WAIT)

    database.log.writer.submit(Batch([moved(games[0], 2)], first))
    assert began.wait(WAIT)
    for game in games[1:]:
        database.log.writer.submit(Batch([moved(game, 2)], told.extend))
    server.freeze()
    go_on.set()
    closing = threading.Thread(target=database.close)
    closing.start()
    closing.join(WAIT)
    assert not closing.is_alive()
    assert [unreachable(it) for it in told] == [True] * 7


def test_who_listens_finds_out_as_well(server: Server, url: str, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else is waited for there: it would listen to the frozen one while all the others had another server."""
    given_up = threading.Event()
    hang_up = TimeoutConnection._hang_up

    def noted(connection: TimeoutConnection) -> None:
        hang_up(connection)
        if threading.current_thread().name == "boardkeeper-listener":  # not a new connection of the readers
            given_up.set()

    monkeypatch.setattr(TimeoutConnection, "_hang_up", noted)
    monkeypatch.setattr(notifications, "_CHECK_SECONDS", 0.1)
    heard = queue.SimpleQueue[PeerChanges]()
    database = opened(url, key)
    try:
        database.listen(heard.put)
        assert heard.get(timeout=WAIT) == PeerChanges(has_gap=True)
        monkeypatch.setattr(TimeoutConnection, "response_timeout", 0.5)
        server.freeze()
        assert given_up.wait(WAIT)
        server.thaw()
        assert heard.get(timeout=WAIT) == PeerChanges(has_gap=True)
    finally:
        database.close()


def test_a_standstill_of_ones_own_is_not_the_silence_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that stood still finds that time has passed before the server could say anything."""
    now = [0.0]
    monkeypatch.setattr(timeouts, "time", SimpleNamespace(monotonic=lambda: now[0]))
    hung_up: list[float] = []
    connection: Any = SimpleNamespace(keep_waiting=None, _hang_up=lambda: hung_up.append(now[0]))

    def silent() -> Generator[Wait, int, None]:
        while True:
            yield Wait.R

    waiting = TimeoutConnection._limit(connection, silent(), 3.0)
    next(waiting)
    for seconds in (100.0, 50.0):
        now[0] += seconds
        waiting.send(0)
    assert hung_up == []
    for _ in range(30):
        now[0] += 0.1
        waiting.send(0)
    assert [round(it, 1) for it in hung_up] == [152.1]


@pytest.mark.socket
async def test_a_service_goes_on_when_a_frozen_server_does_and_nothing_that_was_answered_is_lost(
    server: Server, url: str, key: Path
) -> None:
    async with run_server(url, key_file=str(key)) as api, asyncio.TaskGroup() as tasks:
        health = Health(api)
        await health.turns("SERVING")
        enough = asyncio.Event()
        game, tokens = await api.create()
        seen: list[Any] = []
        watching = tasks.create_task(watch(api, game.game_id, seen))
        player = Player(api, game.game_id, tokens, 1)
        playing = tasks.create_task(player.play(enough))
        await until(lambda: len(player.answered) >= _TURNS)

        await asyncio.to_thread(server.freeze)
        await health.turns("NOT_SERVING")
        await until(lambda: bool(player.problems))
        async with grpc_error(grpc.StatusCode.UNAVAILABLE, "READ_FAILED"):
            await api.games.ListGames(games_pb2.ListGamesRequest())
        before = len(player.answered)

        await asyncio.to_thread(server.thaw)
        await health.turns("SERVING")
        await until(lambda: len(player.answered) >= before + _TURNS)
        enough.set()
        await playing
        assert {problem.reason for problem in player.problems} <= {"STORAGE_FAILED", "READ_FAILED"}
        events = await api.events(game.game_id)
        assert_once(events, player.answered)
        await until(lambda: len(seen) >= len(events))
        watching.cancel()
    assert [event.version for event in seen] == list(range(1, len(events) + 1))
    assert_chains(url, key, {game.game_id: len(events)})


@pytest.mark.socket
async def test_a_service_ends_though_its_server_is_frozen(
    server: Server, url: str, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = threading.Event()
    store = PostgresWriter._store

    def noted(writer: PostgresWriter, appends: list[Append]) -> list[Outcome]:
        asked.set()
        return store(writer, appends)

    monkeypatch.setattr(PostgresWriter, "_store", noted)
    async with asyncio.timeout(SECONDS):
        async with run_server(url, key_file=str(key)) as api:
            game, tokens = await api.create()
            command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
            await asyncio.to_thread(server.freeze)
            asked.clear()
            submitting = asyncio.create_task(api.submit(game.game_id, 1, tokens[1], "once", command))
            await until(asked.is_set)
        await asyncio.wait([submitting])
        assert submitting.cancelled() or submitting.exception() is not None
    await asyncio.to_thread(server.thaw)
    async with run_server(url, key_file=str(key)) as api:
        done = await insist(api.submit, game.game_id, 1, tokens[1], "once", command, problems=[])
        assert_once(await api.events(game.game_id), {"once": done.version})


@pytest.mark.socket
async def test_a_commit_that_a_standby_does_not_confirm_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is well then; who gave up would leave there what waits on, and again with each try."""
    asked: list[bool] = []
    ask = PostgresReader.waits_for_standby

    def counted(readers: PostgresReader, process: int) -> bool:
        asked.append(ask(readers, process))
        return asked[-1]

    monkeypatch.setattr(PostgresReader, "waits_for_standby", counted)
    missing = servers.missing_reason()
    if missing:
        pytest.skip(missing)
    pair = Pair()
    try:
        async with run_server(pair.url(), key_file=str(tmp_path / "key")) as api:
            game, tokens = await api.create()
            command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
            await asyncio.to_thread(pair.standby.stop)
            asked.clear()
            submitting = asyncio.create_task(api.submit(game.game_id, 1, tokens[1], "once", command))
            await until(lambda: len(asked) >= 2)
            assert asked == [True] * len(asked)
            assert not submitting.done()
            await asyncio.to_thread(pair.standby.start)
            assert not (await submitting).repeated
    finally:
        pair.close()
