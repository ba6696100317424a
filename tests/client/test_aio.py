"""The asyncio client behaves as the blocking client."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from tests.client.fake_service import FakeGames, answer_with, fail_with, stream_events, stream_pieces, stream_until_end

from boardkeeper.client import BadRequest, Client, Closed, Rejected, Seat, Unavailable, aio, bot, person
from boardkeeper.client.aio import AsyncClient, AsyncSeat
from boardkeeper.titles.orleans.commands import FinishPlanning, PlaceFollower
from boardkeeper.v1 import catalog_pb2, game_pb2, games_pb2, history_pb2, players_pb2

Code = grpc.StatusCode


def public_methods(kind: type) -> set[str]:
    return {name for name, value in inspect.getmembers(kind) if not name.startswith("_") and callable(value)}


def parameters(method: object) -> list[tuple[str, object, object]]:
    """Return name, default and kind of each parameter of a method."""
    signature = inspect.signature(cast(Callable[..., object], method))
    return [(it.name, it.default, it.kind) for it in signature.parameters.values()]


@pytest.mark.parametrize(("blocking", "awaited"), [(Client, AsyncClient), (Seat, AsyncSeat)])
def test_both_clients_have_the_same_methods_and_parameters(blocking: type, awaited: type) -> None:
    assert public_methods(awaited) == public_methods(blocking)
    for name in public_methods(blocking) | {"__init__"}:
        assert parameters(getattr(awaited, name)) == parameters(getattr(blocking, name)), name


def test_every_rpc_can_be_called() -> None:
    """All rpcs for clients, except the stream ``Play``, which needs stubs."""
    source = inspect.getsource(aio)
    for services in (catalog_pb2, games_pb2, history_pb2, players_pb2):
        for service in services.DESCRIPTOR.services_by_name.values():
            for rpc in service.methods:
                assert re.search(rf"\.{rpc.name}\b", source) or rpc.name == "Play", f"{service.name}.{rpc.name}"


@pytest.mark.socket
async def test_undo_fork_past_boards_and_records(address: str) -> None:
    async with AsyncClient(address) as client:
        new = await client.create_game("orleans", [person("Anna"), person("Ben")])
        anna, ben = new.seats
        assert len(anna.entropy) == 32
        placed = await anna.submit(PlaceFollower("own_farmer", "ship", "farmer"))
        assert [event.name for event in (await anna.request_undo()).events] == ["Undone"]
        await anna.submit(PlaceFollower("own_farmer", "ship", "farmer"))
        await ben.submit(PlaceFollower("own_farmer", "ship", "farmer"))
        requested = (await anna.request_undo()).events[-1]
        assert requested.name == "UndoRequested"
        assert list((await anna.game()).undo_vote.waiting) == [2]
        answered = await ben.answer_undo(requested.version, consent=True)
        assert [event.name for event in answered.events] == ["UndoConsented", "Undone"]

        past = await anna.board(version=placed.version)
        assert past.board.orleans.seats[0].places[0].spaces[0].occupant == "own_farmer"
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


async def test_a_call_without_an_answer_is_retried_with_the_same_command_id(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.script = [
        fail_with(Code.UNAVAILABLE, "restarting"),
        answer_with(games_pb2.SubmitCommandsResponse(version=6)),
    ]
    async with AsyncClient(address, retry_timeout=60) as client:
        outcome = await client.seat("g", 2, "secret", title="orleans").submit(FinishPlanning())
    assert outcome.version == 6
    assert games.requests[0] == games.requests[1]
    assert games.metadata[0]["authorization"] == "Bearer secret"


async def test_a_rejection_has_its_code(service: tuple[str, FakeGames]) -> None:
    address, games = service
    info = ErrorInfo(reason="NOT_YOUR_TURN", domain="boardkeeper", metadata={"rule": "orleans.actions.turn"})
    games.script = [fail_with(Code.FAILED_PRECONDITION, "no", info)] * 2
    async with AsyncClient(address) as client:
        seat = client.seat("g", 2, "secret", title="orleans")
        with pytest.raises(Rejected) as caught:
            await seat.submit(FinishPlanning())
        checked = await seat.check(FinishPlanning())
    assert caught.value.code == "NOT_YOUR_TURN"
    assert checked is not None
    assert checked.rule == "orleans.actions.turn"


async def test_a_broken_stream_continues_without_gap_or_repetition(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.script = [
        stream_events(1, 0, 2, then=fail_with(Code.UNAVAILABLE, "shutting down")),
        stream_until_end(2, 3, 4),
    ]
    async with AsyncClient(address, retry_timeout=60) as client:
        assert [event.version async for event in client.watch("g")] == [1, 2, 3, 4]
    assert [getattr(request, "after_version", None) for request in games.requests] == [0, 2]


async def test_an_incomplete_record_is_requested_again(service: tuple[str, FakeGames]) -> None:
    address, games = service
    whole = (b'{"format":2}\n', b'{"events":0,"head":"ab"}\n')
    games.script = [stream_pieces(whole[0]), stream_pieces(), stream_pieces(*whole)]
    async with AsyncClient(address, retry_timeout=60) as client:
        assert await client.record("g") == b"".join(whole)
    games.script = [stream_pieces(whole[0])] * 50
    async with AsyncClient(address, retry_timeout=0.3) as client:
        with pytest.raises(Unavailable, match="ended the stream"):
            await client.record("g")


async def test_a_stream_that_ends_before_the_game_is_reopened(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.game = game_pb2.Game(status=game_pb2.GAME_STATUS_RUNNING, version=2)
    games.script = [stream_events(1, 2), stream_events(), stream_events(3), stream_until_end(4, 5)]
    async with AsyncClient(address, retry_timeout=60) as client:
        assert [event.version async for event in client.watch("g", token="t")] == [1, 2, 3, 4, 5]
        assert games.game_reads == ["Bearer t"] * 3
        games.game = game_pb2.Game(status=game_pb2.GAME_STATUS_ENDED, version=5)
        games.script = [stream_events()]
        assert [event async for event in client.watch("g", after_version=5)] == []


async def test_pages_are_requested_one_after_another(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.script = [
        answer_with(games_pb2.ListGamesResponse(games=[game_pb2.Game(game_id=id)], next_page_token=token))
        for id, token in (("a", "next"), ("b", ""))
    ]
    async with AsyncClient(address) as client:
        assert [game.game_id async for game in client.games()] == ["a", "b"]


async def test_a_missing_server_is_unavailable() -> None:
    async with AsyncClient("127.0.0.1:1", retry_timeout=0.2) as client:
        with pytest.raises(Unavailable):
            await client.game("g")


# --- event loops ---------------------------------------------------------------------------------------------


def run_on_new_loop(task: Callable[[], Coroutine[Any, Any, object]]) -> object:
    """Run a coroutine with ``asyncio.run`` on a new thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(task())).result()


def test_a_client_can_be_created_before_its_loop_runs(address: str) -> None:
    client = AsyncClient(address)

    async def use() -> list[str]:
        async with client:
            return [title.id for title in await client.titles()]

    assert "orleans" in cast(list[str], run_on_new_loop(use))


CALLS: dict[str, Callable[[AsyncClient], Coroutine[Any, Any, object]]] = {
    "titles": lambda client: client.titles(),
    "record": lambda client: client.record("g"),
    "import": lambda client: client.import_record(b"{}"),
    "watch": lambda client: anext(client.watch("g")),
    "watch games": lambda client: anext(client.watch_games()),
    "close": lambda client: client.close(),
}


@pytest.mark.parametrize("call", CALLS)
def test_calls_on_another_loop_raise_an_error(address: str, call: str) -> None:
    client = AsyncClient(address)
    run_on_new_loop(client.titles)
    with pytest.raises(RuntimeError, match="was first used on another event loop"):
        run_on_new_loop(lambda: CALLS[call](client))


async def test_an_unused_client_can_be_closed_on_any_loop() -> None:
    client = AsyncClient("127.0.0.1:1")
    await client.close()
    await client.close()
    with pytest.raises(Closed):
        await client.titles()
