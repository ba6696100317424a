"""Hostile peers over HTTP/2: attacks cost a bounded amount of memory, and other streams and clients are served."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api_server import Api
from tests.service.http2_attacks import ATTACKS, MB, create_target, endure
from tests.service.process.test_running import Process
from tests.service.raw_http2 import (
    ACK,
    CANCEL,
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    FLOW_CONTROL_ERROR,
    GOAWAY,
    HEADERS,
    INITIAL_WINDOW_SIZE,
    NO_ERROR,
    PING,
    PROTOCOL_ERROR,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    RawConnection,
    call_headers,
    frame,
    literal,
)
from tests.waiting import until

from boardkeeper.service.process.server import running_service
from boardkeeper.service.transport import http2
from boardkeeper.v1 import games_pb2, history_pb2

pytestmark = [pytest.mark.socket, pytest.mark.usefixtures("uvicorn_only")]

GET_GAME = b"/boardkeeper.v1.Games/GetGame"
LIST_EVENTS = b"/boardkeeper.v1.History/ListEvents"


MOST_GROWTH = 120 * MB
"""More than any attack needs. A server that buffers or decodes without limit needs hundreds of MB for some of them."""


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server in a separate process, for all attacks."""
    process = Process(tmp_path_factory.mktemp("attacked") / "games.db")
    yield process
    process.process.kill()
    process.process.wait()


@pytest.fixture
async def attacked(process: Process) -> AsyncIterator[Api]:
    address = await process.address()
    async with grpc.aio.insecure_channel(address) as channel:
        yield Api(channel, address)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of a process in /proc")
@pytest.mark.parametrize("name", ATTACKS)
async def test_an_attack(name: str, process: Process, attacked: Api) -> None:
    target = await create_target(attacked)
    number = process.process.pid
    sockets = open_sockets(number)
    effect = await endure(name, target, number, lambda: attacked.game(target.open_game))
    assert effect.grown < MOST_GROWTH, f"{effect.grown / MB:.0f} MB"
    await until(lambda: open_sockets(number) <= sockets)
    assert process.process.poll() is None
    assert "Traceback" not in process.log.read_text()


