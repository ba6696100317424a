"""A reader of PostgreSQL with a pool of connections. It can also run statements that write, in a transaction."""

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
"""A connection that answered within this time is not checked before use: a check takes as long as most reads."""
_RECONNECT_SECONDS = 0.1
"""The time for which the pool retries to connect.

With the default (5 minutes), the delays between attempts grow, so the pool would reconnect late after the server is
back.
"""

_SELECT_CHAIN: LiteralString = (
    "SELECT e.version, e.topic, e.state, e.link, p.chain, p.version FROM (SELECT %b::uuid AS game) w"
    " LEFT JOIN progress p ON p.game = w.game LEFT JOIN events e ON e.game = w.game ORDER BY e.version"
)
# Connection errors are raised and logged by our code: the driver need not log them too.
for _name in ("psycopg", "psycopg.pool"):
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False


class _Connection(TimeoutConnection):
    """A pooled connection. ``created_at`` and ``answered_at`` are values of ``time.monotonic``.

    ``is_trusted`` is true if the connection was lent without a check.
    """

    answered_at = 0.0
    is_trusted = False

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.created_at = time.monotonic()


class PostgresReader(Reader):
    """Runs statements on a few pooled connections.

    Raises the errors of the eventsourcing library, and ``UnreachableError`` if the database cannot be reached.
    """

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
        found = self.rows(_SELECT_CHAIN, (game,))
        head, version = found[0][4:]
        rows = [row[:4] for row in found if row[0] is not None]
        return rows, head, 0 if version is None else version

    def execute(self, statements: Sequence[Statement | Check]) -> int:
        with self.connection() as connection, connection.transaction():
            return run_statements(connection, statements)

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """Lend a connection that was checked, because the caller cannot repeat its statements on another connection."""
        with self._lend(may_trust=False) as connection:
            yield connection

    def rows(self, sql: LiteralString | bytes, parameters: Sequence[object] = ()) -> list[Any]:
        """Return the rows of a query. If an unchecked connection turns out to be lost, repeat the query."""
        while True:
            with self._lend() as connection:
                started = time.monotonic()
                try:
                    rows = connection.execute(sql, parameters, binary=True).fetchall()
                except psycopg.OperationalError:
                    waited = time.monotonic() - started
                    if not (connection.broken and connection.is_trusted and waited < _TRUST_SECONDS):
                        raise
                    self._discard_all_after_loss(connection)
                else:
                    connection.answered_at = started
                    return rows

    @contextmanager
    def _lend(self, *, may_trust: bool = True) -> Iterator[_Connection]:
        """Lend a connection that has just been checked or, with ``may_trust``, has answered recently."""
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
            connection.is_trusted = may_trust and connection.answered_at > max(self._discarded_at, now - _TRUST_SECONDS)
            if connection.is_trusted:
                return connection
            try:
                with connection.with_timeout(max(deadline - now, _MIN_CHECK_SECONDS)):
                    ConnectionPool.check_connection(connection)
            except psycopg.Error:
                self._discard_all_after_loss(connection)
                self._pool.putconn(connection)
            except BaseException:
                self._pool.putconn(connection)
                raise
            else:
                connection.answered_at = now
                return connection

    def _discard_all_after_loss(self, lost: _Connection) -> None:
        """Discard all connections after one was lost, because the others are probably lost too.

        Do nothing if this was already done after the lost connection was created.
        """
        if lost.created_at > self._discarded_at:
            self._discarded_at = time.monotonic()
            self._pool.drain()

    def ping(self) -> None:
        """Run a query to check the database; raise its error if it fails."""
        self.rows("SELECT 1")

    def waits_for_standby(self, pid: int) -> bool:
        """Return whether the PostgreSQL backend with this process id only waits for a standby to confirm its commit.

        Return false if the database does not answer.
        """
        select: LiteralString = "SELECT wait_event = 'SyncRep' FROM pg_stat_activity WHERE pid = %b"
        try:
            return any(is_so for (is_so,) in self.rows(select, (pid,)))
        except PersistenceError:
            return False

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


def run_statements(connection: psycopg.Connection[Any], statements: Iterable[Statement | Check]) -> int:
    """Run statements of the common SQL dialect and return the row count of the last one.

    Raises the error of a failed check. The statements are pipelined, so a failed check does not prevent
    the following statements; the caller rolls back.
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
