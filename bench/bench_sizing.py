"""What a game takes of the database and of the processor, on SQLite and on PostgreSQL: figures to size a service by.

    python -m bench.bench_sizing [--games 10] [--titles TITLE ...] [--bots sensible]

Whole games are played by the service's own bots, as many at once as there are games, with as many players as a title
takes at the most. Bytes of the database are what it has grown by when all games are over and everything is written
to its place: the file of SQLite, or all tables and indexes of PostgreSQL. Beside them stands PostgreSQL's write-ahead
log, which is what goes to a standby and to an archive. Bytes depend on nothing but the games. CPU time is that of the
service, what the bots think up included, and of the server of the database (Linux only). PostgreSQL comes from the
wheel that the tests use, with fsync on.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import psycopg
from tests.databases.servers import started

from boardkeeper.client import Client, bot
from boardkeeper.service.process.server import running_service
from boardkeeper.titles.registry import TITLES, load_meta
from boardkeeper.v1 import game_pb2


class Played(NamedTuple):
    """What some games have taken, each of them on an average."""

    events: float
    commands: float
    bytes: float
    wal: float
    service: float
    server: float


def cpu_of_children() -> float:
    """CPU seconds so far of all processes that this one has started, and of theirs."""
    parents: dict[int, tuple[int, int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            parents[int(stat.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    ticks = 0
    for process, (_, own) in parents.items():
        above = process
        while above not in (0, os.getpid()):
            above = parents.get(above, (0, 0))[0]
        ticks += own if above and above != process else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def play(database: str, key: Path, title: str, kind: str, games: int) -> tuple[float, float, float]:
    """Events, commands and CPU seconds of a game."""
    meta = load_meta(title)
    players = meta.edition(meta.default_edition).players[1]
    settings: dict[str, Any] = {"key_file": str(key)} if database.startswith("postgresql") else {}
    with running_service(database, **settings) as address, Client(address, retry_timeout=60) as client:
        begun = time.process_time()
        made = [client.create_game(title, [bot(kind)] * players).game.game_id for _ in range(games)]
        waiting = set(made)
        while waiting:
            time.sleep(0.5)
            waiting -= {game for game in waiting if client.game(game).status == game_pb2.GAME_STATUS_ENDED}
        cpu = time.process_time() - begun
        told = [list(client.events(game)) for game in made]
        events = sum(map(len, told))
        commands = sum(len({event.command_id for event in one if event.command_id}) for one in told)
    return events / games, commands / games, cpu / games


def on_sqlite(title: str, kind: str, games: int) -> Played:
    """In a file of its own."""
    with TemporaryDirectory(prefix="bench-sizing-") as folder:
        path = Path(folder) / "games.db"
        with running_service(str(path)):
            pass
        before = _size(path)
        events, commands, cpu = play(str(path), path.with_name("unused"), title, kind, games)
        return Played(events, commands, (_size(path) - before) / games, 0.0, cpu, 0.0)


def on_postgres(url: str, title: str, kind: str, games: int) -> Played:
    """In a database that is there."""
    with TemporaryDirectory(prefix="bench-sizing-") as folder, psycopg.connect(url, autocommit=True) as watching:
        before, log = _state(watching)
        begun = cpu_of_children()
        events, commands, cpu = play(url, Path(folder) / "key", title, kind, games)
        server = (cpu_of_children() - begun) / games
        after, end = _state(watching)
        return Played(events, commands, (after - before) / games, (end - log) / games, cpu, server)


def _size(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size


def _state(connection: psycopg.Connection[tuple[int, ...]]) -> tuple[int, int]:
    """Bytes of all tables and indexes, and of the write-ahead log since ever."""
    connection.execute("CHECKPOINT")
    row = connection.execute(
        "SELECT sum(pg_total_relation_size(oid))::bigint, (pg_current_wal_lsn() - '0/0')::bigint FROM pg_class"
        " WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace"
    ).fetchone()
    assert row is not None
    return row[0], row[1]


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--titles", nargs="*", default=sorted(TITLES))
    parser.add_argument("--bots", default="sensible")
    given = parser.parse_args()
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    heads = "events  commands  kB a game  B an event  B a command  log kB  CPU s: service  server"
    print(f"{'':26} {heads}", flush=True)
    server = started("shared_buffers=128MB")
    try:
        for title in given.titles:
            rows = {"SQLite": on_sqlite(title, given.bots, given.games)}
            with server.database() as url:
                rows["PostgreSQL"] = on_postgres(url, title, given.bots, given.games)
            for name, it in rows.items():
                each = it.bytes / it.events, it.bytes / it.commands
                print(
                    f"{title:14} {name:11} {it.events:6.0f} {it.commands:9.0f} {it.bytes / 1000:10.0f}"
                    f" {each[0]:11.0f} {each[1]:12.0f} {it.wal / 1000:7.0f}"
                    f" {it.service:15.2f} {it.server:7.2f}",
                    flush=True,
                )
    finally:
        server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
