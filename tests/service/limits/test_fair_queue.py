"""The fair queue: the order of turns, and short calls that do not wait for long work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from tests.service.api_server import run_server
from tests.service.cache.test_game_registry import open_service, read_all_events, take_turn

from boardkeeper.service.cache.game_loader import GameLoader
from boardkeeper.service.limits.fair_queue import FairQueue
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.v1 import games_pb2, history_pb2

pytestmark = pytest.mark.databases


async def idle() -> None:
    """Run all tasks that can continue."""
    for _ in range(20):
        await asyncio.sleep(0)


# --- the order ----------------------------------------------------------------------------------------------


async def test_owners_get_turns_alternately() -> None:
    turns, done = FairQueue(1), list[str]()

    async def ask(owner: str, name: str) -> None:
        async with turns.turn(owner):
            done.append(name)
            await asyncio.sleep(0)

    names = ("a1", "a2", "a3", "b1", "a4", "b2", "c1")
    await asyncio.gather(*(ask(name[0], name) for name in names))
    assert done == ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]


async def test_the_number_of_concurrent_turns_is_limited() -> None:
    turns, running, most = FairQueue(3), 0, 0

    async def ask(owner: int) -> None:
        nonlocal running, most
        async with turns.turn(owner % 4):
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1

    await asyncio.gather(*map(ask, range(40)))
    assert (running, most) == (0, 3)


async def test_a_cancelled_task_gets_no_turn() -> None:
    turns = FairQueue(1)
    await turns.acquire("a")
    early, late, last = (asyncio.create_task(turns.acquire(owner)) for owner in "bbc")
    await idle()
    early.cancel()
    await idle()
    turns.release()  # to the second task, which is cancelled before it continues
    late.cancel()
    await idle()
    assert (early.cancelled(), late.cancelled(), last.done()) == (True, True, True)
    turns.release()
    await turns.acquire("d")


async def test_the_turn_of_a_task_that_is_cancelled_just_before_goes_to_the_next() -> None:
    turns = FairQueue(1)
    await turns.acquire("a")
    first, second, third = (asyncio.create_task(turns.acquire(owner)) for owner in "bbc")
    await idle()
    first.cancel()
    second.cancel()
    turns.release()  # neither of them knows yet
    await idle()
    assert (first.cancelled(), second.cancelled(), third.done()) == (True, True, True)
    fourth = asyncio.create_task(turns.acquire("d"))
    await idle()
    fourth.cancel()
    turns.release()
    await idle()
    await turns.acquire("e")


async def test_an_error_ends_a_turn() -> None:
    turns = FairQueue(1)
    with pytest.raises(RuntimeError):
        async with turns.turn("a"):
            raise RuntimeError
    await turns.acquire("b")


# --- uses ---------------------------------------------------------------------------------------------------


class Gate:
    """Blocks a method that runs in threads, and counts its calls."""

    def __init__(self) -> None:
        self.begun = 0
        self.most = 0
        self._inside = 0
        self._open = threading.Event()
        self._counting = threading.Lock()

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def blocked(*arguments: Any, **more: Any) -> Any:
            with self._counting:
                self.begun += 1
                self._inside += 1
                self.most = max(self.most, self._inside)
            self._open.wait()
            with self._counting:
                self._inside -= 1
            return function(*arguments, **more)

        return blocked

    def open(self) -> None:
        self._open.set()

    async def reached(self, times: int = 1) -> None:
        while self.begun < times:  # noqa: ASYNC110  # other threads set it
            await asyncio.sleep(0.001)


@contextmanager
def block(monkeypatch: pytest.MonkeyPatch, of: type, name: str) -> Iterator[Gate]:
    gate = Gate()
    monkeypatch.setattr(of, name, gate.wrap(getattr(of, name)))
    try:
        yield gate
    finally:
        gate.open()


async def test_many_loads_leave_threads_for_short_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as server:
        games = [await server.game() for _ in range(30)]
    async with open_service(path) as server:
        with block(monkeypatch, GameLoader, "_read") as gate:
            loads = [asyncio.create_task(server.registry.get(game)) for game in games]
            await gate.reached(2)
            for _ in range(30):
                assert await server.registry.read(lambda: 1) == 1
            assert gate.begun == 2
            gate.open()
            assert {live.id for live in await asyncio.gather(*loads)} == set(games)
            assert (gate.begun, gate.most) == (30, 2)


async def test_games_without_a_waiting_caller_are_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as server:
        games = [await server.game() for _ in range(10)]
    async with open_service(path) as server:
        with block(monkeypatch, GameLoader, "_read") as gate:
            loads = [asyncio.create_task(server.registry.get(game)) for game in games for _ in range(2)]
            await gate.reached(2)
            for load in loads:
                load.cancel()
            await asyncio.gather(*loads, return_exceptions=True)
            again = [asyncio.create_task(server.registry.get(game)) for game in games[-2:]]
            await idle()
            again[0].cancel()
            gate.open()
            assert (await again[1]).id == games[-1]
            await server.registry.read(lambda: 1)
            assert gate.begun == 3
        assert (await server.registry.get(games[4])).id == games[4]


@pytest.mark.socket
async def test_many_long_reads_of_a_game_block_neither_short_reads_nor_other_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_server(tmp_path / "games.db") as api:
        busy, other = (await api.create())[0].game_id, (await api.create())[0].game_id
        busy_id = UUID(busy)
        gate = Gate()
        read = GameApplication.game_events

        def game_events(self: GameApplication, game: UUID, **more: Any) -> Any:
            return (gate.wrap(read) if game == busy_id else read)(self, game, **more)

        monkeypatch.setattr(GameApplication, "game_events", game_events)
        try:
            request = history_pb2.ListEventsRequest(game_id=busy)
            many = [asyncio.ensure_future(api.history.ListEvents(request)) for _ in range(64)]
            await gate.reached(2)
            assert (await api.game(other)).game_id == other
            assert len((await api.games.ListGames(games_pb2.ListGamesRequest())).games) == 2
            waiting = asyncio.create_task(api.events(other))
            gate.open()
            assert await waiting
            pages = await asyncio.gather(*many)
            assert len({page.SerializeToString() for page in pages}) == 1
            assert gate.most <= 2
        finally:
            gate.open()


async def test_pages_have_a_limit_of_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_service(tmp_path / "games.db") as server:
        game = await server.game()
        for turn in range(5):
            await take_turn(server, game, turn)
        whole = [committed.event for committed in await read_all_events(server, game)]
        monkeypatch.setattr("boardkeeper.service.cache.game_registry.MAX_PAGE_BYTES", 300)
        pages: list[list[Any]] = []
        while not pages or pages[-1]:
            after = pages[-1][-1].originator_version if pages else 0
            pages.append([committed.event for committed in await server.registry.read_events(game, after, 500)])
        assert [event for page in pages for event in page] == whole
        assert len(pages) > 3
        sizes = [
            sum(len(server.application.events_mapper.to_stored_event(it).state) for it in page[:-1]) for page in pages
        ]
        assert max(sizes) < 300
