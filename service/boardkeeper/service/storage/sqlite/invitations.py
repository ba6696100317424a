"""Invitations to free seats, in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from eventsourcing.sqlite import SQLiteDatastore

from boardkeeper.service.storage.invitations import (
    SWEPT_AT_ONCE,
    EndInvitation,
    EraseInvited,
    InvitationRow,
    NewInvitation,
    SweepInvitations,
)
from boardkeeper.service.storage.sqlite.typed import fitting

Statement = tuple[str, tuple[object, ...]]

TABLES = """
CREATE TABLE IF NOT EXISTS invitations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    code_hash BLOB NOT NULL UNIQUE,
    game_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    player_id TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    expire_time INTEGER
);
CREATE INDEX IF NOT EXISTS invitations_by_game ON invitations (game_id, number);
CREATE INDEX IF NOT EXISTS invitations_by_player ON invitations (player_id) WHERE player_id<>'';
CREATE INDEX IF NOT EXISTS invitations_by_expiry ON invitations (expire_time) WHERE expire_time IS NOT NULL;
CREATE TABLE IF NOT EXISTS invitation_ends (
    id TEXT PRIMARY KEY,
    game_id TEXT NOT NULL,
    end_time INTEGER NOT NULL,
    used_seat INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS invitation_ends_by_game ON invitation_ends (game_id);
CREATE INDEX IF NOT EXISTS invitation_ends_by_time ON invitation_ends (end_time);
"""

_SELECT = (
    "SELECT i.id, i.code_hash, i.game_id, i.seat, i.player_id, i.create_time, i.expire_time, e.end_time,"
    " coalesce(e.used_seat, 0) FROM invitations i LEFT JOIN invitation_ends e ON e.id=i.id"
)


_FOR_HIM = (
    "i.player_id=? AND i.player_id<>'' AND EXISTS (SELECT 1 FROM games g WHERE g.game_id=i.game_id AND g.platform=?)"
)


class SqliteInvitations:
    """Reads them (:class:`~boardkeeper.service.storage.invitations.InvitationTables`)."""

    def __init__(self, datastore: SQLiteDatastore) -> None:
        self._datastore = datastore

    def invitation(self, code_hash: bytes) -> InvitationRow | None:
        """The invitation with a code of that hash."""
        return next(iter(self._rows(f"{_SELECT} WHERE i.code_hash=?", code_hash)), None)

    def count_for(self, platform: str, player_id: str) -> int:
        """How many are for a player of a platform."""
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(f"SELECT count(*) FROM invitations i WHERE {_FOR_HIM}", (player_id, platform))
            return int(cursor.fetchone()[0])

    def are_over(self, before: int) -> bool:
        """Whether there are any that ended, or expired, before a time."""
        select = (
            "SELECT EXISTS (SELECT 1 FROM invitations WHERE expire_time<?)"
            " OR EXISTS (SELECT 1 FROM invitation_ends WHERE end_time<?)"
        )
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(select, (before, before))
            return bool(cursor.fetchone()[0])

    def invitations_of(self, game: UUID) -> list[InvitationRow]:
        """Those of a game, in the order in which they were made."""
        return self._rows(f"{_SELECT} WHERE i.game_id=? ORDER BY i.number", game.hex)

    def _rows(self, sql: str, parameter: object) -> list[InvitationRow]:
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(sql, (parameter,))
            return [fitting(InvitationRow, *row) for row in cursor.fetchall()]


# --- writing ------------------------------------------------------------------------------------------------


def _new_invitation(it: NewInvitation) -> list[Statement]:
    row = it.row
    # A hash cannot be null, which makes this conflict where there are as many as there may be.
    insert = (
        "INSERT INTO invitations (id, code_hash, game_id, seat, player_id, create_time, expire_time) SELECT ?1,"
        " CASE WHEN ?8 IS NULL OR (SELECT count(*) FROM invitations WHERE game_id=?3)<?8 THEN ?2 END, ?3,?4,?5,?6,?7"
    )
    values = (row.id, row.code_hash, row.game.hex, row.seat, row.player_id, row.create_time, row.expire_time, it.most)
    return [(insert, values)]


def _end_invitation(it: EndInvitation) -> list[Statement]:
    return [("INSERT INTO invitation_ends VALUES (?,?,?,?)", (it.id, it.game.hex, it.time, it.used_seat))]


def _erase_invited(it: EraseInvited) -> list[Statement]:
    end = (
        "INSERT OR IGNORE INTO invitation_ends (id, game_id, end_time, used_seat)"
        f" SELECT i.id, i.game_id, ?, 0 FROM invitations i WHERE {_FOR_HIM}"
    )
    return [
        (end, (it.time, it.player_id, it.platform)),
        (f"UPDATE invitations AS i SET player_id='' WHERE {_FOR_HIM}", (it.player_id, it.platform)),
    ]


def _sweep(it: SweepInvitations) -> list[Statement]:
    ended = "SELECT id FROM invitation_ends WHERE end_time<? ORDER BY end_time, id LIMIT ?"
    expired = "SELECT id FROM invitations WHERE expire_time<? ORDER BY expire_time, id LIMIT ?"
    some = (it.before, SWEPT_AT_ONCE)
    return [
        (f"DELETE FROM invitations WHERE id IN ({ended})", some),
        (f"DELETE FROM invitation_ends WHERE id IN ({ended})", some),
        (f"DELETE FROM invitation_ends WHERE id IN ({expired})", some),
        (f"DELETE FROM invitations WHERE id IN ({expired})", some),
    ]


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {
    NewInvitation: _new_invitation,
    EndInvitation: _end_invitation,
    EraseInvited: _erase_invited,
    SweepInvitations: _sweep,
}
"""How each of these changes is written."""

OF_A_GAME = ("invitations", "invitation_ends")
"""What goes with a game that is removed."""
