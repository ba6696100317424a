"""Calls leave no reference cycles, because a run of the garbage collector stops all calls."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from tests.garbage_checks import assert_no_cycles
from tests.service.api_server import Api, bearer, run_server

from boardkeeper.v1 import catalog_pb2, games_pb2, history_pb2

pytestmark = pytest.mark.socket

Tokens = dict[int, str]


async def play(api: Api, game: str, tokens: Tokens) -> None:
    chance = random.Random(1)
    for _ in range(40):
        await api.play_turn(game, tokens, chance)


async def read(api: Api, game: str, tokens: Tokens) -> None:
    for seat in (1, 2):
        metadata = bearer(tokens[seat])
        await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game), metadata=metadata)
        await api.games.GetTable(games_pb2.GetTableRequest(game_id=game), metadata=metadata)
        await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game, version=1), metadata=metadata)
    await api.games.ListGames(games_pb2.ListGamesRequest())
    await api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="orleans"))


async def watch(api: Api, game: str, tokens: Tokens) -> None:
    chance = random.Random(1)
    watched = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game), metadata=bearer(tokens[2]))
    await watched.read()
    for _ in range(10):
        await api.play_turn(game, tokens, chance)
        await watched.read()
    watched.cancel()


async def wait(api: Api, game: str, tokens: Tokens) -> None:
    version = (await api.game(game)).version
    for seconds in (Duration(nanos=1_000_000), Duration(seconds=200)):
        request = games_pb2.GetGameRequest(game_id=game, min_version=version + 1, wait=seconds)
        waiting = asyncio.ensure_future(api.games.GetGame(request))
        if seconds.seconds:
            await api.play_turn(game, tokens, random.Random(1))
        await waiting


async def stream(api: Api, game: str, tokens: Tokens) -> None:
    legal = await api.legal(game, 1, tokens[1])
    playing = api.games.Play(metadata=bearer(tokens[1]))
    for id in ("first", "first", "second"):
        commands = games_pb2.PlayCommands(game_id=game, seat=1, commands=[legal.commands[0].command], command_id=id)
        await playing.write(games_pb2.PlayRequest(commands=commands))
        await playing.read()
    await playing.done_writing()
    while await playing.read() is not grpc.aio.EOF:
        pass


async def fail(api: Api, game: str, tokens: Tokens) -> None:
    legal = await api.legal(game, 1, tokens[1])
    command = legal.commands[0].command
    for token, seat, more in ((tokens[2], 1, {}), (tokens[1], 9, {}), (tokens[1], 1, {"expected_version": 99})):
        with suppress(grpc.RpcError):
            await api.submit(game, seat, token, "refused", command, **more)
    for _ in range(3):
        with suppress(grpc.RpcError):
            await api.submit(game, 1, tokens[1], "again", *[command] * 40)
        with suppress(grpc.RpcError):
            await api.game("nothing")
    explain = games_pb2.ExplainRefusalsRequest(game_id=game, seat=1, subjects=["seat.1.market"])
    await api.games.ExplainRefusals(explain, metadata=bearer(tokens[1]))
    check = games_pb2.CheckCommandRequest(game_id=game, seat=1, commands=[command])
    await api.games.CheckCommand(check, metadata=bearer(tokens[1]))


async def undo(api: Api, game: str, tokens: Tokens) -> None:
    await api.play_turn(game, {1: tokens[1]}, random.Random(1))
    request = games_pb2.RequestUndoRequest(game_id=game, seat=1, command_id="undo")
    await api.games.RequestUndo(request, metadata=bearer(tokens[1]))


async def read_past(api: Api, game: str, tokens: Tokens) -> None:
    await play(api, game, tokens)
    await api.events(game)
    async for _ in api.history.GetRecord(history_pb2.GetRecordRequest(game_id=game)):
        pass
    await api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game))


async def create(api: Api, game: str, tokens: Tokens) -> None:
    seats = (games_pb2.SeatRequest(name="Ada"), games_pb2.SeatRequest(open=True))
    created, _ = await api.create(*seats)
    await api.games.JoinGame(games_pb2.JoinGameRequest(game_id=created.game_id, name="Bob"))


@pytest.mark.parametrize("use", [play, read, watch, wait, stream, fail, undo, read_past, create])
async def test_a_call_leaves_no_cycles(tmp_path: Path, use: Callable[[Api, str, Tokens], Awaitable[None]]) -> None:
    async with run_server(tmp_path / "games.db") as api:
        first, its_tokens = await api.create()
        second, tokens = await api.create()
        await use(api, first.game_id, its_tokens)  # creates what stays in memory
        with assert_no_cycles():
            await use(api, second.game_id, tokens)
