"""Reading on a pool of connections."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, LiteralString
from uuid import UUID

import psycopg
from eventsourcing.persistence import PersistenceError
from psycopg_pool import ConnectionPool

from boardkeeper.service.storage.postgres.address import Address, configure
from boardkeeper.service.storage.postgres.errors import translate_errors
from boardkeeper.service.storage.postgres.timeouts import TimeoutConnection
from boardkeeper.service.storage.sql import Check, Reader, Statement, for_postgres

_MAX_CONNECTIONS = 4
_WAIT_SECONDS = 3.0
_MIN_CHECK_SECONDS = 1.0
"""The minimum time for checking a connection, even if getting it took long."""

_TRUST_SECONDS = 1.0
"""A connection that has answered so recently is not checked before use: that takes as long as most reads."""
_RECONNECT_SECONDS = 0.1
"""How long the pool retries a connection. The default has growing delays, also after the server is back."""

_CHAIN: LiteralString = (
    "SELECT e.version, e.topic, e.state, e.link, p.chain, p.version FROM (SELECT %b::uuid AS game) w"
    " LEFT JOIN progress p ON p.game = w.game LEFT JOIN events e ON e.game = w.game ORDER BY e.version"
)
# Connection errors are raised and logged by our code: the driver need not log them too.
for _name in ("psycopg", "psycopg.pool"):
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False


class _Connection(TimeoutConnection):
    """A pooled connection. ``made`` and ``answered`` are times of ``time.monotonic``.

    ``is_trusted`` says whether it was not checked before its current use.
    """

    answered = 0.0
    is_trusted = False

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.made = time.monotonic()


class PostgresReader(Reader):
    """Reads on a few connections. Raises the library's errors, and ``UnreachableError`` if there is no answer."""

    is_shared: ClassVar[bool] = True

    def __init__(self, address: Address, settings: Sequence[str] = ()) -> None:
        self._discarded_at = 0.0
        self._pool = ConnectionPool(
            connection_class=_Connection,
            kwargs=address.parameters | {"autocommit": True},
            min_size=1,
            max_size=_MAX_CONNECTIONS,
            timeout=_WAIT_SECONDS,
            configure=lambda connection: configure(connection, settings),
            num_workers=1,
            reconnect_timeout=_RECONNECT_SECONDS,
            name="boardkeeper-readers",
            open=True,
        )

    def fetch(self, text: str, parameters: Sequence[object]) -> list[Any]:
        return self.rows(for_postgres(text), parameters)

    def read_chain(self, game: UUID) -> tuple[list[Any], object, object]:
        found = self.rows(_CHAIN, (game,))
        head, version = found[0][4:]
        rows = [row[:4] for row in found if row[0] is not None]
        return rows, head, 0 if version is None else version

    def execute(self, statements: Sequence[Statement | Check]) -> int:
        with self.connection() as connection, connection.transaction():
            return run_statements(connection, statements)

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """Lend a connection after checking it: several statements cannot be repeated on another one."""
        with self._borrow(may_trust=False) as connection:
            yield connection

    def rows(self, sql: LiteralString | bytes, parameters: Sequence[object] = ()) -> list[Any]:
        """Return the rows of a query. It is repeated if only an unchecked connection turns out to be lost."""
        while True:
            with self._borrow() as connection:
                started = time.monotonic()
                try:
                    rows = connection.execute(sql, parameters, binary=True).fetchall()
                except psycopg.OperationalError:
                    waited = time.monotonic() - started
                    if not (connection.broken and connection.is_trusted and waited < _TRUST_SECONDS):
                        raise
                    self._discard_older(connection)
                else:
                    connection.answered = started
                    return rows

    @contextmanager
    def _borrow(self, *, may_trust: bool = True) -> Iterator[_Connection]:
        """Lend a connection that has answered just now or recently."""
        with translate_errors():
            connection = self._working_connection(may_trust)
            try:
                with connection:
                    yield connection
            finally:
                self._pool.putconn(connection)

    def _working_connection(self, may_trust: bool) -> _Connection:
        deadline = time.monotonic() + _WAIT_SECONDS
        while True:
            connection = self._pool.getconn(max(deadline - time.monotonic(), 0.0))
            now = time.monotonic()
            connection.is_trusted = may_trust and connection.answered > max(self._discarded_at, now - _TRUST_SECONDS)
            if connection.is_trusted:
                return connection
            try:
                with connection.with_timeout(max(deadline - now, _MIN_CHECK_SECONDS)):
                    ConnectionPool.check_connection(connection)
            except psycopg.Error:
                self._discard_older(connection)
                self._pool.putconn(connection)
            except BaseException:
                self._pool.putconn(connection)
                raise
            else:
                connection.answered = now
                return connection

    def _discard_older(self, lost: _Connection) -> None:
        """Discard all connections older than a lost one: as a rule, they are lost too."""
        if lost.made > self._discarded_at:
            self._discarded_at = time.monotonic()
            self._pool.drain()

    def ping(self) -> None:
        """Raise the error that keeps the database from answering."""
        self.rows("SELECT 1")

    def waits_for_standby(self, process: int) -> bool:
        """Return whether a server process only waits for a standby to confirm its commit."""
        select: LiteralString = "SELECT wait_event = 'SyncRep' FROM pg_stat_activity WHERE pid = %b"
        try:
            return any(is_so for (is_so,) in self.rows(select, (process,)))
        except PersistenceError:
            return False

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


def run_statements(connection: psycopg.Connection[Any], statements: Iterable[Statement | Check]) -> int:
    """Run statements of the common SQL dialect. Return the row count of the last one, or raise the error of a check.

    They are pipelined, so a failed check does not prevent the following statements; the caller rolls back.
    """
    present = [(statement, query) for statement in statements if (query := for_postgres(statement.sql))]
    if not present:
        return 0
    with connection.pipeline():
        cursors = [connection.execute(query, statement.parameters) for statement, query in present]
    for (statement, _), cursor in zip(present, cursors, strict=True):
        if isinstance(statement, Check) and cursor.rowcount:
            raise statement.error(f"a row must not exist: {statement.sql}")
    return cursors[-1].rowcount
