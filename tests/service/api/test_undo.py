"""Undo over a real socket: free, with a vote, repeated, after a restart, and through the Python SDK."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api_server import Api, bearer, grpc_error, run_server

from boardkeeper.client import Client, Rejected, bot, person
from boardkeeper.client.aio import AsyncClient
from boardkeeper.service.process.server import running_service
from boardkeeper.titles.orleans.commands import FinishPlanning, PlaceFollower
from boardkeeper.v1 import games_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

PLACE = PlaceFollower("own_farmer", "ship", "farmer")
FAILED = grpc.StatusCode.FAILED_PRECONDITION


async def request_undo(api: Api, game_id: str, seat: int, token: str, id: str = "undo", **more: Any) -> Any:
    request = games_pb2.RequestUndoRequest(game_id=game_id, seat=seat, command_id=id, **more)
    return await api.games.RequestUndo(request, metadata=bearer(token))


async def answer_undo(api: Api, game_id: str, seat: int, token: str, version: int, consent: bool) -> Any:
    request = games_pb2.AnswerUndoRequest(
        game_id=game_id, seat=seat, request_version=version, consent=consent, command_id=f"answer-{version}"
    )
    return await api.games.AnswerUndo(request, metadata=bearer(token))


async def board(api: Api, game_id: str, token: str) -> Any:
    return (await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game_id), metadata=bearer(token))).board


async def place_follower(api: Api, game_id: str, seat: int, token: str) -> Any:
    legal = await api.legal(game_id, seat, token)
    command = next(it.command for it in legal.commands if it.command.orleans.HasField("place_follower"))
    return await api.submit(game_id, seat, token, f"place-{legal.version}", command)


async def test_a_free_undo_is_immediate_and_can_be_repeated(api: Api) -> None:
    game, tokens = await api.create()
    before = await board(api, game.game_id, tokens[1])
    done = await place_follower(api, game.game_id, 1, tokens[1])
    answer = await request_undo(api, game.game_id, 1, tokens[1], expected_version=done.version)
    (event,) = answer.events
    assert (event.name, event.seat, event.version) == ("Undone", 1, answer.version)
    assert (event.detail.undone.first_version, event.detail.undone.last_version) == (done.first_version, done.version)
    assert event.sentence == f"Ada undoes event {done.version}."
    assert await board(api, game.game_id, tokens[1]) == before
    again = await request_undo(api, game.game_id, 1, tokens[1])
    assert again.repeated
    assert list(again.events) == list(answer.events)
    async with grpc_error(FAILED, "NOTHING_TO_UNDO"):
        await request_undo(api, game.game_id, 1, tokens[1], "another")


async def test_the_last_consent_of_a_vote_executes_the_undo(api: Api) -> None:
    game, tokens = await api.create()
    before = await board(api, game.game_id, tokens[1])
    first = await place_follower(api, game.game_id, 1, tokens[1])
    await place_follower(api, game.game_id, 2, tokens[2])
    requested = await request_undo(api, game.game_id, 1, tokens[1])
    assert [event.name for event in requested.events] == ["UndoRequested"]
    vote = (await api.game(game.game_id)).undo_vote
    assert (vote.request_version, vote.seat, vote.first_version) == (requested.version, 1, first.first_version)
    assert (list(vote.consented), list(vote.waiting)) == ([], [2])
    done = await answer_undo(api, game.game_id, 2, tokens[2], requested.version, consent=True)
    assert [event.name for event in done.events] == ["UndoConsented", "Undone"]
    assert not (await api.game(game.game_id)).HasField("undo_vote")
    assert await board(api, game.game_id, tokens[1]) == before
    names = [event.name for event in await api.events(game.game_id)]
    assert names[-3:] == ["UndoRequested", "UndoConsented", "Undone"], "spectators see them too"


async def test_invalid_undo_requests_and_answers_are_rejected(api: Api) -> None:
    game, tokens = await api.create()
    await place_follower(api, game.game_id, 1, tokens[1])
    await place_follower(api, game.game_id, 2, tokens[2])
    async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG"):
        await request_undo(api, game.game_id, 1, tokens[2])
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT):
        await request_undo(api, game.game_id, 1, tokens[1], "")
    async with grpc_error(grpc.StatusCode.ABORTED, "VERSION_CONFLICT"):
        await request_undo(api, game.game_id, 1, tokens[1], expected_version=1)
    requested = await request_undo(api, game.game_id, 1, tokens[1])
    async with grpc_error(FAILED, "UNDO_OPEN"):
        await request_undo(api, game.game_id, 2, tokens[2])
    async with grpc_error(FAILED, "NO_SUCH_UNDO"):
        await answer_undo(api, game.game_id, 2, tokens[2], requested.version + 1, consent=True)
    async with grpc_error(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"):
        await api.games.AnswerUndo(
            games_pb2.AnswerUndoRequest(game_id=game.game_id, seat=2, request_version=requested.version, command_id="x")
        )
    declined = await answer_undo(api, game.game_id, 2, tokens[2], requested.version, consent=False)
    assert [event.name for event in declined.events] == ["UndoDeclined"]


async def test_a_vote_is_still_open_after_a_restart(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        before = await board(api, game.game_id, tokens[1])
        await place_follower(api, game.game_id, 1, tokens[1])
        await place_follower(api, game.game_id, 2, tokens[2])
        requested = await request_undo(api, game.game_id, 1, tokens[1])
    async with run_server(tmp_path / "games.db") as api:
        assert (await api.game(game.game_id)).undo_vote.request_version == requested.version
        await answer_undo(api, game.game_id, 2, tokens[2], requested.version, consent=True)
        assert await board(api, game.game_id, tokens[1]) == before


def test_the_sdk_undoes_and_bots_consent(tmp_path: Path) -> None:
    with running_service(str(tmp_path / "games.db")) as address, Client(address) as client:
        seat = client.create_game("orleans", [person("Anna"), bot("random")]).seats[0]
        seat.submit(PLACE)
        assert seat.request_undo().events[-1].name == "Undone"
        assert PLACE.follower in seat.board().board.orleans.seats[0].market
        with pytest.raises(Rejected) as caught:
            seat.request_undo()
        assert caught.value.rule == "table.undo_own_command"


def test_the_sdk_votes_on_undos(tmp_path: Path) -> None:
    with running_service(str(tmp_path / "games.db")) as address:
        with Client(address) as client:
            anna, bruno = client.create_game("orleans", [person("Anna"), person("Bruno")]).seats
            anna.submit(FinishPlanning())
            bruno.submit(PLACE)
            requested = anna.request_undo()
            assert anna.game().undo_vote.waiting == [2]
            bruno.submit(FinishPlanning())
            assert not anna.game().HasField("undo_vote"), "a command closes the vote"
            with pytest.raises(Rejected):
                bruno.answer_undo(requested.version, consent=True)

        async def check_async_client() -> None:
            async with AsyncClient(address) as client:
                one, two = (client.seat(it.game_id, it.number, it.token) for it in (anna, bruno))
                again = await one.request_undo()
                assert [event.name for event in again.events] == ["UndoRequested"]
                done = await two.answer_undo(again.version, consent=True)
                assert done.events[-1].name == "Undone"

        asyncio.run(check_async_client())
