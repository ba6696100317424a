"""The server's CPU time per event and watcher, for browsers (Connect) and for gRPC clients.

    python -m bench.bench_web [--watchers 200] [--events 300] [--rounds 3]

Watchers follow one game, first over gRPC and then over Connect, each on its own connection as in browsers, while a seat
submits and undoes a command repeatedly. Only the CPU time of the server counts; the commands cost the same in both
cases. The watchers run in other processes: bare sockets for Connect, and gRPC's own client for gRPC.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc
import uvloop
from bench.bench_watchers import TITLE, WAY
from bench.servers import cpu_seconds

from boardkeeper.v1 import games_pb2, games_pb2_grpc

MOST = 1.5
"""The goal: the cost of a watcher over Connect, divided by that of one over gRPC."""


# --- watchers, in separate processes -------------------------------------------------------------------------


async def watch_by_grpc(address: str, game: str, after: int, watchers: int, until: int) -> None:
    """Print a line when all watch, and return when all have the version ``until``."""

    async def watch(number: int) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(address, options) as channel:
            stub: Any = games_pb2_grpc.GamesStub(channel)
            stream = stub.WatchGame(games_pb2.WatchGameRequest(game_id=game, after_version=after))
            first = await stream.read()
            opened[number].set()
            version = first.event.version
            while version < until:
                version = (await stream.read()).event.version

    opened = [asyncio.Event() for _ in range(watchers)]
    await _run_watchers([watch(number) for number in range(watchers)], opened)


async def watch_by_connect(address: str, game: str, after: int, watchers: int, until: int) -> None:
    """Do the same as :func:`watch_by_grpc` over Connect."""
    host, _, port = address.removeprefix("http://").rpartition(":")
    message = games_pb2.WatchGameRequest(game_id=game, after_version=after).SerializeToString()
    body = b"\0" + len(message).to_bytes(4) + message
    head = (
        f"POST /boardkeeper.v1.Games/WatchGame HTTP/1.1\r\nhost: {host}:{port}\r\n"
        f"content-type: application/connect+proto\r\ncontent-length: {len(body)}\r\n\r\n"
    )

    async def watch(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
        writer.write(head.encode() + body)
        await reader.readuntil(b"\r\n\r\n")
        version = 0
        while version < until:
            size = int(await reader.readline(), 16)
            chunk = await reader.readexactly(size + 2)
            opened[number].set()
            version = games_pb2.WatchGameResponse.FromString(chunk[5:-2]).event.version
        writer.close()

    opened = [asyncio.Event() for _ in range(watchers)]
    await _run_watchers([watch(number) for number in range(watchers)], opened)


async def _run_watchers(watching: Sequence[Any], opened: Sequence[asyncio.Event]) -> None:
    tasks = [asyncio.ensure_future(one) for one in watching]
    for event in opened:
        await event.wait()
    print("open", flush=True)
    await asyncio.gather(*tasks)


# --- the service ---------------------------------------------------------------------------------------------


class Service:
    """A service in a separate process."""

    def __init__(self, folder: str) -> None:
        executable = str(Path(sys.executable).with_name("boardkeeper"))
        flags = ["--db", "bench.db", "--listen", "127.0.0.1:0", "--log-format", "json"]
        self._log = Path(folder) / "log"
        with self._log.open("ab") as log:
            self.process = subprocess.Popen([executable, "serve", *flags], cwd=folder, stderr=log)
        self.address, self.web = self._wait_until_listening()

    def _wait_until_listening(self) -> tuple[str, str]:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            if (found := re.search(r".*\"event\": ?\"listening\".*", self._log.read_text("utf-8"))) is not None:
                line = json.loads(found[0])
                return line["address"], line["web"]
            time.sleep(0.05)
        raise TimeoutError("the service does not start")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


async def measure_round(service: Service, way: str, watchers: int, events: int) -> float:
    """Return the microseconds of the service's CPU time per event and watcher."""
    async with grpc.aio.insecure_channel(service.address) as channel:
        stub: Any = games_pb2_grpc.GamesStub(channel)
        seats = [games_pb2.SeatRequest(name=name) for name in ("Ada", "Bob")]
        made = await stub.CreateGame(games_pb2.CreateGameRequest(title=TITLE, seats=seats))
        game, version = made.game.game_id, made.game.version
        where = service.address if way == "grpc" else service.web
        arguments = [way, where, game, str(version - 1), str(watchers), str(version + events)]
        reader = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bench.bench_web", "--read", *arguments, stdout=asyncio.subprocess.PIPE
        )
        assert reader.stdout is not None
        await reader.stdout.readline()
        token = (("authorization", f"Bearer {made.seat_tokens[0].token}"),)
        before = cpu_seconds(service.process.pid)
        for number in range(events):
            request = games_pb2.SubmitCommandsRequest(
                game_id=game, seat=1, commands=WAY[number % 2], command_id=f"command-{number}"
            )
            answer = await stub.SubmitCommands(request, metadata=token)
            if answer.version >= version + events:
                break
        await reader.wait()
        return (cpu_seconds(service.process.pid) - before) * 1e6 / (watchers * events)


async def measure(watchers: int, events: int, rounds: int) -> bool:
    """Measure both in turn; return whether the goal is met."""
    with TemporaryDirectory() as folder:
        service = Service(folder)
        took: dict[str, list[float]] = {"grpc": [], "connect": []}
        try:
            for _ in range(rounds):
                for way, times in took.items():
                    times.append(await measure_round(service, way, watchers, events))
        finally:
            service.stop()
    each = {way: statistics.median(times) for way, times in took.items()}
    ratio = each["connect"] / each["grpc"]
    for way, times in took.items():
        print(f"{way}: {each[way]:.1f} µs for each event and watcher ({', '.join(f'{time:.1f}' for time in times)})")
    met = ratio <= MOST
    print(f"    {watchers} watchers over Connect cost {ratio:.2f} times those over gRPC: {'met' if met else 'NOT MET'}")
    return met


def main() -> int:
    """Measure, or run the watchers in a child process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--events", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--read", nargs=6, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.read:
        way, address, game, *numbers = chosen.read
        after, watchers, until = map(int, numbers)
        watch = watch_by_grpc if way == "grpc" else watch_by_connect
        uvloop.run(watch(address, game, after, watchers, until))
        return 0
    return 0 if uvloop.run(measure(chosen.watchers, chosen.events, chosen.rounds)) else 1


if __name__ == "__main__":
    sys.exit(main())
