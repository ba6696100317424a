"""Every call has an id in the log, in the response and in errors."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog
from grpc import StatusCode
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.service.api_server import bearer, error_details, grpc_error, run_server

from boardkeeper.client import Client, NotFound
from boardkeeper.service.observability import logs
from boardkeeper.service.transport.call_ids import HEADER, MAX_LENGTH, accept_call_id, new_call_id
from boardkeeper.v1 import games_pb2
from boardkeeper.wire.errors import parse_status

pytestmark = pytest.mark.socket

NOWHERE = "00000000-0000-0000-0000-000000000000"
UNKNOWN_GAME = games_pb2.GetGameRequest(game_id=NOWHERE)


class Lines:
    """All lines of the log, parsed from JSON."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []

    def info(self, line: str) -> None:
        self.all.append(json.loads(line))

    warning = error = info

    async def of(self, event: str, number: int = 1, **values: str) -> list[dict[str, Any]]:
        """Wait for ``number`` lines of an event with these values, and return them."""
        for _ in range(10_000):
            found = [line for line in self.all if line["event"] == event and values.items() <= line.items()]
            if len(found) >= number:
                return found
            await asyncio.sleep(0.005)
        raise AssertionError(self.all)


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lines]:
    written = Lines()
    before = structlog.get_config()
    monkeypatch.setattr(logs, "_writer", written)
    yield written
    structlog.configure(**before)


def call_id_in(metadata: Any) -> str:
    """Return the call id in the trailers of a response or an error."""
    return str(dict(metadata)[HEADER])


async def test_the_id_of_the_client_is_in_the_response_and_in_the_log(tmp_path: Path, lines: Lines) -> None:
    async with run_server(tmp_path / "games.db", log="json") as api:
        game, _ = await api.create()
        request = games_pb2.GetGameRequest(game_id=game.game_id)
        call = api.games.GetGame(request, metadata=((HEADER, "their:id-1"),))
        await call
        assert call_id_in(await call.trailing_metadata()) == "their:id-1"
        create, get = await lines.of("call", 2)
        assert get["call_id"] == "their:id-1"
        assert create["call_id"] not in ("", "their:id-1")


async def test_calls_without_an_id_get_different_ids(tmp_path: Path, lines: Lines) -> None:
    async with run_server(tmp_path / "games.db", log="json") as api:
        game, _ = await api.create()
        lines.all.clear()
        calls = [api.games.GetGame(games_pb2.GetGameRequest(game_id=game.game_id)) for _ in range(20)]
        await asyncio.gather(*calls)
        ids = [call_id_in(await call.trailing_metadata()) for call in calls]
        assert len(set(ids)) == 20
        assert sorted(line["call_id"] for line in await lines.of("call", 20)) == sorted(ids)


