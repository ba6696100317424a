"""The asyncio client behaves as the blocking one does."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from tests.client.fake_service import FakeGames, answer, fake_service, pieces, refuse, stream, stream_the_end

from boardkeeper.client import BadRequest, Client, Closed, Rejected, Seat, Unavailable, aio, bot, person
from boardkeeper.client.aio import AsyncClient, AsyncSeat
from boardkeeper.titles.orleans.commands import FinishPlanning, PlaceFollower
from boardkeeper.v1 import catalog_pb2, game_pb2, games_pb2, history_pb2, players_pb2

Code = grpc.StatusCode


@pytest.fixture
def service() -> Iterator[tuple[str, FakeGames]]:
    with fake_service() as running:
        yield running


def public(kind: type) -> set[str]:
    return {name for name, value in inspect.getmembers(kind) if not name.startswith("_") and callable(value)}


def parameters(method: object) -> list[tuple[str, object, object]]:
    """What can be given to a method: name, default, and whether only by name."""
    signature = inspect.signature(cast(Callable[..., object], method))
    return [(it.name, it.default, it.kind) for it in signature.parameters.values()]


@pytest.mark.parametrize(("blocking", "awaited"), [(Client, AsyncClient), (Seat, AsyncSeat)])
def test_it_has_the_same_methods_with_the_same_parameters(blocking: type, awaited: type) -> None:
    assert public(awaited) == public(blocking)
    for name in public(blocking) | {"__init__"}:
        assert parameters(getattr(awaited, name)) == parameters(getattr(blocking, name)), name


def test_every_rpc_can_be_called() -> None:
    """Of the services that are for clients, all but the stream for busy clients, which needs stubs."""
    source = inspect.getsource(aio)
    for services in (catalog_pb2, games_pb2, history_pb2, players_pb2):
        for service in services.DESCRIPTOR.services_by_name.values():
            for rpc in service.methods:
                assert re.search(rf"\.{rpc.name}\b", source) or rpc.name == "Play", f"{service.name}.{rpc.name}"


@pytest.mark.socket
async def test_it_does_what_the_blocking_one_does(address: str) -> None:
    """Undo, fork, past boards, records: against a real service."""
    async with AsyncClient(address) as client:
        new = await client.create_game("orleans", [person("Anna"), person("Ben")])
        anna, ben = new.seats
        assert len(anna.entropy) == 32
        placed = await anna.submit(PlaceFollower("own_farmer", "ship", "farmer"))
        assert [event.name for event in (await anna.request_undo()).events] == ["Undone"]
        await anna.submit(PlaceFollower("own_farmer", "ship", "farmer"))
        await ben.submit(PlaceFollower("own_farmer", "ship", "farmer"))
        asked = (await anna.request_undo()).events[-1]
        assert asked.name == "UndoRequested"
        assert list((await anna.game()).undo_vote.waiting) == [2]
        answered = await ben.answer_undo(asked.version, consent=True)
        assert [event.name for event in answered.events] == ["UndoConsented", "Undone"]

        then = await anna.board(version=placed.version)
        assert then.board.orleans.seats[0].places[0].spaces[0].occupant == "own_farmer"
        assert (await anna.legal_commands(version=placed.version)).version == placed.version
        fork = await client.fork(anna.game_id, [person("Anna"), bot()], version=placed.version, token=anna.token)
        assert fork.game.forked_from.version == placed.version
        assert [seat.number for seat in fork.seats] == [1]

        assert (await anna.record()).startswith(b"{")
        verification = await client.verify_game(anna.game_id, token=anna.token)
        assert verification.events == (await anna.game()).version
        assert await client.record_keys()
        with pytest.raises(BadRequest):
            await client.import_record(b"no record")


async def test_a_lost_answer_is_asked_for_again_with_the_same_command_id(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.script = [
        refuse(Code.UNAVAILABLE, "restarting"),
        answer(games_pb2.SubmitCommandsResponse(version=6)),
    ]
    async with AsyncClient(address, retry_timeout=60) as client:
        outcome = await client.seat("g", 2, "secret", title="orleans").submit(FinishPlanning())
    assert outcome.version == 6
    assert games.requests[0] == games.requests[1]
    assert games.metadata[0]["authorization"] == "Bearer secret"


async def test_a_rejection_has_its_code(service: tuple[str, FakeGames]) -> None:
    address, games = service
    info = ErrorInfo(reason="NOT_YOUR_TURN", domain="boardkeeper", metadata={"rule": "orleans.actions.turn"})
    games.script = [refuse(Code.FAILED_PRECONDITION, "no", info)] * 2
    async with AsyncClient(address) as client:
        seat = client.seat("g", 2, "secret", title="orleans")
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
    async with AsyncClient(address, retry_timeout=60) as client:
        assert [event.version async for event in client.watch("g")] == [1, 2, 3, 4]
    assert [getattr(request, "after_version", None) for request in games.requests] == [0, 2]


async def test_a_record_that_does_not_come_to_its_seal_is_asked_for_again(service: tuple[str, FakeGames]) -> None:
    address, games = service
    whole = (b'{"format":2}\n', b'{"events":0,"head":"ab"}\n')
    games.script = [pieces(whole[0]), pieces(), pieces(*whole)]
    async with AsyncClient(address, retry_timeout=60) as client:
        assert await client.record("g") == b"".join(whole)
    games.script = [pieces(whole[0])] * 50
    async with AsyncClient(address, retry_timeout=0.3) as client:
        with pytest.raises(Unavailable, match="ended the stream"):
            await client.record("g")


async def test_a_stream_that_was_ended_before_the_game_goes_on(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.game = game_pb2.Game(status=game_pb2.GAME_STATUS_RUNNING, version=2)
    games.script = [stream(1, 2), stream(), stream(3), stream_the_end(4, 5)]
    async with AsyncClient(address, retry_timeout=60) as client:
        assert [event.version async for event in client.watch("g", token="t")] == [1, 2, 3, 4, 5]
        assert games.looks == ["Bearer t"] * 3
        games.game = game_pb2.Game(status=game_pb2.GAME_STATUS_ENDED, version=5)
        games.script = [stream()]
        assert [event async for event in client.watch("g", after_version=5)] == []


async def test_pages_are_fetched_one_after_another(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.script = [
        answer(games_pb2.ListGamesResponse(games=[game_pb2.Game(game_id=id)], next_page_token=token))
        for id, token in (("a", "next"), ("b", ""))
    ]
    async with AsyncClient(address) as client:
        assert [game.game_id async for game in client.games()] == ["a", "b"]


async def test_nobody_there_is_unavailable() -> None:
    async with AsyncClient("127.0.0.1:1", retry_timeout=0.2) as client:
        with pytest.raises(Unavailable):
            await client.game("g")


# --- event loops ---------------------------------------------------------------------------------------------


def run_elsewhere(task: Callable[[], Coroutine[Any, Any, object]]) -> object:
    """Run a coroutine as a program does that has just begun: on a thread of its own, by ``asyncio.run``."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(task())).result()


def test_a_client_may_be_made_before_its_loop_runs(address: str) -> None:
    client = AsyncClient(address)

    async def use() -> list[str]:
        async with client:
            return [title.id for title in await client.titles()]

    assert "orleans" in cast(list[str], run_elsewhere(use))


CALLS: dict[str, Callable[[AsyncClient], Coroutine[Any, Any, object]]] = {
    "titles": lambda client: client.titles(),
    "record": lambda client: client.record("g"),
    "import": lambda client: client.import_record(b"{}"),
    "watch": lambda client: anext(client.watch("g")),
    "watch games": lambda client: anext(client.watch_games()),
    "close": lambda client: client.close(),
}


@pytest.mark.parametrize("call", CALLS)
def test_on_another_loop_every_call_says_what_is_wrong(address: str, call: str) -> None:
    client = AsyncClient(address)
    run_elsewhere(client.titles)
    with pytest.raises(RuntimeError, match="was first used on another event loop"):
        run_elsewhere(lambda: CALLS[call](client))


async def test_a_client_that_was_never_used_is_closed_on_any_loop() -> None:
    client = AsyncClient("127.0.0.1:1")
    await client.close()
    await client.close()
    with pytest.raises(Closed):
        await client.titles()
