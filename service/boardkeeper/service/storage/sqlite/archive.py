"""Which games' events are archived, in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from eventsourcing.sqlite import SQLiteDatastore

from boardkeeper.service.storage.archive.tables import ArchivedRow, ArchiveGame, UnarchiveGame
from boardkeeper.service.storage.rows import DamagedLineError
from boardkeeper.service.storage.sqlite.events_table import ARCHIVED

Statement = tuple[str, tuple[object, ...]]

_EVENTS = "stored_events"


class SqliteArchive:
    """Reads it (:class:`~boardkeeper.service.storage.archive.tables.ArchiveTables`)."""

    def __init__(self, datastore: SQLiteDatastore) -> None:
        self._datastore = datastore

    def archived(self, game: UUID) -> ArchivedRow | None:
        """Where a game's events are, if they are archived."""
        rows = self._rows(f"SELECT archive_time, events, sha256, size FROM {ARCHIVED} WHERE game_id=?", (game.hex,))
        if not rows:
            return None
        time, events, digest, size = rows[0]
        if not (type(time) is type(events) is type(size) is int and isinstance(digest, str)):
            raise DamagedLineError(f"the row with the archive of game {game} is damaged")
        return ArchivedRow(game, time, events, digest, size)

    def archived_games(self) -> list[UUID]:
        """All games whose events are archived."""
        return [UUID(game) for (game,) in self._rows(f"SELECT game_id FROM {ARCHIVED} ORDER BY game_id")]

    def _rows(self, sql: str, parameters: tuple[object, ...] = ()) -> list[Any]:
        with self._datastore.transaction(commit=False) as cursor:
            cursor.sqlite_cursor.row_factory = None
            cursor.execute(sql, parameters)
            rows: list[Any] = cursor.fetchall()
            return rows


_INSERT = (
    f"INSERT INTO {ARCHIVED} (game_id, archive_time, events, sha256, size, first_number, last_number)"
    f" SELECT ?,?,?,?,?, min(rowid), max(rowid) FROM {_EVENTS} WHERE originator_id=? HAVING count(*)=?"
)


def _archive_game(it: ArchiveGame) -> list[Statement]:
    row, key = it.row, it.row.game_id.hex
    return [
        # Only if it has just these events; without the line no event goes.
        (_INSERT, (key, row.time, row.events, row.sha256, row.size, key, row.events)),
        ("DELETE FROM stored_snapshots WHERE originator_id=?", (key,)),
        (f"DELETE FROM {_EVENTS} WHERE originator_id=?", (key,)),
    ]


def _unarchive_game(it: UnarchiveGame) -> list[Statement]:
    key = it.game.hex
    return [
        (f"DELETE FROM {ARCHIVED} WHERE game_id=?", (key,)),
        *((f"INSERT INTO {_EVENTS} VALUES (?,?,?,?,?)", (key, *row)) for row in it.rows),
    ]


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {
    ArchiveGame: _archive_game,
    UnarchiveGame: _unarchive_game,
}
"""How each of these changes is written."""
