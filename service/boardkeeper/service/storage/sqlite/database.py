"""A SQLite database: a file, its key, lock and checkpoint, opened or created by one process."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import structlog
from eventsourcing.persistence import PersistenceError

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage import schema
from boardkeeper.service.storage.database import Database, ReadableDatabase, Synchronous
from boardkeeper.service.storage.errors import describe_file_error, is_storage_error
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.service.storage.sqlite import backup, checkpoint
from boardkeeper.service.storage.sqlite.connections import check_is_ours, connect, prepare_file
from boardkeeper.service.storage.sqlite.database_files import SQLITE_SUFFIXES, append_suffix, resolve_path
from boardkeeper.service.storage.sqlite.events_table import EVENTS
from boardkeeper.service.storage.sqlite.file_check import read_file
from boardkeeper.service.storage.sqlite.lock import FileLock
from boardkeeper.service.storage.sqlite.reader import SqliteReader
from boardkeeper.service.storage.sqlite.writer import SqliteWriter

_CREATED_SUFFIXES = (*SQLITE_SUFFIXES, ".key", ".key.new")
"""The suffixes of the files that are created with a database."""

_log = structlog.get_logger()


@contextmanager
def open_read_only(path: Path) -> Iterator[ReadableDatabase]:
    """Open a file that no server uses, without changing it or creating files beside it.

    Raises :class:`StartupError`, also if the schema is not that of this release.
    """
    path = resolve_path(path)
    key = ServiceKey.existing(append_suffix(path, ".key"))
    # Without a lock file, no server has used the file. If a server opens it now, ``read_file`` detects this at the end.
    lock = FileLock(path) if os.access(append_suffix(path, ".lock"), os.W_OK) else None
    try:
        with read_file(path, "move") as (connection, _):
            ((number,),) = connection.execute("PRAGMA user_version").fetchall()
            schema.expect_newest(
                str(path), number, "start a server of this release on the file, stop it, and try again"
            )
            yield ReadableDatabase(str(path), key, SqliteReader(lambda: connection))
    finally:
        if lock is not None:
            lock.release()


class SqliteDatabase(Database):
    """A database file that this process owns until :meth:`close`."""

    is_shared = False
    notifies_changes = True  # no other process can change anything

    def __init__(self, path: Path, key: ServiceKey, synchronous: Synchronous) -> None:
        name = str(path)
        self.path = path
        self._reader = SqliteReader(lambda: connect(name, synchronous))
        self._writer = SqliteWriter(name, synchronous)
        super().__init__(name, key, self._reader, self._writer)
        self.connection = self._reader.connection
        self._lock: FileLock | None = None
        self._created: list[Path] = []

    @classmethod
    def open(cls, path: Path, *, synchronous: Synchronous = "FULL") -> Self:
        """Open or create a database file. Raises :class:`StartupError`, with nothing created."""
        check_is_ours(resolve_path(path))
        lock = FileLock(path)
        path = lock.database
        is_new = not path.exists()
        # A key may exist before its database, for instance after a restore: it is never removed.
        files = [append_suffix(path, suffix) for suffix in _CREATED_SUFFIXES] if is_new else []
        created = [file for file in files if not file.exists()]
        try:
            prepare_file(path)
            database = cls(path, ServiceKey.open(path), synchronous)
        except BaseException as error:
            for file in created:
                file.unlink(missing_ok=True)
            lock.release(remove=is_new)
            if is_storage_error(error):
                raise StartupError(f"the database {path} {describe_file_error(error)}") from error
            raise
        database._lock = lock
        database._created = created
        database.checkpoint_problem = database._find_checkpoint_problem()
        return database

    def _find_checkpoint_problem(self) -> str:
        """Return how the file contradicts its checkpoint, and rename the checkpoint; return "" if it does not."""
        file = append_suffix(self.path, checkpoint.SUFFIX)
        if not file.exists():
            return ""
        try:
            expected = checkpoint.read_checkpoint(file)
            with self.connection() as connection:
                problem = checkpoint.find_contradiction(connection, EVENTS, expected)
            if not problem:
                return ""
            problem = f"{self.path} {problem}"
        except (StartupError, PersistenceError, sqlite3.Error) as error:
            problem = str(error)
        renamed = append_suffix(self.path, checkpoint.OLD_SUFFIX)
        with suppress(OSError):
            file.replace(renamed)
        return f"{problem}. The checkpoint that shows this is now {renamed}"

    def save_checkpoint(self) -> None:
        """Sign the number of the newest event and write it beside the file; blocks. Errors are logged."""
        try:
            self._writer.check_files()  # beside a replaced file the checkpoint would be wrong
            with self.connection() as connection:
                reached = checkpoint.newest_event(connection, EVENTS)
            if reached is not None:
                checkpoint.save_checkpoint(self.path, self.key, reached)
        except (OSError, PersistenceError, sqlite3.Error) as error:
            _log.warning("no checkpoint was written", problem=str(error))

    def last_backup(self) -> int | None:
        return backup.read_backup_time(self.path)

    def record_address(self, address: str) -> None:
        """Store the server's address in the lock file."""
        if self._lock is not None:
            self._lock.record_address(address)

    def close(self) -> None:
        """Store what is queued, save a checkpoint, and close the file."""
        self._writer.close()
        self.save_checkpoint()
        self._reader.close()
        if self._lock is not None:
            self._lock.release()

    def discard(self) -> None:
        """Close, and delete the files that :meth:`open` created. Call this only before the first write."""
        self._writer.close()
        self._reader.close()
        for file in self._created:
            file.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.release(remove=bool(self._created))
