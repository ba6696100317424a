"""Compare two processes on one PostgreSQL with one process and with SQLite: commands, and delay of events.

    python -m bench.bench_processes [--clients 32] [--seconds 3] [--rounds 5]

PostgreSQL comes from the wheel that the tests use, with fsync on, or is the one that BOARDKEEPER_TEST_POSTGRES names.
Clients and database share this machine, so two processes are not faster than one if its cores are already busy. The
bench shows the cost when consecutive commands of a game go to different processes. All setups take turns in each
round, and the median of the rounds' ratios is printed.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from typing import Any

import grpc
import uvloop
from bench.bench_commands import SEAT, first_title, kinds_of
from bench.servers import Server, service_command
from tests.databases.servers import start_server

from boardkeeper.v1 import games_pb2, games_pb2_grpc

TITLE = first_title()
WAY = kinds_of(TITLE)["single"]
"""A command, and the command that undoes it."""

LEAST_APART, MOST_MS = 0.5, 10.0
"""Our goals: ratio to one process's rate if each command changes the process; delay of events in another process."""


class Client:
    """A game, and the stubs to which its commands go in turn."""

    def __init__(self, stubs: Sequence[Any], made: games_pb2.CreateGameResponse) -> None:
        self._stubs = stubs
        self.game_id = made.game.game_id
        (token,) = (it.token for it in made.seat_tokens if it.seat == SEAT)
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._sent = 0

    async def submit(self, stub: Any = None) -> int:
        """Submit the next command and return the new version."""
        number, self._sent = self._sent, self._sent + 1
        request = games_pb2.SubmitCommandsRequest(
            game_id=self.game_id, seat=SEAT, commands=WAY[number % 2], command_id=f"command-{number}"
        )
        stub = stub or self._stubs[number % len(self._stubs)]
        answer = await stub.SubmitCommands(request, metadata=self._metadata)
        return int(answer.version)


async def create_games(stubs: Sequence[Any], number: int) -> list[Client]:
    """Create games with the first stub."""
    seats = [games_pb2.SeatRequest(name=name) for name in ("Ada", "Bob")]
    request = games_pb2.CreateGameRequest(title=TITLE, seats=seats)
    return [Client(stubs, await stubs[0].CreateGame(request)) for _ in range(number)]


async def measure_rate(clients: Sequence[Client], seconds: float) -> float:
    """Return the commands per second of clients that send a command as soon as the last one is answered."""
    until = time.perf_counter() + seconds

    async def play(client: Client) -> int:
        done = 0
        while time.perf_counter() < until:
            await client.submit()
            done += 1
        return done

    begun = time.perf_counter()
    done = sum(await asyncio.gather(*map(play, clients)))
    return done / (time.perf_counter() - begun)


async def measure_delays(here: Any, there: Any, number: int) -> list[float]:
    """Return seconds from the answer of one process until a watcher of another has the event; 0 if it was earlier."""
    (client,) = await create_games([there], 1)
    watching = here.WatchGame(games_pb2.WatchGameRequest(game_id=client.game_id))
    version, waited = 0, []
    for _ in range(number):
        wanted = await client.submit()
        answered = time.perf_counter()
        while version < wanted:
            answer = await watching.read()
            version = answer.event.version if answer.HasField("event") else version
        waited.append(time.perf_counter() - answered)
        await asyncio.sleep(0.01)
    watching.cancel()
    return waited


async def measure(chosen: argparse.Namespace, url: str, folder: str) -> None:
    """Measure all setups in turn; print ratios and whether the goals are met."""
    shared = ["--db", url, "--key-file", f"{folder}/key"]
    servers: list[Server] = []
    try:
        stubs: list[Any] = []
        for flags in (["--db", "bench.db"], shared, shared):
            servers.append(Server(service_command(*flags), folder))
            stubs.append(games_pb2_grpc.GamesStub(grpc.aio.insecure_channel(servers[-1].address)))
        file, one, other = stubs
        half = chosen.clients // 2
        setups = {
            "SQLite": await create_games([file], chosen.clients),
            "one": await create_games([one], chosen.clients),
            "two, each game at one of them": await create_games([one], half)
            + await create_games([other], chosen.clients - half),
            "two, each command at the other": await create_games([one, other], chosen.clients),
        }
        rates: dict[str, list[float]] = {setup: [] for setup in setups}
        for _ in range(chosen.rounds):
            for setup, clients in setups.items():
                rates[setup].append(await measure_rate(clients, chosen.seconds))
        for setup, found in rates.items():
            ratio = statistics.median(it / base for it, base in zip(found, rates["one"], strict=True))
            print(f"{setup}: {ratio:.2f} of one process on PostgreSQL ({statistics.median(found):.0f} commands/s)")
            if setup.endswith("at the other"):
                print(f"  wanted: at least {LEAST_APART}: {'met' if ratio >= LEAST_APART else 'NOT met'}")
        waited = sorted(await measure_delays(one, other, 300))
        half_of, most = waited[len(waited) // 2] * 1e3, waited[len(waited) * 99 // 100] * 1e3
        print(f"a watcher at another process has the event after p50 {half_of:.1f} ms, p99 {most:.1f} ms")
        print(f"  wanted: p50 of at most {MOST_MS} ms: {'met' if half_of <= MOST_MS else 'NOT met'}")
    finally:
        for server in servers:
            server.close()


def main() -> None:
    """Start a PostgreSQL and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    server = start_server("fsync=on", "shared_buffers=64MB")
    try:
        with server.database() as url, tempfile.TemporaryDirectory() as folder:
            uvloop.run(measure(chosen, url, folder))
    finally:
        server.close()


if __name__ == "__main__":
    main()
