"""Milliseconds for a jump to any version of a 2,000-event game, on a real SQLite file and over a real socket.

``fold`` reads and applies everything before the version, which is what a service without snapshots does. ``first`` and
``cold`` are the first jump into a game that nobody looked at since the service started (it makes the snapshots on its
way), with gRPC and without; ``jump`` is any later one; ``board`` and ``legal`` are GetBoard and ListLegalCommands
through gRPC. The game is a random one of five seats who plan for a long time.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from boardkeeper.client import Client, person
from boardkeeper.game.timeline import Timeline
from boardkeeper.service.server import running_service
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.titles.registry import load_title

EVENTS = 2_000
JUMPS = 300
HESITATION = 0.9
"""How often a seat goes on planning rather than finish, so that the game gets long enough."""

WORST = 0.99


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
    took = []
    for version in versions:
        begun = time.perf_counter()
        call(version)
        took.append((time.perf_counter() - begun) * 1e3)
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
            timed("first", lambda at: client.board(game_id, version=at, token=token), [EVENTS])
            timed("board", lambda at: client.board(game_id, version=at, token=token), versions)
            seat = client.seat(game_id, number, token)
            timed("legal", lambda at: client.legal_commands(seat, version=at), versions)
        asyncio.run(direct(database, versions))


async def direct(database: Path, versions: Sequence[int]) -> None:
    """The same without gRPC."""
    application = GameApplication.open(database, load_title)
    try:
        (row,) = application.companions.games()
        timed("fold", lambda at: application.load_game(row.game_id, until=at), versions[:60])
        timeline = Timeline(
            load_title(row.title), lambda after, until: application.game_events(row.game_id, after=after, until=until)
        )
        timed("cold", timeline.at, [EVENTS])
        timed("jump", timeline.at, versions)
    finally:
        application.close()


if __name__ == "__main__":
    main()
