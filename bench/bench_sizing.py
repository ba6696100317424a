"""Disk and CPU of whole games on SQLite and PostgreSQL, for the sizing of a service.

    python -m bench.bench_sizing [--games 10] [--titles TITLE ...] [--bots sensible]

The service's bots play whole games, all at the same time, with the most players of a title. The bytes of a database
are its growth after all games have ended and a checkpoint: the SQLite file, or all tables and indexes of PostgreSQL.
PostgreSQL's write-ahead log, which goes to standbys and archives, is a separate column. Bytes depend only on the
games. CPU time is that of the service, including its bots, and of the database server (Linux only). PostgreSQL comes
from the wheel that the tests use, with fsync on.
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
from tests.databases.servers import start_server

from boardkeeper.client import Client, bot
from boardkeeper.service.process.server import running_service
from boardkeeper.titles.registry import TITLES, load_meta
from boardkeeper.v1 import game_pb2


class Cost(NamedTuple):
    """Averages per game."""

    events: float
    commands: float
    bytes: float
    wal: float
    service: float
    server: float


def cpu_of_children() -> float:
    """Return the CPU seconds of all descendant processes."""
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
    """Play games; return events, commands and CPU seconds per game."""
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
        histories = [list(client.events(game)) for game in made]
        events = sum(map(len, histories))
        commands = sum(len({event.command_id for event in one if event.command_id}) for one in histories)
    return events / games, commands / games, cpu / games


def measure_sqlite(title: str, kind: str, games: int) -> Cost:
    """Measure games in a new file."""
    with TemporaryDirectory(prefix="bench-sizing-") as folder:
        path = Path(folder) / "games.db"
        with running_service(str(path)):
            pass
        before = _size(path)
        events, commands, cpu = play(str(path), path.with_name("unused"), title, kind, games)
        return Cost(events, commands, (_size(path) - before) / games, 0.0, cpu, 0.0)


def measure_postgres(url: str, title: str, kind: str, games: int) -> Cost:
    """Measure games in an existing database."""
    with TemporaryDirectory(prefix="bench-sizing-") as folder, psycopg.connect(url, autocommit=True) as watching:
        before, log = _database_bytes(watching)
        begun = cpu_of_children()
        events, commands, cpu = play(url, Path(folder) / "key", title, kind, games)
        server = (cpu_of_children() - begun) / games
        after, end = _database_bytes(watching)
        return Cost(events, commands, (after - before) / games, (end - log) / games, cpu, server)


def _size(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size


def _database_bytes(connection: psycopg.Connection[tuple[int, ...]]) -> tuple[int, int]:
    """Return the bytes of all tables and indexes, and of the whole write-ahead log."""
    connection.execute("CHECKPOINT")
    row = connection.execute(
        "SELECT sum(pg_total_relation_size(oid))::bigint, (pg_current_wal_lsn() - '0/0')::bigint FROM pg_class"
        " WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace"
    ).fetchone()
    assert row is not None
    return row[0], row[1]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--titles", nargs="*", default=sorted(TITLES))
    parser.add_argument("--bots", default="sensible")
    chosen = parser.parse_args()
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    heads = "events  commands  kB a game  B an event  B a command  log kB  CPU s: service  server"
    print(f"{'':26} {heads}", flush=True)
    server = start_server("shared_buffers=128MB")
    try:
        for title in chosen.titles:
            rows = {"SQLite": measure_sqlite(title, chosen.bots, chosen.games)}
            with server.database() as url:
                rows["PostgreSQL"] = measure_postgres(url, title, chosen.bots, chosen.games)
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
