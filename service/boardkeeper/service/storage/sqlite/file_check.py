"""Checking the hash chains of a file without changing it, also while a server uses it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from uuid import UUID

from msgspec import Struct

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.archive.folder import ArchiveFolder
from boardkeeper.service.storage.archive.tables import ArchivedRow
from boardkeeper.service.storage.errors import decode_errors_as_damage, describe_file_error
from boardkeeper.service.storage.reports import CheckedGame, check_chain
from boardkeeper.service.storage.schema import BASE
from boardkeeper.service.storage.sqlite import checkpoint
from boardkeeper.service.storage.sqlite.connections import APPLICATION_ID
from boardkeeper.service.storage.sqlite.database_files import append_suffix, resolve_existing
from boardkeeper.service.storage.sqlite.events_table import ARCHIVED, EVENTS, select_chain


class CheckedFile(Struct, frozen=True):
    """The comparison of a file with a checkpoint: ``problem`` is the contradiction, or empty."""

    checkpoint: Path
    problem: str


def check_file(
    path: Path, checkpoint_file: Path | None = None, archive: ArchiveFolder | None = None
) -> Iterator[CheckedGame | CheckedFile]:
    """Check every game, also those with a lobby row only or events only. Raises :class:`StartupError`.

    With ``archive``, archived games are checked too. Finally the file is compared to ``checkpoint_file``, or to the
    server's own checkpoint.
    """
    path = resolve_existing(path)
    file = checkpoint_file or append_suffix(path, checkpoint.SUFFIX)
    # Read before the games, because a server may add events during the check.
    expected = checkpoint.read_checkpoint(file) if checkpoint_file or file.exists() else None
    with read_file(path, "check") as (connection, was_touched):
        for game in _check_games(connection, archive):
            if game.damage is not None and was_touched():
                return
            yield game
        if expected is not None:
            yield CheckedFile(file, checkpoint.find_contradiction(connection, EVENTS, expected))


class FileOpenedError(StartupError):
    """A server opened a file while it was read as an unused one."""


@contextmanager
def read_file(path: Path, verb: str) -> Iterator[tuple[sqlite3.Connection, Callable[[], bool]]]:
    """Open a file for reading, whether or not a server uses it. Raises :class:`StartupError`.

    An unused file is opened as immutable. Otherwise SQLite would create files beside it, which might not belong to the
    server's user. If a server opens it meanwhile, the data may be wrong: the returned function reports this, and at the
    end :class:`FileOpenedError` is raised.
    """
    path = resolve_existing(path)
    before = path.stat()
    wal = append_suffix(path, "-wal")  # also exists after a server was killed
    is_idle = not wal.exists()

    def was_touched() -> bool:
        now = path.stat()
        return is_idle and (wal.exists() or (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns))

    uri = f"{path.as_uri()}?{'immutable=1' if is_idle else 'mode=ro'}"
    try:
        with decode_errors_as_damage(), closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            check_recognised(connection, path)
            yield connection, was_touched
    except sqlite3.Error as error:
        raise StartupError(f"{path} {describe_file_error(error)}") from error
    if was_touched():
        raise FileOpenedError(f"a server opened {path} during the {verb}: try again")


def check_recognised(connection: sqlite3.Connection, path: Path) -> None:
    """Raise :class:`StartupError` unless the file is a database of ours with hash chains."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StartupError(f"{path} is not a Boardkeeper database")
    if "link" not in [column[1] for column in connection.execute(f"PRAGMA table_info({EVENTS})").fetchall()]:
        raise StartupError(f"{path} has no hash chains yet: a server creates them when it opens the file")


def _check_games(connection: sqlite3.Connection, archive: ArchiveFolder | None) -> Iterator[CheckedGame]:
    ((schema,),) = connection.execute("PRAGMA user_version").fetchall()
    column = "game" if schema >= BASE else "game_id"  # checking does not migrate a file of an earlier release
    select = f"SELECT originator_id FROM {EVENTS} GROUP BY 1 UNION SELECT {column} FROM games"
    games = [id for (id,) in connection.execute(select).fetchall()]
    for number, id in enumerate(games, 1):
        connection.execute("BEGIN")  # a consistent read of rows and head, while a server may write
        rows, head, version = select_chain(
            connection.cursor(), f"SELECT chain, version FROM games WHERE {column}=?", id
        )
        row = _archived_row(connection, column, id) if not rows else None
        connection.execute("COMMIT")
        yield CheckedGame(number, len(games), _format_id(id), *check_chain(str(id), rows, head, version, row, archive))


def _archived_row(connection: sqlite3.Connection, column: str, id: object) -> ArchivedRow | None:
    with suppress(sqlite3.OperationalError, ValueError):  # a release without an archive wrote the file
        select = f"SELECT archive_time, events, sha256, size FROM {ARCHIVED} WHERE {column}=?"
        row = connection.execute(select, (id,)).fetchone()
        return ArchivedRow(UUID(str(id)), *row) if row is not None else None
    return None


def _format_id(id: object) -> str:
    """Return an id in the form that clients use; in a damaged file it may be any value."""
    try:
        return str(UUID(str(id)))
    except ValueError:
        return repr(id)
