"""The cost of watchers: the memory of idle ones, and the delay of an event to all watchers of a game.

    python -m bench.bench_watchers [--idle 2000] [--games 200] [--streams 100] [--watchers 1000] [--events 20]

A new game has two seats; the memory of a game grows a little while it is played.

``--idle`` is the number of WatchGame streams on idle games for which the growth of the server's resident memory is
measured. The streams of a bare grpc.aio server show gRPC's part of it. The games are in memory before, and the first
hundred streams do not count. ``--streams`` is the number of streams per connection; with fewer, connections take most
of the memory.

``--watchers`` is the number of watchers of one game for which the time from sending a command until a watcher has the
event is measured. The watchers are cheap (`bench/http2.py`), so nearly all of the time is the server's. For
comparison, the bare server sends the same amount to the same number of watchers.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.bench_commands import Seat, create_games, first_title, kinds_of
from bench.http2 import CallFailedError, Channel, Headers, Loop, Stream, grpc_headers, grpc_message
from bench.load import Call, UnaryCall
from bench.servers import Server, service_command

from boardkeeper.v1 import games_pb2

TITLE = first_title()
KINDS = kinds_of(TITLE)
WAY = KINDS["single"]
"""A command of the first seat, and the command that undoes it."""

MOST_IDLE_MB, MOST_MS = 30.0, 40.0
"""Our goals: the memory of 2,000 idle watchers, and the 99th percentile of an event's delay."""

_TIMEOUT = 60.0
HEARTBEAT = {"BOARDKEEPER_HEARTBEAT_SECONDS": "3600"}

BARE = """
import asyncio, sys
import grpc, uvloop

async def main():
    changed = asyncio.Condition()
    async def watch(request, context):
        await context.write(b"x" * 300)
        while True:
            async with changed:
                await changed.wait()
            await context.write(b"x" * 300)
    async def send(request, context):
        async with changed:
            changed.notify_all()
        return b""
    handlers = {"Watch": grpc.unary_stream_rpc_method_handler(watch), "Send": grpc.unary_unary_rpc_method_handler(send)}
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Bare", handlers),))
    server.add_insecure_port(sys.argv[1])
    await server.start()
    await server.wait_for_termination()

uvloop.run(main())
"""


class WatchRequest(NamedTuple):
    """The headers and the message that open a watcher's stream."""

    headers: Headers
    request: bytes


