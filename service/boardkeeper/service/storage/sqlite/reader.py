"""Reading rows of a file, and running statements of the common SQL dialect."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, ClassVar
from uuid import UUID

from boardkeeper.service.storage.errors import is_invalid_text, library_error_class
from boardkeeper.service.storage.sql import Check, Reader, Statement, for_sqlite, sqlite_values
from boardkeeper.service.storage.sqlite.events_table import select_chain
from boardkeeper.service.storage.sqlite.schema import HEAD_OF


class SqliteReader(Reader):
    """Reads with as many connections as threads read at the same time. Raises the library's errors."""

    is_shared: ClassVar[bool] = False

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._free: deque[sqlite3.Connection] = deque()
        self._closed = False
        self._put_back(self._take())  # an open connection keeps SQLite from removing the write-ahead log

    def fetch(self, text: str, parameters: Sequence[object]) -> list[Any]:
        sql, values = for_sqlite(text), sqlite_values(parameters)
        connection = self._take()
        try:
            return connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            if not is_invalid_text(error):
                raise library_error_class(error)(error) from error
            return _fetch_with_bytes(connection, sql, values)
        finally:
            self._put_back(connection)

    def read_chain(self, game: UUID) -> tuple[list[Any], object, object]:
        with self.connection() as connection:
            connection.execute("BEGIN")
            try:
                return select_chain(connection.cursor(), HEAD_OF, game.hex)
            finally:
                connection.execute("ROLLBACK")

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection."""
        connection = self._take()
        try:
            yield connection
        except sqlite3.Error as error:
            raise library_error_class(error)(error) from error
        finally:
            self._put_back(connection)

    def close(self) -> None:
        """Close the connections; those in use are closed when their threads return them."""
        self._closed = True
        self._close_free()

    def _take(self) -> sqlite3.Connection:
        try:
            return self._free.pop()
        except IndexError:
            pass
        try:
            return self._connect()
        except sqlite3.Error as error:
            raise library_error_class(error)(error) from error

    def _put_back(self, connection: sqlite3.Connection) -> None:
        self._free.append(connection)
        if self._closed:
            self._close_free()

    def _close_free(self) -> None:
        while self._free:
            with suppress(IndexError):  # another thread closed the last one
                self._free.pop().close()


def _fetch_with_bytes(connection: sqlite3.Connection, sql: str, values: Sequence[object]) -> list[Any]:
    """Repeat a query that found text that is not UTF-8. Such values are bytes in the result.

    So they damage only their own rows.
    """
    connection.text_factory = _text_or_bytes
    try:
        return connection.execute(sql, values).fetchall()
    except sqlite3.Error as error:
        raise library_error_class(error)(error) from error
    finally:
        connection.text_factory = str


def run_statements(connection: sqlite3.Connection, statements: Iterable[Statement | Check]) -> None:
    """Run statements of the common SQL dialect. Raise the error of a check that finds a row."""
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


def game_key(id: UUID | str) -> str:
    """Return the id of a game as SQLite stores it."""
    return id.hex if isinstance(id, UUID) else id
