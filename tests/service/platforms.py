"""A server with two platforms, and calls of any RPC by its name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from tests.service.api_server import Api, Metadata, error_details, run_server
from tests.service.keys import OPERATOR_TOKEN, create_key_in, key_metadata

from boardkeeper.service.auth.key_management import CreatedKey
from boardkeeper.v1 import (
    access_pb2,
    catalog_pb2,
    feed_pb2,
    game_pb2,
    games_pb2,
    history_pb2,
    players_pb2,
    webhooks_pb2,
)
from boardkeeper.wire.errors import ErrorDetails

SEAT = games_pb2.SeatRequest


def methods() -> Iterator[tuple[str, MethodDescriptor]]:
    """Yield every RPC with its short name."""
    for module in (access_pb2, catalog_pb2, feed_pb2, games_pb2, history_pb2, players_pb2, webhooks_pb2):
        for service in module.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                yield f"{service.name}.{method.name}", method


METHODS = dict(methods())


async def call_rpc(api: Api, name: str, metadata: Metadata, **fields: Any) -> list[Any]:
    """Call an RPC with those of the fields that its request has, and return all answers."""
    method = METHODS[name]
    request = GetMessageClass(method.input_type)(
        **{field: value for field, value in fields.items() if field in method.input_type.fields_by_name}
    )
    path = f"/{method.containing_service.full_name}/{method.name}"
    parse = GetMessageClass(method.output_type).FromString
    make: Any = getattr(
        api.channel,
        f"{'stream' if method.client_streaming else 'unary'}_{'stream' if method.server_streaming else 'unary'}",
    )
    call = make(path, request_serializer=lambda it: it.SerializeToString(), response_deserializer=parse)
    answers = call(iter([request]) if method.client_streaming else request, metadata=metadata)
    return [answer async for answer in answers] if method.server_streaming else [await answers]


async def expect_error(api: Api, name: str, metadata: Metadata, **fields: Any) -> ErrorDetails:
    """Call an RPC that must fail and return its error."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call_rpc(api, name, metadata, **fields)
    return replace(error_details(caught.value), call_id="")


class PlatformServer:
    """A server and two platforms, each with a key for all scopes."""

    def __init__(self, api: Api, key: CreatedKey, other_key: CreatedKey) -> None:
        self.api = api
        self.key = key
        self.other_key = other_key
        self.game = game_pb2.Game()
        self.tokens: dict[int, str] = {}

    async def create(
        self, key: CreatedKey | None, *seats: games_pb2.SeatRequest, **more: Any
    ) -> tuple[str, dict[int, str]]:
        """Create a game of a platform, or of no platform."""
        seats = seats or (SEAT(name="Ada"), SEAT(name="Bob"))
        request = games_pb2.CreateGameRequest(title="orleans", seats=seats, **more)
        answer = await self.api.games.CreateGame(request, metadata=key_metadata(key) if key is not None else ())
        return answer.game.game_id, {it.seat: it.token for it in answer.seat_tokens}

    async def list_games(self, metadata: Metadata, **more: Any) -> list[str]:
        """Return the ids of the games that a caller can list."""
        answer = await self.api.games.ListGames(games_pb2.ListGamesRequest(**more), metadata=metadata)
        return [game.game_id for game in answer.games]


@asynccontextmanager
async def run_platform_server(database: Path, **settings: Any) -> AsyncIterator[PlatformServer]:
    key, other_key = create_key_in(database, "ours"), create_key_in(database, "theirs")
    async with run_server(database, operator_token=OPERATOR_TOKEN, **settings) as api:
        yield PlatformServer(api, key, other_key)
