"""Direct access to the databases of a test, without a service.

Tests use paths of SQLite files. On PostgreSQL each path stands for a database, with the same key file as on SQLite.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
from psycopg import sql

URLS: dict[Path, str] = {}
"""The URL of each database on PostgreSQL by the path that the test uses; empty on SQLite."""


def db_argument(path: Path) -> str:
    """Return the value for ``--db``."""
    return URLS.get(path.absolute(), str(path))


def key_path(path: Path) -> Path:
    """Return the path of the key file."""
    return path.with_name(path.name + ".key")


def execute(path: Path, statement: str, game: str) -> None:
    """Execute a statement without the server. ``?`` is the game, ``{bytes}`` the type of bytes."""
    url = URLS.get(path.absolute())
    if url is not None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement.replace("?", "%s").replace("{bytes}", "bytea").encode(), (game,))
        return
    with closing(sqlite3.connect(path, timeout=60)) as file, file:
        file.execute(statement.replace("{bytes}", "BLOB"), (game.replace("-", ""),))


def count_rows(path: Path, game: str) -> dict[str, int]:
    """Return the number of rows of a game in each table that has any."""
    url = URLS.get(path.absolute())
    return _count_in_file(path, game) if url is None else _count_in_postgres(url, game)


def read_snapshots(path: Path) -> list[tuple[str, int, str, bytes]]:
    """Return the stored snapshots: game, version, topic and state."""
    url = URLS.get(path.absolute())
    if url is not None:
        with psycopg.connect(url, autocommit=True) as tables:
            return tables.execute(
                "SELECT replace(game::text, '-', ''), version, topic, state FROM snapshots ORDER BY game, version"
            ).fetchall()
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT * FROM stored_snapshots ORDER BY originator_id, originator_version").fetchall()


def _count_in_file(path: Path, game: str) -> dict[str, int]:
    with sqlite3.connect(path) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall()
        found = {}
        for (table,) in tables:
            columns = [column[1] for column in connection.execute(f"PRAGMA table_info({table})").fetchall()]
            for column in {"game", "originator_id"} & set(columns):
                select = f"SELECT count(*) FROM {table} WHERE {column}=?"
                ((found[table],),) = connection.execute(select, (game.replace("-", ""),)).fetchall()
    connection.close()
    return {table: count for table, count in found.items() if count}


def _count_in_postgres(url: str, game: str) -> dict[str, int]:
    with psycopg.connect(url, autocommit=True) as connection:
        tables = connection.execute(
            "SELECT table_name FROM information_schema.columns WHERE column_name = 'game'"
            " AND table_schema = 'public' AND table_name !~ '^events_'"
        ).fetchall()
        found = {}
        for (table,) in tables:
            select = sql.SQL("SELECT count(*) FROM {} WHERE game = %s").format(sql.Identifier(table))
            ((found[table],),) = connection.execute(select, (game,)).fetchall()
    return {table: count for table, count in found.items() if count}
