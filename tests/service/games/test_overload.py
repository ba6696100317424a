"""If the write queue is full, every RPC that writes returns an error and changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api.test_undo import place_follower
from tests.service.api_server import Api, bearer, error_details, run_server
from tests.service.keys import OPERATOR_TOKEN

from boardkeeper.client import Client, bot
from boardkeeper.service.games.game_writer import GameWriter
from boardkeeper.service.process.server import running_service
from boardkeeper.service.storage.sqlite.writer import SqliteWriter
from boardkeeper.service.storage.writer import Batch, Writer
from boardkeeper.v1 import games_pb2, history_pb2, players_pb2

pytestmark = pytest.mark.socket

SEAT = games_pb2.SeatRequest
REQUEST_ID = "a-request-id-of-a-test"
READS: dict[str, set[str]] = {
    "Games": {
        "GetGame",
        "ListGames",
        "CheckCommand",
        "ListLegalCommands",
        "ExplainRefusals",
        "GetBoard",
        "GetTable",
        "GetScores",
        "WatchGame",
    },
    "Players": {"ListResults", "GetStandings", "ListInvitations", "RevokeInvitation"},
    "History": {"ListEvents", "GetRecord", "VerifyGame", "ListKeys"},
}


class GamesInEveryState:
    """A server with one game in every state that a write needs."""

    def __init__(self, api: Api, record: bytes) -> None:
        self.api = api
        self.record = record

    async def prepare(self) -> None:
        self.invitations = ""
        self.open, self.host = await self.api.create(SEAT(name="Ada"), SEAT(open=True))
        self.game, self.tokens = await self.api.create(SEAT(name="Ada"), SEAT(name="Bob", player_id="bob"))
        await place_follower(self.api, self.game.game_id, 1, self.tokens[1])
        self.command = (await self.api.legal(self.game.game_id, 1, self.tokens[1])).commands[0].command
        # Another game, in which seat 1 has requested an undo.
        self.vote, self.voters = await self.api.create()
        await place_follower(self.api, self.vote.game_id, 1, self.voters[1])
        await place_follower(self.api, self.vote.game_id, 2, self.voters[2])
        request = games_pb2.RequestUndoRequest(game_id=self.vote.game_id, seat=1, command_id="undo")
        self.undo_request = await self.api.games.RequestUndo(request, metadata=bearer(self.voters[1]))

        self.handed, self.handed_tokens = await self.api.create()
        handing = games_pb2.HandSeatToBotRequest(game_id=self.handed.game_id, seat=1, command_id="hand-over")
        await self.api.games.HandSeatToBot(handing, metadata=bearer(self.handed_tokens[1]))
        watched = games_pb2.WatchGameRequest(game_id=self.handed.game_id)
        async for _ in self.api.games.WatchGame(watched):  # until the bot waits for the other seat
            if list((await self.api.game(self.handed.game_id)).deciding) == [2]:
                break

    def commands(self, id: str) -> dict[str, Any]:
        return {"game_id": self.game.game_id, "seat": 1, "commands": [self.command], "command_id": id}

    async def state(self) -> tuple[dict[str, tuple[int, list[str]]], str]:
        """Return the version and players of all games, the token of seat 1 and the codes of invitations."""
        listed = await self.api.games.ListGames(games_pb2.ListGamesRequest())
        players = {game.game_id: [seat.player_id for seat in game.seats] for game in listed.games}
        versions = {game.game_id: (game.version, players[game.game_id]) for game in listed.games}
        return versions, self.tokens[1] + self.invitations


async def create(service: GamesInEveryState) -> None:
    await service.api.create(request_id=REQUEST_ID)


async def join(service: GamesInEveryState) -> None:
    request = games_pb2.JoinGameRequest(game_id=service.open.game_id, name="Bob", request_id=REQUEST_ID)
    await service.api.games.JoinGame(request)


async def fork(service: GamesInEveryState) -> None:
    seats = [SEAT(name="Ada"), SEAT(name="Bob")]
    request = games_pb2.ForkGameRequest(game_id=service.game.game_id, seats=seats, request_id=REQUEST_ID)
    await service.api.games.ForkGame(request)


async def submit(service: GamesInEveryState) -> None:
    request = games_pb2.SubmitCommandsRequest(**service.commands("submit"))
    await service.api.games.SubmitCommands(request, metadata=bearer(service.tokens[1]))


async def play(service: GamesInEveryState) -> None:
    await send_on_stream(service, games_pb2.PlayRequest(commands=games_pb2.PlayCommands(**service.commands("play"))))


async def play_action(service: GamesInEveryState) -> None:
    request = games_pb2.ResignSeatRequest(game_id=service.game.game_id, seat=1, command_id="give-up")
    await send_on_stream(service, games_pb2.PlayRequest(action=games_pb2.PlayAction(resign_seat=request)))


async def send_on_stream(service: GamesInEveryState, request: games_pb2.PlayRequest) -> None:
    """Send a request on a play stream; raise a rejection, which is an answer there, as an error."""
    call = service.api.games.Play(metadata=bearer(service.tokens[1]))
    await call.write(request)
    answer = await call.read()
    await call.done_writing()
    if answer.WhichOneof("response") == "rejection":
        raise StreamRejectionError(answer.rejection.status.code, str(answer.rejection.status))
    assert answer.outcome.version


async def request_undo(service: GamesInEveryState) -> None:
    request = games_pb2.RequestUndoRequest(game_id=service.game.game_id, seat=1, command_id="take-back")
    await service.api.games.RequestUndo(request, metadata=bearer(service.tokens[1]))


async def answer_undo(service: GamesInEveryState) -> None:
    request = games_pb2.AnswerUndoRequest(
        game_id=service.vote.game_id,
        seat=2,
        request_version=service.undo_request.version,
        consent=True,
        command_id="vote",
    )
    await service.api.games.AnswerUndo(request, metadata=bearer(service.voters[2]))


async def resign(service: GamesInEveryState) -> None:
    request = games_pb2.ResignSeatRequest(game_id=service.game.game_id, seat=1, command_id="resign")
    await service.api.games.ResignSeat(request, metadata=bearer(service.tokens[1]))


async def hand_to_bot(service: GamesInEveryState) -> None:
    request = games_pb2.HandSeatToBotRequest(game_id=service.game.game_id, seat=2, command_id="hand-over")
    await service.api.games.HandSeatToBot(request, metadata=bearer(service.tokens[2]))


async def take_back(service: GamesInEveryState) -> None:
    request = games_pb2.TakeSeatBackRequest(game_id=service.handed.game_id, seat=1, command_id="take-back-seat")
    await service.api.games.TakeSeatBack(request, metadata=bearer(service.handed_tokens[1]))


async def import_record(service: GamesInEveryState) -> None:
    blocks = (service.record[at : at + 50_000] for at in range(0, len(service.record), 50_000))
    await service.api.history.ImportRecord(history_pb2.ImportRecordRequest(data=block) for block in blocks)


async def remove(service: GamesInEveryState) -> None:
    request = games_pb2.RemoveGameRequest(game_id=service.game.game_id)
    await service.api.games.RemoveGame(request, metadata=bearer(OPERATOR_TOKEN))


async def reissue(service: GamesInEveryState) -> None:
    request = games_pb2.ReissueSeatTokenRequest(game_id=service.game.game_id, seat=1)
    answer = await service.api.games.ReissueSeatToken(request, metadata=bearer(service.tokens[1]))
    service.tokens[1] = answer.seat_token.token


async def set_player(service: GamesInEveryState) -> None:
    request = players_pb2.SetSeatPlayerRequest(game_id=service.game.game_id, seat=1, player_id="anna")
    await service.api.players.SetSeatPlayer(request)


async def invite(service: GamesInEveryState) -> None:
    request = players_pb2.CreateInvitationRequest(game_id=service.open.game_id)
    service.invitations += (await service.api.players.CreateInvitation(request, metadata=bearer(service.host[1]))).code


async def erase_player(service: GamesInEveryState) -> None:
    request = players_pb2.ErasePlayerRequest(player_id="bob")
    await service.api.players.ErasePlayer(request, metadata=bearer(OPERATOR_TOKEN))


class StreamRejectionError(Exception):
    """A rejection that came on a stream."""


WRITES: dict[str, Callable[[GamesInEveryState], Awaitable[None]]] = {
    "CreateGame": create,
    "JoinGame": join,
    "ForkGame": fork,
    "SubmitCommands": submit,
    "Play": play,
    "Play (action)": play_action,
    "RequestUndo": request_undo,
    "AnswerUndo": answer_undo,
    "ImportRecord": import_record,
    "RemoveGame": remove,
    "ReissueSeatToken": reissue,
    "ResignSeat": resign,
    "HandSeatToBot": hand_to_bot,
    "TakeSeatBack": take_back,
    "SetSeatPlayer": set_player,
    "CreateInvitation": invite,
    "ErasePlayer": erase_player,
}


def test_every_rpc_is_a_read_or_a_write() -> None:
    for module, name in ((games_pb2, "Games"), (history_pb2, "History"), (players_pb2, "Players")):
        rpcs = {method.name for method in module.DESCRIPTOR.services_by_name[name].methods}
        assert rpcs - READS[name] <= set(WRITES)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The record of a game of another server."""
    folder = tmp_path_factory.mktemp("elsewhere")
    with running_service(folder / "games.db") as address, Client(address) as client:
        game = client.create_game("orleans", [bot("random"), bot("random")]).game
        for _ in client.watch(game.game_id):
            pass
        return client.record(game.game_id)


