"""A suspended database server: the kernel keeps its connections and accepts new ones, but no query is answered."""

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
from tests.service.storage.postgres_games import (
    WAIT,
    is_reachable,
    is_unreachable,
    new_event,
    new_game,
    open_postgres,
    store,
)
from tests.service.storage.test_failover import (
    Health,
    Player,
    call_until_available,
    check_chains,
    check_stored_once,
    watch,
)
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
_TIMEOUT = 4
"""In seconds: longer than a running server takes on a busy machine."""


@pytest.fixture(autouse=True)
def _short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TimeoutConnection, "response_timeout", float(_TIMEOUT))
    monkeypatch.setattr(reader, "_WAIT_SECONDS", 2.0)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A separate server that can be frozen."""
    if servers.missing_reason():
        pytest.skip(servers.missing_reason())
    server = servers.start_server("fsync=off", "shared_buffers=32MB")
    yield server
    server.close()


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    with server.database() as url:
        try:
            yield f"{url}&connect_timeout={_TIMEOUT}"
        finally:
            server.thaw()


def test_a_frozen_server_is_reported_as_unreachable(server: Server, url: str, key: Path) -> None:
    """The server may carry out the appends when it resumes; repeated appends are stored once."""
    database = open_postgres(url, key)
    try:
        game, other = uuid4(), uuid4()
        assert store(database, new_game(game)) == [Stored()]
        server.freeze()
        assert [is_unreachable(it) for it in store(database, new_event(game, 2))] == [True]
        assert f"answered nothing for {_TIMEOUT} seconds" in str(database.log.writer.last_error)
        assert [is_unreachable(it) for it in store(database, new_game(other))] == [True]
        assert not is_reachable(database)
        with pytest.raises(UnreachableError):
            database.game_tables.lobby_row(game)
        server.thaw()
        wait_until(lambda: is_reachable(database))
        version = database.log.versions([game])[game]
        assert store(database, *(new_event(game, at) for at in range(version + 1, 4))) == [Stored()] * (3 - version)
        linked, head, at = database.log.select_chain(game)
        assert [row[0] for row in linked] == [1, 2, 3]
        assert (head, at) == (linked[-1][3], 3)
    finally:
        database.close()


def test_closing_a_database_on_a_frozen_server_fails_queued_appends(server: Server, url: str, key: Path) -> None:
    """Only the first queued append waits for the timeout."""
    database = open_postgres(url, key)
    database.listen(lambda _changes: None)
    games = [uuid4() for _ in range(8)]
    assert store(database, *map(new_game, games)) == [Stored()] * 8
    found: list[Outcome] = []
    blocked, resumed = threading.Event(), threading.Event()

    def block(outcomes: list[Outcome]) -> None:
        blocked.set()
        assert resumed.wait(WAIT)

    database.log.writer.submit(Batch([new_event(games[0], 2)], block))
    assert blocked.wait(WAIT)
    for game in games[1:]:
        database.log.writer.submit(Batch([new_event(game, 2)], found.extend))
    server.freeze()
    resumed.set()
    closing = threading.Thread(target=database.close)
    closing.start()
    closing.join(WAIT)
    assert not closing.is_alive()
    assert [is_unreachable(it) for it in found] == [True] * 7


def test_the_listener_notices_a_frozen_server(
    server: Server, url: str, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the timeout, it would still listen to the frozen server after a failover."""
    disconnected = threading.Event()
    hang_up = TimeoutConnection._hang_up

    def record_hang_up(connection: TimeoutConnection) -> None:
        hang_up(connection)
        if threading.current_thread().name == "boardkeeper-listener":  # not a new connection of the readers
            disconnected.set()

    monkeypatch.setattr(TimeoutConnection, "_hang_up", record_hang_up)
    monkeypatch.setattr(notifications, "_CHECK_SECONDS", 0.1)
    received = queue.SimpleQueue[PeerChanges]()
    database = open_postgres(url, key)
    try:
        database.listen(received.put)
        assert received.get(timeout=WAIT) == PeerChanges(has_gap=True)
        monkeypatch.setattr(TimeoutConnection, "response_timeout", 0.5)
        server.freeze()
        assert disconnected.wait(WAIT)
        server.thaw()
        assert received.get(timeout=WAIT) == PeerChanges(has_gap=True)
    finally:
        database.close()


