"""Internals of SQLite files that tests need to read or change."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import UUID

from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.changes import NewRequest
from boardkeeper.service.storage.rows import RequestRow
from boardkeeper.service.storage.sqlite.writer import SqliteWriter

INVALID_CHANGE = NewRequest(RequestRow(object(), b"", b"", UUID(int=1), ()), 1)  # type: ignore[arg-type]
"""A change that cannot be stored, although the disk works and nothing conflicts with it."""


def downgrade_schema(path: Path, script: str = "") -> None:
    """Turn a file into one of a release before the numbered migrations, then run a script on it."""
    with closing(sqlite3.connect(path)) as file:
        schema = file.execute("SELECT type, name FROM sqlite_master").fetchall()
        for view in [name for kind, name in schema if kind == "view"]:
            file.execute(f"DROP VIEW {view}")
        for table in [name for kind, name in schema if kind == "table"]:
            if "game" in [row[1] for row in file.execute(f"PRAGMA table_info({table})")]:
                file.execute(f"ALTER TABLE {table} RENAME COLUMN game TO game_id")
        file.execute("DROP INDEX IF EXISTS requests_by_game")
        file.execute("PRAGMA user_version=3")
        file.executescript(script)


def writer_of(application: GameApplication) -> SqliteWriter:
    """Return the writer of an application on a file."""
    assert isinstance(application.writer, SqliteWriter)
    return application.writer
