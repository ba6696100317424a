"""The check of all chains of a file without a service, also while one has it open: nothing in the file is changed."""

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
from boardkeeper.service.storage.failures import damage_told, damaged_or_full
from boardkeeper.service.storage.findings import CheckedGame, check_chain
from boardkeeper.service.storage.schema import BASE
from boardkeeper.service.storage.sqlite import checkpoint
from boardkeeper.service.storage.sqlite.connections import APPLICATION_ID
from boardkeeper.service.storage.sqlite.events_table import ARCHIVED, EVENTS, select_chain
from boardkeeper.service.storage.sqlite.files import beside, existing


class CheckedFile(Struct, frozen=True):
    """What the file is in comparison to a checkpoint: ``problem`` says in what it is older, empty if in nothing."""

    checkpoint: Path
    problem: str


def check_file(
    path: Path, checkpoint_file: Path | None = None, archive: ArchiveFolder | None = None
) -> Iterator[CheckedGame | CheckedFile]:
    """Check every game, also those that have only a line in the lobby or only events; raises :class:`StartupError`.

    Archived games are checked if the folder of the archive is given. Then the file is compared to a checkpoint: to that
    of its server unless another one is given.
    """
    path = existing(path)
    kept = checkpoint_file or beside(path, checkpoint.ENDING)
    then = checkpoint.read(kept) if checkpoint_file or kept.exists() else None  # first: a server may continue
    with reading(path, "check") as (connection, was_touched):
        for game in _check(connection, archive):
            if game.damage is not None and was_touched():
                return
            yield game
        if then is not None:
            yield CheckedFile(kept, checkpoint.contradiction(connection, EVENTS, then))


class FileOpenedError(StartupError):
    """A server opened a file while it was read as one that no server has open."""


@contextmanager
def reading(path: Path, doing: str) -> Iterator[tuple[sqlite3.Connection, Callable[[], bool]]]:
    """Open a file for reading, whether or not a server has it open. Raises :class:`StartupError`.

    A file that no server has open is read as if it could not be written: no files are created beside it, which another
    user than that of the server would own. If a server opens it meanwhile, what was read may be wrong: the function
    that is returned says whether one did, and at the end :class:`FileOpenedError` is raised.
    """
    path = existing(path)
    before = path.stat()
    wal = beside(path, "-wal")  # it also exists after a server was killed
    is_idle = not wal.exists()

    def was_touched() -> bool:
        now = path.stat()
        return is_idle and (wal.exists() or (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns))

    uri = f"{path.as_uri()}?{'immutable=1' if is_idle else 'mode=ro'}"
    try:
        with damage_told(), closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            recognise(connection, path)
            yield connection, was_touched
    except sqlite3.Error as error:
        raise StartupError(f"{path} {damaged_or_full(error)}") from error
    if was_touched():
        raise FileOpenedError(f"a server opened {path} during the {doing}: try again")


def recognise(connection: sqlite3.Connection, path: Path) -> None:
    """Raises :class:`StartupError` unless the file is one of ours, whose chains can be checked."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StartupError(f"{path} is not a Boardkeeper database")
    if "link" not in [column[1] for column in connection.execute(f"PRAGMA table_info({EVENTS})").fetchall()]:
        raise StartupError(f"{path} has no hash chains yet: a server creates them when it opens the file")


def _check(connection: sqlite3.Connection, archive: ArchiveFolder | None) -> Iterator[CheckedGame]:
    ((schema,),) = connection.execute("PRAGMA user_version").fetchall()
    column = "game" if schema >= BASE else "game_id"  # the check of an older file does not migrate it
    select = f"SELECT originator_id FROM {EVENTS} GROUP BY 1 UNION SELECT {column} FROM games"
    games = [id for (id,) in connection.execute(select).fetchall()]
    for number, id in enumerate(games, 1):
        connection.execute("BEGIN")  # rows and head of one moment: a service may be at work
        rows, head, version = select_chain(
            connection.cursor(), f"SELECT chain, version FROM games WHERE {column}=?", id
        )
        row = _archived(connection, column, id) if not rows else None
        connection.execute("COMMIT")
        yield CheckedGame(number, len(games), _shown(id), *check_chain(str(id), rows, head, version, row, archive))


def _archived(connection: sqlite3.Connection, column: str, id: object) -> ArchivedRow | None:
    with suppress(sqlite3.OperationalError, ValueError):  # a file of a release without an archive
        select = f"SELECT archive_time, events, sha256, size FROM {ARCHIVED} WHERE {column}=?"
        row = connection.execute(select, (id,)).fetchone()
        return ArchivedRow(UUID(str(id)), *row) if row is not None else None
    return None


def _shown(id: object) -> str:
    """An id as clients know it; whoever changes a row may put anything there."""
    try:
        return str(UUID(str(id)))
    except ValueError:
        return repr(id)
