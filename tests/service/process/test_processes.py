"""Several servers on one PostgreSQL database: each of them accepts any command of any game."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.databases.servers import Server
from tests.service.api_server import Api, bearer, run_server

from boardkeeper.v1 import games_pb2

pytestmark = [pytest.mark.postgres, pytest.mark.socket]

BOT = games_pb2.SeatRequest(bot="random")


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    with postgres.database() as url:
        yield url


@asynccontextmanager
async def run_servers(url: str, key: Path, count: int, **settings: Any) -> AsyncIterator[list[Api]]:
    """Run ``count`` servers on one database."""
    async with AsyncExitStack() as stack:
        servers = [run_server(url, key_file=str(key), **settings) for _ in range(count)]
        yield [await stack.enter_async_context(one) for one in servers]


async def histories(apis: list[Api], game_id: str) -> list[Any]:
    """Return the events of a game, which must be the same on all servers at its newest version."""
    newest = max([(await api.game(game_id)).version for api in apis])
    found = [await api.events(game_id, min_version=newest) for api in apis]
    versions = [[event.version for event in events] for events in found]
    assert versions == [list(range(1, len(versions[0]) + 1))] * len(apis)
    assert all(events == found[0] for events in found)
    return found[0]


async def test_commands_are_accepted_by_every_process(url: str, tmp_path: Path) -> None:
    chance = random.Random(5)
    async with run_servers(url, tmp_path / "key", 3) as apis:
        game, tokens = await apis[0].create()
        version = 0
        for _ in range(60):
            moved = await chance.choice(apis).play_turn(game.game_id, tokens, chance)
            if not moved:
                break
            assert moved > version
            version = moved
        events = await histories(apis, game.game_id)
        assert len(events) == version


async def test_a_watcher_sees_what_another_process_stores(url: str, tmp_path: Path) -> None:
    chance = random.Random(6)
    async with run_servers(url, tmp_path / "key", 2) as (here, there):
        game, tokens = await there.create()
        seen: list[int] = []
        watching = here.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id))
        for _ in range(15):
            version = await there.play_turn(game.game_id, tokens, chance)
            while not seen or seen[-1] < version:
                answer = await asyncio.wait_for(watching.read(), 60)
                seen += [answer.event.version] if answer.HasField("event") else []
        watching.cancel()
        assert seen == list(range(1, version + 1))


async def test_a_version_of_one_process_can_be_read_from_another(url: str, tmp_path: Path) -> None:
    chance = random.Random(7)
    async with run_servers(url, tmp_path / "key", 2) as (here, there):
        game, tokens = await here.create()
        for turn in range(20):
            api, other = (here, there) if turn % 2 else (there, here)
            version = await api.play_turn(game.game_id, tokens, chance)
            request = games_pb2.GetBoardRequest(game_id=game.game_id, min_version=version)
            board = await other.games.GetBoard(request, metadata=bearer(tokens[1]))
            assert board.version == version
            assert (await other.game(game.game_id)).version == version


async def until_deciding(api: Api, game_id: str, seat: int, *, alone: bool = False) -> None:
    """Wait until a seat has to decide, and no other seat if ``alone``."""
    while True:
        deciding = (await api.game(game_id)).deciding
        if seat in deciding and not (alone and len(deciding) > 1):
            return
        await asyncio.sleep(0.01)


async def test_bots_continue_games_on_every_process(url: str, tmp_path: Path) -> None:
    chance = random.Random(8)
    async with run_servers(url, tmp_path / "key", 2) as apis:
        game, tokens = await apis[0].create(games_pb2.SeatRequest(name="Ada"), BOT)
        for turn in range(12):
            api = apis[turn % 2]
            await until_deciding(api, game.game_id, 1)
            await api.play_turn(game.game_id, tokens, chance)
        await until_deciding(
            apis[0], game.game_id, 1, alone=True
        )  # otherwise the bot plays while the histories are read
        events = await histories(apis, game.game_id)
        ids = Counter(event.command_id for event in events if event.seat == 2 and event.command_id)
        assert all(id.startswith("bot-") for id in ids)


# --- worker processes that are killed ---------------------------------------------------------------------------


class Workers:
    """A process `boardkeeper serve --workers`, and its log."""

    def __init__(self, url: str, folder: Path, count: int) -> None:
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "boardkeeper", "serve", "--db", url, "--key-file", str(folder / "key")),
                *("--listen", "127.0.0.1:0", "--workers", str(count), "--log-format", "json", "--grace-seconds", "1"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._count = count
        self._log: list[dict[str, Any]] = []
        self.address = ""
        self.processes: dict[int, int] = {}
        self.wait_for_all()

    def wait_for_all(self) -> None:
        """Wait until all workers serve."""
        assert self._process.stdout is not None
        while len(self.processes) < self._count or not self.address:
            line = self._process.stdout.readline()
            assert line, self._log
            if not line.startswith("{"):
                continue
            entry = json.loads(line)
            self._log.append(entry)
            if entry["event"] == "workers":
                self.address = entry["address"]
            elif entry["event"] == "worker serves":
                self.processes[entry["worker"]] = entry["process"]

    def kill(self, number: int) -> None:
        """Kill a worker."""
        os.kill(self.processes.pop(number), signal.SIGKILL)

    def close(self) -> int:
        self._process.terminate()
        assert self._process.stdout is not None
        self._process.stdout.read()
        status = self._process.wait()
        self._process.stdout.close()
        return status


@contextmanager
def run_workers(url: str, folder: Path, count: int) -> Iterator[Workers]:
    workers = Workers(url, folder, count)
    try:
        yield workers
    finally:
        workers.close()


async def test_no_command_is_lost_when_a_worker_is_killed(url: str, tmp_path: Path) -> None:
    """A client without a response repeats the command on any worker."""
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_reconnect_backoff_ms", 200)]
    with run_workers(url, tmp_path, 2) as workers:
        answered: dict[str, dict[str, int]] = {}

        async def play(number: int) -> None:
            chance = random.Random(number)
            async with grpc.aio.insecure_channel(workers.address, options=options) as channel:
                api = Api(channel, workers.address)
                game, tokens = await call_with_retries(api.create, request_id=f"game-{number}-of-this-test")
                done = answered.setdefault(game.game_id, {})
                while len(done) < 25:
                    present = await call_with_retries(api.game, game.game_id)
                    seat = next(seat for seat in present.deciding if seat in tokens)
                    legal = await call_with_retries(api.legal, game.game_id, seat, tokens[seat])
                    if seat not in present.deciding or not legal.commands:
                        continue
                    command, id = chance.choice(legal.commands).command, f"at-{legal.version}"
                    answer = await call_with_retries(api.submit, game.game_id, seat, tokens[seat], id, command)
                    done[id] = answer.version

        playing = [asyncio.create_task(play(number)) for number in range(6)]
        for victim in (1, 2):
            while sum(map(len, answered.values())) < 30 * victim:
                assert not any(task.done() and task.exception() for task in playing)
                await asyncio.sleep(0.01)
            workers.kill(victim)
            await asyncio.to_thread(workers.wait_for_all)
        await asyncio.gather(*playing)
        async with grpc.aio.insecure_channel(workers.address, options=options) as channel:
            api = Api(channel, workers.address)
            for game_id, done in answered.items():
                events = await call_with_retries(api.events, game_id)
                assert [event.version for event in events] == list(range(1, len(events) + 1))
                last = {event.command_id: event.version for event in events if event.command_id}
                assert {id: version for id, version in last.items() if id in done} == done


async def call_with_retries(call: Callable[..., Awaitable[Any]], *arguments: Any, **more: Any) -> Any:
    """Repeat a call while no server is available."""
    while True:
        try:
            return await call(*arguments, **more)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            await asyncio.sleep(0.05)
