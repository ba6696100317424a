"""What one peer may take: metadata, streams, time and connections are bounded, and the others are served meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api import Api, refused, served

from boardkeeper.service.edge import grpc_options
from boardkeeper.service.edge.guard import MOST_METADATA
from boardkeeper.service.front import http1, http2
from boardkeeper.v1 import games_pb2

pytestmark = pytest.mark.socket

HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY = 1, 3, 4, 6, 7
END_HEADERS = 4
REFUSED_STREAM = 7
LIST = games_pb2.ListGamesRequest()
WATCH = b"/boardkeeper.v1.Games/WatchGame"
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with served(tmp_path / "games.db") as api:
        yield api


class Raw:
    """An HTTP/2 connection of which every byte is ours: nothing is sent but what a test says."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def to(cls, address: str) -> Raw:
        host, _, port = address.rpartition(":")
        return cls(*await asyncio.open_connection(host, int(port)))

    def greet(self) -> None:
        self._writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self.send(SETTINGS)

    def send(self, kind: int, payload: bytes = b"", *, flags: int = 0, stream: int = 0) -> None:
        self._writer.write(len(payload).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + payload)

    def call(self, stream: int, *more: bytes, path: bytes = WATCH) -> None:
        """The headers of a call, with more blocks behind them; its message never comes."""
        block = b"".join(
            literal(name, value)
            for name, value in (
                (b":method", b"POST"),
                (b":scheme", b"http"),
                (b":path", path),
                (b":authority", b"localhost"),
                (b"te", b"trailers"),
                (b"content-type", b"application/grpc"),
            )
        )
        self.send(HEADERS, block + b"".join(more), flags=END_HEADERS, stream=stream)

    async def frame(self) -> tuple[int, int, bytes]:
        """The next frame: kind, stream, payload. Raises ``EOFError`` or ``OSError`` where there is no more."""
        head = await self._reader.readexactly(9)
        payload = await self._reader.readexactly(int.from_bytes(head[:3]))
        return head[3], int.from_bytes(head[5:9]), payload

    async def until_closed(self) -> list[int]:
        """The kinds of all frames until the service ends the connection."""
        kinds = []
        with contextlib.suppress(EOFError, OSError):
            while True:
                kinds.append((await self.frame())[0])
        self.close()
        return kinds

    def close(self) -> None:
        self._writer.transport.abort()


def literal(name: bytes, value: bytes) -> bytes:
    """A header that is not indexed, of less than 127 bytes each."""
    return b"\x00" + bytes((len(name),)) + name + bytes((len(value),)) + value


STATIC_ENTRY = b"\x8f"
"""One byte on the wire, 46 of metadata: "accept-charset", without a value."""


async def test_a_call_with_too_many_entries_is_refused_before_its_message(api: Api) -> None:
    await api.create()
    raw = await Raw.to(api.address)
    raw.greet()
    for at in range(100):
        raw.call(1 + 2 * at, STATIC_ENTRY * (MOST_METADATA + 1))
    ended: set[int] = set()
    while len(ended) < 100:
        kind, stream, _ = await raw.frame()
        if kind == RST_STREAM:
            ended.add(stream)
    await api.create()
    raw.close()
    many = [(f"x-{at}", "1") for at in range(MOST_METADATA)]
    async with refused(EXHAUSTED, "METADATA_TOO_LARGE"):
        await api.games.ListGames(LIST, metadata=many)
    await api.games.ListGames(LIST, metadata=many[: MOST_METADATA // 2])


async def test_metadata_that_are_too_large_are_refused(api: Api) -> None:
    for size in (grpc_options.LARGEST_METADATA, 3 * grpc_options.LARGEST_METADATA):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await api.games.ListGames(LIST, metadata=(("x-large", "v" * size),))
        assert caught.value.code() is EXHAUSTED
    await api.games.ListGames(LIST, metadata=(("x-large", "v" * (grpc_options.LARGEST_METADATA - 1000)),))


async def test_streams_beyond_the_limit_are_refused_and_others_are_served(api: Api) -> None:
    raw = await Raw.to(api.address)
    raw.greet()
    while (await raw.frame())[0] != SETTINGS:
        pass
    raw.send(SETTINGS, flags=1)  # from here on the service's limit holds
    beyond = 7
    for at in range(grpc_options.MOST_STREAMS + beyond):
        raw.call(1 + 2 * at)
    resets: list[tuple[int, int]] = []
    while len(resets) < beyond:
        kind, stream, payload = await raw.frame()
        if kind == RST_STREAM:
            resets.append((stream, int.from_bytes(payload)))
    first = 1 + 2 * grpc_options.MOST_STREAMS
    assert resets == [(stream, REFUSED_STREAM) for stream in range(first, first + 2 * beyond, 2)]
    await api.create()
    raw.close()


async def test_a_request_whose_message_does_not_come(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.edge.patience.REQUEST_SECONDS", 0.05)
    channel: Any = api.channel
    for call in (
        channel.stream_unary("/boardkeeper.v1.Games/GetGame")(),
        channel.stream_stream("/boardkeeper.v1.Games/WatchGame")(),
    ):
        async with refused(grpc.StatusCode.DEADLINE_EXCEEDED, "REQUEST_TIMEOUT"):
            await (call if isinstance(call, grpc.aio.StreamUnaryCall) else call.read())


async def test_a_request_without_a_message(api: Api) -> None:
    channel: Any = api.channel
    call = channel.stream_unary("/boardkeeper.v1.Games/GetGame")()
    await call.done_writing()
    async with refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST"):
        await call


async def test_connections_beyond_the_limit_are_closed(tmp_path: Path) -> None:
    async with served(tmp_path / "games.db", connections=3) as api:
        await api.create()
        held = [await Raw.to(api.address) for _ in range(2)]
        for raw in held:
            raw.greet()
            assert (await raw.frame())[0] == SETTINGS
        beyond = await Raw.to(api.address)
        beyond.greet()
        assert SETTINGS not in await beyond.until_closed()
        await api.create()
        for raw in held:
            raw.close()


async def test_a_connection_that_says_nothing_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grpc_options, "_HANDSHAKE_SECONDS", 0.1)
    monkeypatch.setattr(http1, "HEAD_SECONDS", 0.1)
    async with served(tmp_path / "games.db") as api:
        silent = await Raw.to(api.address)
        await silent.until_closed()


async def test_a_connection_that_asks_nothing_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grpc_options, "_IDLE_SECONDS", 0.1)
    monkeypatch.setattr(http2, "IDLE_SECONDS", 0.1)
    monkeypatch.setattr(http2, "KEEPALIVE_SECONDS", 0.05)
    async with served(tmp_path / "games.db") as api:
        idle = await Raw.to(api.address)
        idle.greet()
        assert GOAWAY in await idle.until_closed()


async def test_a_flood_of_pings_ends_its_connection(api: Api) -> None:
    raw = await Raw.to(api.address)
    raw.greet()
    for _ in range(100):
        raw.send(PING, b"12345678")
    await raw.until_closed()
    await api.create()
