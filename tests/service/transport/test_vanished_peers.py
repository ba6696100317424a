"""Clients that vanish are normal: the log has a line for the call and no error."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api_server import Api, run_server

from boardkeeper.service.transport.call import Call
from boardkeeper.v1 import games_pb2, history_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

SEAT = games_pb2.SeatRequest
Begun = Callable[[], None]
_RESET = struct.pack("ii", 1, 0)


class ResettingRelay:
    """Forwards connections to a server, and can reset all of them."""

    def __init__(self, address: str) -> None:
        self._host, _, self._port = address.rpartition(":")
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> str:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return "{}:{}".format(*self._server.sockets[0].getsockname())

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ahead, back = await asyncio.open_connection(self._host, int(self._port))
        self._writers += (writer, back)
        for source, sink in ((reader, back), (ahead, writer)):
            task = asyncio.create_task(self._forward(source, sink))
            self._tasks.add(task)

    async def _forward(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(4096):
                sink.write(data)
                await sink.drain()

    def cut(self) -> None:
        """Reset every connection."""
        for writer in self._writers:
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            writer.transport.abort()
        self._writers.clear()

    async def stop(self) -> None:
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._server.close()
        await self._server.wait_closed()


@asynccontextmanager
async def run_relay(api: Api) -> AsyncIterator[tuple[ResettingRelay, Api]]:
    """Run a relay to a server, with a client that reads little at a time, so that writes to it wait."""
    relay = ResettingRelay(api.address)
    address = await relay.start()
    narrow = [("grpc.enable_retries", 0), ("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0)]
    try:
        async with grpc.aio.insecure_channel(address, options=narrow) as channel:
            yield relay, Api(channel)
    finally:
        await relay.stop()


async def unary(api: Api, game: str, begun: Begun) -> None:
    """A read that waits for a version."""
    await api.games.GetGame(games_pb2.GetGameRequest(game_id=game, min_version=100_000))


async def server_stream(api: Api, game: str, begun: Begun) -> None:
    """A watcher that stops reading."""
    call = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game))
    await call.read()
    begun()
    await asyncio.Event().wait()


async def client_stream(api: Api, game: str, begun: Begun) -> None:
    """An import that never ends."""
    call = api.history.ImportRecord()
    while True:
        await call.write(history_pb2.ImportRecordRequest(data=b"{}\n"))
        await asyncio.sleep(0.01)


async def bidi(api: Api, game: str, begun: Begun) -> None:
    """A player that subscribes and stops reading."""
    call = api.games.Play()
    await call.write(games_pb2.PlayRequest(subscription=games_pb2.PlaySubscription(game_id=game)))
    await call.read()
    begun()
    await asyncio.Event().wait()


KINDS: dict[str, tuple[str, Callable[[Api, str, Begun], Awaitable[None]], int]] = {
    "unary": ("Games.GetGame", unary, 1),
    "server-stream": ("Games.WatchGame", server_stream, 2),
    "client-stream": ("History.ImportRecord", client_stream, 1),
    "bidi": ("Games.Play", bidi, 2),
}
"""By kind of call: the RPC, a function that calls it, and the number of signals that it is running."""

CALLS = 3
ROUNDS = 15


@pytest.mark.parametrize("kind", KINDS)
async def test_a_peer_that_vanishes_is_a_cancelled_call(
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    rpc, call, signs = KINDS[kind]
    begun = asyncio.Semaphore(0)

    def record_begin(*arguments: Any) -> Call:
        begun.release()
        return Call(*arguments)

    async with run_server(tmp_path / "games.db", log="json", wait_seconds=100) as api:
        game, _ = await api.create(SEAT(bot="random"), SEAT(bot="random"))
        watched = games_pb2.WatchGameRequest(game_id=game.game_id)
        assert [answer async for answer in api.games.WatchGame(watched)]
        await read_log(capfd, "Games.WatchGame", 1)
        monkeypatch.setattr("boardkeeper.service.transport.guard.Call", record_begin)
        for _ in range(ROUNDS):
            async with run_relay(api) as (relay, through):
                calls = [call(through, game.game_id, begun.release) for _ in range(CALLS)]
                running = [asyncio.ensure_future(it) for it in calls]
                for _ in range(signs * CALLS):
                    await begun.acquire()
                relay.cut()
                lines = await read_log(capfd, rpc, CALLS)
                for task in running:
                    task.cancel()
                await asyncio.gather(*running, return_exceptions=True)
            assert [line["code"] for line in lines if line.get("rpc") == rpc] == ["CANCELLED"] * CALLS
            assert not [line for line in lines if line["level"] == "error" or "exception" in line]
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def read_log(capfd: pytest.CaptureFixture[str], rpc: str, count: int) -> list[dict[str, Any]]:
    """Return the lines of the log once it has the lines of this number of calls of an RPC."""
    lines: list[dict[str, Any]] = []
    while sum(line["event"] == "call" and line["rpc"] == rpc for line in lines) < count:
        await asyncio.sleep(0.02)
        lines += [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    return lines
