"""The check of all chains of a file without a service, also while one has it open: nothing in the file is changed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from uuid import UUID

from msgspec import Struct

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.archive.checking import checked_in_archive
from boardkeeper.service.storage.archive.folder import ArchiveFolder
from boardkeeper.service.storage.archive.tables import ArchivedRow
from boardkeeper.service.storage.chain import first_damage
from boardkeeper.service.storage.failures import damage_told, damaged_or_full
from boardkeeper.service.storage.findings import CheckedGame
from boardkeeper.service.storage.schema import BASE
from boardkeeper.service.storage.sqlite import checkpoint
from boardkeeper.service.storage.sqlite.connections import APPLICATION_ID
from boardkeeper.service.storage.sqlite.events_table import ARCHIVED, EVENTS, select_chain
from boardkeeper.service.storage.sqlite.files import beside, real_path


class CheckedFile(Struct, frozen=True):
    """What the file is in comparison to a checkpoint: ``problem`` says in what it is older, empty if in nothing."""

    checkpoint: Path
    problem: str


def check_file(
    path: Path, checkpoint_file: Path | None = None, archive: ArchiveFolder | None = None
) -> Iterator[CheckedGame | CheckedFile]:
    """Check every game, also those that stand in the lobby or in the log only; raises :class:`StartupError`.

    Those that are archived are looked at if their folder is given.

    Then the file is compared to a checkpoint, that of its service unless another one is given, if there is any.
    """
    path = path.absolute()
    if not path.is_file():
        raise StartupError(f"the file {path} does not exist")
    path = real_path(path)
    # A file that nobody has open is read as if it lay on a disc: no files are made beside it, which might belong to
    # somebody else than the service then. Whether that was true to the end is seen afterwards.
    kept = checkpoint_file or beside(path, checkpoint.ENDING)
    then = checkpoint.read(kept) if checkpoint_file or kept.exists() else None  # first: a service may go on
    is_idle = not is_open(path)
    before = path.stat()
    how = "immutable=1" if is_idle else "mode=ro"
    try:
        with (
            damage_told(),
            closing(sqlite3.connect(f"{path.as_uri()}?{how}", uri=True, isolation_level=None)) as connection,
        ):
            recognise(connection, path)
            for game in _check(connection, archive):
                if is_idle and game.damage is not None and was_touched(path, before):
                    break
                yield game
            if then is not None:
                yield CheckedFile(kept, checkpoint.contradiction(connection, EVENTS, then))
    except sqlite3.Error as error:
        raise StartupError(f"{path} {damaged_or_full(error)}") from error
    if is_idle and was_touched(path, before):
        raise StartupError(f"a server opened {path} during the check: try again")


def is_open(path: Path) -> bool:
    """Whether a service has the file open, or was killed before it had brought everything into it."""
    return path.with_name(f"{path.name}-wal").exists()


def was_touched(path: Path, before: os.stat_result) -> bool:
    """Whether a file that nobody had open was, or is, opened since it looked like ``before``."""
    now = path.stat()
    return is_open(path) or (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns)


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
        rows, *head = select_chain(connection.cursor(), f"SELECT chain, version FROM games WHERE {column}=?", id)
        row = _archived(connection, column, id) if not rows else None
        connection.execute("COMMIT")
        if row is not None:
            yield checked_in_archive(row, number, len(games), archive, *head)
            continue
        yield CheckedGame(number, len(games), _shown(id), len(rows), first_damage(str(id), rows, *head))


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
