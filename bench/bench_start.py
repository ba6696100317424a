"""How long a start takes, from the process to the first answers: left alone, and with clients that cannot wait.

    python bench/bench_start.py [--games 300] [--clients 200] [--rounds 3]

The file has games that have begun, of all titles in turn, each with as many as can play. In the stampede each client
asks for a game of its own again and again, from before the service is there until it has an answer, as clients do whose
service has gone away.
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

PATIENCE = 90.0
EAGER = [
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 200),
]


async def fill(path: Path, games: int) -> list[str]:
    """A file with games of persons that have begun, of all titles in turn; returns their ids."""
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
    """How many can play a title as it is by default."""
    return meta.edition(meta.default_edition).players[1]


async def until_answered(call: Any, request: Any, deadline: float) -> None:
    """Ask again and again until there is an answer."""
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
    """Seconds from the process to the first list of games, and until every client of the stampede has its game."""
    address = free_address()
    channels = [grpc.aio.insecure_channel(address, [*EAGER, ("bench", at)]) for at in range(clients + 1)]
    stubs: list[Any] = [games_pb2_grpc.GamesStub(channel) for channel in channels]
    begun = time.monotonic()
    command = [sys.executable, "-m", "boardkeeper", "serve", "--db", str(path), "--listen", address]
    service = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = begun + PATIENCE
        stampede = [
            asyncio.create_task(
                until_answered(stub.GetGame, games_pb2.GetGameRequest(game_id=games[at % len(games)]), deadline)
            )
            for at, stub in enumerate(stubs[1:])
        ]
        await until_answered(stubs[0].ListGames, games_pb2.ListGamesRequest(), deadline)
        first = time.monotonic() - begun
        await asyncio.gather(*stampede)
        return first, time.monotonic() - begun
    finally:
        service.send_signal(signal.SIGTERM)
        await service.wait()
        for channel in channels:
            await channel.close()


async def main() -> None:
    """Both ways, several times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        games = await fill(path, chosen.games)
        alone = [(await start(path, games, 0))[0] for _ in range(chosen.rounds)]
        crowd = [await start(path, games, chosen.clients) for _ in range(chosen.rounds)]
    print(f"alone: first answer after {statistics.median(alone):.2f} s (worst {max(alone):.2f})")
    firsts, alls = zip(*crowd, strict=True)
    print(
        f"{chosen.clients} clients: first answer after {statistics.median(firsts):.2f} s (worst {max(firsts):.2f}),"
        f" everybody after {statistics.median(alls):.2f} s (worst {max(alls):.2f})"
    )


if __name__ == "__main__":
    asyncio.run(main())
