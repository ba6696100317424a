"""Reading on connections that are kept, each for a moment by whoever asks next."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, LiteralString

import psycopg
from eventsourcing.persistence import PersistenceError
from psycopg_pool import ConnectionPool

from boardkeeper.service.storage.postgres.address import Address, prepare
from boardkeeper.service.storage.postgres.errors import translating
from boardkeeper.service.storage.postgres.patience import PatientConnection

_MOST = 4
_WAIT_SECONDS = 3.0
_AT_ONCE = 0.1
"""Who wants to read has a new connection tried at once, and not after a pause that grows for as long as the server is
away.
"""

# What goes wrong with a connection is raised where it is used and told in our own log: the driver need not tell it too.
for _name in ("psycopg", "psycopg.pool"):
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False


class Readers:
    """A few connections for reading; raises the library's errors, and ``UnreachableError`` if nobody answers."""

    def __init__(self, address: Address) -> None:
        self._pool = ConnectionPool(
            connection_class=PatientConnection,
            kwargs=address.parameters | {"autocommit": True},
            min_size=1,
            max_size=_MOST,
            timeout=_WAIT_SECONDS,
            configure=prepare,
            check=_check,
            num_workers=1,
            reconnect_timeout=_AT_ONCE,
            name="boardkeeper-readers",
            open=True,
        )

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """One of the connections."""
        with translating(), self._pool.connection() as connection:
            yield connection

    @contextmanager
    def moment(self) -> Iterator[psycopg.Connection[Any]]:
        """One of the connections, to which the database stays as it is at one moment."""
        with self.connection() as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield connection

    def rows(self, sql: LiteralString, parameters: Sequence[object] = ()) -> list[Any]:
        """All rows of a query."""
        with self.connection() as connection:
            return connection.execute(sql, parameters, binary=True).fetchall()

    def ask(self) -> None:
        """Raises what keeps the database from answering."""
        self.rows("SELECT 1")

    def waits_for_standby(self, process: int) -> bool:
        """Whether all that is missing to what a process of the server does is that a standby confirms it."""
        select: LiteralString = "SELECT wait_event = 'SyncRep' FROM pg_stat_activity WHERE pid = %b"
        try:
            return any(is_so for (is_so,) in self.rows(select, (process,)))
        except PersistenceError:
            return False

    def close(self) -> None:
        """Let go of all."""
        self._pool.close()


def _check(connection: PatientConnection) -> None:
    """Raises what is wrong with a connection; it answers as soon as one would be waited for."""
    with connection.patient_for(_WAIT_SECONDS):
        ConnectionPool.check_connection(connection)
