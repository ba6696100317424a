"""A PostgreSQL database: its tables, its key, and its readers and writer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import psycopg
from eventsourcing.persistence import PersistenceError

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.database import Database, PeerChanges, Synchronous
from boardkeeper.service.storage.postgres.address import Address, backend_pid
from boardkeeper.service.storage.postgres.database_key import check_or_create_key
from boardkeeper.service.storage.postgres.errors import one_line
from boardkeeper.service.storage.postgres.notifications import Listener
from boardkeeper.service.storage.postgres.reader import PostgresReader
from boardkeeper.service.storage.postgres.schema import migrate
from boardkeeper.service.storage.postgres.writer import PostgresWriter
from boardkeeper.service.storage.service_key import ServiceKey

Notify = Literal["listen", "poll"]
"""How a process learns of changes by others: by notifications ("listen") or only by polling ("poll")."""

_MIGRATION_SECONDS = 60


class PostgresDatabase(Database):
    """A database that any number of processes may use."""

    is_shared = True

    def __init__(self, address: Address, key: ServiceKey, synchronous: Synchronous, notify: Notify) -> None:
        self._address = address
        self._notify = notify
        self.notifies_changes = notify == "listen"
        self._listeners: list[Listener] = []
        settings = ("synchronous_commit=off",) if synchronous == "NORMAL" else ()
        self._readers = PostgresReader(address)
        try:
            self._writer = PostgresWriter(address, self._readers, settings, notify=notify == "listen")
        except BaseException:
            self._readers.close()
            raise
        super().__init__(address.name, key, self._readers, self._writer)

    @classmethod
    def open(
        cls, url: str, *, key_file: Path | None, synchronous: Synchronous = "FULL", notify: Notify = "listen"
    ) -> Self:
        """Open a database; create its tables and key if it is empty. Raises :class:`StartupError`.

        All processes of a server use the same ``key_file``.
        """
        address = Address.of(url)
        try:
            key = _prepare(address, key_file, synchronous)
            return cls(address, key, synchronous, notify)
        except (psycopg.Error, PersistenceError) as error:
            raise StartupError(f"cannot use {address.name}: {one_line(error)}") from error

    def listen(self, on_change: Callable[[PeerChanges], None]) -> None:
        """Call ``on_change`` for changes by other processes. Without notifications, call it once, with ``has_gap``."""
        if self._notify == "listen":
            self._listeners.append(Listener(self._address, on_change, lambda: self._writer.process))
        else:
            on_change(PeerChanges(has_gap=True))

    def last_backup(self) -> int | None:
        """Return when ``boardkeeper backup`` last created a backup. Backups by other tools are not known."""
        ((time,),) = self._readers.rows("SELECT max(time) FROM backups")
        return None if time is None else int(time)

    def close(self) -> None:
        for listener in self._listeners:
            listener.close()
        self._writer.close()
        self._readers.close()

    def discard(self) -> None:
        """Close the connections. The tables remain, because another process may already use them."""
        self.close()


def _prepare(address: Address, key_file: Path | None, synchronous: Synchronous) -> ServiceKey:
    """Migrate the tables and check or create the key, one process at a time.

    Raises :class:`StartupError` and ``psycopg.Error``.
    """
    with address.connect() as connection:
        _check_durable(connection, address, synchronous)
        _check_pooling(connection, address)
        with connection.transaction():
            # Waiting for another process's migration may take long.
            connection.execute(f"SET LOCAL statement_timeout = '{_MIGRATION_SECONDS}s'")
            connection.response_timeout = 2.0 * _MIGRATION_SECONDS
            migrate(connection, address.name)
            return check_or_create_key(connection, address.name, key_file)


def _check_durable(connection: psycopg.Connection[Any], address: Address, synchronous: Synchronous) -> None:
    row: Sequence[Any] | None = connection.execute("SHOW synchronous_commit").fetchone()
    if row is not None and row[0] == "off" and synchronous == "FULL":
        raise StartupError(
            f"{address.name} has synchronous_commit=off, so acknowledged commands can be lost:"
            " set it to on, or start with --synchronous NORMAL"
        )


def _check_pooling(connection: psycopg.Connection[Any], address: Address) -> None:
    """Raise :class:`StartupError` for a pooler in transaction mode, which loses settings and LISTEN."""
    before = backend_pid(connection)
    with address.connect() as other, other.transaction():
        backend_pid(other)  # takes the free server connection, if the pooler has one
        if backend_pid(connection) != before:
            raise StartupError(
                f"{address.name} is behind a pooler in transaction mode:"
                " set pool_mode = session, or connect without the pooler"
            )
