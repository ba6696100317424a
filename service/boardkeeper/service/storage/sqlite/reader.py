"""Reading rows of a file, and running statements of the common form on a connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar
from uuid import UUID

from eventsourcing.sqlite import SQLiteDatastore

from boardkeeper.service.storage.failures import is_no_text
from boardkeeper.service.storage.sql import Check, Reader, Statement, for_sqlite, sqlite_values


class SqliteReader(Reader):
    """Reads on the connections of a datastore."""

    is_shared: ClassVar[bool] = False

    def __init__(self, datastore: SQLiteDatastore) -> None:
        self._datastore = datastore

    def fetch(self, text: str, parameters: Sequence[object]) -> list[Any]:
        sql, values = for_sqlite(text), sqlite_values(parameters)
        with self._datastore.transaction(commit=False) as cursor:
            cursor.sqlite_cursor.row_factory = None
            try:
                return cursor.sqlite_cursor.execute(sql, values).fetchall()
            except sqlite3.OperationalError as error:
                if not is_no_text(error):
                    raise
            # Text that is not UTF-8 damages its own row only: it is read as bytes, which no column of text can be.
            connection = cursor.sqlite_cursor.connection
            connection.text_factory = _text_or_bytes
            try:
                return cursor.sqlite_cursor.execute(sql, values).fetchall()
            finally:
                connection.text_factory = str


def run(connection: sqlite3.Connection, statements: Iterable[Statement | Check]) -> None:
    """Run statements of the common form. Raise the error of a check that finds a row."""
    for statement in statements:
        text = for_sqlite(statement.sql)
        if text:
            cursor = connection.execute(text, sqlite_values(statement.parameters))
            if isinstance(statement, Check) and cursor.fetchone() is not None:
                raise statement.error(f"a row must not exist: {statement.sql}")


def _text_or_bytes(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def key(id: UUID | str) -> str:
    """Return a game's id as a file stores it."""
    return id.hex if isinstance(id, UUID) else id
