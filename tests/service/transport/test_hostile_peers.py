"""Limits of one peer's metadata, streams, time and connections, while other peers are served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api_server import Api, grpc_error, run_server
from tests.service.raw_http2 import GOAWAY, PING, REFUSED_STREAM, RST_STREAM, SETTINGS, RawConnection

from boardkeeper.service.transport import grpcio_server, http1, http2
from boardkeeper.service.transport.guard import MAX_METADATA_BYTES, MAX_METADATA_ENTRIES
from boardkeeper.v1 import games_pb2

pytestmark = pytest.mark.socket

LIST = games_pb2.ListGamesRequest()
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


STATIC_ENTRY = b"\x8f"
"""One byte on the wire, 46 bytes of metadata: "accept-charset" without a value."""


async def test_a_call_with_too_much_metadata_is_rejected_before_its_message(api: Api) -> None:
    await api.create()
    raw = await RawConnection.open(api.address)
    raw.greet()
    for at in range(100):
        raw.call(1 + 2 * at, STATIC_ENTRY * (MAX_METADATA_ENTRIES + 1))
    ended: set[int] = set()
    while len(ended) < 100:
        ended.add((await raw.read_first(RST_STREAM)).stream)
    await api.create()
    raw.close()
    many = [(f"x-{at}", "1") for at in range(MAX_METADATA_ENTRIES)]
    async with grpc_error(EXHAUSTED, "METADATA_TOO_LARGE"):
        await api.games.ListGames(LIST, metadata=many)
    await api.games.ListGames(LIST, metadata=many[: MAX_METADATA_ENTRIES // 2])


async def test_metadata_beyond_the_size_limit_is_rejected(api: Api) -> None:
    for size in (MAX_METADATA_BYTES, 3 * MAX_METADATA_BYTES):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await api.games.ListGames(LIST, metadata=(("x-large", "v" * size),))
        assert caught.value.code() is EXHAUSTED
    await api.games.ListGames(LIST, metadata=(("x-large", "v" * (MAX_METADATA_BYTES - 1000)),))


async def test_streams_beyond_the_limit_are_rejected_and_other_clients_are_served(api: Api) -> None:
    raw = await RawConnection.open(api.address)
    raw.greet()
    await raw.read_first(SETTINGS)
    raw.send(SETTINGS, flags=1)  # the server's limit applies from here on
    beyond = 7
    for at in range(grpcio_server.MAX_STREAMS + beyond):
        raw.call(1 + 2 * at)
    resets: list[tuple[int, int]] = []
    while len(resets) < beyond:
        reset = await raw.read_first(RST_STREAM)
        resets.append((reset.stream, reset.code))
    first = 1 + 2 * grpcio_server.MAX_STREAMS
    assert resets == [(stream, REFUSED_STREAM) for stream in range(first, first + 2 * beyond, 2)]
    await api.create()
    raw.close()


async def test_a_request_whose_message_never_arrives(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.transport.read_timeouts.REQUEST_SECONDS", 0.05)
    channel: Any = api.channel
    for call in (
        channel.stream_unary("/boardkeeper.v1.Games/GetGame")(),
        channel.stream_stream("/boardkeeper.v1.Games/WatchGame")(),
    ):
        async with grpc_error(grpc.StatusCode.DEADLINE_EXCEEDED, "REQUEST_TIMEOUT"):
            await (call if isinstance(call, grpc.aio.StreamUnaryCall) else call.read())


async def test_a_request_without_a_message(api: Api) -> None:
    channel: Any = api.channel
    call = channel.stream_unary("/boardkeeper.v1.Games/GetGame")()
    await call.done_writing()
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST"):
        await call


async def test_connections_beyond_the_limit_are_closed(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", connections=3) as api:
        await api.create()
        opened = [await RawConnection.open(api.address) for _ in range(2)]
        for raw in opened:
            raw.greet()
            assert (await raw.read_frame()).kind == SETTINGS
        beyond = await RawConnection.open(api.address)
        beyond.greet()
        assert SETTINGS not in await beyond.until_closed()
        await api.create()
        for raw in opened:
            raw.close()


async def test_a_connection_without_a_handshake_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grpcio_server, "_HANDSHAKE_SECONDS", 0.1)
    monkeypatch.setattr(http1, "HEAD_SECONDS", 0.1)
    async with run_server(tmp_path / "games.db") as api:
        silent = await RawConnection.open(api.address)
        await silent.until_closed()


async def test_an_idle_connection_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grpcio_server, "_IDLE_SECONDS", 0.1)
    monkeypatch.setattr(http2, "IDLE_SECONDS", 0.1)
    monkeypatch.setattr(http2, "KEEPALIVE_SECONDS", 0.05)
    async with run_server(tmp_path / "games.db") as api:
        kinds: list[int] = []
        while GOAWAY not in kinds:  # on a busy machine the preface may arrive after the idle timeout
            idle = await RawConnection.open(api.address)
            idle.greet()
            kinds = await idle.until_closed()


async def test_a_flood_of_pings_ends_its_connection(api: Api) -> None:
    raw = await RawConnection.open(api.address)
    raw.greet()
    for _ in range(100):
        raw.send(PING, b"12345678")
    await raw.until_closed()
    await api.create()
