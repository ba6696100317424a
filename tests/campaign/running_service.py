"""A running service on a file, with a gRPC channel and players in this process.

Records, imports, forks and undos go over the socket. The hundreds of moves of a game do not: the players call the
command handler directly, which is faster.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import grpc
from msgspec import Struct
from tests.kit.adapters import adapter_of
from tests.service.api_server import Api, bearer

from boardkeeper.game.game import RUNNING, Game
from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.config import Config
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.observability.logs import configure_logging
from boardkeeper.service.process.server import Service
from boardkeeper.service.seeded_ids import Seeded
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.v1 import game_pb2, games_pb2, history_pb2

OPERATOR = "operator-token-of-the-campaign-0123456789"

Policy = Callable[[Game, int, random.Random], Struct]
"""Chooses a command for a seat that has a decision."""


def choose_any(game: Game, seat: int, chance: random.Random) -> Struct:
    """Choose any legal command."""
    return chance.choice(game.legal(seat))


def choose_eagerly(game: Game, seat: int, chance: random.Random) -> Struct:
    """Choose a command that leads to rarely used rules."""
    return adapter_of(game.title.meta.id).eager(chance, game.play, seat, game.legal(seat))


def choose_as_bot(game: Game, seat: int, chance: random.Random) -> Struct:
    """Choose the command of the title's first bot."""
    title, legal = game.title, game.legal(seat)
    bot = title.meta.bots[0].id
    return ask_bot(title, game.created.setup, game.table, bot, seat, legal, chance.random())


POLICIES: dict[str, Policy] = {"wild": choose_any, "eager": choose_eagerly, "sensible": choose_as_bot}


class RunningService:
    """A running service and a channel to it."""

    def __init__(self, api: Api, handler: CommandHandler) -> None:
        self.api = api
        self.handler = handler
        self._importing = asyncio.Semaphore(3)  # a service rejects a fifth import at the same time

    async def play(self, game: str, chance: random.Random, moves: int = 100_000, policy: Policy = choose_any) -> int:
        """Make this number of moves, or all until the end of the game; return the version."""
        id = UUID(game)
        version = 0
        for _ in range(moves):
            async with self.handler.registry.lock(id) as live:
                version = live.game.version
                if live.game.status != RUNNING:
                    break
                seat = chance.choice(live.game.table.deciding())
                command = policy(live.game, seat, chance)
            version = (await self.handler.act(id, seat, SubmitCommands([command]), f"move-{version}")).version
        return version

    async def record(self, game: str, token: str = "") -> bytes:
        """Return the record of a game as the token's viewer gets it."""
        stream = self.api.history.GetRecord(history_pb2.GetRecordRequest(game_id=game), metadata=_metadata(token))
        return b"".join([answer.data async for answer in stream])

    async def import_record(self, record: bytes) -> history_pb2.ImportRecordResponse:
        pieces = [record[at : at + 100_000] for at in range(0, len(record), 100_000)]
        requests = (history_pb2.ImportRecordRequest(data=piece) for piece in pieces)
        async with self._importing:
            answer: history_pb2.ImportRecordResponse = await self.api.history.ImportRecord(requests)
        return answer

    async def verify(self, game: str, token: str = "") -> history_pb2.Verification:
        """Return how the service verifies its own record."""
        request = history_pb2.VerifyGameRequest(game_id=game)
        answer: history_pb2.VerifyGameResponse = await self.api.history.VerifyGame(request, metadata=_metadata(token))
        return answer.verification

    async def fork(self, game: str, version: int, token: str, players: int) -> tuple[game_pb2.Game, dict[int, str]]:
        """Fork what the token's viewer sees of the game, for people; return the fork and its seat tokens."""
        seats = [games_pb2.SeatRequest(name=f"P{seat}") for seat in range(players)]
        request = games_pb2.ForkGameRequest(game_id=game, version=version, seats=seats)
        answer = await self.api.games.ForkGame(request, metadata=_metadata(token))
        return answer.game, {it.seat: it.token for it in answer.seat_tokens}

    async def undo(self, game: str, tokens: dict[int, str], chance: random.Random) -> str:
        """Request an undo of a seat's last command; other seats consent or decline at random. Return the outcome."""
        before = await self.api.game(game)
        seat = chance.choice(list(tokens))
        request = games_pb2.RequestUndoRequest(game_id=game, seat=seat, command_id=f"undo-{before.version}")
        try:
            await self.api.games.RequestUndo(request, metadata=bearer(tokens[seat]))
        except grpc.aio.AioRpcError as error:
            raise_unless(grpc.StatusCode.FAILED_PRECONDITION, error)
            return "rejected"
        voted = False
        while True:
            now = await self.api.game(game)
            if not now.HasField("undo_vote"):
                return "undone by vote" if voted else "undone"
            voted = True
            voter, consents = now.undo_vote.waiting[0], chance.random() < 0.8
            answer = games_pb2.AnswerUndoRequest(
                game_id=game,
                seat=voter,
                request_version=now.undo_vote.request_version,
                consent=consents,
                command_id=f"answer-{now.version}",
            )
            try:
                await self.api.games.AnswerUndo(answer, metadata=bearer(tokens[voter]))
            except grpc.aio.AioRpcError as error:
                raise_unless(grpc.StatusCode.FAILED_PRECONDITION, error)
                consents = False
                answer.consent = False
                await self.api.games.AnswerUndo(answer, metadata=bearer(tokens[voter]))
            if not consents:
                return "declined"


def raise_unless(code: grpc.StatusCode, error: grpc.aio.AioRpcError) -> None:
    """Raise an error that has another status code."""
    if error.code() is not code:
        raise error


def _metadata(token: str) -> Any:
    return bearer(token) if token else ()


@asynccontextmanager
async def run_service(folder: Path, seeded: Seeded | None = None) -> AsyncIterator[RunningService]:
    """Run a service on a file in the folder; with ``seeded`` its dice are reproducible."""
    config = Config(
        database=str(folder / "games.db"),
        listen="127.0.0.1:0",
        log="off",
        grace_seconds=0.5,
        synchronous="NORMAL",
        operator_token=OPERATOR,
    )
    configure_logging(config.log)
    service = Service(config, seeded=seeded)
    await service.start()
    try:
        async with grpc.aio.insecure_channel(service.address) as channel:
            yield RunningService(Api(channel, service.address), service._handler)
    finally:
        await service.stop()
