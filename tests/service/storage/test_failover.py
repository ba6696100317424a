"""A database whose primary is lost and whose standby takes its place, under a service that just goes on."""

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
from tests.databases.servers import Pair
from tests.service.api_server import Api, error_details, grpc_error, run_server
from tests.service.storage.test_postgres import opened
from tests.service.storage.test_postgres_faults import Wire
from tests.waiting import SECONDS, until

from boardkeeper.service.storage import chain
from boardkeeper.v1 import games_pb2
from boardkeeper.wire.errors import ErrorDetails

pytestmark = [pytest.mark.postgres, pytest.mark.socket]

_GAMES = 4
_TURNS = 10
"""So many commands are answered in each game before the primary is lost, and after it."""

_WAITS: LiteralString = " WHERE datname = 'games' AND wait_event = 'SyncRep'"
_AWAY = {"STORAGE_FAILED", "READ_FAILED"}


@pytest.fixture
def pair() -> Iterator[Pair]:
    """A primary and its standby, one of which will be lost."""
    missing = servers.missing_reason()
    if missing:
        pytest.skip(missing)
    pair = Pair()
    yield pair
    pair.close()


class Health:
    """What is told of a service's health, one after the other."""

    def __init__(self, api: Api) -> None:
        stub: Any = health_pb2_grpc.HealthStub(api.channel)
        self._watching = stub.Watch(health_pb2.HealthCheckRequest(service="boardkeeper.v1.Games"))

    async def turns(self, status: str) -> None:
        told = (await asyncio.wait_for(self._watching.read(), SECONDS)).status
        assert health_pb2.HealthCheckResponse.ServingStatus.Name(told) == status


async def insist(call: Callable[..., Awaitable[Any]], *arguments: Any, problems: list[ErrorDetails]) -> Any:
    """Ask again for as long as the service says that it will be able to answer later; it says why in the list."""
    while True:
        try:
            return await call(*arguments)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            problems.append(error_details(error))
            await asyncio.sleep(problems[-1].retry_after)


