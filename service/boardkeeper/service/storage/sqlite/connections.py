"""Opening SQLite connections and preparing database files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from boardkeeper.service.errors import StartupError, reason
from boardkeeper.service.storage import schema
from boardkeeper.service.storage.database import Synchronous
from boardkeeper.service.storage.errors import decode_errors_as_damage, describe_file_error
from boardkeeper.service.storage.sqlite.database_files import append_suffix, create_file, restrict_permissions
from boardkeeper.service.storage.sqlite.events_table import create_statements
from boardkeeper.service.storage.sqlite.schema import migrate

APPLICATION_ID = 0x424B5031
"""The id of our files in SQLite's header ("BKP1"). The server does not write to databases of other programs."""

BUSY_SECONDS = 5.0
_CACHED_STATEMENTS = 256


def connect(database: str, synchronous: Synchronous) -> sqlite3.Connection:
    """Open an existing file in write-ahead mode.

    The file is not created: if it was removed while the server runs, an empty file must not take its place.
    """
    connection = sqlite3.connect(
        f"{Path(database).absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_CACHED_STATEMENTS,
    )
    for pragma in (
        "journal_mode=WAL",
        f"synchronous={synchronous}",
        "temp_store=MEMORY",
        "secure_delete=ON",  # erased data must not remain in unused parts of the file
    ):
        with decode_errors_as_damage():
            connection.execute(f"PRAGMA {pragma}").fetchall()
    return connection


def check_is_ours(path: Path) -> None:
    """Raise :class:`StartupError` if an existing file belongs to another program, before anything is created."""
    if append_suffix(path, "-wal").exists() or not path.is_file():
        return
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
            _is_marked(connection, path)
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise StartupError(f"{path} {describe_file_error(error)}") from error
        # Other errors are reported when the file is opened.


def prepare_file(path: Path) -> None:
    """Create or check a database file and migrate its tables to this release. Raises :class:`StartupError`."""
    try:
        create_file(path)
        restrict_permissions(path)
    except OSError as error:
        raise StartupError(f"cannot create the database {path}: {reason(error)}") from error
    try:
        with closing(connect(str(path), "FULL")) as connection:
            if not _is_marked(connection, path):
                connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            migrate(connection)
            for statement in create_statements():  # triggers may have been dropped
                connection.execute(statement)
    except sqlite3.Error as error:
        raise StartupError(f"{path} {describe_file_error(error)}") from error


def _is_marked(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether a file is marked as ours; an unmarked file must be empty. Raises :class:`StartupError`."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application == APPLICATION_ID:
        number = connection.execute("PRAGMA user_version").fetchone()[0]
        if number > schema.newest():
            raise StartupError(f"{path} was written by a newer Boardkeeper (table schema {number})")
        return True
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise StartupError(f"{path} is a database of another program: choose another file")
    return False