def open_sockets(number: int) -> int:
    """Count the open sockets of a process. Other files change: threads open the database when they need it."""
    count = 0
    for file in Path(f"/proc/{number}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            count += str(file.readlink()).startswith("socket:")
    return count


# --- one connection ----------------------------------------------------------------------------------------------


Connect = Callable[..., Awaitable[RawConnection]]


@pytest.fixture
async def connect(api: Api) -> AsyncIterator[Connect]:
    """Open connections of which the server's first frames are read."""
    opened = []

    async def connect(settings: dict[int, int] | None = None) -> RawConnection:
        raw = await RawConnection.open(api.address)
        opened.append(raw)
        raw.greet(settings)
        while (await raw.read_first(SETTINGS)).flags != ACK:
            pass
        return raw

    yield connect
    for raw in opened:
        raw.close()


async def ping(raw: RawConnection) -> None:
    """Wait until the server has handled everything that was sent before."""
    raw.send(PING, b"12345678")
    await raw.read_first(PING)


def header_block(*fields: tuple[bytes, bytes]) -> bytes:
    return b"".join(literal(name, value) for name, value in fields)


_REQUEST = ((b":method", b"POST"), (b":scheme", b"http"), (b":path", GET_GAME))

MALFORMED = {
    "a name in upper case": header_block(*_REQUEST, (b"X-Name", b"1")),
    "a name with a space": header_block(*_REQUEST, (b"x name", b"1")),
    "an empty name": header_block(*_REQUEST, (b"", b"1")),
    "NUL in a value": header_block(*_REQUEST, (b"x-name", b"1\0")),
    "CR and LF in a value": header_block(*_REQUEST, (b"x-name", b"1\r\nx-other: 2")),
    "two paths": header_block(*_REQUEST, (b":path", b"/")),
    "two authorities": header_block((b":authority", b"a"), (b":authority", b"b"), *_REQUEST),
    "no path": header_block(*_REQUEST[:2]),
    "an empty path": header_block(*_REQUEST[:2], (b":path", b"")),
    "a path that is not ASCII": header_block(*_REQUEST[:2], (b":path", b"/\xff")),
    "a method with a space": header_block((b":method", b"PO ST"), *_REQUEST[1:]),
    "a pseudo-header of responses": header_block((b":status", b"200"), *_REQUEST),
    "an unknown pseudo-header": header_block((b":name", b"1"), *_REQUEST),
    "a pseudo-header after a field": header_block((b"x-name", b"1"), *_REQUEST),
    "a field of HTTP/1.1": header_block(*_REQUEST, (b"connection", b"close")),
    "te that is not trailers": header_block(*_REQUEST, (b"te", b"gzip")),
    "a host that is not the authority": header_block((b":authority", b"a"), *_REQUEST, (b"host", b"b")),
    "two lengths": header_block(*_REQUEST, (b"content-length", b"1"), (b"content-length", b"2")),
    "a length that is wrong": header_block(*_REQUEST, (b"content-length", b"1")),
}


@pytest.mark.parametrize("headers", MALFORMED.values(), ids=MALFORMED)
async def test_a_malformed_request_is_reset_and_its_connection_is_not(
    headers: bytes, api: Api, connect: Connect
) -> None:
    game, _ = await api.create()
    raw = await connect()
    raw.send(HEADERS, headers, flags=END_HEADERS | END_STREAM, stream=1)
    reset = await raw.read_first(RST_STREAM, GOAWAY)
    assert (reset.kind, reset.stream, reset.code) == (RST_STREAM, 1, PROTOCOL_ERROR)
    raw.call(3, path=GET_GAME)
    raw.message(3, games_pb2.GetGameRequest(game_id=game.game_id).SerializeToString())
    assert game.game_id.encode() in await raw.read_answer(3)


_FRAME_SIZE_ERROR, _COMPRESSION_ERROR, _ENHANCE_YOUR_CALM = 6, 9, 11

FATAL: dict[str, tuple[bytes, int]] = {
    "a frame that is too large": (b"\x00\x40\x01\x00\x00\x00\x00\x00\x01", _FRAME_SIZE_ERROR),
    "a ping of 7 bytes": (frame(PING, b"1234567"), _FRAME_SIZE_ERROR),
    "settings of 5 bytes": (frame(SETTINGS, b"12345"), _FRAME_SIZE_ERROR),
    "settings of a stream": (frame(SETTINGS, stream=1), PROTOCOL_ERROR),
    "data without a stream": (frame(DATA, b"1"), PROTOCOL_ERROR),
    "data of a stream that was never opened": (frame(DATA, b"1", stream=7), PROTOCOL_ERROR),
    "a stream of the server": (frame(HEADERS, call_headers(), flags=END_HEADERS, stream=2), PROTOCOL_ERROR),
    "a frame within a header block": (frame(HEADERS, stream=1) + frame(PING, b"12345678"), PROTOCOL_ERROR),
    "a continuation of nothing": (frame(CONTINUATION, stream=1), PROTOCOL_ERROR),
    "no credit": (frame(WINDOW_UPDATE, bytes(4)), PROTOCOL_ERROR),
    "too much credit": (frame(WINDOW_UPDATE, b"\x7f\xff\xff\xff"), FLOW_CONTROL_ERROR),
    "an index that does not exist": (frame(HEADERS, b"\xfe", flags=END_HEADERS, stream=1), _COMPRESSION_ERROR),
    "a table that is too large": (frame(HEADERS, b"\x3f\xe2\x1f", flags=END_HEADERS, stream=1), _COMPRESSION_ERROR),
    "a header block without an end": (
        frame(HEADERS, stream=1) + frame(CONTINUATION, stream=1) * 20,
        _ENHANCE_YOUR_CALM,
    ),
    "headers of 100 kB": (
        frame(HEADERS, literal(b"x", b"1" * 1000, indexed=True) + b"\xbe" * 100, flags=END_HEADERS, stream=1),
        _ENHANCE_YOUR_CALM,
    ),
}


@pytest.mark.parametrize(("sent", "code"), FATAL.values(), ids=FATAL)
async def test_an_error_of_a_connection_closes_it(sent: bytes, code: int, api: Api, connect: Connect) -> None:
    raw = await connect()
    await raw.write(sent)
    assert (await raw.read_first(GOAWAY)).code == code
    await raw.until_closed()
    await api.create()


async def test_a_stream_without_credit_stops_no_other_stream(api: Api, connect: Connect) -> None:
    target = await create_target(api)
    request = history_pb2.ListEventsRequest(game_id=target.long_game, page_size=1000).SerializeToString()
    raw = await connect({INITIAL_WINDOW_SIZE: 0})
    raw.send(WINDOW_UPDATE, (2**30).to_bytes(4))
    for stream in (1, 3):
        raw.call(stream, path=LIST_EVENTS)
        raw.message(stream, request)
        assert (await raw.read_first(HEADERS, RST_STREAM)).stream == stream
    await ping(raw)
    raw.send(WINDOW_UPDATE, (2**20).to_bytes(4), stream=3)
    page = await raw.read_answer(3)
    assert len(page) > 100_000
    for _ in range(10):
        raw.send(WINDOW_UPDATE, (1000).to_bytes(4), stream=1)
    raw.send(WINDOW_UPDATE, (2**20).to_bytes(4), stream=1)
    assert await raw.read_answer(1) == page


async def test_a_client_that_ignores_its_window_loses_the_stream(api: Api, connect: Connect) -> None:
    game, _ = await api.create()
    raw = await connect()
    raw.call(1)
    raw.message(1, games_pb2.WatchGameRequest(game_id=game.game_id).SerializeToString(), flags=0)
    for _ in range(20):
        raw.send(DATA, b"A" * 16_000, stream=1)
    reset = await raw.read_first(RST_STREAM, GOAWAY)
    assert (reset.kind, reset.stream, reset.code) == (RST_STREAM, 1, FLOW_CONTROL_ERROR)
    raw.call(3, path=GET_GAME)
    raw.message(3, games_pb2.GetGameRequest(game_id=game.game_id).SerializeToString())
    while (answer := await raw.read_first(HEADERS, GOAWAY)).stream != 3:
        assert answer.kind != GOAWAY


async def test_requests_that_are_answered_early_do_not_stay_open(api: Api, connect: Connect) -> None:
    raw = await connect()
    for stream in range(1, 801, 2):
        raw.call(stream, path=b"/boardkeeper.v1.Games/NoSuchMethod")
        reset = await raw.read_first(RST_STREAM, GOAWAY)
        assert (reset.kind, reset.stream, reset.code) == (RST_STREAM, stream, NO_ERROR)


async def test_calls_beyond_the_limit_of_all_calls_are_rejected(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = await api.create()
    request = games_pb2.WatchGameRequest(game_id=game.game_id)
    watches: list[Any] = [api.games.WatchGame(request) for _ in range(3)]
    for watch in watches:
        await watch.read()
    monkeypatch.setattr(http2, "MAX_CALLS", 3)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await api.game(game.game_id)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    watches.pop().cancel()
    while True:
        with suppress(grpc.aio.AioRpcError):  # until the server has seen that the call is cancelled
            await api.game(game.game_id)
            break
    for watch in watches:
        watch.cancel()


@pytest.mark.parametrize(
    "sent",
    [frame(SETTINGS), frame(PING, b"12345678"), frame(WINDOW_UPDATE, b"\0\0\0\1")],
    ids=["settings", "pings", "credit"],
)
async def test_a_flood_of_control_frames_closes_its_connection(sent: bytes, api: Api, connect: Connect) -> None:
    raw = await connect()
    with_goaway = asyncio.create_task(raw.read_first(GOAWAY))
    await raw.write(sent * (http2.MAX_SMALL_FRAMES + 1))
    assert (await with_goaway).code == _ENHANCE_YOUR_CALM
    await raw.until_closed()
    await api.create()


async def test_a_connection_is_replaced_before_it_has_had_too_many_streams(
    api: Api, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http2, "MAX_OPENED_STREAMS", 5)
    game, _ = await api.create()
    watched = games_pb2.WatchGameRequest(game_id=game.game_id).SerializeToString()
    raw = await connect()
    raw.call(1)
    raw.message(1, watched)
    await raw.read_first(HEADERS)
    for stream in range(3, 13, 2):  # each ends before the server begins to answer it
        opened = frame(HEADERS, call_headers(), flags=END_HEADERS, stream=stream)
        await raw.write(opened + frame(RST_STREAM, CANCEL.to_bytes(4), stream=stream))
    announced = await raw.read_first(GOAWAY)
    assert (announced.code, announced.payload[:4]) == (NO_ERROR, b"\x7f\xff\xff\xff")
    marker = await raw.read_first(PING)
    raw.call(13, path=GET_GAME)  # opened before the client knew
    raw.message(13, games_pb2.GetGameRequest(game_id=game.game_id).SerializeToString())
    while (answer := await raw.read_first(DATA, GOAWAY)).stream != 13:
        assert answer.kind != GOAWAY
    raw.send(PING, marker.payload, flags=ACK)
    await ping(raw)
    raw.send(RST_STREAM, bytes(4), stream=1)
    final = await raw.read_first(GOAWAY)
    assert (final.code, int.from_bytes(final.payload[:4])) == (NO_ERROR, 13)
    await raw.until_closed()


async def test_clients_do_not_notice_that_connections_are_replaced(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2, "MAX_OPENED_STREAMS", 20)
    monkeypatch.setattr(http2, "MAX_RESETS", 5)
    game, _ = await api.create()
    watch: Any = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id))
    await watch.read()

    async def calls() -> None:
        for _ in range(50):
            await api.game(game.game_id)

    await asyncio.gather(*(calls() for _ in range(10)))
    for _ in range(30):
        cancelled: Any = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id))
        await cancelled.read()
        cancelled.cancel()
    await calls()
    assert not watch.done()
    watch.cancel()


