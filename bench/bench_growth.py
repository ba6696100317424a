"""What a command costs late in a long game and in a full file, as a multiple of early in a game and in an empty file.

    python bench/bench_growth.py [--late 2000] [--events 1000000] [--rounds 12]

In process, without gRPC: the hub, the rules, the writer and SQLite (WAL, synchronous=FULL). Early and late commands, an
empty and a full file alternate, so that a drifting machine hits both. CPU time counts all threads; wall time has the
disk in it.
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

from boardkeeper.service.games.acting import Acting
from boardkeeper.service.games.hub import Hub
from boardkeeper.service.games.seating import Seating, SeatPlan
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.table.title import Setup
from boardkeeper.titles.registry import load_title

TITLE = first_title()
EARLY = 50
AT_ONCE = 20
"""Games that are played at the same time, so that a commit holds as many commands."""


class Place:
    """A file and the games that are played on it, all at the same number of commands."""

    def __init__(self, path: Path) -> None:
        self.application = GameApplication.open(path, load_title)
        self._acting = Acting(Hub(self.application))
        self._seating = Seating(self._acting, load_title, "bench")
        self._way = [command for pair in to_and_fro(load_title(TITLE), bytes(32))[:1] for command in pair]

    async def begin(self) -> Games:
        plans = [SeatPlan("Ada"), SeatPlan("Ben")]
        made = [await self._seating.create(TITLE, Setup("", 2), plans, "") for _ in range(AT_ONCE)]
        return Games(self._acting, [seated.game for seated in made], self._way)


class Games:
    """Games in which the same thing is done and taken back again and again."""

    def __init__(self, acting: Acting, games: Sequence[UUID], way: Sequence[Struct]) -> None:
        self._acting = acting
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
            await self._acting.submit(game, SEAT, [self._way[number % 2]], f"c{number}")


def show(what: str, pairs: Sequence[tuple[tuple[float, float], tuple[float, float]]]) -> None:
    """The median of the ratios, and how far they spread."""
    for name, kind in (("CPU", 0), ("wall", 1)):
        ratios = sorted(late[kind] / early[kind] for early, late in pairs)
        low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
        print(f"{what}, {name}: {statistics.median(ratios):.3f} (half of the rounds: {low:.3f} to {high:.3f})")


async def long_games(folder: Path, late: int, rounds: int) -> None:
    place = Place(folder / "long.db")
    try:
        old = await place.begin()
        await old.go_on(late - EARLY)
        pairs = []
        for _ in range(rounds):
            young = await place.begin()
            await young.go_on(EARLY - 20)
            pairs.append((await young.go_on(40), await old.go_on(40)))
        show(f"command {late} to command {EARLY} of a game", pairs)
    finally:
        place.application.close()


async def full_files(folder: Path, events: int, rounds: int) -> None:
    fill(folder / "full.db", events)
    empty, full = Place(folder / "empty.db"), Place(folder / "full.db")
    try:
        pairs = []
        for _ in range(rounds):
            two = await empty.begin(), await full.begin()
            pairs.append((await two[0].go_on(60), await two[1].go_on(60)))
        show(f"a file of {events:,} games to an empty one", pairs)
    finally:
        empty.application.close()
        full.application.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--late", type=int, default=2_000)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=12)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(long_games(Path(made), chosen.late, chosen.rounds))
        asyncio.run(full_files(Path(made), chosen.events, chosen.rounds))
