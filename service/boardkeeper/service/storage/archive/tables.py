"""The table of archived games."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.chain import ChainedRow
from boardkeeper.service.storage.changes import not_removed
from boardkeeper.service.storage.sql import Change, Check, Statement, Tables, placeholders

_ROWS_PER_INSERT = 100


class ArchivedRow(Struct, frozen=True):
    """The metadata of an archived game. ``time`` is when it was archived, in milliseconds since 1970.

    ``sha256`` (hexadecimal) and ``size`` (bytes) describe the uncompressed contents of the file.
    """

    game_id: UUID
    time: int
    events: int
    sha256: str
    size: int


class ArchiveGame(Change, frozen=True):
    """Delete the events and snapshots of a game that is in the archive. Conflicts if it has other events."""

    row: ArchivedRow

    def statements(self) -> list[Statement]:
        row, game = self.row, self.row.game_id
        # The row is inserted only if the game has exactly these events. Without it, the database rejects the deletion.
        insert = (
            "INSERT INTO archived_games (game, archive_time, events, sha256, size{sqlite:, first_number, last_number})"
            " SELECT p.game, ?::bigint, ?::int, ?::text, ?::bigint"
            "{sqlite:, (SELECT min(rowid) FROM stored_events WHERE originator_id = p.game)}"
            "{sqlite:, (SELECT max(rowid) FROM stored_events WHERE originator_id = p.game)}"
            " FROM progress p WHERE p.game = ? AND p.version = ?"
            " AND (SELECT count(*) FROM events e WHERE e.game = p.game) = p.version"
        )
        return [
            Statement("{postgres:SELECT 1 FROM progress WHERE game = ? FOR UPDATE}", (game,)),
            Statement(insert, (row.time, row.events, row.sha256, row.size, game, row.events)),
            Statement("DELETE FROM snapshots WHERE game = ?", (game,)),
            Statement("{postgres:SELECT remove_events(?)}{sqlite:DELETE FROM events WHERE game = ?}", (game,)),
        ]


class UnarchiveGame(Change, frozen=True):
    """Insert the events of an archived game again. Conflicts if it is not archived."""

    game: UUID
    rows: Sequence[ChainedRow]

    def statements(self) -> list[Statement | Check]:
        insert = "INSERT INTO events (game, version, topic, state, link) VALUES "
        parts = [self.rows[at : at + _ROWS_PER_INSERT] for at in range(0, len(self.rows), _ROWS_PER_INSERT)]
        return [
            Statement("{postgres:SELECT 1 FROM progress WHERE game = ? FOR UPDATE}", (self.game,)),
            not_removed(self.game),
            Statement("DELETE FROM archived_games WHERE game = ?", (self.game,)),
            *(
                Statement(
                    insert + placeholders(5, len(part)), tuple(value for row in part for value in (self.game, *row))
                )
                for part in parts
            ),
        ]


class ArchiveTables(Tables):
    """Reads which games are archived."""

    def archived(self, game: UUID) -> ArchivedRow | None:
        """Return the metadata of an archived game; ``None`` if it is not archived."""
        select = "SELECT game, archive_time, events, sha256, size FROM archived_games WHERE game = ?"
        return self._reader.fetch_first(ArchivedRow, select, game)

    def archived_games(self) -> list[UUID]:
        """Return all archived games."""
        return self._reader.fetch_values(UUID, "SELECT game FROM archived_games ORDER BY game")
