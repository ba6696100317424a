"""The asyncio client behaves as the blocking one does."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from tests.client.fake_service import FakeGames, answer, fake_service, refuse, stream, stream_the_end

from boardkeeper.client import Client, Rejected, Seat, Unavailable
from boardkeeper.client.aio import AsyncClient, AsyncSeat
from boardkeeper.titles.orleans.commands import FinishPlanning
from boardkeeper.v1 import game_pb2, games_pb2

Code = grpc.StatusCode


@pytest.fixture
def service() -> Iterator[tuple[str, FakeGames]]:
    with fake_service() as running:
        yield running


def public(kind: type) -> set[str]:
    return {name for name, value in inspect.getmembers(kind) if not name.startswith("_") and callable(value)}


def test_it_has_the_same_methods() -> None:
    assert public(AsyncClient) == public(Client)
    assert public(AsyncSeat) == public(Seat)


async def test_a_lost_answer_is_asked_for_again_with_the_same_command_id(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.script = [
        refuse(Code.UNAVAILABLE, "restarting"),
        answer(games_pb2.SubmitCommandsResponse(version=6)),
    ]
    async with AsyncClient(address, patience=3.0) as client:
        outcome = await client.seat("g", 2, "secret").submit(FinishPlanning())
    assert outcome.version == 6
    assert games.requests[0] == games.requests[1]
    assert games.metadata[0]["authorization"] == "Bearer secret"


async def test_a_rejection_has_its_code(service: tuple[str, FakeGames]) -> None:
    address, games = service
    info = ErrorInfo(reason="NOT_YOUR_TURN", domain="boardkeeper", metadata={"rule": "orleans.actions.turn"})
    games.script = [refuse(Code.FAILED_PRECONDITION, "no", info)] * 2
    async with AsyncClient(address) as client:
        seat = client.seat("g", 2, "secret")
        with pytest.raises(Rejected) as caught:
            await seat.submit(FinishPlanning())
        checked = await seat.check(FinishPlanning())
    assert caught.value.code == "NOT_YOUR_TURN"
    assert checked is not None
    assert checked.rule == "orleans.actions.turn"


async def test_a_broken_stream_goes_on_without_gap_or_repetition(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.script = [
        stream(1, 0, 2, then=refuse(Code.UNAVAILABLE, "shutting down")),
        stream_the_end(2, 3, 4),
    ]
    async with AsyncClient(address, patience=3.0) as client:
        assert [event.version async for event in client.watch("g")] == [1, 2, 3, 4]
    assert [getattr(request, "after_version", None) for request in games.requests] == [0, 2]


async def test_pages_are_fetched_one_after_another(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.script = [
        answer(games_pb2.ListGamesResponse(games=[game_pb2.Game(game_id=id)], next_page_token=token))
        for id, token in (("a", "next"), ("b", ""))
    ]
    async with AsyncClient(address) as client:
        assert [game.game_id async for game in client.games()] == ["a", "b"]


async def test_nobody_there_is_unavailable() -> None:
    async with AsyncClient("127.0.0.1:1", patience=0.2) as client:
        with pytest.raises(Unavailable):
            await client.game("g")
