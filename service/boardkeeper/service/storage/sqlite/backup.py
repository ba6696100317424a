"""Copying a SQLite file for a backup, also while a server uses it.

The copy is a snapshot of one moment and includes the write-ahead log. Copying does not change the file and blocks no
writer, but SQLite cannot truncate the log meanwhile.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import structlog

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.backup_file import Table
from boardkeeper.service.storage.private_files import publish_file
from boardkeeper.service.storage.reports import ProgressCallback
from boardkeeper.service.storage.schema import newest
from boardkeeper.service.storage.sqlite.database_files import SQLITE_SUFFIXES, append_suffix, resolve_path
from boardkeeper.service.storage.sqlite.file_check import FileOpenedError, read_file
from boardkeeper.service.storage.sqlite.lock import FileLock

PART = "games.db"

BACKUP_TIME_SUFFIX = ".backed-up"
"""The file beside a database with the time of its last backup."""

_PAGES = 2048
_TRIES = 3
_READABLE = 0o644  # the user who creates backups may not be the server's user
_MAX_TIME_BYTES = 32
_log = structlog.get_logger()


def copy_file(path: Path, copy: Path, progress: ProgressCallback) -> tuple[int, tuple[Table, ...]]:
    """Copy a database to a new file; return the schema number and the tables.

    ``progress`` is called with the number of copied pages and of all pages. Raises :class:`StartupError`.
    """
    for attempt in range(1, _TRIES + 1):
        try:
            _copy(path, copy, progress)
            break
        except FileOpenedError:
            copy.unlink()
            if attempt == _TRIES:
                raise
    return _describe_tables(copy)


def _copy(path: Path, copy: Path, progress: ProgressCallback) -> None:
    with read_file(path, "backup") as (source, _), closing(sqlite3.connect(copy, isolation_level=None)) as target:
        target.execute("PRAGMA synchronous=OFF")  # the backup file made from the copy is synced
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()  # starts the read transaction
        source.backup(target, pages=_PAGES, progress=lambda _, left, of: progress(of - left, of), sleep=0)


def _describe_tables(copy: Path) -> tuple[int, tuple[Table, ...]]:
    with closing(sqlite3.connect(f"{copy.as_uri()}?immutable=1", uri=True)) as connection:
        (schema,) = connection.execute("PRAGMA user_version").fetchone()
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY 1")]
        counts = [connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names]
    return schema, tuple(Table(name, count) for name, count in zip(names, counts, strict=True))


def store_backup_time(path: Path, time: int) -> None:
    """Store the time of a backup beside the database, for the server's metrics. Errors are logged."""
    unfinished = append_suffix(path, f"{BACKUP_TIME_SUFFIX}.new")
    try:
        unfinished.unlink(missing_ok=True)
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _READABLE), "w") as file:
            file.write(f"{time}\n")
        unfinished.replace(append_suffix(path, BACKUP_TIME_SUFFIX))
    except OSError as error:
        _log.warning(
            "the time of the backup could not be stored",
            file=str(append_suffix(path, BACKUP_TIME_SUFFIX)),
            problem=error.strerror,
        )


def read_backup_time(path: Path) -> int | None:
    """Return the time of the last backup, in milliseconds since 1970; ``None`` if unknown."""
    with suppress(OSError, ValueError), append_suffix(path, BACKUP_TIME_SUFFIX).open("rb") as file:
        return int(file.read(_MAX_TIME_BYTES))
    return None


def check_schema(schema: int) -> None:
    """Raise :class:`StartupError` for a newer schema. Its message follows the name of the backup."""
    if schema > newest():
        raise StartupError(f"is from a newer Boardkeeper (table schema {schema})")


def publish_database(made: Path, target: Path) -> None:
    """Rename a restored file to its final name. Raises :class:`StartupError` if a database exists or is in use."""
    lock = FileLock(target)
    try:
        check_absent(lock.database)
        publish_file(made, lock.database)
    except FileExistsError as error:
        raise StartupError(_exists_message(lock.database)) from error
    except OSError as error:
        raise StartupError(f"cannot create {lock.database}: {error.strerror}") from error
    finally:
        lock.release(remove=not lock.database.exists())


def check_absent(target: Path) -> None:
    """Raise :class:`StartupError` if the database exists."""
    path = resolve_path(target)
    for suffix in SQLITE_SUFFIXES:
        if append_suffix(path, suffix).exists():
            raise StartupError(_exists_message(append_suffix(path, suffix)))


def _exists_message(path: Path) -> str:
    return f"{path} exists already: restore the backup into a new file, or move this one away"
