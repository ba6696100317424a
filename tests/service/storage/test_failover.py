"""Failover of the database: a service continues when the standby replaces the lost primary."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, LiteralString
from uuid import UUID

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.databases import servers
from tests.databases.faulty_proxy import FaultyProxy
from tests.databases.servers import Pair
from tests.service.api_server import Api, error_details, grpc_error, run_server
from tests.service.storage.postgres_games import open_postgres
from tests.waiting import SECONDS, until

from boardkeeper.service.storage import chain
from boardkeeper.v1 import games_pb2
from boardkeeper.wire.errors import ErrorDetails

pytestmark = [pytest.mark.postgres, pytest.mark.socket]

_GAMES = 4
_TURNS = 10
"""The number of commands answered in each game before the primary is lost, and after."""

_WAITS_FOR_STANDBY: LiteralString = " WHERE datname = 'games' AND wait_event = 'SyncRep'"
_UNREACHABLE = {"STORAGE_FAILED", "READ_FAILED"}


@pytest.fixture
def pair() -> Iterator[Pair]:
    """A primary and its standby."""
    if servers.missing_reason():
        pytest.skip(servers.missing_reason())
    pair = Pair()
    yield pair
    pair.close()


class Health:
    """The stream of health statuses of a service."""

    def __init__(self, api: Api) -> None:
        stub: Any = health_pb2_grpc.HealthStub(api.channel)
        self._watching = stub.Watch(health_pb2.HealthCheckRequest(service="boardkeeper.v1.Games"))

    async def expect(self, status: str) -> None:
        received = (await asyncio.wait_for(self._watching.read(), SECONDS)).status
        assert health_pb2.HealthCheckResponse.ServingStatus.Name(received) == status


async def call_until_available(
    call: Callable[..., Awaitable[Any]], *arguments: Any, problems: list[ErrorDetails]
) -> Any:
    """Repeat a call while the service is unavailable; return the answer, and add the errors to ``problems``."""
    while True:
        try:
            return await call(*arguments)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            problems.append(error_details(error))
            await asyncio.sleep(problems[-1].retry_after)


class Player:
    """Plays one game at random. Repeats commands without an answer, with the same id."""

    def __init__(self, api: Api, game: str, tokens: dict[int, str], number: int) -> None:
        self.game = game
        self.answered: dict[str, int] = {}
        self.problems: list[ErrorDetails] = []
        self._api = api
        self._tokens = tokens
        self._chance = random.Random(f"failover {number}")

    async def play(self, enough: asyncio.Event) -> None:
        while not enough.is_set():
            game = await self._call(self._api.game, self.game)
            seat = next(seat for seat in game.deciding if seat in self._tokens)
            seat_arguments = (self.game, seat, self._tokens[seat])
            legal = await self._call(self._api.legal, *seat_arguments)
            command = self._chance.choice(legal.commands).command
            id = f"seat-{seat}-{len(self.answered)}"
            answer = await self._call(self._api.submit, *seat_arguments, id, command)
            self.answered[id] = answer.version

    async def _call(self, call: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
        return await call_until_available(call, *arguments, problems=self.problems)


async def watch(api: Api, game: str, received: list[Any]) -> None:
    """Watch the events of a game; after an error, continue after the last event."""
    while True:
        request = games_pb2.WatchGameRequest(game_id=game, after_version=len(received))
        try:
            async for answer in api.games.WatchGame(request):
                received += [answer.event] if answer.HasField("event") else []
        except grpc.aio.AioRpcError as error:
            if error_details(error).reason not in _UNREACHABLE:
                raise


async def test_a_service_continues_with_the_standby_and_loses_no_answered_command(pair: Pair, tmp_path: Path) -> None:
    key = tmp_path / "key"
    async with run_server(pair.url(), key_file=str(key)) as api, asyncio.TaskGroup() as tasks:
        health = Health(api)
        await health.expect("SERVING")
        enough = asyncio.Event()
        players: list[Player] = []
        playing: list[asyncio.Task[None]] = []
        watching: list[asyncio.Task[None]] = []
        received: dict[str, list[Any]] = {}
        for number in range(_GAMES):
            game, tokens = await api.create()
            received[game.game_id] = []
            watching.append(tasks.create_task(watch(api, game.game_id, received[game.game_id])))
            players.append(Player(api, game.game_id, tokens, number))
            playing.append(tasks.create_task(players[-1].play(enough)))
        await until(lambda: all(len(player.answered) >= _TURNS for player in players))

        await asyncio.to_thread(pair.primary.stop)
        await health.expect("NOT_SERVING")
        await until(lambda: all(player.problems for player in players))
        async with grpc_error(grpc.StatusCode.UNAVAILABLE, "READ_FAILED") as errors:
            await api.games.ListGames(games_pb2.ListGamesRequest())
        assert errors[0].retry_after > 0
        before = {player: len(player.answered) for player in players}

        await asyncio.to_thread(pair.promote)
        await health.expect("SERVING")
        await until(lambda: all(len(player.answered) >= before[player] + _TURNS for player in players))
        enough.set()
        await asyncio.gather(*playing)
        problems = [problem for player in players for problem in player.problems]
        assert "STORAGE_FAILED" in {problem.reason for problem in problems} <= _UNREACHABLE
        assert all(problem.retry_after > 0 for problem in problems)
        last: dict[str, int] = {}
        for player in players:
            events = await api.events(player.game)
            check_stored_once(events, player.answered)
            last[player.game] = len(events)
        await until(lambda: all(len(received[game]) >= version for game, version in last.items()))
        for task in watching:
            task.cancel()
    for game_id, version in last.items():
        assert [event.version for event in received[game_id]] == list(range(1, version + 1))
    check_chains(pair.url(), key, last)


def check_stored_once(events: list[Any], answered: dict[str, int]) -> None:
    """Check that the events of each answered command are stored once, up to the version of the answer."""
    assert [event.version for event in events] == list(range(1, len(events) + 1))
    pieces = [(id, list(piece)) for id, piece in groupby(events, lambda event: event.command_id) if id]
    assert sorted(id for id, _ in pieces) == sorted(answered)
    assert {id: piece[-1].version for id, piece in pieces} == answered


def check_chains(url: str, key: Path, last: dict[str, int]) -> None:
    """Check that the games are stored up to these versions with valid chains."""
    database = open_postgres(url, key)
    try:
        for game, version in last.items():
            rows, head, at = database.log.select_chain(UUID(game))
            link = chain.initial_link(UUID(game).hex)
            for number, topic, state, stored in rows:
                link = chain.next_link(link, number, topic, state)
                assert stored == link
            assert (head, at, len(rows)) == (link, version, version)
    finally:
        database.close()


async def test_a_repeated_command_that_only_the_lost_primary_had_is_carried_out(pair: Pair, tmp_path: Path) -> None:
    """No client received its answer or its events, because commits wait for the standby."""
    async with run_server(pair.url(), key_file=str(tmp_path / "key")) as api:
        game, tokens = await api.create()
        command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
        await asyncio.to_thread(pair.standby.stop)
        submitting = asyncio.create_task(api.submit(game.game_id, 1, tokens[1], "once", command))
        await asyncio.to_thread(
            pair.wait, pair.primary, "SELECT count(*) >= 1 FROM pg_stat_activity" + _WAITS_FOR_STANDBY
        )
        assert not submitting.done()
        assert (await api.game(game.game_id)).version == game.version
        await asyncio.to_thread(pair.primary.stop)
        async with grpc_error(grpc.StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
            await submitting
        await asyncio.to_thread(pair.standby.start)
        await asyncio.to_thread(pair.promote)
        done = await call_until_available(api.submit, game.game_id, 1, tokens[1], "once", command, problems=[])
        assert not done.repeated
        again = await api.submit(game.game_id, 1, tokens[1], "once", command)
        assert (again.version, again.repeated) == (done.version, True)
        check_stored_once(await api.events(game.game_id), {"once": done.version})


async def test_a_repeated_command_that_the_standby_has_is_not_carried_out_again(pair: Pair, tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="bkproxy-", dir="/tmp") as folder:
        proxy = FaultyProxy(Path(folder), f"{pair.primary.host}/.s.PGSQL.5432")
        async with run_server(pair.url(folder), key_file=str(tmp_path / "key")) as api:
            game, tokens = await api.create()
            command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
            proxy.lost_answer = b"SELECT 1\0"
            async with grpc_error(grpc.StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
                await api.submit(game.game_id, 1, tokens[1], "once", command)
            await asyncio.to_thread(pair.primary.stop)
            await asyncio.to_thread(pair.promote)
            proxy.lost_answer = b""
            done = await call_until_available(api.submit, game.game_id, 1, tokens[1], "once", command, problems=[])
            assert done.repeated
            check_stored_once(await api.events(game.game_id), {"once": done.version})
        proxy.close()
