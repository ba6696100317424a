"""Cold load of a finished game from SQLite, and the memory of a resident game.

The title's best bots play the game, which is stored event by event as in the service. A cold load reads its rows and
rebuilds aggregate, table and bindings; the file stays in the operating system's cache. Memory is what Python allocates
per game for twenty loaded games after every viewer has read the board, without the shared tables of the title.
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


def player_counts(id: str) -> list[int]:
    """Return the numbers of players that are measured."""
    meta = load_meta(id)
    fewest, most = meta.edition(meta.default_edition).players
    return sorted({1 if meta.alone else fewest, min(max(4, fewest), most), most})


def play(id: str, players: int) -> tuple[Game, list[GameEvent]]:
    """Return a finished game of the title's best bots with all its events."""
    title = load_title(id)
    bot = title.meta.bots[0].id
    seats = (f"bot.{bot}",) * players
    game, events = create_game(uuid4(), title, Setup("", players), seats, dice_secret(players), "bench", "create", 0)
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


def dice_secret(players: int) -> bytes:
    return players.to_bytes(32, "big")


async def store_all(
    application: GameApplication, games: Mapping[tuple[str, int], tuple[Game, list[GameEvent]]]
) -> None:
    """Append all events of each game with the secret of its dice."""
    for (_, players), (game, events) in games.items():
        done = asyncio.get_running_loop().create_future()
        new_game = NewGame(build_lobby_row(game, events, ()), dice_secret(players))
        application.append(events, done.set_result, changes=[new_game])
        await done


def megabytes(events: list[GameEvent], application: GameApplication) -> float:
    """Return the size of the stored events."""
    return sum(len(application.events_mapper.to_stored_event(event).state) for event in events) / 1e6


def cold_load(application: GameApplication, game: UUID) -> float:
    """Return the milliseconds to rebuild a game from the file."""
    gc.collect()
    begun = time.perf_counter()
    assert application.load_game(game) is not None
    return (time.perf_counter() - begun) * 1e3


def resident_kilobytes(application: GameApplication, game: UUID) -> float:
    """Return the kilobytes of each resident game."""
    _load_and_read(application, game)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    games = [_load_and_read(application, game) for _ in range(RESIDENT)]
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / len(games) / 1024


def _load_and_read(application: GameApplication, game: UUID) -> Game:
    loaded = application.load_game(game)
    assert loaded is not None
    assert loaded.play is not None
    for viewer in range(len(loaded.table.decisions)):
        loaded.play.board(viewer)
    return loaded


def main() -> int:
    """Print the figures of each title for the fewest players, for four, and for the most."""
    with tempfile.TemporaryDirectory() as folder:
        application = GameApplication.open(Path(folder) / "bench.db", load_title)
        games = {(id, players): play(id, players) for id in TITLES for players in player_counts(id)}
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
