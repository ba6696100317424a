"""One SQLite file with all that belongs to it: opened, or made, by one process alone."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import structlog
from eventsourcing.persistence import PersistenceError

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage import schema
from boardkeeper.service.storage.database import Database, PeerChanges, ReadableDatabase, Synchronous
from boardkeeper.service.storage.errors import describe_file_error, is_storage_error
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.service.storage.sqlite import backup, checkpoint
from boardkeeper.service.storage.sqlite.connections import check_is_ours, connect, prepare_file
from boardkeeper.service.storage.sqlite.database_files import SQLITE_FILES, resolve_path, with_suffix
from boardkeeper.service.storage.sqlite.events_table import EVENTS
from boardkeeper.service.storage.sqlite.file_check import read_file
from boardkeeper.service.storage.sqlite.lock import FileLock
from boardkeeper.service.storage.sqlite.reader import SqliteReader
from boardkeeper.service.storage.sqlite.writer import SqliteWriter

_CREATED_SUFFIXES = (*SQLITE_FILES, ".key", ".key.new")
"""The files that are made with a database, by what their names add to its own."""

_log = structlog.get_logger()


@contextmanager
def open_read_only(path: Path) -> Iterator[ReadableDatabase]:
    """Open a file that no server serves, without changing it or creating a file beside it.

    Raises :class:`StartupError`, also for a file whose schema is not that of this release.
    """
    path = resolve_path(path)
    key = ServiceKey.existing(with_suffix(path, ".key"))
    # A file without a lock file was never served. If a server opens it now, that is found at the end.
    lock = FileLock(path) if os.access(with_suffix(path, ".lock"), os.W_OK) else None
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
    """A database file, which belongs to this process until :meth:`close`.

    ``older`` says in what the file is older than its newest checkpoint.
    """

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
        self._made: list[Path] = []

    @classmethod
    def open(cls, path: Path, *, synchronous: Synchronous = "FULL") -> Self:
        """Open or make a database file; raises :class:`StartupError` if that is not possible, with nothing made."""
        check_is_ours(resolve_path(path))
        lock = FileLock(path)
        path = lock.database
        is_new = not path.exists()
        # A key may be there before its database, as after a backup: it is never removed.
        files = [with_suffix(path, ending) for ending in _CREATED_SUFFIXES] if is_new else []
        made = [file for file in files if not file.exists()]
        try:
            prepare_file(path)
            database = cls(path, ServiceKey.open(path), synchronous)
        except BaseException as error:
            for file in made:
                file.unlink(missing_ok=True)
            lock.release(remove=is_new)
            if is_storage_error(error):
                raise StartupError(f"the database {path} {describe_file_error(error)}") from error
            raise
        database._lock = lock
        database._made = made
        database.older = database._compare()
        return database

    def _compare(self) -> str:
        """What contradicts the checkpoint beside the file, which is set aside then, in a sentence; empty if nothing."""
        file = with_suffix(self.path, checkpoint.SUFFIX)
        if not file.exists():
            return ""
        try:
            then = checkpoint.read_checkpoint(file)
            with self.connection() as connection:
                problem = checkpoint.find_contradiction(connection, EVENTS, then)
            if not problem:
                return ""
            problem = f"{self.path} {problem}"
        except (StartupError, PersistenceError, sqlite3.Error) as error:
            problem = str(error)
        kept = with_suffix(self.path, checkpoint.OLD_SUFFIX)
        with suppress(OSError):
            file.replace(kept)
        return f"{problem}. The checkpoint that shows this is now {kept}"

    def save_checkpoint(self) -> None:
        """Sign how far the file has come and write it down beside it; blocks. What cannot be written is told of."""
        try:
            self._writer.check_files()  # beside another file it would say the wrong thing
            with self.connection() as connection:
                reached = checkpoint.newest_event(connection, EVENTS)
            if reached is not None:
                checkpoint.save_checkpoint(self.path, self.key, reached)
        except (OSError, PersistenceError, sqlite3.Error) as error:
            _log.warning("no checkpoint was written", problem=str(error))

    def last_backup(self) -> int | None:
        """When the last backup of the file was made."""
        return backup.read_backup_time(self.path)

    def record_address(self, address: str) -> None:
        """Let whoever finds the file in use know where it is served."""
        if self._lock is not None:
            self._lock.record_address(address)

    def listen(self, hear: Callable[[PeerChanges], None]) -> None:
        """Nothing happens in a file but what this process does."""

    def close(self) -> None:
        """Store what is queued, write down how far the file has come, and let go of it."""
        self._writer.close()
        self.save_checkpoint()
        self._reader.close()
        if self._lock is not None:
            self._lock.release()

    def discard(self) -> None:
        """Close, and leave nothing behind of what :meth:`open` has made. For who has stored nothing yet."""
        self._writer.close()
        self._reader.close()
        for file in self._made:
            file.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.release(remove=bool(self._made))