@pytest.fixture
async def service(tmp_path: Path, record: bytes) -> AsyncIterator[GamesInEveryState]:
    async with run_server(tmp_path / "games.db", operator_token=OPERATOR_TOKEN) as api:
        service = GamesInEveryState(api, record)
        await service.prepare()
        yield service


@contextmanager
def fill_queue(monkeypatch: pytest.MonkeyPatch, *, seen_early: bool) -> Iterator[None]:
    """Fill the queue; unless ``seen_early``, only after the check at the start of a request."""
    with monkeypatch.context() as patch:
        patch.setattr(Writer, "is_full", property(lambda _: True))
        if not seen_early:
            patch.setattr(GameWriter, "check_ready", lambda _: None)
        yield


@pytest.mark.parametrize("seen_early", [True, False])
@pytest.mark.parametrize("rpc", WRITES)
async def test_a_full_queue_is_reported_and_nothing_is_changed(
    service: GamesInEveryState, monkeypatch: pytest.MonkeyPatch, rpc: str, seen_early: bool
) -> None:
    write = WRITES[rpc]
    before = await service.state()
    with (
        fill_queue(monkeypatch, seen_early=seen_early),
        pytest.raises((grpc.aio.AioRpcError, StreamRejectionError)) as caught,
    ):
        await write(service)
    if isinstance(caught.value, grpc.aio.AioRpcError):
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        problem = error_details(caught.value)
        assert (problem.reason, problem.retry_after > 0) == ("OVERLOADED", True)
    else:
        assert caught.value.args[0] == grpc.StatusCode.RESOURCE_EXHAUSTED.value[0]
        assert "OVERLOADED" in caught.value.args[1]
    assert await service.state() == before
    await write(service)  # the same request, under the same id
    after = await service.state()
    assert after != before, "the repeated request succeeds"


