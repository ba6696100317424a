"""A PostgreSQL database as a whole: its tables, the key that belongs to it, and who writes and reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import psycopg
import structlog
from eventsourcing.persistence import PersistenceError

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.database import Database, PeerChanges, Synchronous
from boardkeeper.service.storage.postgres.address import Address, backend_pid
from boardkeeper.service.storage.postgres.errors import one_line
from boardkeeper.service.storage.postgres.notifications import Listener
from boardkeeper.service.storage.postgres.reader import PostgresReader
from boardkeeper.service.storage.postgres.schema import migrate
from boardkeeper.service.storage.postgres.writer import PostgresWriter
from boardkeeper.service.storage.service_key import ServiceKey

Notify = Literal["listen", "poll"]
"""Whether processes tell each other what they have stored, or each has to look for itself."""

_MIGRATION_SECONDS = 60
_log = structlog.get_logger()


class PostgresDatabase(Database):
    """A database that as many processes as wanted may have open."""

    is_shared = True

    def __init__(self, address: Address, key: ServiceKey, synchronous: Synchronous, notify: Notify) -> None:
        self._address = address
        self._notify = notify
        self.notifies_changes = notify == "listen"
        self._listeners: list[Listener] = []
        settings = ("synchronous_commit=off",) if synchronous == "NORMAL" else ()
        self._readers = PostgresReader(address)
        try:
            self._writer = PostgresWriter(address, self._readers, settings, tell=notify == "listen")
        except BaseException:
            self._readers.close()
            raise
        super().__init__(address.name, key, self._readers, self._writer)

    @classmethod
    def open(
        cls, url: str, *, key_file: Path | None, synchronous: Synchronous = "FULL", notify: Notify = "listen"
    ) -> Self:
        """Open a database, and make its tables and key if it is empty; raises :class:`StartupError`.

        The key is in ``key_file``, which is the same for all processes of a service.
        """
        address = Address.of(url)
        try:
            key = _prepare(address, key_file, synchronous)
            return cls(address, key, synchronous, notify)
        except (psycopg.Error, PersistenceError) as error:
            raise StartupError(f"cannot use {address.name}: {one_line(error)}") from error

    def listen(self, hear: Callable[[PeerChanges], None]) -> None:
        """Have ``hear`` called whenever other processes did something; without notifications it is told once."""
        if self._notify == "listen":
            self._listeners.append(Listener(self._address, hear, lambda: self._writer.process))
        else:
            hear(PeerChanges(has_gap=True))

    def save_checkpoint(self) -> None:
        """There is no number among all events that a checkpoint could name; replicas and backups say how far it was."""

    def last_backup(self) -> int | None:
        """When ``boardkeeper backup`` made the last one; of others nothing is known here."""
        ((time,),) = self._readers.rows("SELECT max(time) FROM backups")
        return None if time is None else int(time)

    def record_address(self, address: str) -> None:
        """Others may serve it as well."""

    def close(self) -> None:
        """Store what is queued and let go."""
        for listener in self._listeners:
            listener.close()
        self._writer.close()
        self._readers.close()

    def discard(self) -> None:
        """Let go. The tables stay: another process may be using them by now."""
        self.close()


def _prepare(address: Address, key_file: Path | None, synchronous: Synchronous) -> ServiceKey:
    """Bring the tables up to date and find the key, one process at a time.

    Raises :class:`StartupError` and ``psycopg.Error``.
    """
    with address.connect() as connection:
        _check_durable(connection, address, synchronous)
        _check_pooling(connection, address)
        with connection.transaction():
            # Who waits for another one's migration waits longer than for a row.
            connection.execute(f"SET LOCAL statement_timeout = '{_MIGRATION_SECONDS}s'")
            connection.response_timeout = 2.0 * _MIGRATION_SECONDS
            migrate(connection, address.name)
            return _check_or_create_key(connection, address, key_file)


def _check_durable(connection: psycopg.Connection[Any], address: Address, synchronous: Synchronous) -> None:
    row: Sequence[Any] | None = connection.execute("SHOW synchronous_commit").fetchone()
    if row is not None and row[0] == "off" and synchronous == "FULL":
        raise StartupError(
            f"{address.name} has synchronous_commit=off, so acknowledged commands can be lost:"
            " set it to on, or start with --synchronous NORMAL"
        )


def _check_pooling(connection: psycopg.Connection[Any], address: Address) -> None:
    """A pooler may give each transaction the connection that is free: settings, LISTEN and statements get lost then."""
    before = backend_pid(connection)
    with address.connect() as other, other.transaction():
        backend_pid(other)  # has the one now that was free, if any is
        if backend_pid(connection) != before:
            raise StartupError(
                f"{address.name} is behind a pooler in transaction mode:"
                " set pool_mode = session, or connect without the pooler"
            )


def _check_or_create_key(connection: psycopg.Connection[Any], address: Address, file: Path | None) -> ServiceKey:
    """The key of the database, which is made with it; raises :class:`StartupError` if the file has another."""
    if file is None:
        raise StartupError(f"{address.name} needs a key file, the same for all processes: name it with --key-file FILE")
    row = connection.execute("SELECT value FROM service WHERE what = 'key'").fetchone()
    if row is None:
        key = ServiceKey.load_or_create(file)
        connection.execute("INSERT INTO service VALUES ('key', %s)", (key.id,))
        _log.info("the database has a key now", database=address.name, key=key.id, file=str(file))
        return key
    if not file.exists():
        raise StartupError(
            f"the key file {file} does not exist, but {address.name} has a key already:"
            " use the key file of the server that created it"
        )
    key = ServiceKey.load_or_create(file)
    if key.id != row[0]:
        raise StartupError(f"{address.name} needs the key {row[0]}, but {file} contains the key {key.id}")
    return key
