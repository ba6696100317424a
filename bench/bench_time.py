"""Milliseconds for a jump to any version of a 2,000-event game, on a real SQLite file and over a real socket.

Over gRPC: ``load`` is the first call of any kind on the game after a restart (it reads and checks all of it), ``first``
the first GetBoard at a past version after that; ``board`` and ``legal`` are any later GetBoard and ListLegalCommands.
Without gRPC: ``fold`` reads and applies everything before the version, which is what a service without snapshots does;
``cold`` is the first jump into a game without stored snapshots, ``stored`` the first with them, ``jump`` any later one;
``make`` makes and stores all snapshots of the game, which the service does in the background. The game is a random one
of five seats who plan for a long time.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from boardkeeper.client import Client, person
from boardkeeper.game.events import GameEvent
from boardkeeper.game.timeline import Timeline
from boardkeeper.service.games.snapshots import Snapshots
from boardkeeper.service.server import running_service
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.titles.registry import load_title

EVENTS = 2_000
JUMPS = 300
HESITATION = 0.9
"""How often a seat goes on planning rather than finish, so that the game gets long enough."""

RESTARTS = 12
WORST = 0.99
T = TypeVar("T")


def played(client: Client) -> tuple[str, list[tuple[int, str]], int]:
    """A game of at least so many events: its id, its seats' tokens and its version."""
    new = client.create_game("orleans", [person(f"P{seat}") for seat in range(1, 6)])
    chance = random.Random(1)
    version = new.game.version
    while version < EVENTS:
        seat = new.seats[chance.choice(client.game(new.game.game_id).deciding) - 1]
        legal = list(seat.legal_commands(min_version=version).commands)
        if len(legal) > 1 and chance.random() < HESITATION:
            legal = [it for it in legal if not it.command.orleans.HasField("finish_planning")]
        version = seat.submit(chance.choice(legal)).version
    return new.game.game_id, [(seat.number, seat.token) for seat in new.seats], version


def timed(name: str, call: Callable[[int], object], versions: Sequence[int]) -> None:
    """Print the median and the slow end of calls."""
    told(name, [milliseconds(call, version) for version in versions])


def milliseconds(call: Callable[[T], object], argument: T) -> float:
    """How long a call takes."""
    begun = time.perf_counter()
    call(argument)
    return (time.perf_counter() - begun) * 1e3


def told(name: str, took: list[float]) -> None:
    """Print the median and the slow end."""
    took.sort()
    print(
        f"{name:8} median {statistics.median(took):7.2f} ms   p99 {took[int(len(took) * WORST) - 1]:7.2f} ms",
        flush=True,
    )


def main() -> None:
    """Play the game, then jump."""
    chance = random.Random(2)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "games.db"
        with running_service(str(database)) as address, Client(address) as client:
            game_id, tokens, version = played(client)
            print(f"{version} events")
            versions = [chance.randint(1, EVENTS) for _ in range(JUMPS)]
            (number, token), *_ = tokens
            timed("board", lambda at: client.board(game_id, version=at, token=token), versions)
            seat = client.seat(game_id, number, token)
            timed("legal", lambda at: client.legal_commands(seat, version=at), versions)
        restarted(database, game_id, token, versions[:RESTARTS])
        asyncio.run(direct(database, versions))


def restarted(database: Path, game_id: str, token: str, versions: Sequence[int]) -> None:
    """The first calls after each of some restarts."""
    load, first = [], []
    for version in versions:
        with running_service(str(database)) as address, Client(address) as client:
            client.title("orleans")  # reads the title, which has nothing to do with the game
            load.append(milliseconds(client.game, game_id))
            first.append(milliseconds(partial(client.board, version=version, token=token), game_id))
    told("load", load)
    told("first", first)


async def direct(database: Path, versions: Sequence[int]) -> None:
    """The same without gRPC."""
    application = GameApplication.open(database, load_title)
    try:
        (row,) = application.companions.games()
        title = load_title(row.title)
        timed("fold", lambda at: application.load_game(row.game_id, until=at), versions[:60])

        def read(after: int, until: int) -> list[GameEvent]:
            return application.game_events(row.game_id, after=after, until=until)

        snapshots = Snapshots(application)
        stored = partial(snapshots.trusted, row.game_id)
        timed("cold", lambda at: Timeline(title, read).at(at), versions[:60])
        timed("stored", lambda at: Timeline(title, read, stored=stored).at(at), versions[:60])
        timeline = Timeline(title, read, stored=stored)
        for version in range(1, EVENTS):
            timeline.at(version)
        timed("jump", timeline.at, versions)
        timed("make", lambda at: make(application, row.game_id, at), [row.version] * 5)
    finally:
        application.close()


def make(application: GameApplication, game: UUID, version: int) -> None:
    """Make all snapshots of a game that has none."""
    with application.event_log.datastore.transaction(commit=True) as cursor:
        cursor.execute("DELETE FROM stored_snapshots")
    Snapshots(application).make(game, load_title("orleans"), version, has_ended=False)


if __name__ == "__main__":
    main()