@pytest.mark.sqlite_only
async def test_requests_above_the_queue_limit_are_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One request is being written and one waits; both are stored when the disk continues, all others are rejected."""
    held: list[tuple[SqliteWriter, Batch]] = []
    is_held = asyncio.Event()
    write = SqliteWriter.submit

    def hold(writer: SqliteWriter, batch: Batch) -> None:
        if not any(append.events for append in batch.appends):
            write(writer, batch)  # background writes of the server
            return
        held.append((writer, batch))
        is_held.set()

    async with run_server(tmp_path / "games.db", queue_limit=1) as api:
        with monkeypatch.context() as stuck:
            stuck.setattr(SqliteWriter, "submit", hold)
            first = asyncio.ensure_future(api.create(request_id=f"{REQUEST_ID}-0"))
            await is_held.wait()  # requests in the same iteration of the event loop would all be rejected
            calls = {asyncio.ensure_future(api.create(request_id=f"{REQUEST_ID}-{at}")) for at in range(1, 6)}
            rejected = 0
            while rejected < 4:
                done, calls = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
                for call in done:
                    error = call.exception()
                    assert isinstance(error, grpc.aio.AioRpcError)
                    assert error_details(error).reason == "OVERLOADED"
                    rejected += 1
            stuck.setattr(SqliteWriter, "submit", write)
            ((writer, batch),) = held
            write(writer, batch)
        stored = {game.game_id for game, _ in await asyncio.gather(first, *calls)}
        listed = await api.games.ListGames(games_pb2.ListGamesRequest())
        assert {game.game_id for game in listed.games} == stored
        assert len(stored) == 2
