"""Compare a command late in a long game with an early one, and a command in a full database with one in an empty one.

    python -m bench.bench_growth [--late 2000] [--events 1000000] [--rounds 12] [--only sqlite]

In process, without gRPC: registry, rules, writer, and SQLite (WAL, synchronous=FULL) or PostgreSQL (fsync on).
Early and late commands, and both databases, alternate, so that a change of the machine's speed affects both. CPU time
includes all threads of this process, not those of PostgreSQL; wall time includes the disk and the database.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from bench.bench_commands import SEAT, first_title, undoable_commands
from bench.many_games import fill
from msgspec import Struct
from tests.databases.servers import start_server

from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_creator import GameCreator, SeatPlan
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title

TITLE = first_title()
EARLY = 50
AT_ONCE = 20
"""Number of games that are played at the same time, so that a commit contains this number of commands."""


MOST_LATE, MOST_FULL = 1.1, 1.2
"""Our goals: ratio to an early command's time, and to the time in an empty database."""


class Database:
    """A database and the games that are played on it, all at the same number of commands."""

    def __init__(self, database: Path | str, key_file: Path) -> None:
        self.application = GameApplication.open(
            database, load_title, key_file="" if isinstance(database, Path) else key_file
        )
        self._handler = CommandHandler(GameRegistry(self.application))
        self._creator = GameCreator(self._handler, load_title, "bench")
        self._way = [command for pair in undoable_commands(load_title(TITLE), bytes(32))[:1] for command in pair]

    async def create_games(self) -> Games:
        plans = [SeatPlan("Ada"), SeatPlan("Ben")]
        made = [await self._creator.create(TITLE, Setup("", 2), plans, "") for _ in range(AT_ONCE)]
        return Games(self._handler, [seated.game for seated in made], self._way)


class Games:
    """Games in which a seat submits and undoes the same command repeatedly."""

    def __init__(self, handler: CommandHandler, games: Sequence[UUID], way: Sequence[Struct]) -> None:
        self._handler = handler
        self._games = games
        self._way = way
        self.commands = 0

    async def play(self, commands: int) -> tuple[float, float]:
        """Play more commands in each game; return CPU and wall seconds of one."""
        cpu, wall = time.process_time(), time.perf_counter()
        await asyncio.gather(*(self._play(game, commands) for game in self._games))
        done = commands * len(self._games)
        self.commands += commands
        return (time.process_time() - cpu) / done, (time.perf_counter() - wall) / done

    async def _play(self, game: UUID, commands: int) -> None:
        for number in range(self.commands, self.commands + commands):
            await self._handler.act(game, SEAT, SubmitCommands([self._way[number % 2]]), f"c{number}")


def report(what: str, most: float, pairs: Sequence[tuple[tuple[float, float], tuple[float, float]]]) -> None:
    """Print the median of the ratios, their spread, and whether the goal is met."""
    for name, kind in (("CPU", 0), ("wall", 1)):
        ratios = sorted(late[kind] / early[kind] for early, late in pairs)
        low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
        median = statistics.median(ratios)
        spread = f"half of the rounds: {low:.3f} to {high:.3f}"
        print(f"{what}, {name}: {median:.3f} ({spread}): {'met' if median <= most else 'NOT MET'}", flush=True)


async def compare_long_games(database: Path | str, key_file: Path, late: int, rounds: int) -> None:
    """Compare an early command with a late one."""
    opened = Database(database, key_file)
    try:
        old = await opened.create_games()
        await old.play(late - EARLY)
        pairs = []
        for _ in range(rounds):
            young = await opened.create_games()
            await young.play(EARLY - 20)
            pairs.append((await young.play(40), await old.play(40)))
        report(f"command {late} to command {EARLY} of a game", MOST_LATE, pairs)
    finally:
        opened.application.close()


async def compare_full_databases(
    bare: Path | str, filled: Path | str, key_file: Path, events: int, rounds: int
) -> None:
    """Compare an empty database with a full one."""
    fill(filled, events, key_file="" if isinstance(filled, Path) else key_file)
    empty, full = Database(bare, key_file), Database(filled, key_file)
    try:
        pairs = []
        for _ in range(rounds):
            two = await empty.create_games(), await full.create_games()
            pairs.append((await two[0].play(60), await two[1].play(60)))
        report(f"a database of {events:,} games to an empty one", MOST_FULL, pairs)
    finally:
        empty.application.close()
        full.application.close()


async def measure_sqlite(folder: Path, chosen: argparse.Namespace) -> None:
    """Measure on files."""
    print("SQLite", flush=True)
    await compare_long_games(folder / "long.db", folder, chosen.late, chosen.rounds)
    await compare_full_databases(folder / "empty.db", folder / "full.db", folder, chosen.events, chosen.rounds)


async def measure_postgresql(folder: Path, chosen: argparse.Namespace) -> None:
    """Measure on a temporary PostgreSQL server, or on the one that BOARDKEEPER_TEST_POSTGRES names."""
    print("PostgreSQL", flush=True)
    server = start_server("fsync=on", "shared_buffers=256MB", "max_wal_size=4GB")
    key = folder / "key"
    try:
        with server.database() as url:
            await compare_long_games(url, key, chosen.late, chosen.rounds)
        with server.database() as empty, server.database() as full:
            await compare_full_databases(empty, full, key, chosen.events, chosen.rounds)
    finally:
        server.close()


MEASUREMENTS = {"sqlite": measure_sqlite, "postgresql": measure_postgresql}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--late", type=int, default=2_000)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--only", choices=list(MEASUREMENTS), help="measure only one kind of database")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        for name, measure in MEASUREMENTS.items():
            if chosen.only in (None, name):
                asyncio.run(measure(Path(made), chosen))
