"""What watchers cost: the memory of idle ones, and how long an event takes to all who watch a game.

    python bench/bench_watchers.py [--idle 2000] [--games 200] [--streams 200] [--watchers 1000] [--events 20]

A new game has two seats; what a game takes in memory grows a little while it is played.

``idle`` opens so many WatchGame streams, spread over games, on which nothing happens, and tells by how much the
service's resident memory grows; beside it stands a bare grpc.aio server whose streams wait for ever, which is what
gRPC itself takes of that. The games are in memory before, and what the first hundred streams leave behind. A connection
has as many ``streams``; with fewer it is the connections that take the memory.

``event`` lets so many watch one game and tells how long it takes from the sending of a command until a watcher has the
event. All watchers are in one process of Python, on the same two cores as the service, so much of the time is theirs:
beside it stands the bare server, which sends as much to as many.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc
import uvloop
from bench.bench_commands import first_title, kinds_of

from boardkeeper.v1 import games_pb2, games_pb2_grpc

TITLE = first_title()
WAY = kinds_of(TITLE)["single"]
"""What the first seat does, and what takes it back."""

MOST_KB, MOST_MS = 60_000 / 2_000, 50.0
"""What we want of an idle watcher, and of 99 in 100 watchers of an event."""

BARE = """
import asyncio, sys
import grpc, uvloop

async def main():
    said = asyncio.Condition()
    async def watch(request, context):
        await context.write(b"x" * 300)
        while True:
            async with said:
                await said.wait()
            await context.write(b"x" * 300)
    async def say(request, context):
        async with said:
            said.notify_all()
        return b""
    handlers = {"Watch": grpc.unary_stream_rpc_method_handler(watch), "Say": grpc.unary_unary_rpc_method_handler(say)}
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Bare", handlers),))
    server.add_insecure_port(sys.argv[1])
    await server.start()
    await server.wait_for_termination()

uvloop.run(main())
"""


class Server:
    """A process that answers, and connections to it."""

    def __init__(self, command: Sequence[str], folder: str, connections: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        environment = {**os.environ, "BOARDKEEPER_LOG": "json", "BOARDKEEPER_HEARTBEAT_SECONDS": "3600"}
        with (Path(folder) / "log").open("ab") as log:
            self.process = subprocess.Popen([*command, address], cwd=folder, env=environment, stderr=log)
        with grpc.insecure_channel(address) as channel:
            grpc.channel_ready_future(channel).result(timeout=30)
        options = [("grpc.use_local_subchannel_pool", 1)]
        self.channels = [grpc.aio.insecure_channel(address, options) for _ in range(connections)]

    def kilobytes(self) -> int:
        """What the process has in memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(status.partition("VmRSS:")[2].split()[0])

    async def close(self) -> None:
        """End the process and the connections."""
        for channel in self.channels:
            await channel.close()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


async def idle(server: Server, watchers: int, watch: Callable[[int], Any]) -> float:
    """Kilobytes of the server for each idle watcher; ``watch`` opens the stream of one, which begins with a message."""

    async def opened(numbers: range) -> list[Any]:
        streams = [watch(number) for number in numbers]
        for stream in streams:
            await stream.read()
        return streams

    streams = await opened(range(100))
    before = server.kilobytes()
    for at in range(100, watchers + 100, 100):
        streams += await opened(range(at, at + 100))
    grown = server.kilobytes() - before
    for stream in streams:
        stream.cancel()
    return grown / watchers


async def event(watchers: int, events: int, watch: Callable[[int], Any], send: Callable[[int], Any]) -> list[float]:
    """Milliseconds from the sending of an event until a watcher has it, of all events and watchers."""
    streams = [watch(number) for number in range(watchers)]
    for stream in streams:
        await stream.read()
    took: list[float] = []

    async def told(stream: Any) -> float:
        await stream.read()
        return time.perf_counter()

    for number in range(events):
        waiting = [asyncio.create_task(told(stream)) for stream in streams]
        await asyncio.sleep(0.1)  # until all of them read
        begun = time.perf_counter()
        await send(number)
        took += [(arrived - begun) * 1e3 for arrived in await asyncio.gather(*waiting)]
    for stream in streams:
        stream.cancel()
    return took


