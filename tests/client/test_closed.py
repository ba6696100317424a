"""Calls of a closed client raise ``Closed``, and bots can be stopped."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import grpc
import pytest
from tests.client.fake_service import FakeGames, fail_with
from tests.waiting import SECONDS

from boardkeeper.client import BoardkeeperError, Client, Closed, Seat, bots, person
from boardkeeper.client.aio import AsyncClient
from boardkeeper.v1 import command_pb2, event_pb2, games_pb2

Code = grpc.StatusCode


class Silence:
    """A stream that sends one event and then stays silent."""

    def __init__(self) -> None:
        self.reached = threading.Event()

    def __call__(self, _request: object, context: grpc.ServicerContext) -> Iterator[games_pb2.WatchGameResponse]:
        gone = threading.Event()
        context.add_callback(gone.set)
        yield games_pb2.WatchGameResponse(event=event_pb2.Event(version=1, name="Something"))
        self.reached.set()
        gone.wait(30)


CALLS: tuple[Callable[[Client], object], ...] = (
    lambda client: client.titles(),
    lambda client: client.seat("g", 1, "t").legal_commands(),
    lambda client: list(client.games()),
    lambda client: list(client.watch("g")),
    lambda client: client.record("g"),
    lambda client: client.import_record(b"{}"),
)


@pytest.mark.parametrize("call", CALLS)
def test_every_call_of_a_closed_client_raises_closed(call: Callable[[Client], object]) -> None:
    client = Client("127.0.0.1:1")
    client.close()
    client.close()  # twice is no error
    with pytest.raises(Closed, match="this client is closed") as caught:
        call(client)
    assert isinstance(caught.value, BoardkeeperError)
    assert caught.value.reason == "CLOSED"
    assert caught.value.status is Code.CANCELLED


def test_closing_a_client_ends_its_watchers(service: tuple[str, FakeGames]) -> None:
    address, games = service
    silence = Silence()
    games.script = [silence]
    client, closed = Client(address), threading.Event()

    def follow() -> None:
        with pytest.raises(Closed):
            list(client.watch("g"))
        closed.set()

    watcher = threading.Thread(target=follow)
    watcher.start()
    assert silence.reached.wait(SECONDS)
    client.close()
    watcher.join(SECONDS)
    assert closed.is_set()


def test_closing_ends_the_wait_before_a_retry(service: tuple[str, FakeGames]) -> None:
    address, games = service
    client = Client(address, retry_timeout=100.0)

    def close_and_fail(request: object, context: grpc.ServicerContext) -> object:
        if len(games.requests) == 6:  # the delay is almost a second by now
            threading.Timer(0.1, client.close).start()
        return fail_with(Code.UNAVAILABLE, "restarting")(request, context)

    games.script = [close_and_fail] * 50
    with pytest.raises(Closed):
        list(client.games())


ASYNC_CALLS: tuple[Callable[[AsyncClient], Awaitable[object]], ...] = (
    lambda client: client.titles(),
    lambda client: client.seat("g", 1, "t").legal_commands(),
    lambda client: collect(client.games()),
    lambda client: collect(client.watch("g")),
    lambda client: client.record("g"),
    lambda client: client.import_record(b"{}"),
)


async def collect(items: AsyncIterator[object]) -> list[object]:
    return [item async for item in items]


@pytest.mark.parametrize("call", ASYNC_CALLS)
async def test_every_call_of_a_closed_asyncio_client_raises_closed(
    call: Callable[[AsyncClient], Awaitable[object]],
) -> None:
    client = AsyncClient("127.0.0.1:1")
    await client.close()
    with pytest.raises(Closed, match="this client is closed"):
        await call(client)


async def test_closing_an_asyncio_client_ends_its_watchers(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.script = [Silence()]
    client, first = AsyncClient(address), asyncio.Event()

    async def follow() -> None:
        async for _ in client.watch("g"):
            first.set()

    watcher = asyncio.create_task(follow())
    await asyncio.wait_for(first.wait(), 100)
    await client.close()
    with pytest.raises(Closed):
        await asyncio.wait_for(watcher, 100)


async def test_a_cancelled_watcher_raises_cancelled_error(service: tuple[str, FakeGames]) -> None:
    address, games = service
    games.script = [Silence()]
    first = asyncio.Event()
    async with AsyncClient(address) as client:

        async def follow() -> None:
            async for _ in client.watch("g"):
                first.set()

        watcher = asyncio.create_task(follow())
        await asyncio.wait_for(first.wait(), 100)
        watcher.cancel()
        with pytest.raises(asyncio.CancelledError):
            await watcher


# --- stopping bots -------------------------------------------------------------------------------------------


class UntilStopped:
    """Decides at random, and sets ``stop`` after some decisions."""

    def __init__(self, decisions: int, stop: threading.Event) -> None:
        self.decided = 0
        self._decisions = decisions
        self._stop = stop
        self._random = bots.Random(1)

    def choose(self, seat: Seat, legal: games_pb2.ListLegalCommandsResponse) -> command_pb2.LegalCommand:
        self.decided += 1
        if self.decided == self._decisions:
            self._stop.set()
        return self._random.choose(seat, legal)


@pytest.mark.socket
def test_bots_stop_before_their_next_decision(client: Client) -> None:
    stop = threading.Event()
    policy = UntilStopped(5, stop)
    seats = client.create_game("orleans", [person("Anna"), person("Bruno")]).seats
    bots.play(dict.fromkeys(seats, policy), stop)
    assert policy.decided == 5
    assert seats[0].game().deciding


@pytest.mark.socket
def test_waiting_bots_stop_when_their_client_is_closed(address: str) -> None:
    stop, client, watching = threading.Event(), Client(address), threading.Event()
    seats = client.create_game("orleans", [person("Anna"), person("Bruno")]).seats
    failed: list[BaseException] = []

    class Finishing:
        def choose(self, seat: Seat, legal: games_pb2.ListLegalCommandsResponse) -> command_pb2.LegalCommand:
            assert seat.number == 1
            watching.set()  # the last command ends the planning of this seat
            return legal.commands[-1]

    def work() -> None:
        try:
            bots.play({seats[0]: Finishing()}, stop)
        except BaseException as error:  # noqa: BLE001  # checked below
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    assert watching.wait(SECONDS)
    stop.set()
    client.close()
    thread.join(SECONDS)
    assert not thread.is_alive()
    assert not failed


@pytest.mark.socket
def test_a_failure_of_demo_bots_is_one_clear_line(tmp_path: Path) -> None:
    code = """
import sys
from boardkeeper.client import bots
from boardkeeper.terminal.main import main
from boardkeeper.client.errors import BoardkeeperError
def fail(self, seat, legal):
    raise BoardkeeperError("the bots have lost heart")
bots.Random.choose = fail
sys.exit(main(["demo", "--players", "2", "--bots", "random"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.endswith("boardkeeper: the bots have lost heart\n")
    assert "Traceback" not in done.stderr