async def test_an_error_has_the_id_in_its_details_and_its_trailers(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await api.games.GetGame(UNKNOWN_GAME, metadata=((HEADER, "abc"),))
        assert error_details(caught.value).call_id == call_id_in(caught.value.trailing_metadata()) == "abc"


@pytest.mark.parametrize(
    "metadata", [(("authorization", "nonsense"), (HEADER, "abc")), ((HEADER, "abc"), ("authorization", "nonsense"))]
)
async def test_an_authentication_error_has_the_id(tmp_path: Path, metadata: tuple[tuple[str, str], ...]) -> None:
    async with run_server(tmp_path / "games.db") as api:
        async with grpc_error(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING") as problems:
            await api.games.GetGame(UNKNOWN_GAME, metadata=metadata)
        assert problems[0].call_id == "abc"


async def test_an_error_for_too_much_metadata_has_a_new_id(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        async with grpc_error(StatusCode.RESOURCE_EXHAUSTED, "METADATA_TOO_LARGE") as problems:
            await api.games.GetGame(UNKNOWN_GAME, metadata=[(HEADER, "abc"), *[("a", "")] * 64])
        assert problems[0].call_id not in ("", "abc")


async def test_streams_have_the_id_in_rejections_and_at_the_end(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        play = api.games.Play(metadata=((HEADER, "a-stream"),))
        await play.write(games_pb2.PlayRequest(commands=games_pb2.PlayCommands(game_id="nonsense")))
        assert parse_status((await play.read()).rejection.status).call_id == "a-stream"
        await play.done_writing()
        assert await play.read() is grpc.aio.EOF
        assert call_id_in(await play.trailing_metadata()) == "a-stream"
        async with grpc_error(StatusCode.NOT_FOUND) as problems:
            watch = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=NOWHERE), metadata=((HEADER, "watching"),))
            await watch.read()
        assert problems[0].call_id == "watching"


async def test_health_checks_have_ids_and_need_no_token(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        health: Any = health_pb2_grpc.HealthStub(api.channel)
        metadata = ((HEADER, "abc"), ("authorization", "nonsense"))
        call = health.Check(health_pb2.HealthCheckRequest(), metadata=metadata)
        assert (await call).status == health_pb2.HealthCheckResponse.SERVING
        assert call_id_in(await call.trailing_metadata()) == "abc"


@pytest.mark.sqlite_only
async def test_lines_of_the_writer_thread_have_the_id(
    tmp_path: Path, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread of the writer logs the results of several calls in one batch."""

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    async with run_server(tmp_path / "games.db", log="json") as api:
        monkeypatch.setattr("boardkeeper.service.storage.sqlite.writer.SqliteWriter._insert_events", full)
        seats = [games_pb2.SeatRequest(name="Ada"), games_pb2.SeatRequest(name="Bob")]
        create = games_pb2.CreateGameRequest(title="orleans", seats=seats)
        calls = [api.games.CreateGame(create, metadata=((HEADER, f"call-{number}"),)) for number in range(3)]
        results = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(result, grpc.aio.AioRpcError) for result in results)
        failed = await lines.of("append failed", 3)
        assert sorted(line["call_id"] for line in failed) == ["call-0", "call-1", "call-2"]


@pytest.mark.sqlite_only
async def test_lines_of_reader_threads_have_the_id(tmp_path: Path, lines: Lines) -> None:
    database = tmp_path / "games.db"
    async with run_server(database) as api:
        game, tokens = await api.create()
    connection = sqlite3.connect(database)
    with connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE stored_events SET state=x'00' WHERE originator_version=2")
    connection.close()
    async with run_server(database, log="json") as api:
        request = games_pb2.GetBoardRequest(game_id=game.game_id)
        await api.games.GetBoard(request, metadata=(*bearer(tokens[2]), (HEADER, "looking")))
        await lines.of("game damaged, served read-only up to there", call_id="looking")


def test_lines_outside_of_calls_have_no_id(lines: Lines) -> None:
    logs.configure_logging("json")
    structlog.get_logger().error("stopping")
    assert "call_id" not in lines.all[0]


async def test_errors_of_the_sdk_have_the_id(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:

        def ask() -> str:
            with Client(api.address) as client, pytest.raises(NotFound) as caught:
                client.game(NOWHERE)
            return caught.value.call_id

        assert await asyncio.to_thread(ask)


@pytest.mark.parametrize(
    "sent",
    ["a", "7", "0d3c9f9a-1b2c-4d5e-8f90-123456789abc", "Root=1-5e1b4151-5ac6c58f2d", "a" * MAX_LENGTH, "a/b+c==@x:1"],
)
def test_accepted_ids(sent: str) -> None:
    assert accept_call_id(sent) == sent


@pytest.mark.parametrize(
    "sent", ["", " ", "a b", "a\nb", "a\n", "-a", "é", "٣", "a" * (MAX_LENGTH + 1), '"', "a,b", "{x}"]
)
def test_replaced_ids(sent: str) -> None:
    replaced = accept_call_id(sent)
    assert replaced != sent
    assert accept_call_id(replaced) == replaced != new_call_id()