class Games:
    """Games of the service, for watchers in turn."""

    def __init__(self, server: Server, made: Sequence[games_pb2.CreateGameResponse]) -> None:
        self._made = made
        self._stubs: list[Any] = [games_pb2_grpc.GamesStub(channel) for channel in server.channels]

    @classmethod
    async def make(cls, server: Server, number: int) -> Games:
        """So many games that have begun."""
        stub: Any = games_pb2_grpc.GamesStub(server.channels[0])
        seats = [games_pb2.SeatRequest(name=name) for name in ("Ada", "Bob")]
        request = games_pb2.CreateGameRequest(title=TITLE, seats=seats)
        return cls(server, [await stub.CreateGame(request) for _ in range(number)])

    def watch(self, watcher: int) -> Any:
        """The stream of a watcher, from the last event on."""
        game = self._made[watcher % len(self._made)].game
        request = games_pb2.WatchGameRequest(game_id=game.game_id, after_version=game.version - 1)
        return self._stubs[watcher % len(self._stubs)].WatchGame(request)

    async def send(self, number: int) -> None:
        """Something is done in the first game, or taken back."""
        game, seat = self._made[0].game, self._made[0].seat_tokens[0]
        request = games_pb2.SubmitCommandsRequest(
            game_id=game.game_id, seat=seat.seat, commands=WAY[number % 2], command_id=f"command-{number}"
        )
        await self._stubs[0].SubmitCommands(request, metadata=(("authorization", f"Bearer {seat.token}"),))


async def measure(chosen: argparse.Namespace, folder: str) -> None:
    """Both servers, idle and with an event."""
    executable = str(Path(sys.executable).with_name("boardkeeper"))
    service_command = [executable, "serve", "--db", "bench.db", "--listen"]
    bare_command = [sys.executable, "-c", BARE]

    def watch_bare(server: Server) -> Callable[[int], Any]:
        streams: list[Any] = [channel.unary_stream("/bench.Bare/Watch") for channel in server.channels]
        return lambda number: streams[number % len(streams)](b"")

    connections = (chosen.idle + 100) // chosen.streams + 1
    bare, service = (Server(command, folder, connections) for command in (bare_command, service_command))
    await Games.make(service, 50)
    before = service.kilobytes()
    games = await Games.make(service, chosen.games)
    print(f"new game: {(service.kilobytes() - before) / chosen.games:.0f} kB ({chosen.games})")
    each = await idle(bare, chosen.idle, watch_bare(bare)), await idle(service, chosen.idle, games.watch)
    await bare.close()
    await service.close()
    print(f"idle watcher: {each[1]:.0f} kB of the service's memory, bare {each[0]:.0f} kB ({chosen.idle} of each)")
    print(f"    {chosen.idle} take {each[1] * chosen.idle / 1000:.0f} MB: {'met' if each[1] <= MOST_KB else 'NOT MET'}")

    connections = chosen.watchers // chosen.streams + 1
    bare, service = (Server(command, folder, connections) for command in (bare_command, service_command))
    games = await Games.make(service, 1)
    said: Any = bare.channels[0].unary_unary("/bench.Bare/Say")
    times = {
        "bare": await event(chosen.watchers, chosen.events, watch_bare(bare), lambda _: said(b"")),
        "service": await event(chosen.watchers, chosen.events, games.watch, games.send),
    }
    await bare.close()
    await service.close()
    for name, took in times.items():
        p99 = statistics.quantiles(took, n=100)[98]
        print(f"event to {chosen.watchers} watchers, {name}: median {statistics.median(took):.0f} ms, p99 {p99:.0f} ms")
    print(f"    p99 of at most {MOST_MS:.0f} ms: {'met' if p99 <= MOST_MS else 'NOT MET'}")


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--idle", type=int, default=2_000)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--watchers", type=int, default=1_000)
    parser.add_argument("--events", type=int, default=20)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        uvloop.run(measure(chosen, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
