"""Cold load of a finished game from SQLite, and the memory of a resident game.

The game is one of the title's best bots, stored event by event as the service stores it. A cold load reads its rows and
rebuilds aggregate, table and bindings; the file stays in the operating system's cache. Memory is what Python allocates
for twenty games that are loaded and kept, per game, with the shared tables of the title already there, once everybody
has asked for the board.
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

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.changes import NewGame
from boardkeeper.service.storage.projections import build_lobby_row
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import TITLES, load_meta, load_title

RUNS = 15
RESIDENT = 20


def numbers(id: str) -> list[int]:
    """With how many people games are measured."""
    meta = load_meta(id)
    fewest, most = meta.edition(meta.default_edition).players
    return sorted({1 if meta.alone else fewest, min(max(4, fewest), most), most})


def played(id: str, players: int) -> tuple[Game, list[GameEvent]]:
    """A finished game of the title's best bots with all its events."""
    title = load_title(id)
    bot = title.meta.bots[0].id
    seats = (f"bot.{bot}",) * players
    game, events = create_game(uuid4(), title, Setup("", players), seats, secret(players), "bench", "create", 0)
    game.commit(events)
    choose = random.Random(players).random
    while game.status != "ended":
        seat = game.table.deciding()[0]
        legal = game.legal(seat)
        command = ask_bot(title, game.created.setup, game.table, bot, seat, legal, choose())
        outcome = game.decide(seat, [command], f"bench-{game.version:08}-{uuid4()}", game.version)
        assert not isinstance(outcome, Rejection), outcome
        game.commit(outcome)
        events += outcome
    return game, events


def secret(players: int) -> bytes:
    """What the dice of a game follow from."""
    return players.to_bytes(32, "big")


async def store_all(
    application: GameApplication, games: Mapping[tuple[str, int], tuple[Game, list[GameEvent]]]
) -> None:
    """Append all events of each game with the secret that its dice need."""
    for (_, players), (game, events) in games.items():
        done = asyncio.get_running_loop().create_future()
        kept = NewGame(build_lobby_row(game, events, ()), secret(players))
        application.append(events, done.set_result, changes=[kept])
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
    _looked_at(application, game)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [_looked_at(application, game) for _ in range(RESIDENT)]
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / len(kept) / 1024


def _looked_at(application: GameApplication, game: UUID) -> Game:
    loaded = application.load_game(game)
    assert loaded is not None
    assert loaded.play is not None
    for viewer in range(len(loaded.table.decisions)):
        loaded.play.board(viewer)
    return loaded


def main() -> int:
    """Print the figures of each title, for as few people as can play it, for four, and for as many as can."""
    with tempfile.TemporaryDirectory() as folder:
        application = GameApplication.open(Path(folder) / "bench.db", load_title)
        games = {(id, players): played(id, players) for id in TITLES for players in numbers(id)}
        asyncio.run(store_all(application, games))
        for (id, players), (game, events) in games.items():
            effects = sum(len(event.effects) for event in events)
            times = [cold_load(application, game.id) for _ in range(RUNS)]
            print(
                f"{id}, {players} players: {len(events)} events, {effects} effects, "
                f"{megabytes(events, application):.2f} MB; "
                f"cold load {statistics.median(times):.1f} ms ({min(times):.1f}-{max(times):.1f}); "
                f"resident {resident_kilobytes(application, game.id):.0f} KB",
                flush=True,
            )
        application.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