class Player:
    """Plays one game at random, and sends again with the same id what is not answered."""

    def __init__(self, api: Api, game: str, tokens: dict[int, str], number: int) -> None:
        self.game = game
        self.answered: dict[str, int] = {}
        self.problems: list[ErrorDetails] = []
        self._api = api
        self._tokens = tokens
        self._chance = random.Random(f"failover {number}")

    async def play(self, enough: asyncio.Event) -> None:
        while not enough.is_set():
            game = await self._insist(self._api.game, self.game)
            seat = next(seat for seat in game.deciding if seat in self._tokens)
            whose = (self.game, seat, self._tokens[seat])
            legal = await self._insist(self._api.legal, *whose)
            command = self._chance.choice(legal.commands).command
            id = f"seat-{seat}-{len(self.answered)}"
            answer = await self._insist(self._api.submit, *whose, id, command)
            self.answered[id] = answer.version

    async def _insist(self, call: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
        return await insist(call, *arguments, problems=self.problems)


async def watch(api: Api, game: str, seen: list[Any]) -> None:
    """See the events of a game; a watcher who is told to come back goes on after the last one."""
    while True:
        request = games_pb2.WatchGameRequest(game_id=game, after_version=len(seen))
        try:
            async for answer in api.games.WatchGame(request):
                seen += [answer.event] if answer.HasField("event") else []
        except grpc.aio.AioRpcError as error:
            if error_details(error).reason not in _AWAY:
                raise


async def test_a_service_goes_on_with_the_standby_and_nothing_that_was_answered_is_lost(
    pair: Pair, tmp_path: Path
) -> None:
    key = tmp_path / "key"
    async with run_server(pair.url(), key_file=str(key)) as api, asyncio.TaskGroup() as tasks:
        health = Health(api)
        await health.turns("SERVING")
        enough = asyncio.Event()
        players: list[Player] = []
        playing: list[asyncio.Task[None]] = []
        watching: list[asyncio.Task[None]] = []
        seen: dict[str, list[Any]] = {}
        for number in range(_GAMES):
            game, tokens = await api.create()
            seen[game.game_id] = []
            watching.append(tasks.create_task(watch(api, game.game_id, seen[game.game_id])))
            players.append(Player(api, game.game_id, tokens, number))
            playing.append(tasks.create_task(players[-1].play(enough)))
        await until(lambda: all(len(player.answered) >= _TURNS for player in players))

        await asyncio.to_thread(pair.primary.stop)
        await health.turns("NOT_SERVING")
        await until(lambda: all(player.problems for player in players))
        async with grpc_error(grpc.StatusCode.UNAVAILABLE, "READ_FAILED") as problems:
            await api.games.ListGames(games_pb2.ListGamesRequest())
        assert problems[0].retry_after > 0
        before = {player: len(player.answered) for player in players}

        await asyncio.to_thread(pair.promote)
        await health.turns("SERVING")
        await until(lambda: all(len(player.answered) >= before[player] + _TURNS for player in players))
        enough.set()
        await asyncio.gather(*playing)
        told = [problem for player in players for problem in player.problems]
        assert "STORAGE_FAILED" in {problem.reason for problem in told} <= _AWAY
        assert all(problem.retry_after > 0 for problem in told)
        last: dict[str, int] = {}
        for player in players:
            events = await api.events(player.game)
            assert_once(events, player.answered)
            last[player.game] = len(events)
        await until(lambda: all(len(seen[game]) >= version for game, version in last.items()))
        for task in watching:
            task.cancel()
    for game_id, version in last.items():
        assert [event.version for event in seen[game_id]] == list(range(1, version + 1))
    assert_chains(pair.url(), key, last)


def assert_once(events: list[Any], answered: dict[str, int]) -> None:
    """Every command that was answered is among the events, in one piece that ends where the answer said it would."""
    assert [event.version for event in events] == list(range(1, len(events) + 1))
    pieces = [(id, list(piece)) for id, piece in groupby(events, lambda event: event.command_id) if id]
    assert sorted(id for id, _ in pieces) == sorted(answered)
    assert {id: piece[-1].version for id, piece in pieces} == answered


def assert_chains(url: str, key: Path, last: dict[str, int]) -> None:
    """The games are stored to these versions, and their chains hold."""
    database = opened(url, key)
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


async def test_a_command_that_only_the_lost_primary_had_is_carried_out_when_it_is_sent_again(
    pair: Pair, tmp_path: Path
) -> None:
    """It was not answered, and nobody has seen it: commits wait for the standby."""
    async with run_server(pair.url(), key_file=str(tmp_path / "key")) as api:
        game, tokens = await api.create()
        command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
        await asyncio.to_thread(pair.standby.stop)
        submitting = asyncio.create_task(api.submit(game.game_id, 1, tokens[1], "once", command))
        await asyncio.to_thread(pair.wait, pair.primary, "SELECT count(*) >= 1 FROM pg_stat_activity" + _WAITS)
        assert not submitting.done()
        assert (await api.game(game.game_id)).version == game.version
        await asyncio.to_thread(pair.primary.stop)
        async with grpc_error(grpc.StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
            await submitting
        await asyncio.to_thread(pair.standby.start)
        await asyncio.to_thread(pair.promote)
        done = await insist(api.submit, game.game_id, 1, tokens[1], "once", command, problems=[])
        assert not done.repeated
        again = await api.submit(game.game_id, 1, tokens[1], "once", command)
        assert (again.version, again.repeated) == (done.version, True)
        assert_once(await api.events(game.game_id), {"once": done.version})


async def test_a_command_that_the_standby_has_is_answered_as_repeated_though_its_answer_was_lost(
    pair: Pair, tmp_path: Path
) -> None:
    with tempfile.TemporaryDirectory(prefix="bkwire-", dir="/tmp") as folder:
        wire = Wire(Path(folder), f"{pair.primary.host}/.s.PGSQL.5432")
        async with run_server(pair.url(folder), key_file=str(tmp_path / "key")) as api:
            game, tokens = await api.create()
            command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
            wire.lost_query = b"SELECT 1\0"
            async with refused(grpc.StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
                await api.submit(game.game_id, 1, tokens[1], "once", command)
            await asyncio.to_thread(pair.primary.stop)
            await asyncio.to_thread(pair.promote)
            wire.lost_query = b""
            done = await insist(api.submit, game.game_id, 1, tokens[1], "once", command, problems=[])
            assert done.repeated
            assert_once(await api.events(game.game_id), {"once": done.version})
        wire.close()
