"""Which games' events are archived, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, LiteralString
from uuid import UUID

from boardkeeper.service.storage.archive.tables import ArchivedRow, ArchiveGame, UnarchiveGame
from boardkeeper.service.storage.postgres.access import Statement
from boardkeeper.service.storage.postgres.readers import Readers

MIGRATION: LiteralString = """
CREATE TABLE archived_games (
    game uuid PRIMARY KEY,
    archive_time bigint NOT NULL,
    events integer NOT NULL,
    sha256 text NOT NULL,
    size bigint NOT NULL
);
CREATE OR REPLACE FUNCTION refuse_unless_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM removed_games r WHERE r.game = OLD.game)
        AND NOT EXISTS (SELECT 1 FROM archived_games a WHERE a.game = OLD.game) THEN
        RAISE EXCEPTION 'stored events are never changed or removed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END $$;
"""
"""The lines, and that events may go where one stands. Who writes them is the owner of the tables alone."""


class PostgresArchive:
    """Reads it (:class:`~boardkeeper.service.storage.archive.tables.ArchiveTables`)."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def archived(self, game: UUID) -> ArchivedRow | None:
        """Where a game's events are, if they are archived."""
        select: LiteralString = "SELECT archive_time, events, sha256, size FROM archived_games WHERE game = %b"
        rows = self._readers.rows(select, (game,))
        return ArchivedRow(game, *rows[0]) if rows else None

    def archived_games(self) -> list[UUID]:
        """All games whose events are archived."""
        return [game for (game,) in self._readers.rows("SELECT game FROM archived_games ORDER BY game")]


def _archive_game(it: ArchiveGame) -> list[Statement]:
    row, game = it.row, it.row.game_id
    return [
        Statement("SELECT 1 FROM progress WHERE game = %b FOR UPDATE", (game,)),
        # Only if it has just these events; without the line no event goes.
        Statement(
            "INSERT INTO archived_games (game, archive_time, events, sha256, size)"
            " SELECT p.game, %b, %b, %b, %b FROM progress p WHERE p.game = %b AND p.version = %b"
            " AND (SELECT count(*) FROM events e WHERE e.game = p.game) = p.version",
            (row.time, row.events, row.sha256, row.size, game, row.events),
        ),
        Statement("DELETE FROM snapshots WHERE game = %b", (game,)),
        Statement("DELETE FROM events WHERE game = %b", (game,)),
    ]


def _unarchive_game(it: UnarchiveGame) -> list[Statement]:
    versions, topics, states, links = map(list, zip(*it.rows, strict=True))
    return [
        Statement("SELECT 1 FROM progress WHERE game = %b FOR UPDATE", (it.game,)),
        Statement("DELETE FROM archived_games WHERE game = %b", (it.game,)),
        Statement(
            "INSERT INTO events (game, version, topic, state, link) SELECT %b, e.* FROM"
            " unnest(%b::int[], %b::text[], %b::bytea[], %b::bytea[]) AS e (version, topic, state, link)",
            (it.game, versions, topics, states, links),
        ),
    ]


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {
    ArchiveGame: _archive_game,
    UnarchiveGame: _unarchive_game,
}
"""How each of these changes is written."""
