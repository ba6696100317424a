"""What a command costs late in a long game and in a full file, as a multiple of early in a game and in an empty file.

    python -m bench.bench_growth [--late 2000] [--events 1000000] [--rounds 12] [--only sqlite]

In process, without gRPC: registry, rules, writer, and SQLite (WAL, synchronous=FULL) or PostgreSQL (fsync on).
Early and late commands, an empty and a full database alternate, so that a drifting machine hits both. CPU time counts
all threads of this process, not those of PostgreSQL; wall time has the disk in it, and the database.
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

from bench.bench_commands import SEAT, first_title, to_and_fro
from bench.many_games import fill
from msgspec import Struct
from tests.databases.servers import started

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
"""Games that are played at the same time, so that a commit holds as many commands."""


MOST_LATE, MOST_FULL = 1.1, 1.2
"""What we want: of an early command's time, and of an empty database's."""


class Place:
    """A database and the games that are played on it, all at the same number of commands."""

    def __init__(self, database: Path | str, key_file: Path) -> None:
        self.application = GameApplication.open(
            database, load_title, key_file="" if isinstance(database, Path) else key_file
        )
        self._handler = CommandHandler(GameRegistry(self.application))
        self._creator = GameCreator(self._handler, load_title, "bench")
        self._way = [command for pair in to_and_fro(load_title(TITLE), bytes(32))[:1] for command in pair]

    async def begin(self) -> Games:
        plans = [SeatPlan("Ada"), SeatPlan("Ben")]
        made = [await self._creator.create(TITLE, Setup("", 2), plans, "") for _ in range(AT_ONCE)]
        return Games(self._handler, [seated.game for seated in made], self._way)


class Games:
    """Games in which the same thing is done and taken back again and again."""

    def __init__(self, handler: CommandHandler, games: Sequence[UUID], way: Sequence[Struct]) -> None:
        self._handler = handler
        self._games = games
        self._way = way
        self.commands = 0

    async def go_on(self, commands: int) -> tuple[float, float]:
        """So many commands more in each game; CPU and wall seconds of one."""
        cpu, wall = time.process_time(), time.perf_counter()
        await asyncio.gather(*(self._play(game, commands) for game in self._games))
        done = commands * len(self._games)
        self.commands += commands
        return (time.process_time() - cpu) / done, (time.perf_counter() - wall) / done

    async def _play(self, game: UUID, commands: int) -> None:
        for number in range(self.commands, self.commands + commands):
            await self._handler.act(game, SEAT, SubmitCommands([self._way[number % 2]]), f"c{number}")


def show(what: str, most: float, pairs: Sequence[tuple[tuple[float, float], tuple[float, float]]]) -> None:
    """The median of the ratios, how far they spread, and whether they are what we want."""
    for name, kind in (("CPU", 0), ("wall", 1)):
        ratios = sorted(late[kind] / early[kind] for early, late in pairs)
        low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
        median = statistics.median(ratios)
        spread = f"half of the rounds: {low:.3f} to {high:.3f}"
        print(f"{what}, {name}: {median:.3f} ({spread}): {'met' if median <= most else 'NOT MET'}", flush=True)


async def long_games(database: Path | str, key_file: Path, late: int, rounds: int) -> None:
    """An early command beside a late one."""
    place = Place(database, key_file)
    try:
        old = await place.begin()
        await old.go_on(late - EARLY)
        pairs = []
        for _ in range(rounds):
            young = await place.begin()
            await young.go_on(EARLY - 20)
            pairs.append((await young.go_on(40), await old.go_on(40)))
        show(f"command {late} to command {EARLY} of a game", MOST_LATE, pairs)
    finally:
        place.application.close()


async def full_databases(bare: Path | str, filled: Path | str, key_file: Path, events: int, rounds: int) -> None:
    """An empty database beside a full one."""
    fill(filled, events, key_file="" if isinstance(filled, Path) else key_file)
    empty, full = Place(bare, key_file), Place(filled, key_file)
    try:
        pairs = []
        for _ in range(rounds):
            two = await empty.begin(), await full.begin()
            pairs.append((await two[0].go_on(60), await two[1].go_on(60)))
        show(f"a database of {events:,} games to an empty one", MOST_FULL, pairs)
    finally:
        empty.application.close()
        full.application.close()


async def on_sqlite(folder: Path, chosen: argparse.Namespace) -> None:
    """Measure on files."""
    print("SQLite", flush=True)
    await long_games(folder / "long.db", folder, chosen.late, chosen.rounds)
    await full_databases(folder / "empty.db", folder / "full.db", folder, chosen.events, chosen.rounds)


async def on_postgresql(folder: Path, chosen: argparse.Namespace) -> None:
    """Measure on databases of a server of our own, or of the one that BOARDKEEPER_TEST_POSTGRES names."""
    print("PostgreSQL", flush=True)
    server = started("fsync=on", "shared_buffers=256MB", "max_wal_size=4GB")
    key = folder / "key"
    try:
        with server.database() as url:
            await long_games(url, key, chosen.late, chosen.rounds)
        with server.database() as empty, server.database() as full:
            await full_databases(empty, full, key, chosen.events, chosen.rounds)
    finally:
        server.close()


WAYS = {"sqlite": on_sqlite, "postgresql": on_postgresql}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--late", type=int, default=2_000)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--only", choices=list(WAYS), help="measure on one kind of database alone")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        for name, measure in WAYS.items():
            if chosen.only in (None, name):
                asyncio.run(measure(Path(made), chosen))
