"""Boards and legal commands of past versions over a real socket."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api_server import Api, bearer, grpc_error, run_server

from boardkeeper.client import Client, person
from boardkeeper.client.aio import AsyncClient
from boardkeeper.service.cache.snapshots import SNAPSHOT_INTERVAL
from boardkeeper.service.process.server import running_service
from boardkeeper.titles.registry import TITLES
from boardkeeper.v1 import games_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]


async def legal(api: Api, game_id: str, seat: int, token: str, **more: Any) -> games_pb2.ListLegalCommandsResponse:
    request = games_pb2.ListLegalCommandsRequest(game_id=game_id, seat=seat, **more)
    answer: games_pb2.ListLegalCommandsResponse = await api.games.ListLegalCommands(request, metadata=bearer(token))
    return answer


async def board(api: Api, game_id: str, token: str, **more: Any) -> games_pb2.GetBoardResponse:
    request = games_pb2.GetBoardRequest(game_id=game_id, **more)
    answer: games_pb2.GetBoardResponse = await api.games.GetBoard(request, metadata=bearer(token))
    return answer


@pytest.mark.parametrize("planning", ["open", "sealed"])
async def test_boards_and_legal_commands_of_past_versions(api: Api, planning: str) -> None:
    game, tokens = await api.create(options={"planning": planning})
    seen: dict[int, dict[int, tuple[Any, Any]]] = {}
    chance = random.Random(5)
    for _ in range(45):
        version = (await api.game(game.game_id)).version
        seen[version] = {
            seat: (await board(api, game.game_id, token), await legal(api, game.game_id, seat, token))
            for seat, token in tokens.items()
        }
        await api.play_turn(game.game_id, tokens, chance)
    for version in chance.sample(sorted(seen), len(seen)):
        for seat, token in tokens.items():
            shown, commands = seen[version][seat]
            assert await board(api, game.game_id, token, version=version) == shown
            assert await legal(api, game.game_id, seat, token, version=version) == commands


@pytest.mark.parametrize("title", list(TITLES))
async def test_no_seat_has_legal_commands_between_the_events_of_a_command(api: Api, title: str) -> None:
    """The rules do not know this state of the table, so the server must not call them."""
    seats = [games_pb2.SeatRequest(name=name) for name in ("Ada", "Bob")]
    created = await api.games.CreateGame(games_pb2.CreateGameRequest(title=title, seats=seats))
    game, tokens = created.game.game_id, {it.seat: it.token for it in created.seat_tokens}
    chance = random.Random(3)
    versions = [created.game.version, *[await api.play_turn(game, tokens, chance) for _ in range(30)]]
    assert len(versions) < versions[-1], "commands with several events"
    for version in range(1, versions[-1] + 1):
        commands = [(await legal(api, game, seat, token, version=version)).commands for seat, token in tokens.items()]
        assert any(commands) == (version in versions), version


@pytest.mark.sqlite_only
async def test_the_service_stores_snapshots_in_the_background(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    boards: dict[int, Any] = {}
    async with run_server(database) as api:
        game, _ = await api.create(games_pb2.SeatRequest(bot="random"), games_pb2.SeatRequest(bot="sensible"))
        async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id)):
            pass
        last = (await api.game(game.game_id)).version
        async with asyncio.timeout(100):
            while snapshot_versions(database) != [*range(SNAPSHOT_INTERVAL, last, SNAPSHOT_INTERVAL), last]:  # noqa: ASYNC110  # only the file shows it
                await asyncio.sleep(0.01)

        def past(version: int) -> games_pb2.GetBoardRequest:
            return games_pb2.GetBoardRequest(game_id=game.game_id, version=version)

        for version in (last, last - 1, last // 2, 5):
            boards[version] = await api.games.GetBoard(past(version))
    async with run_server(database) as api:
        for version, shown in boards.items():
            assert await api.games.GetBoard(past(version)) == shown


def snapshot_versions(database: Path) -> list[int]:
    connection = sqlite3.connect(database)
    rows = connection.execute("SELECT originator_version FROM stored_snapshots ORDER BY 1").fetchall()
    connection.close()
    return [row[0] for row in rows]


async def test_unknown_versions_are_rejected(api: Api) -> None:
    game, tokens = await api.create()
    for version in (0, -1, game.version + 1):
        async with grpc_error(grpc.StatusCode.OUT_OF_RANGE, "VERSION_OUT_OF_RANGE"):
            await legal(api, game.game_id, 1, tokens[1], version=version)
        async with grpc_error(grpc.StatusCode.OUT_OF_RANGE, "VERSION_OUT_OF_RANGE"):
            await board(api, game.game_id, tokens[1], version=version)
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
        await legal(api, game.game_id, 1, tokens[1], version=1, min_version=1)
    assert list(problems[0].violations) == ["min_version"]
    async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG"):
        await legal(api, game.game_id, 1, tokens[2], version=1)
    assert not (await legal(api, game.game_id, 1, tokens[1], version=1)).commands
    assert not (await board(api, game.game_id, tokens[1], version=1)).HasField("board")


def test_the_sdk_reads_past_versions(tmp_path: Path) -> None:
    with running_service(str(tmp_path / "games.db")) as address:
        with Client(address) as client:
            anna = client.create_game("orleans", [person("Anna"), person("Bruno")]).seats[0]
            before = anna.legal_commands()
            anna.submit(before.commands[0])
            assert anna.legal_commands(version=before.version) == before
            assert anna.legal_commands().version > before.version

        async def check_async_client() -> None:
            async with AsyncClient(address) as client:
                seat = client.seat(anna.game_id, anna.number, anna.token)
                assert await seat.legal_commands(version=before.version) == before

        asyncio.run(check_async_client())
