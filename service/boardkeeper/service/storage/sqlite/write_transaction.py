"""Changing a file that no server uses, without leaving overwritten data in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.errors import describe_file_error
from boardkeeper.service.storage.sql import Change, Transaction, for_sqlite, sqlite_values
from boardkeeper.service.storage.sqlite.connections import check_is_ours, connect, prepare_file
from boardkeeper.service.storage.sqlite.database_files import resolve_existing
from boardkeeper.service.storage.sqlite.lock import FileLock
from boardkeeper.service.storage.sqlite.reader import run_statements


class _Transaction(Transaction):
    is_shared: ClassVar[bool] = False

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def fetch(self, text: str, parameters: Sequence[object]) -> list[Any]:
        return self._connection.execute(for_sqlite(text), sqlite_values(parameters)).fetchall()

    def write(self, *changes: Change) -> None:
        for change in changes:
            run_statements(self._connection, change.statements())


@contextmanager
def write_transaction(path: Path, verb: str) -> Iterator[Transaction]:
    """Change a file in a transaction. Raises :class:`StartupError`, with ``verb`` in the message."""
    path = resolve_existing(path)
    check_is_ours(path)
    lock = FileLock(path)
    try:
        prepare_file(path)
        connection = connect(str(path), "FULL")
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield _Transaction(connection)
            connection.execute("COMMIT")
            # The write-ahead log still contains older pages: copy it into the file and truncate it.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise StartupError(f"cannot {verb} {path}, which {describe_file_error(error)}") from error
    finally:
        lock.release()