class Watchers:
    """Open streams, and the times when they received the last message."""

    def __init__(self, address: str, number: int, streams: int) -> None:
        """``streams`` is the number of streams per connection."""
        self._channels = [Channel(address) for _ in range(-(-number // streams))]
        self.loop = Loop(self._channels)
        self.arrived: list[float] = []
        self._opened = 0
        self._has_first = 0

    def open(self, requests: Sequence[WatchRequest]) -> None:
        """Open a stream for each request, and wait for the first message on all."""
        for headers, request in requests:
            connection = self._channels[self._opened % len(self._channels)].connection()
            self._opened += 1
            connection.open(connection.headers.encode(headers), grpc_message(request), self._stream())
        self.loop.run_until(lambda: self._has_first == self._opened, _TIMEOUT)

    def _stream(self) -> Stream:
        has_first = False

        def on_message(_: bytes) -> None:
            nonlocal has_first
            if has_first:
                self.arrived.append(time.perf_counter())
            else:
                has_first = True
                self._has_first += 1

        def on_end() -> None:
            raise CallFailedError("the server ended the stream of a watcher")

        return Stream(on_message, on_end)

    def event(self, send: Call, way: int, others: Loop) -> list[float]:
        """Return the milliseconds from sending until each watcher has the event; ``others`` is the sender's loop."""
        self.arrived.clear()
        answered: list[float] = []
        begun = time.perf_counter()
        send(way, lambda: answered.append(time.perf_counter()))
        both = Loop([*self._channels, *others.channels])
        both.run_until(lambda: bool(answered) and len(self.arrived) == self._opened, _TIMEOUT)
        return [(arrived - begun) * 1e3 for arrived in self.arrived]

    def close(self) -> None:
        self.loop.close()


def idle_watcher_kilobytes(server: Server, requests: Sequence[WatchRequest], streams: int) -> float:
    """Return the server's kilobytes per idle watcher; the first hundred do not count."""
    watchers = Watchers(server.address, len(requests), streams)
    watchers.open(requests[:100])
    before = server.kilobytes()
    for at in range(100, len(requests), 100):
        watchers.open(requests[at : at + 100])
    grown = server.kilobytes() - before
    watchers.close()
    return grown / (len(requests) - 100)


class Audience:
    """A game or a bare server with its watchers, and a call that causes an event."""

    def __init__(self, server: Server, requests: Sequence[WatchRequest], streams: int, send: Call, loop: Loop) -> None:
        self._send = send
        self._loop = loop
        self._sent = 0
        self._watchers = Watchers(server.address, len(requests), streams)
        self._watchers.open(requests)

    def event(self) -> list[float]:
        """Cause an event; return the milliseconds until each watcher has it."""
        self._sent += 1
        return self._watchers.event(self._send, (self._sent - 1) % 2, self._loop)

    def close(self) -> None:
        self._watchers.close()
        self._loop.close()


def watch_games(server: Server, games: Sequence[games_pb2.CreateGameResponse], number: int) -> list[WatchRequest]:
    """Return requests of watchers for games in turn, from the last event on."""
    headers = grpc_headers("/boardkeeper.v1.Games/WatchGame", server.address)
    requests = [
        games_pb2.WatchGameRequest(game_id=it.game.game_id, after_version=it.game.version - 1).SerializeToString()
        for it in games
    ]
    return [WatchRequest(headers, requests[at % len(requests)]) for at in range(number)]


def watch_new_game(server: Server, number: int, streams: int) -> Audience:
    """Create a game with watchers."""
    (game,) = create_games(server.address, TITLE, 1)
    channel = Channel(server.address)
    call = Seat(channel, game, KINDS).calls["single"]
    return Audience(server, watch_games(server, [game], number), streams, call, Loop([channel]))


def watch_bare_requests(server: Server, number: int) -> list[WatchRequest]:
    """Return requests of watchers of the bare server."""
    return [WatchRequest(grpc_headers("/bench.Bare/Watch", server.address), b"")] * number


def watch_bare_server(server: Server, number: int, streams: int) -> Audience:
    channel = Channel(server.address)
    send = UnaryCall(channel, grpc_headers("/bench.Bare/Send", server.address), [lambda: grpc_message(b"")] * 2)
    return Audience(server, watch_bare_requests(server, number), streams, send, Loop([channel]))


def measure(chosen: argparse.Namespace, folder: str) -> None:
    """Measure both servers, idle and with events."""

    def start(command: Sequence[str]) -> Server:
        return Server(command, folder, HEARTBEAT)

    bare_command, command = [sys.executable, "-c", BARE], service_command("--db", "bench.db")
    bare, service = start(bare_command), start(command)
    try:
        create_games(service.address, TITLE, 50)
        before = service.kilobytes()
        games = create_games(service.address, TITLE, chosen.games)
        print(f"new game: {(service.kilobytes() - before) / chosen.games:.0f} kB ({chosen.games})")
        own = idle_watcher_kilobytes(bare, watch_bare_requests(bare, chosen.idle + 100), chosen.streams)
        each = idle_watcher_kilobytes(service, watch_games(service, games, chosen.idle + 100), chosen.streams)
    finally:
        bare.close()
        service.close()
    print(f"idle watcher: {each:.0f} kB of the service's memory, bare {own:.0f} kB ({chosen.idle} of each)")
    megabytes = each * 2
    print(f"    2,000 take {megabytes:.0f} MB: {'met' if megabytes <= MOST_IDLE_MB else 'NOT MET'}")

    bare, service = start(bare_command), start(command)
    try:
        audiences = {
            "bare": watch_bare_server(bare, chosen.watchers, chosen.streams),
            "service": watch_new_game(service, chosen.watchers, chosen.streams),
        }
        times: dict[str, list[float]] = {name: [] for name in audiences}
        for _ in range(chosen.events):
            for name, audience in audiences.items():
                times[name] += audience.event()
        for audience in audiences.values():
            audience.close()
    finally:
        bare.close()
        service.close()
    for name, took in times.items():
        p99 = statistics.quantiles(took, n=100)[98]
        print(f"event to {chosen.watchers} watchers, {name}: median {statistics.median(took):.0f} ms, p99 {p99:.0f} ms")
    print(f"    p99 of at most {MOST_MS:.0f} ms: {'met' if p99 <= MOST_MS else 'NOT MET'}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--idle", type=int, default=2_000)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("--watchers", type=int, default=1_000)
    parser.add_argument("--events", type=int, default=20)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        measure(chosen, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