STORM = """
import os, sys
import grpc
from boardkeeper.v1 import games_pb2, games_pb2_grpc

games = games_pb2_grpc.GamesStub(grpc.insecure_channel(sys.argv[1]))
seats = [games_pb2.SeatRequest(name="Ada"), games_pb2.SeatRequest(name="Bo")]
game = games.CreateGame(games_pb2.CreateGameRequest(title="orleans", seats=seats)).game
request = games_pb2.WatchGameRequest(game_id=game.game_id)
watch = games.WatchGame(request)
next(watch)
for _ in range(3):
    for each in [games.WatchGame(request) for _ in range(1_000)]:
        each.cancel()
    for _ in range(20):
        games.GetGame(games_pb2.GetGameRequest(game_id=game.game_id))
print("the watch is open" if watch.is_active() else watch.details(), flush=True)
os._exit(0)  # closing a channel with many cancelled calls hangs sometimes, in gRPC's library
"""


def test_many_cancelled_calls_end_no_other_call(tmp_path: Path) -> None:
    """All calls are on one connection, and none waits for the server before it is cancelled."""
    with running_service(tmp_path / "games.db") as address:
        ran = subprocess.run([sys.executable, "-c", STORM, address], capture_output=True, text=True, check=False)
    assert ran.stdout == "the watch is open\n", ran.stderr
