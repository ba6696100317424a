"""Attacks over HTTP/2, each with a fixed amount of traffic.

``python -m tests.service.http2_attacks [NAME ...]`` attacks a new server with each of them, and prints the server's
memory and the duration of another client's calls: the figures in docs/limits.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from tests.service.api_server import Api
from tests.service.process.test_running import process_on
from tests.service.raw_http2 import (
    CANCEL,
    CONTINUATION,
    DATA,
    END_HEADERS,
    HEADERS,
    INITIAL_WINDOW_SIZE,
    PING,
    PRIORITY,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    RawConnection,
    call_headers,
    frame,
    literal,
    settings_payload,
)
from tests.waiting import until

from boardkeeper.v1 import games_pb2, history_pb2

MB = 1_000_000
_BLOCK = 64 * 1024
_LIST_EVENTS = b"/boardkeeper.v1.History/ListEvents"
_IMPORT = b"/boardkeeper.v1.History/ImportRecord"
_GET_GAME = b"/boardkeeper.v1.Games/GetGame"


@dataclass
class Target:
    """The server that is attacked: a game with a long history, and one that waits for a player."""

    address: str
    long_game: str
    open_game: str


async def create_target(api: Api) -> Target:
    """Create the games that attacks ask for."""
    seat = games_pb2.SeatRequest(bot="random")
    ended, _ = await api.create(seat, seat)
    async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=ended.game_id)):
        pass
    opened, _ = await api.create()
    return Target(api.address, ended.game_id, opened.game_id)


class Attack:
    """The connections of an attack, and how much it has sent and received."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.sent = 0
        self.received = 0
        self._connections: list[RawConnection] = []
        self._readers: list[asyncio.Task[None]] = []
        self._ended: Counter[RawConnection] = Counter()

    async def connect(self, settings: dict[int, int] | None = None, *, reads: bool = True) -> RawConnection:
        """Open a connection; unless ``reads``, its answers stay in the socket."""
        raw = await RawConnection.open(self.target.address)
        raw.greet(settings)
        self._connections.append(raw)
        if reads:
            self._readers.append(asyncio.create_task(self._read(raw)))
        return raw

    async def _read(self, raw: RawConnection) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                kind = (await raw.read_frame()).kind
                self.received += 1
                self._ended[raw] += kind in (HEADERS, RST_STREAM)
        self._ended[raw] += 1_000_000  # the connection, and all of its calls
        raw.close()

    async def wait_for_answers(self, raw: RawConnection, number: int) -> None:
        """Wait until the server has begun to answer this number of calls, or has ended them."""
        await until(lambda: self._ended[raw] >= number)

    async def write(self, raw: RawConnection, data: bytes) -> None:
        await raw.write(data)
        self.sent += len(data)
        await asyncio.sleep(0)

    async def flood(self, raw: RawConnection, frames: bytes, most: int) -> None:
        """Send the same frames again and again. Returns early if the server closes the connection."""
        block = frames * max(1, _BLOCK // len(frames))
        with contextlib.suppress(OSError):
            for _ in range(0, most, len(block)):
                await self.write(raw, block)

    async def finish(self) -> None:
        for raw in self._connections:
            raw.close()
        await asyncio.gather(*self._readers)


async def header_bombs(attack: Attack) -> None:
    """Four connections send calls with 3,900 references of one byte to a field of 3,900 bytes."""

    async def bomb() -> None:
        raw = await attack.connect()
        large = call_headers() + literal(b"x-large", b"A" * 3900, indexed=True)
        with contextlib.suppress(OSError):
            await attack.write(raw, frame(HEADERS, large, flags=END_HEADERS, stream=1))
            block = call_headers() + b"\xbe" * 3900
            for stream in range(3, 5003, 2):
                await attack.write(raw, frame(HEADERS, block, flags=END_HEADERS, stream=stream))

    await asyncio.gather(*(bomb() for _ in range(4)))


async def many_fields(attack: Attack) -> None:
    """Calls with 1,000 fields of one byte each on the wire."""
    for _ in range(5):
        raw = await attack.connect()
        block = call_headers() + b"\x8f" * 1000
        with contextlib.suppress(OSError):
            for stream in range(1, 1001, 2):
                await attack.write(raw, frame(HEADERS, block, flags=END_HEADERS, stream=stream))


async def rapid_reset(attack: Attack) -> None:
    """Calls that are opened and reset at once, over a new connection whenever the server closes one."""
    pairs = b"".join(
        frame(HEADERS, call_headers(), flags=END_HEADERS, stream=stream)
        + frame(RST_STREAM, CANCEL.to_bytes(4), stream=stream)
        for stream in range(1, 1001, 2)
    )
    for _ in range(40):
        raw = await attack.connect()
        with contextlib.suppress(OSError):
            await attack.write(raw, pairs)


async def continuation_flood(attack: Attack) -> None:
    """Header blocks that never end."""
    for _ in range(5):
        raw = await attack.connect()
        with contextlib.suppress(OSError):
            await attack.write(raw, frame(HEADERS, call_headers(), stream=1))
            await attack.flood(raw, frame(CONTINUATION, literal(b"x", b"A" * 100) * 100, stream=1), 4 * MB)


async def empty_continuation_flood(attack: Attack) -> None:
    """Header blocks of empty frames that never end."""
    for _ in range(5):
        raw = await attack.connect()
        with contextlib.suppress(OSError):
            await attack.write(raw, frame(HEADERS, call_headers(), stream=1))
            await attack.flood(raw, frame(CONTINUATION, stream=1), MB)


async def settings_flood(attack: Attack) -> None:
    """Empty SETTINGS frames whose responses are not read."""
    raw = await attack.connect(reads=False)
    await attack.flood(raw, frame(SETTINGS), 10 * MB)


async def large_settings_flood(attack: Attack) -> None:
    """SETTINGS frames of 2,700 entries."""
    raw = await attack.connect()
    entries = b"".join(settings_payload({INITIAL_WINDOW_SIZE: size}) for size in range(2700))
    await attack.flood(raw, frame(SETTINGS, entries), 20 * MB)


async def ping_flood(attack: Attack) -> None:
    """PING frames whose responses are not read."""
    raw = await attack.connect(reads=False)
    await attack.flood(raw, frame(PING, b"12345678"), 30 * MB)


async def window_update_flood(attack: Attack) -> None:
    raw = await attack.connect()
    await attack.flood(raw, frame(WINDOW_UPDATE, b"\0\0\0\1"), 10 * MB)


async def priority_flood(attack: Attack) -> None:
    raw = await attack.connect()
    await attack.flood(raw, frame(PRIORITY, b"\0\0\0\0\1", stream=1), 10 * MB)


async def unknown_frames(attack: Attack) -> None:
    raw = await attack.connect()
    await attack.flood(raw, frame(99, b"A" * 16_000), 20 * MB)


async def small_data(attack: Attack) -> None:
    """One message, sent in frames of one byte; then empty frames."""
    for payload in (b"A", b""):
        raw = await attack.connect()
        raw.call(1, path=_GET_GAME)
        raw.send(DATA, b"\0\0\2\0\0", stream=1)
        await attack.flood(raw, frame(DATA, payload, stream=1), 2 * MB)


async def huge_frames(attack: Attack) -> None:
    """Frames of 16 MB, in calls and outside of them."""
    for kind in (DATA, HEADERS, SETTINGS, 99):
        raw = await attack.connect()
        raw.call(1)
        head = (2**24 - 1).to_bytes(3) + bytes((kind, 0)) + (3 if kind == HEADERS else 1).to_bytes(4)
        with contextlib.suppress(OSError):
            await attack.write(raw, head)
            for _ in range(64):
                await attack.write(raw, b"\0" * 256 * 1024)


async def huge_messages(attack: Attack) -> None:
    """Messages of 4 GB, sent without regard to the server's windows."""
    for _ in range(10):
        raw = await attack.connect()
        raw.call(1, path=_GET_GAME)
        raw.send(DATA, b"\0\xff\xff\xff\xff", stream=1)
        await attack.flood(raw, frame(DATA, b"A" * 16_000, stream=1), 4 * MB)


async def unread_bodies(attack: Attack) -> None:
    """Messages that end one byte early: 100 calls of 60 kB over each of 10 connections."""
    for _ in range(10):
        raw = await attack.connect()
        with contextlib.suppress(OSError):
            for stream in range(1, 201, 2):
                size = 60_000
                await attack.write(
                    raw,
                    frame(HEADERS, call_headers(_GET_GAME), flags=END_HEADERS, stream=stream)
                    + frame(DATA, b"\0" + size.to_bytes(4) + b"A" * 15_000, stream=stream)
                    + frame(DATA, b"A" * 15_000, stream=stream) * 2
                    + frame(DATA, b"A" * (size - 45_001), stream=stream),
                )


async def slow_writers(attack: Attack) -> None:
    """100 calls over each of 10 connections, which get one byte in turn."""
    for _ in range(10):
        raw = await attack.connect()
        with contextlib.suppress(OSError):
            for stream in range(1, 201, 2):
                await attack.write(raw, frame(HEADERS, call_headers(_IMPORT), flags=END_HEADERS, stream=stream))
            for _ in range(10):
                await attack.write(raw, b"".join(frame(DATA, b"\0", stream=stream) for stream in range(1, 201, 2)))


async def slow_readers(attack: Attack) -> None:
    """100 calls over each of 5 connections, which give no credit for the answers."""
    request = history_pb2.ListEventsRequest(game_id=attack.target.long_game, page_size=1000).SerializeToString()
    opened = [await attack.connect({INITIAL_WINDOW_SIZE: 0}) for _ in range(5)]
    for raw in opened:
        for stream in range(1, 201, 2):
            raw.call(stream, path=_LIST_EVENTS)
            raw.message(stream, request)
    for raw in opened:
        await attack.wait_for_answers(raw, 100)


async def deaf_readers(attack: Attack) -> None:
    """100 calls over each of 5 connections, which give all credit and then read nothing."""
    request = history_pb2.ListEventsRequest(game_id=attack.target.long_game, page_size=1000).SerializeToString()
    for _ in range(5):
        raw = await attack.connect({INITIAL_WINDOW_SIZE: 2**31 - 1}, reads=False)
        raw.send(WINDOW_UPDATE, (2**30).to_bytes(4))
        for stream in range(1, 201, 2):
            raw.call(stream, path=_LIST_EVENTS)
            raw.message(stream, request)
        with contextlib.suppress(OSError):
            await attack.write(raw, frame(PING, b"12345678"))


async def tiny_credit(attack: Attack) -> None:
    """Answers for which one byte of credit comes at a time."""
    request = history_pb2.ListEventsRequest(game_id=attack.target.long_game, page_size=1000).SerializeToString()
    raw = await attack.connect({INITIAL_WINDOW_SIZE: 0})
    streams = range(1, 201, 2)
    for stream in streams:
        raw.call(stream, path=_LIST_EVENTS)
        raw.message(stream, request)
    await attack.wait_for_answers(raw, 100)
    credit = b"".join(frame(WINDOW_UPDATE, b"\0\0\0\1", stream=stream) for stream in streams)
    await attack.flood(raw, credit, MB)


async def idle_streams(attack: Attack) -> None:
    """2,000 streams over 20 connections, which wait for the events of one game."""
    request = games_pb2.WatchGameRequest(game_id=attack.target.open_game).SerializeToString()
    opened = [await attack.connect() for _ in range(20)]
    for raw in opened:
        for stream in range(1, 201, 2):
            raw.call(stream)
            raw.message(stream, request)
    for raw in opened:
        await attack.wait_for_answers(raw, 100)


async def excess_streams(attack: Attack) -> None:
    """Streams beyond the limit of a connection."""
    raw = await attack.connect()
    block = b"".join(frame(HEADERS, call_headers(), flags=END_HEADERS, stream=stream) for stream in range(1, 20_001, 2))
    with contextlib.suppress(OSError):
        for at in range(0, len(block), _BLOCK):
            await attack.write(raw, block[at : at + _BLOCK])


async def short_connections(attack: Attack) -> None:
    """1,000 connections that end within a call."""
    for _ in range(1000):
        raw = await RawConnection.open(attack.target.address)
        raw.greet()
        raw.call(1)
        with contextlib.suppress(OSError):
            await attack.write(raw, frame(PING, b"12345678"))
        raw.close()


async def garbage(attack: Attack) -> None:
    """Bytes that are not HTTP, before and after the preface."""
    for start in (b"", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"):
        for _ in range(20):
            raw = await RawConnection.open(attack.target.address)
            with contextlib.suppress(OSError):
                await attack.write(raw, start + bytes(range(256)) * 100)
            raw.close()


ATTACKS: dict[str, Callable[[Attack], Awaitable[None]]] = {
    attack.__name__: attack
    for attack in (
        header_bombs,
        many_fields,
        rapid_reset,
        continuation_flood,
        empty_continuation_flood,
        settings_flood,
        large_settings_flood,
        ping_flood,
        window_update_flood,
        priority_flood,
        unknown_frames,
        small_data,
        huge_frames,
        huge_messages,
        unread_bodies,
        slow_writers,
        slow_readers,
        deaf_readers,
        tiny_credit,
        idle_streams,
        excess_streams,
        short_connections,
        garbage,
    )
}


@dataclass
class Effect:
    """The effect of an attack on the server and on another client."""

    sent: int
    before: int
    peak: int
    seconds: list[float]

    @property
    def grown(self) -> int:
        """By how many bytes the server's memory grew at most."""
        return self.peak - self.before


_CALLS = 30


async def endure(name: str, target: Target, process: int, call: Callable[[], Awaitable[object]]) -> Effect:
    """Run an attack while another client calls the server. Returns early if the server stops reading."""
    attack = Attack(target)
    seconds: list[float] = []
    clock = asyncio.get_running_loop().time

    async def calls() -> None:
        for _ in range(_CALLS):
            start = clock()
            await call()
            seconds.append(clock() - start)

    await calls()
    seconds.clear()
    reset_peak(process)
    before = memory(process, "VmRSS")
    running = asyncio.ensure_future(ATTACKS[name](attack))
    done = None
    while not running.done() and done != (attack.sent, attack.received):
        done = attack.sent, attack.received
        await calls()
    await calls()  # with everything that the attack left open
    effect = Effect(attack.sent, before, memory(process, "VmHWM"), seconds)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await attack.finish()
    await calls()
    return effect


def memory(process: int, key: str) -> int:
    """Return a value of a process's status, in bytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{key}:"))


def reset_peak(process: int) -> None:
    """Let ``VmHWM`` start again from the present value."""
    Path(f"/proc/{process}/clear_refs").write_text("5")


# --- figures -----------------------------------------------------------------------------------------------------

_HOLD_SECONDS = 2.0
_BLOCKED_SECONDS = 20.0


async def measure(name: str) -> None:
    """Attack a new server from a separate process, and print the figures."""
    clock = asyncio.get_running_loop().time
    with tempfile.TemporaryDirectory() as folder:
        async with process_on(Path(folder) / "games.db") as (server, api):
            process = server.process.pid
            target = await create_target(api)
            await api.game(target.open_game)
            reset_peak(process)
            before = memory(process, "VmRSS")
            seconds: list[float] = []
            attacker = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.service.http2_attacks",
                "--attack", name, target.address, target.long_game, target.open_game,
            )  # fmt: skip
            running = asyncio.create_task(attacker.wait())
            while not running.done():
                start = clock()
                await api.game(target.open_game)
                seconds.append(clock() - start)
                await asyncio.sleep(0.002)
            seconds.sort()
            sys.stdout.write(
                f"{name:25} {before / MB:5.0f} MB, at most {memory(process, 'VmHWM') / MB:5.0f} MB;"
                f" {len(seconds):5} calls of another client: p99 {seconds[len(seconds) * 99 // 100] * 1000:7.1f} ms,"
                f" at most {seconds[-1] * 1000:7.1f} ms\n"
            )
            sys.stdout.flush()


async def attack_alone(name: str, target: Target) -> None:
    """Run one attack, and keep its connections open for a moment."""
    attack = Attack(target)
    with contextlib.suppress(TimeoutError):  # the server has stopped reading
        await asyncio.wait_for(ATTACKS[name](attack), _BLOCKED_SECONDS)
    await asyncio.sleep(_HOLD_SECONDS)
    await attack.finish()


async def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--attack"]:
        await attack_alone(arguments[1], Target(*arguments[2:]))
    else:
        for name in arguments or ATTACKS:
            await measure(name)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
