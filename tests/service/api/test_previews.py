"""Effects of legal commands over a real socket, now and at past versions; the game stays unchanged."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import grpc
import pytest
from tests.service.api_server import Api, bearer, grpc_error

from boardkeeper.client.aio import AsyncClient
from boardkeeper.service.games import decider
from boardkeeper.v1 import games_pb2, history_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]


async def list_effects(
    api: Api, game_id: str, seat: int, token: str, **more: Any
) -> games_pb2.ListLegalCommandsResponse:
    request = games_pb2.ListLegalCommandsRequest(game_id=game_id, seat=seat, with_effects=True, **more)
    answer: games_pb2.ListLegalCommandsResponse = await api.games.ListLegalCommands(request, metadata=bearer(token))
    return answer


@pytest.mark.parametrize("planning", ["open", "sealed"])
async def test_effects_of_commands_at_every_version(api: Api, planning: str) -> None:
    game, tokens = await api.create(options={"planning": planning})
    chance, moved = random.Random(5), 0
    before: dict[tuple[int, int], games_pb2.ListLegalCommandsResponse] = {}
    for _ in range(60):
        for seat, token in tokens.items():
            now = await list_effects(api, game.game_id, seat, token)
            before[now.version, seat] = now
            plain = games_pb2.ListLegalCommandsResponse.FromString(now.SerializeToString())
            for command in plain.commands:
                moved += any(it.WhichOneof("effect") == "move" for it in command.effects)
                command.ClearField("effects")
            assert await api.legal(game.game_id, seat, token) == plain
        await api.play_turn(game.game_id, tokens, chance)
    assert moved > 100
    for (version, seat), then in before.items():
        assert await list_effects(api, game.game_id, seat, tokens[seat], version=version) == then


async def test_games_continue_while_clients_request_effects(api: Api) -> None:
    """The lists are longer than one batch of previews: no other call sees the table of a previewed command."""
    game, tokens = await api.create()
    over = False

    async def request_often(seat: int) -> int:
        requests = 0
        while not over:
            answer = await list_effects(api, game.game_id, seat, tokens[seat])
            assert answer == await list_effects(api, game.game_id, seat, tokens[seat], version=answer.version)
            requests += 1
        return requests

    clients = [asyncio.create_task(request_often(seat)) for seat in tokens for _ in range(2)]
    chance = random.Random(2)
    for _ in range(80):
        await api.play_turn(game.game_id, tokens, chance)
    over = True
    assert all(await asyncio.gather(*clients))
    request = history_pb2.VerifyGameRequest(game_id=game.game_id)
    verified = (await api.history.VerifyGame(request, metadata=bearer(tokens[1]))).verification
    assert not verified.problems


async def test_rules_that_fail_in_a_preview_do_not_change_the_game(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tokens = await api.create()
    before = await list_effects(api, game.game_id, 1, tokens[1])

    def fail(*_: object) -> None:
        raise RuntimeError("half done")

    with monkeypatch.context() as patched:
        patched.setattr(decider, "preview", fail)
        async with grpc_error(grpc.StatusCode.UNKNOWN, "UNEXPECTED"):
            await list_effects(api, game.game_id, 1, tokens[1])
    assert await list_effects(api, game.game_id, 1, tokens[1]) == before
    assert await api.play_turn(game.game_id, tokens, random.Random(1))


async def test_the_sdk_requests_effects(api: Api) -> None:
    game, tokens = await api.create()
    async with AsyncClient(api.address) as client:
        seat = client.seat(game.game_id, 1, tokens[1])
        assert await seat.legal_commands(with_effects=True) == await list_effects(api, game.game_id, 1, tokens[1])
        assert not any(command.effects for command in (await seat.legal_commands()).commands)
