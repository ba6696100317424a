"""A server in the loop of a test, its gRPC stubs, and a client that plays random legal commands."""

from __future__ import annotations

import random
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.status_pb2 import Status

from boardkeeper.service.config import Config
from boardkeeper.service.observability.logs import configure_logging
from boardkeeper.service.process.server import Service
from boardkeeper.service.transport.statuses import DETAILS_KEY
from boardkeeper.v1 import (
    catalog_pb2_grpc,
    feed_pb2_grpc,
    game_pb2,
    games_pb2,
    games_pb2_grpc,
    history_pb2,
    history_pb2_grpc,
    players_pb2_grpc,
    webhooks_pb2_grpc,
)
from boardkeeper.wire.errors import ErrorDetails, parse_status

Metadata = tuple[tuple[str, str], ...]


def bearer(token: str, **more: str) -> Metadata:
    """Return the metadata of a seat. It is empty without a token: HTTP/2 forbids a space at the end."""
    return ((("authorization", f"Bearer {token}"),) if token else ()) + tuple(more.items())


def error_details(error: grpc.RpcError) -> ErrorDetails:
    """Return the details of the error of a call."""
    trailers: Any = error.trailing_metadata()
    details = dict(trailers or ()).get(DETAILS_KEY, b"")
    return parse_status(Status.FromString(details))


def record_threads(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[int]:
    """Record the thread of each call of a function from now on."""
    function = getattr(owner, name)
    threads: list[int] = []

    def record(*arguments: Any, **more: Any) -> Any:
        threads.append(threading.get_ident())
        return function(*arguments, **more)

    monkeypatch.setattr(owner, name, record)
    return threads


async def read_pages(read: Callable[[Any], Awaitable[Any]], request: Any) -> list[Any]:
    """Read all pages of a list."""
    pages: list[Any] = []
    while not pages or request.page_token:
        pages.append(await read(request))
        request.page_token = pages[-1].next_page_token
    return pages


class Api:
    """Stubs over one channel to ``address``."""

    def __init__(self, channel: grpc.aio.Channel, address: str = "") -> None:
        self.address = address
        self.channel = channel
        self.catalog: Any = catalog_pb2_grpc.CatalogStub(channel)
        self.games: Any = games_pb2_grpc.GamesStub(channel)
        self.feed: Any = feed_pb2_grpc.FeedStub(channel)
        self.webhooks: Any = webhooks_pb2_grpc.WebhooksStub(channel)
        self.history: Any = history_pb2_grpc.HistoryStub(channel)
        self.players: Any = players_pb2_grpc.PlayersStub(channel)

    async def create(
        self, *seats: games_pb2.SeatRequest, request_id: str = "", **more: Any
    ) -> tuple[game_pb2.Game, dict[int, str]]:
        """Create a game, by default for two people. Return it and its tokens by seat."""
        seats = seats or (games_pb2.SeatRequest(name="Ada"), games_pb2.SeatRequest(name="Bob"))
        answer = await self.games.CreateGame(
            games_pb2.CreateGameRequest(title="orleans", seats=seats, request_id=request_id, **more)
        )
        return answer.game, {it.seat: it.token for it in answer.seat_tokens}

    async def game(self, game_id: str) -> game_pb2.Game:
        """Return a game."""
        answer: games_pb2.GetGameResponse = await self.games.GetGame(games_pb2.GetGameRequest(game_id=game_id))
        return answer.game

    async def legal(self, game_id: str, seat: int, token: str) -> games_pb2.ListLegalCommandsResponse:
        """Return the legal commands of a seat."""
        request = games_pb2.ListLegalCommandsRequest(game_id=game_id, seat=seat)
        answer: games_pb2.ListLegalCommandsResponse = await self.games.ListLegalCommands(
            request, metadata=bearer(token)
        )
        return answer

    async def submit(
        self, game_id: str, seat: int, token: str, command_id: str, *commands: Any, **more: Any
    ) -> games_pb2.SubmitCommandsResponse:
        """Submit commands."""
        request = games_pb2.SubmitCommandsRequest(
            game_id=game_id, seat=seat, commands=commands, command_id=command_id, **more
        )
        answer: games_pb2.SubmitCommandsResponse = await self.games.SubmitCommands(request, metadata=bearer(token))
        return answer

    async def play_turn(self, game_id: str, tokens: Mapping[int, str], chance: random.Random) -> int:
        """Submit a random legal command of a seat with a decision. Return the version, or 0 if the game is over."""
        game = await self.game(game_id)
        seat = next((seat for seat in game.deciding if seat in tokens), 0)
        if not seat:
            return 0
        legal = await self.legal(game_id, seat, tokens[seat])
        command = chance.choice(legal.commands).command
        answer = await self.submit(game_id, seat, tokens[seat], f"at-{legal.version}", command)
        return answer.version

    async def events(self, game_id: str, token: str = "", **more: Any) -> list[Any]:
        """Read all events of a game, page by page."""
        request = history_pb2.ListEventsRequest(game_id=game_id, page_size=70, **more)
        read = partial(self.history.ListEvents, metadata=bearer(token) if token else ())
        return [event for page in await read_pages(read, request) for event in page.events]


@asynccontextmanager
async def run_server(database: Path | str, **settings: Any) -> AsyncIterator[Api]:
    """Run a server on a free port, with stubs for it."""
    async with run_service(database, **settings) as (service, channel):
        yield Api(channel, service.address)


@asynccontextmanager
async def run_service(database: Path | str, **settings: Any) -> AsyncIterator[tuple[Service, grpc.aio.Channel]]:
    """Run a server on a free port, with a channel to it."""
    chosen: dict[str, Any] = {"log": "off", "grace_seconds": 0.5} | settings
    config = Config(database=str(database), listen="127.0.0.1:0", **chosen)
    configure_logging(config.log)
    service = Service(config)
    await service.start()
    try:
        async with grpc.aio.insecure_channel(service.address) as channel:
            yield service, channel
    finally:
        await service.stop()


@asynccontextmanager
async def grpc_error(code: grpc.StatusCode, reason: str = "") -> AsyncIterator[list[ErrorDetails]]:
    """Fail unless the body raises a gRPC error with this code and reason. Its details are added to the list."""
    problems: list[ErrorDetails] = []
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield problems
    problems.append(error_details(caught.value))
    assert caught.value.code() is code, caught.value
    assert problems[0].code is code
    if reason:
        assert problems[0].reason == reason
    assert "Traceback" not in str(caught.value.details())
