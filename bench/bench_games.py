"""Cold load of a finished game from SQLite, and the memory of a resident game.

The game is one of sensible bots, stored event by event as the service stores it. A cold load reads its rows and
rebuilds aggregate, table and bindings; the file stays in the operating system's cache. Memory is what Python allocates
for twenty games that are loaded and kept, per game, with the shared tables of the title already there.
"""

from __future__ import annotations

import asyncio
import gc
import random
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from uuid import UUID, uuid4

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.title import Setup
from boardkeeper.titles.registry import load_title

RUNS = 15
RESIDENT = 20


def played(players: int, bot: str, seed: int) -> tuple[Game, list[GameEvent]]:
    """A finished game with all its events."""
    title = load_title("orleans")
    seats = (f"bot.{bot}",) * players
    game, events = Game.create(
        uuid4(), title, Setup("", players), seats, seed.to_bytes(32, "big"), "bench", "create", 0
    )
    game.commit(events)
    choose = random.Random(seed).random
    while game.status != "ended":
        assert game.play is not None
        seat = game.table.deciding()[0]
        legal = game.legal(seat)
        command = title.choose(bot, game.play.board(seat), seat, legal, choose())
        outcome = game.decide(seat, [command], f"bench-{game.version:08}-{uuid4()}", game.version)
        assert not isinstance(outcome, Rejection), outcome
        game.commit(outcome)
        events += outcome
    return game, events


async def store_all(application: GameApplication, games: Mapping[int, tuple[Game, list[GameEvent]]]) -> None:
    """Append all events of each game with the secret that its dice need."""
    for players, (game, events) in games.items():
        done = asyncio.get_running_loop().create_future()
        secret = ("INSERT INTO dice_secrets VALUES (?,?)", (game.id.hex, players.to_bytes(32, "big")))
        application.append(events, done.set_result, companions=[secret])
        await done


def megabytes(events: list[GameEvent], application: GameApplication) -> float:
    """The size of the stored events."""
    return sum(len(application.events_mapper.to_stored_event(event).state) for event in events) / 1e6


def cold_load(application: GameApplication, game: UUID) -> float:
    """Milliseconds to rebuild a game from the file."""
    gc.collect()
    begun = time.perf_counter()
    assert application.load_game(game) is not None
    return (time.perf_counter() - begun) * 1e3


def resident_kilobytes(application: GameApplication, game: UUID) -> float:
    """Kilobytes that each resident game takes."""
    application.load_game(game)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [application.load_game(game) for _ in range(RESIDENT)]
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / len(kept) / 1024


def main() -> int:
    """Print the figures for two and five players."""
    with tempfile.TemporaryDirectory() as folder:
        application = GameApplication.open(Path(folder) / "bench.db", load_title)
        games = {players: played(players, "sensible", players) for players in (2, 4, 5)}
        asyncio.run(store_all(application, games))
        for players, (game, events) in games.items():
            effects = sum(len(event.effects) for event in events)
            times = [cold_load(application, game.id) for _ in range(RUNS)]
            print(
                f"{players} players: {len(events)} events, {effects} effects, {megabytes(events, application):.2f} MB; "
                f"cold load {statistics.median(times):.1f} ms ({min(times):.1f}-{max(times):.1f}); "
                f"resident {resident_kilobytes(application, game.id):.0f} KB",
                flush=True,
            )
        application.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
