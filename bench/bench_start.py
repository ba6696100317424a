"""The time from the start of the server process to the first answers: without load, and with many waiting clients.

    python -m bench.bench_start [--games 300] [--clients 200] [--rounds 3]

The file contains started games, of all titles in turn, with the most players. In the stampede, clients reconnect after
an outage: each requests its own game repeatedly, from before the server starts until it gets an answer.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import statistics
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc
from bench.servers import free_address

from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_creator import GameCreator, SeatPlan
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.titlekit.title import Setup, TitleMeta
from boardkeeper.titles.registry import list_metas, load_title
from boardkeeper.v1 import games_pb2, games_pb2_grpc

TIMEOUT = 90.0
FAST_RECONNECT = [
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 200),
]


async def fill(path: Path, games: int) -> list[str]:
    """Create a file with started games of all titles in turn; return their ids."""
    application = GameApplication.open(path, load_title, synchronous="NORMAL")
    try:
        creator = GameCreator(CommandHandler(GameRegistry(application, limit=10)), load_title, "bench")
        made = []
        for meta in islice(cycle(list_metas()), games):
            plans = [SeatPlan(f"P{seat}") for seat in range(1, most_players(meta) + 1)]
            made.append(str((await creator.create(meta.id, Setup("", len(plans)), plans, "")).game))
        return made
    finally:
        application.close()


def most_players(meta: TitleMeta) -> int:
    """Return the most players of a title's default edition."""
    return meta.edition(meta.default_edition).players[1]


async def call_until_answered(call: Any, request: Any, deadline: float) -> None:
    """Repeat a call until it is answered."""
    while True:
        try:
            await call(request, timeout=5.0)
        except grpc.aio.AioRpcError:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.05)
        else:
            return


async def start(path: Path, games: list[str], clients: int) -> tuple[float, float]:
    """Return the seconds until the first list of games, and until every client of the stampede has its game."""
    address = free_address()
    channels = [grpc.aio.insecure_channel(address, [*FAST_RECONNECT, ("bench", at)]) for at in range(clients + 1)]
    stubs: list[Any] = [games_pb2_grpc.GamesStub(channel) for channel in channels]
    begun = time.monotonic()
    command = [sys.executable, "-m", "boardkeeper", "serve", "--db", str(path), "--listen", address]
    service = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = begun + TIMEOUT
        stampede = [
            asyncio.create_task(
                call_until_answered(stub.GetGame, games_pb2.GetGameRequest(game_id=games[at % len(games)]), deadline)
            )
            for at, stub in enumerate(stubs[1:])
        ]
        await call_until_answered(stubs[0].ListGames, games_pb2.ListGamesRequest(), deadline)
        first = time.monotonic() - begun
        await asyncio.gather(*stampede)
        return first, time.monotonic() - begun
    finally:
        service.send_signal(signal.SIGTERM)
        await service.wait()
        for channel in channels:
            await channel.close()


async def main() -> None:
    """Measure several starts without load and with clients."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        games = await fill(path, chosen.games)
        alone = [(await start(path, games, 0))[0] for _ in range(chosen.rounds)]
        loaded = [await start(path, games, chosen.clients) for _ in range(chosen.rounds)]
    print(f"alone: first answer after {statistics.median(alone):.2f} s (worst {max(alone):.2f})")
    firsts, alls = zip(*loaded, strict=True)
    print(
        f"{chosen.clients} clients: first answer after {statistics.median(firsts):.2f} s (worst {max(firsts):.2f}),"
        f" all after {statistics.median(alls):.2f} s (worst {max(alls):.2f})"
    )


if __name__ == "__main__":
    asyncio.run(main())
