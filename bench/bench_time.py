"""Measures how many milliseconds it takes to read a past version of a long game, for each title.

The server uses an SQLite file and a TCP socket. The game is random and has the maximum number of seats. It stops after
2,000 events or at its end; the seats prefer commands that do not end their decision, because these make a game longer.

Each line of the output is one measurement. Over gRPC:

* ``board``, ``legal``: GetBoard and ListLegalCommands at random past versions.
* ``load``: the first call for the game after a restart of the server. The server reads and checks the whole game.
* ``first``: the first GetBoard at a past version after that call.

Without gRPC:

* ``fold``: apply all events up to the version, without snapshots.
* ``cold``: read a past version with a new timeline, without stored snapshots.
* ``stored``: the same with the stored snapshots.
* ``warm``: read a past version with a timeline that has read all versions before.
* ``make``: delete the stored snapshots, then make and store all snapshots of the game. A server makes them in the
  background.
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

from boardkeeper.client import Client, person
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED
from boardkeeper.game.timeline import Timeline
from boardkeeper.service.cache.snapshots import Snapshots
from boardkeeper.service.process.server import running_service
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.changes import DeleteSnapshots
from boardkeeper.service.storage.rows import LobbyRow
from boardkeeper.titles.registry import TITLES, load_meta, load_title
from boardkeeper.v1.command_pb2 import Command
from boardkeeper.wire.messages import command_from_message

EVENTS = 2_000
READS = 300
HESITATION = 0.9
"""The probability that a seat avoids the commands that have ended its decision before. This makes the game longer."""

RESTARTS = 12
PERCENTILE = 0.99
T = TypeVar("T")


def play(client: Client, title: str) -> tuple[str, list[tuple[int, str]], int]:
    """Play a random game until it ends or has ``EVENTS`` events; return its id, seats with tokens, and version."""
    meta = load_meta(title)
    most = meta.edition(meta.default_edition).players[1]
    new = client.create_game(title, [person(f"P{seat}") for seat in range(1, most + 1)])
    chance = random.Random(1)
    game = new.game
    ends: set[tuple[str, type]] = set()
    while game.version < EVENTS and game.deciding:
        seat = new.seats[chance.choice(game.deciding) - 1]
        decision = game.seats[seat.number - 1].decision
        legal = [it.command for it in seat.legal_commands(min_version=game.version).commands]
        if chance.random() < HESITATION:
            legal = [it for it in legal if (decision, command_type(it)) not in ends] or legal
        command = chance.choice(legal)
        seat.submit(command)
        game = client.game(new.game.game_id)
        if game.seats[seat.number - 1].decision != decision:
            ends.add((decision, command_type(command)))
    return game.game_id, [(seat.number, seat.token) for seat in new.seats], game.version


def command_type(command: Command) -> type:
    """Return the struct of a command."""
    return type(command_from_message(command)[1])


def measure_calls(name: str, call: Callable[[int], object], versions: Sequence[int]) -> None:
    """Call ``call`` once with each version, and report the times."""
    report(name, [milliseconds(call, version) for version in versions])


def milliseconds(call: Callable[[T], object], argument: T) -> float:
    """Return how many milliseconds ``call(argument)`` takes."""
    begun = time.perf_counter()
    call(argument)
    return (time.perf_counter() - begun) * 1e3


def report(name: str, took: list[float]) -> None:
    """Print the median and the 99th percentile of times in milliseconds; sorts the list."""
    took.sort()
    print(
        f"{name:8} median {statistics.median(took):7.2f} ms   p99 {took[int(len(took) * PERCENTILE) - 1]:7.2f} ms",
        flush=True,
    )


def main() -> None:
    """Measure each title."""
    for title in TITLES:
        print(title)
        measure(title)


def measure(title: str) -> None:
    """Play a game of a title, then measure how long it takes to read its past versions."""
    chance = random.Random(2)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "games.db"
        with running_service(str(database)) as address, Client(address) as client:
            game_id, tokens, version = play(client, title)
            print(f"{version} events")
            versions = [chance.randint(1, version) for _ in range(READS)]
            (number, token), *_ = tokens
            measure_calls("board", lambda at: client.board(game_id, version=at, token=token), versions)
            seat = client.seat(game_id, number, token)
            measure_calls("legal", lambda at: client.legal_commands(seat, version=at), versions)
        measure_restarts(database, title, game_id, token, versions[:RESTARTS])
        asyncio.run(measure_directly(database, versions))


def measure_restarts(database: Path, title: str, game_id: str, token: str, versions: Sequence[int]) -> None:
    """Measure the first two calls after a restart, with one restart per version."""
    load, first = [], []
    for version in versions:
        with running_service(str(database)) as address, Client(address) as client:
            client.title(title)  # the time to load the title must not count
            load.append(milliseconds(client.game, game_id))
            first.append(milliseconds(partial(client.board, version=version, token=token), game_id))
    report("load", load)
    report("first", first)


async def measure_directly(database: Path, versions: Sequence[int]) -> None:
    """Measure reads of past versions without gRPC."""
    application = GameApplication.open(database, load_title)
    try:
        (row,) = application.game_tables.lobby_page()
        title = load_title(row.title)
        measure_calls("fold", lambda at: application.load_game(row.game_id, until=at), versions[:60])

        def read(after: int, until: int) -> list[GameEvent]:
            return application.game_events(row.game_id, after=after, until=until)

        snapshots = Snapshots(application)
        stored = partial(snapshots.trusted, row.game_id)
        measure_calls("cold", lambda at: Timeline(title, read).at(at), versions[:60])
        measure_calls("stored", lambda at: Timeline(title, read, stored=stored).at(at), versions[:60])
        timeline = Timeline(title, read, stored=stored)
        for version in range(1, row.version):
            timeline.at(version)
        measure_calls("warm", timeline.at, versions)
        measure_calls("make", lambda at: make_snapshots(application, row, at), [row.version] * 5)
    finally:
        application.close()


def make_snapshots(application: GameApplication, row: LobbyRow, version: int) -> None:
    """Delete all stored snapshots, then make and store those of a game up to ``version``."""
    application.writer.store([DeleteSnapshots()])
    Snapshots(application).make(row.game_id, load_title(row.title), version, has_ended=row.status == ENDED)


if __name__ == "__main__":
    main()
