"""Start, stop, kill and restart a server."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from errno import ENOSPC
from io import StringIO
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.service.api_server import Api, error_details, grpc_error, run_server

from boardkeeper.client import BadRequest, Client, bot
from boardkeeper.service.config import Config
from boardkeeper.service.errors import FileInUseError, StartupError
from boardkeeper.service.observability import logs
from boardkeeper.service.observability.logs import configure_logging
from boardkeeper.service.process.server import Service, run, running_service
from boardkeeper.service.requests.texts import preferred_language
from boardkeeper.v1 import game_pb2, games_pb2, games_pb2_grpc

pytestmark = pytest.mark.socket

SEAT = games_pb2.SeatRequest

_SERVER = """
import sys
from boardkeeper.service.config import Config
from boardkeeper.service.errors import StartupError
from boardkeeper.service.process.server import run
try:
    sys.exit(run(Config.read({"database": sys.argv[1], "listen": sys.argv[2], "log": "json", "grace_seconds": 2})))
except StartupError as error:
    sys.exit(f"StartupError: {error}")
"""


class Process:
    """A server process that a test can kill."""

    def __init__(self, database: Path, listen: str = "127.0.0.1:0", **environment: str) -> None:
        self.log = database.with_name(f"{database.name}.log")
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _SERVER, str(database), listen], stderr=log, env=os.environ | environment
            )

    async def address(self) -> str:
        """Return the address once the server listens."""
        await self.until(lambda lines: any(line["event"] == "listening" for line in lines))
        return str([line["address"] for line in self.lines() if line["event"] == "listening"][-1])

    async def until(self, condition: Callable[[list[dict[str, Any]]], bool]) -> None:
        """Wait until the log satisfies a condition."""
        for _ in range(2_000):
            if condition(self.lines()):
                return
            assert self.process.poll() is None, self.log.read_text()
            await asyncio.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def lines(self) -> list[dict[str, Any]]:
        """Return the complete lines of the log."""
        whole = self.log.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines() if line.startswith("{")]


@asynccontextmanager
async def process_on(database: Path, **environment: str) -> AsyncIterator[tuple[Process, Api]]:
    database.with_name(f"{database.name}.log").unlink(missing_ok=True)
    server = Process(database, **environment)
    try:
        address = await server.address()
        async with grpc.aio.insecure_channel(address) as channel:
            yield server, Api(channel, address)
    finally:
        if server.process.poll() is None:
            server.process.kill()
        server.process.wait()


async def test_a_killed_server_loses_no_answered_command(tmp_path: Path) -> None:
    """Kill the server several times during a game of bots and people."""
    database = tmp_path / "games.db"
    chance = random.Random(4)
    async with process_on(database) as (server, api):
        game, tokens = await api.create(SEAT(name="Ada"), SEAT(bot="sensible"), SEAT(name="Bob"))
        game_id = game.game_id
        answered = await _play_until_killed(server, api, game_id, tokens, chance)
    for _ in range(2):
        async with process_on(database) as (server, api):
            for command_id, (seat, command, answer) in answered.items():
                again = await api.submit(game_id, seat, tokens[seat], command_id, command)
                assert again.repeated
                assert again.events == answer.events
            answered |= await _play_until_killed(server, api, game_id, tokens, chance)
    async with process_on(database) as (_, api):
        while (now := await api.game(game_id)).status != game_pb2.GAME_STATUS_ENDED:
            if not await api.play_turn(game_id, tokens, chance):
                await asyncio.sleep(0.01)
        events = await api.events(game_id)
        assert [event.version for event in events] == list(range(1, now.version + 1))
        caused = [(event.command_id, event.seat) for event in events]
        for command_id, (_, _, answer) in answered.items():
            assert sum(id == command_id for id, _ in caused) == len(answer.events)


async def _play_until_killed(
    server: Process, api: Api, game_id: str, tokens: dict[int, str], chance: random.Random
) -> dict[str, tuple[int, Any, games_pb2.SubmitCommandsResponse]]:
    """Submit legal commands and kill the server during or between two of them. Return the answered commands."""
    answered: dict[str, tuple[int, Any, games_pb2.SubmitCommandsResponse]] = {}
    last = chance.randint(5, 20)
    number = 0
    while True:
        game = await api.game(game_id)
        for seat in [seat for seat in game.deciding if seat in tokens]:
            legal = await api.legal(game_id, seat, tokens[seat])
            if not legal.commands:
                continue
            command = chance.choice(legal.commands).command
            command_id = f"{legal.version}.{chance.random()}"
            submitting = asyncio.ensure_future(api.submit(game_id, seat, tokens[seat], command_id, command))
            number += 1
            if number == last:
                await asyncio.sleep(chance.random() / 500)
                server.process.kill()
            outcome = (await asyncio.gather(submitting, return_exceptions=True))[0]
            if isinstance(outcome, games_pb2.SubmitCommandsResponse):
                answered[command_id] = seat, command, outcome
            elif number != last:  # a bot was faster
                assert isinstance(outcome, grpc.aio.AioRpcError)
                assert outcome.code() is grpc.StatusCode.FAILED_PRECONDITION, outcome
            if number == last:
                server.process.wait()
                return answered
        await asyncio.sleep(0.001)


async def test_a_restart_in_the_middle_of_a_game_of_bots(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create(SEAT(bot="random"), SEAT(bot="random"), SEAT(bot="random"))
    async with run_server(tmp_path / "games.db") as api:
        request = games_pb2.WatchGameRequest(game_id=game.game_id)
        versions = [answer.event.version async for answer in api.games.WatchGame(request)]
        assert versions == list(range(1, len(versions) + 1))
        assert (await api.game(game.game_id)).status == game_pb2.GAME_STATUS_ENDED


async def test_a_drain_finishes_open_calls_and_notifies_watchers(tmp_path: Path) -> None:
    async with process_on(tmp_path / "games.db") as (server, api):
        game, tokens = await api.create()
        watch = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id))
        play = api.games.Play()
        subscription = games_pb2.PlaySubscription(game_id=game.game_id, after_version=game.version)
        await play.write(games_pb2.PlayRequest(subscription=subscription))
        health: Any = health_pb2_grpc.HealthStub(api.channel)
        watching_health = health.Watch(health_pb2.HealthCheckRequest(service="boardkeeper.v1.Games"))
        assert (await watching_health.read()).status == health_pb2.HealthCheckResponse.SERVING
        for _ in range(game.version):
            await watch.read()
        server.process.send_signal(signal.SIGTERM)
        async with grpc_error(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN") as problems:
            await watch.read()
        assert problems[0].retry_after > 0
        async with grpc_error(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN"):
            while (await play.read()) is not grpc.aio.EOF:
                pass
        assert (await watching_health.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        watching_health.cancel()
        assert await asyncio.to_thread(server.process.wait, 100) == 0
        assert [line["event"] for line in server.lines()][-1] == "stopped"
        assert tokens


async def test_a_second_signal_ends_the_server_immediately(tmp_path: Path) -> None:
    async with process_on(tmp_path / "games.db", BOARDKEEPER_DRAIN_SECONDS="600") as (server, api):
        health: Any = health_pb2_grpc.HealthStub(api.channel)
        watching = health.Watch(health_pb2.HealthCheckRequest())
        assert (await watching.read()).status == health_pb2.HealthCheckResponse.SERVING
        server.process.send_signal(signal.SIGTERM)
        assert (await watching.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        server.process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(server.process.wait, 100) == 130
        assert [line["event"] for line in server.lines()][-1] == "stopping"


async def test_the_log_has_a_line_for_each_call_and_no_secret(tmp_path: Path) -> None:
    async with process_on(tmp_path / "games.db") as (server, api):
        game, tokens = await api.create(request_id="a-request-id-of-a-test")
        await api.play_turn(game.game_id, tokens, random.Random(1))
        async with grpc_error(grpc.StatusCode.NOT_FOUND):
            await api.game("00000000-0000-0000-0000-000000000000")
        await server.until(lambda lines: sum(line["event"] == "call" for line in lines) == 5)
        calls = [line for line in server.lines() if line["event"] == "call"]
        assert [line["rpc"] for line in calls] == [
            "Games.CreateGame",
            "Games.GetGame",
            "Games.ListLegalCommands",
            "Games.SubmitCommands",
            "Games.GetGame",
        ]
        submitted = calls[3]
        assert submitted["game"] == game.game_id
        assert submitted["seat"] in tokens
        assert submitted["command"].startswith("at-")
        assert submitted["code"] == "OK"
        assert submitted["ms"] > 0
        assert calls[4]["code"] == "NOT_FOUND"
        text = server.log.read_text()
        for secret in (*tokens.values(), "a-request-id-of-a-test"):
            assert secret not in text


@pytest.mark.sqlite_only
async def test_a_log_that_cannot_be_written_stops_no_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class FullDisk(StringIO):
        def flush(self) -> None:
            raise OSError(ENOSPC, "No space left on device")

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        legal = await api.legal(game.game_id, 1, tokens[1])
        with monkeypatch.context() as broken:
            broken.setattr(sys, "stderr", FullDisk())
            broken.setattr("boardkeeper.service.storage.sqlite.writer.SqliteWriter._insert_events", full)
            async with grpc_error(grpc.StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
                await api.submit(game.game_id, 1, tokens[1], "a", legal.commands[0].command)
        assert not (await api.submit(game.game_id, 1, tokens[1], "a", legal.commands[0].command)).repeated


def test_clients_cannot_forge_lines_of_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("console")
    logs._writer.flush()
    capsys.readouterr()  # lines of an earlier test
    structlog.get_logger().error("call", command="a\n2026-01-01 info call code=OK", rpc="Games.GetGame", game="a b")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(r"call       command='a\n2026-01-01 info call code=OK' rpc=Games.GetGame game='a b'")


@pytest.mark.sqlite_only
async def test_no_secret_is_in_the_log_of_events(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    async with run_server(database) as api:
        await api.create(SEAT(name="Adalovelace"), SEAT(name="Bob"), request_id="a-request-id-of-a-test")
    connection = sqlite3.connect(database)
    states = b"".join(state for (state,) in connection.execute("SELECT state FROM stored_events"))
    (secret,) = connection.execute("SELECT secret FROM dice_secrets").fetchone()
    connection.close()
    assert len(secret) == 32
    for hidden in (b"Adalovelace", secret.hex().encode(), b"a-request-id"):
        assert hidden not in states


async def test_an_unexpected_error_has_an_id_for_the_client_and_a_stack_trace_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        legal = await api.legal(game.game_id, 1, tokens[1])

        def broken(*_: object) -> None:
            raise ZeroDivisionError("a bug")

        monkeypatch.setattr("boardkeeper.game.game.Game.decide", broken)
        async with grpc_error(grpc.StatusCode.UNKNOWN, "UNEXPECTED") as problems:
            await api.submit(game.game_id, 1, tokens[1], "a", legal.commands[0].command)
        monkeypatch.undo()
        assert "bug" not in problems[0].text
        assert problems[0].values["error_id"] == problems[0].call_id
        assert f'"call_id":"{problems[0].call_id}"' in capfd.readouterr().err
        assert not (await api.submit(game.game_id, 1, tokens[1], "a", legal.commands[0].command)).repeated


# --- failing to start ----------------------------------------------------------------------------------------


def files_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.sqlite_only
async def test_a_busy_port(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        config = Config(database=str(tmp_path / "games.db"), listen=f"127.0.0.1:{port}", log="off")
        with pytest.raises(StartupError, match=f"127.0.0.1:{port}.*in use"):
            await Service(config).start()
        assert files_in(tmp_path) == {}
    service = Service(msgspec.structs.replace(config, listen="127.0.0.1:0"))
    await service.start()
    await service.stop()


async def test_a_busy_port_leaves_a_database_as_it_is(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    async with run_server(database) as api:
        game, _ = await api.create()
    before = files_in(tmp_path)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        config = Config(database=str(database), listen=f"127.0.0.1:{other.getsockname()[1]}", log="off")
        with pytest.raises(StartupError, match="the port is in use"):
            await Service(config).start()
    assert files_in(tmp_path) == before
    async with run_server(database) as api:
        assert (await api.game(game.game_id)).version == game.version


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("database", "problem"),
    [
        ("oracle://somewhere", "oracle"),
        ("typo/games.db", "does not exist"),
        (".", "is a folder"),
        ("letter.db", "not a Boardkeeper database"),
    ],
)
async def test_errors_of_the_database_are_reported_also_if_the_port_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str, problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.db").write_text("Dear Sir or Madam, " * 50)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        config = Config(database=database, listen=f"127.0.0.1:{other.getsockname()[1]}", log="off")
        with pytest.raises(StartupError, match=problem):
            await Service(config).start()


@pytest.mark.parametrize(
    "changes",
    [
        {"listen": "nonsense"},
        {"listen": "127.0.0.1:99999"},
        {"listen": "192.0.2.7:0"},
        {"listen": ":0"},
        {"database": "postgres://localhost/games"},
        {"database": "sqlite:///:memory:"},
        {"database": "sqlite://"},
        {"database": ""},
        {"database": "/proc/nowhere/games.db"},
    ],
)
async def test_settings_that_cannot_work(tmp_path: Path, changes: dict[str, str]) -> None:
    settings: dict[str, Any] = {"database": str(tmp_path / "games.db"), "listen": "127.0.0.1:0", **changes}
    with pytest.raises(StartupError):
        await Service(Config(**settings, log="off")).start()


@pytest.mark.sqlite_only
def test_a_file_is_used_by_one_server(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    first = running_service(database)
    with (
        first as address,
        pytest.raises(FileInUseError, match="is in use by process") as error,
        running_service(database),
    ):
        pass
    assert (error.value.process, error.value.address) == (str(os.getpid()), address)


@pytest.mark.sqlite_only
def test_a_read_only_server_shows_games_and_moves_no_bot(tmp_path: Path) -> None:
    """The game of two bots does not continue while clients read it."""
    database = tmp_path / "games.db"
    with running_service(database, read_only=True) as address:
        with pytest.raises(FileInUseError) as error, running_service(database):
            pass
        assert error.value.address == ""  # a read-only server reports no address
        with Client(address) as client:
            game = client.create_game("orleans", [bot("random"), bot("random")]).game
    with running_service(database, read_only=True, wait_seconds=0.5) as address, Client(address) as client:
        with pytest.raises(BadRequest):
            client.game(game.game_id, min_version=game.version + 1)
        assert client.game(game.game_id).version == game.version
    with running_service(database, wait_seconds=200) as address, Client(address) as client:
        assert client.game(game.game_id, min_version=game.version + 1).version > game.version


@pytest.mark.sqlite_only
def test_run_reports_a_failed_start(tmp_path: Path) -> None:
    with pytest.raises(StartupError):
        run(Config(database=str(tmp_path), listen="127.0.0.1:0", log="off"))


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("DE-at", "de"),
        ("fr", "en"),
        ("en;q=0.1, de;q=0.2", "de"),
        ("de;q=0", "en"),
        ("x;q=y,,;", "en"),
    ],
)
def test_languages(header: str, language: str) -> None:
    assert preferred_language(header) == language


# --- for tests and demonstrations ----------------------------------------------------------------------------


@contextmanager
def stub(address: str) -> Iterator[Any]:
    with grpc.insecure_channel(address) as channel:
        yield games_pb2_grpc.GamesStub(channel)


def test_a_service_on_a_thread(tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db", heartbeat_seconds=1.0) as address, stub(address) as games:
        created = games.CreateGame(
            games_pb2.CreateGameRequest(title="orleans", seats=[SEAT(bot="sensible"), SEAT(bot="random")])
        )
        events = [it.event for it in games.WatchGame(games_pb2.WatchGameRequest(game_id=created.game.game_id))]
        assert events[-1].name == "GameEnded"
        with pytest.raises(grpc.RpcError) as caught:
            games.GetGame(games_pb2.GetGameRequest(game_id="x"))
        assert list(error_details(caught.value).violations) == ["game_id"]
    with stub(address) as games, pytest.raises(grpc.RpcError):
        games.ListGames(games_pb2.ListGamesRequest(), timeout=2)
