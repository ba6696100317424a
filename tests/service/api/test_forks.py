"""Forks over a real socket and through the Python SDK."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import pytest
from tests.service.api_server import Api, bearer, grpc_error, record_threads, run_server
from tests.service.keys import OPERATOR_TOKEN

from boardkeeper.client import Client, bot, person
from boardkeeper.client.aio import AsyncClient
from boardkeeper.game.game import Game
from boardkeeper.service.process.server import running_service
from boardkeeper.titlekit import hidden_information
from boardkeeper.v1 import board_pb2, game_pb2, games_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

SEAT = games_pb2.SeatRequest


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with run_server(tmp_path / "games.db", operator_token=OPERATOR_TOKEN) as api:
        yield api


async def fork(api: Api, game_id: str, token: str, *seats: Any, **more: Any) -> tuple[game_pb2.Game, dict[int, str]]:
    seats = seats or (SEAT(name="Cid"), SEAT(name="Dora"))
    request = games_pb2.ForkGameRequest(game_id=game_id, seats=seats, **more)
    answer = await api.games.ForkGame(request, metadata=bearer(token) if token else ())
    return answer.game, {it.seat: it.token for it in answer.seat_tokens}


async def board(api: Api, game_id: str, token: str, version: int | None = None) -> board_pb2.Board:
    request = games_pb2.GetBoardRequest(game_id=game_id, version=version)
    answer: games_pb2.GetBoardResponse = await api.games.GetBoard(request, metadata=bearer(token))
    return answer.board


async def play_turns(api: Api, turns: int) -> tuple[str, dict[int, str], list[int]]:
    """Create a game and play random turns; return its id, its tokens and its version after each turn."""
    game, tokens = await api.create()
    chance = random.Random(7)
    versions = [await api.play_turn(game.game_id, tokens, chance) for _ in range(turns)]
    return game.game_id, tokens, [game.version, *versions]


async def test_an_operators_fork_equals_the_board_of_its_version(api: Api) -> None:
    game_id, _, versions = await play_turns(api, 60)
    new, tokens = await fork(api, game_id, OPERATOR_TOKEN, version=versions[30])
    assert sorted(tokens) == [1, 2]
    assert [seat.name for seat in new.seats] == ["Cid", "Dora"]
    assert (new.forked_from.game_id, new.forked_from.version) == (game_id, versions[30])
    assert await board(api, new.game_id, OPERATOR_TOKEN) == await board(api, game_id, OPERATOR_TOKEN, versions[30])
    created = (await api.events(new.game_id))[0].detail.game_created
    assert (created.forked_game, created.forked_version) == (game_id, versions[30])
    old = await api.game(game_id)
    assert new.dice_commitment != old.dice_commitment
    assert not old.HasField("forked_from")
    chance = random.Random(3)
    reached = [await api.play_turn(new.game_id, tokens, chance) for _ in range(40)]
    assert (await api.game(new.game_id)).version == reached[-1] > reached[0] > new.version
    assert (await api.game(game_id)).version == old.version


async def test_a_fork_starts_after_the_whole_command(api: Api) -> None:
    game_id, tokens, versions = await play_turns(api, 12)
    for version in range(1, versions[-1] + 1):
        new, _ = await fork(api, game_id, tokens[1], version=version)
        assert new.forked_from.version == next(end for end in versions if end >= version)
        assert new.deciding


async def test_a_seat_forks_its_own_view(api: Api) -> None:
    game_id, tokens, _ = await play_turns(api, 40)
    new, new_tokens = await fork(api, game_id, tokens[2])  # no bots: a bot could play before the response arrives
    assert await board(api, new.game_id, new_tokens[2], new.version) == await board(api, game_id, tokens[2])
    with_bot, _ = await fork(api, game_id, tokens[2], SEAT(bot="random"), SEAT(name="Dora"))
    assert [seat.bot for seat in with_bot.seats] == ["random", ""]
    from_spectator, _ = await fork(api, game_id, "", SEAT(name="Eve"), SEAT(open=True))
    assert from_spectator.status == game_pb2.GAME_STATUS_OPEN
    joined = await api.games.JoinGame(games_pb2.JoinGameRequest(game_id=from_spectator.game_id, seat=2))
    assert joined.game.status == game_pb2.GAME_STATUS_RUNNING


async def test_a_fork_is_prepared_in_other_threads(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dealing takes time that depends on the game, so it must not block the event loop."""
    game_id, tokens, _ = await play_turns(api, 20)
    dealt = record_threads(monkeypatch, hidden_information, "redeal_hidden")
    started = record_threads(monkeypatch, Game, "start_if_full")
    await fork(api, game_id, tokens[1])
    assert len(dealt) == len(started) == 1
    assert threading.get_ident() not in [*dealt, *started]


async def test_a_repeated_fork_request_creates_one_game(api: Api) -> None:
    game_id, tokens, _ = await play_turns(api, 3)
    request_id = str(uuid4())
    first = await fork(api, game_id, tokens[1], request_id=request_id)
    assert await fork(api, game_id, tokens[1], request_id=request_id) == first
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED"):
        await fork(api, game_id, OPERATOR_TOKEN, request_id=request_id)


async def test_forks_that_are_rejected(api: Api) -> None:
    game_id, tokens, versions = await play_turns(api, 3)
    async with grpc_error(grpc.StatusCode.OUT_OF_RANGE, "VERSION_OUT_OF_RANGE"):
        await fork(api, game_id, tokens[1], version=versions[-1] + 1)
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
        await fork(api, game_id, tokens[1], SEAT(name="Cid"))
    assert list(problems[0].violations) == ["seats"]
    waiting, _ = await api.create(SEAT(name="Ada"), SEAT(open=True))
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "GAME_NOT_STARTED"):
        await fork(api, waiting.game_id, OPERATOR_TOKEN)
    sealed, tokens = await api.create(options={"planning": "sealed"})
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "PLANS_HIDDEN"):
        await fork(api, sealed.game_id, tokens[1])
    await fork(api, sealed.game_id, OPERATOR_TOKEN)
    async with grpc_error(grpc.StatusCode.PERMISSION_DENIED):
        await fork(api, game_id, "unknown")


def test_the_sdk_forks(tmp_path: Path) -> None:
    with running_service(str(tmp_path / "games.db")) as address:
        with Client(address) as client:
            anna = client.create_game("orleans", [person("Anna"), person("Bruno")]).seats[0]
            at = anna.submit(anna.legal_commands().commands[0]).version
            new = client.fork(anna.game_id, [person("Anna"), bot()], token=anna.token)
            assert new.game.forked_from.version == at
            assert [seat.number for seat in new.seats] == [1]

        async def check_async_client() -> None:
            async with AsyncClient(address) as client:
                fork = await client.fork(anna.game_id, [person("Anna"), person("Bruno")], version=at - 1)
                assert fork.game.forked_from.version == at - 1

        asyncio.run(check_async_client())