def test_time_while_the_own_process_is_suspended_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a suspended machine resumes, the server has had no time to answer."""
    now = [0.0]
    monkeypatch.setattr(timeouts, "time", SimpleNamespace(monotonic=lambda: now[0]))
    hung_up: list[float] = []
    connection: Any = SimpleNamespace(keep_waiting=None, _hang_up=lambda: hung_up.append(now[0]))

    def wait_without_end() -> Generator[Wait, int, None]:
        while True:
            yield Wait.R

    waiting = TimeoutConnection._limit(connection, wait_without_end(), 3.0)
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
async def test_a_service_continues_after_its_server_resumes_and_loses_no_answered_command(
    server: Server, url: str, key: Path
) -> None:
    async with run_server(url, key_file=str(key)) as api, asyncio.TaskGroup() as tasks:
        health = Health(api)
        await health.expect("SERVING")
        enough = asyncio.Event()
        game, tokens = await api.create()
        received: list[Any] = []
        watching = tasks.create_task(watch(api, game.game_id, received))
        player = Player(api, game.game_id, tokens, 1)
        playing = tasks.create_task(player.play(enough))
        await until(lambda: len(player.answered) >= _TURNS)

        await asyncio.to_thread(server.freeze)
        await health.expect("NOT_SERVING")
        await until(lambda: bool(player.problems))
        async with grpc_error(grpc.StatusCode.UNAVAILABLE, "READ_FAILED"):
            await api.games.ListGames(games_pb2.ListGamesRequest())
        before = len(player.answered)

        await asyncio.to_thread(server.thaw)
        await health.expect("SERVING")
        await until(lambda: len(player.answered) >= before + _TURNS)
        enough.set()
        await playing
        assert {problem.reason for problem in player.problems} <= {"STORAGE_FAILED", "READ_FAILED"}
        events = await api.events(game.game_id)
        check_stored_once(events, player.answered)
        await until(lambda: len(received) >= len(events))
        watching.cancel()
    assert [event.version for event in received] == list(range(1, len(events) + 1))
    check_chains(url, key, {game.game_id: len(events)})


@pytest.mark.socket
async def test_a_service_ends_while_its_server_is_frozen(
    server: Server, url: str, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storing = threading.Event()
    original = PostgresWriter._store

    def record_store(writer: PostgresWriter, appends: list[Append]) -> list[Outcome]:
        storing.set()
        return original(writer, appends)

    monkeypatch.setattr(PostgresWriter, "_store", record_store)
    async with asyncio.timeout(SECONDS):
        async with run_server(url, key_file=str(key)) as api:
            game, tokens = await api.create()
            command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
            await asyncio.to_thread(server.freeze)
            storing.clear()
            submitting = asyncio.create_task(api.submit(game.game_id, 1, tokens[1], "once", command))
            await until(storing.is_set)
        await asyncio.wait([submitting])
        assert submitting.cancelled() or submitting.exception() is not None
    await asyncio.to_thread(server.thaw)
    async with run_server(url, key_file=str(key)) as api:
        done = await call_until_available(api.submit, game.game_id, 1, tokens[1], "once", command, problems=[])
        check_stored_once(await api.events(game.game_id), {"once": done.version})


@pytest.mark.socket
async def test_the_writer_waits_for_the_standby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The primary works, so a new attempt would only add another commit that waits there."""
    answers: list[bool] = []
    original = PostgresReader.waits_for_standby

    def record_answer(readers: PostgresReader, process: int) -> bool:
        answers.append(original(readers, process))
        return answers[-1]

    monkeypatch.setattr(PostgresReader, "waits_for_standby", record_answer)
    if servers.missing_reason():
        pytest.skip(servers.missing_reason())
    pair = Pair()
    try:
        async with run_server(pair.url(), key_file=str(tmp_path / "key")) as api:
            game, tokens = await api.create()
            command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
            await asyncio.to_thread(pair.standby.stop)
            answers.clear()
            submitting = asyncio.create_task(api.submit(game.game_id, 1, tokens[1], "once", command))
            await until(lambda: len(answers) >= 2)
            assert answers == [True] * len(answers)
            assert not submitting.done()
            await asyncio.to_thread(pair.standby.start)
            assert not (await submitting).repeated
    finally:
        pair.close()
