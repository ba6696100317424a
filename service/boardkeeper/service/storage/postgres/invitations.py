"""Invitations to free seats, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, LiteralString
from uuid import UUID

from boardkeeper.service.storage.invitations import (
    SWEPT_AT_ONCE,
    EndInvitation,
    EraseInvited,
    InvitationRow,
    NewInvitation,
    SweepInvitations,
)
from boardkeeper.service.storage.postgres.access import Statement
from boardkeeper.service.storage.postgres.readers import Readers

MIGRATION: LiteralString = """
CREATE TABLE invitations (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    code_hash bytea NOT NULL UNIQUE,
    game uuid NOT NULL,
    seat integer NOT NULL,
    player_id text NOT NULL,
    create_time bigint NOT NULL,
    expire_time bigint
);
CREATE INDEX invitations_by_game ON invitations (game, number);
CREATE TABLE invitation_ends (
    id text PRIMARY KEY,
    game uuid NOT NULL,
    end_time bigint NOT NULL,
    used_seat integer NOT NULL
);
CREATE INDEX invitation_ends_by_game ON invitation_ends (game);
ALTER TABLE game_access ADD COLUMN by_invitation boolean NOT NULL DEFAULT false;
ALTER TABLE game_access ADD COLUMN token_seconds bigint NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN token_expires bigint;
"""
"""What they are kept in, which games want one, and until when tokens of seats hold."""

BY_PLAYER: LiteralString = "CREATE INDEX invitations_by_player ON invitations (player_id) WHERE player_id <> '';"
"""What finds those for one player."""

BY_TIME: LiteralString = """
CREATE INDEX invitations_by_expiry ON invitations (expire_time) WHERE expire_time IS NOT NULL;
CREATE INDEX invitation_ends_by_time ON invitation_ends (end_time);
"""
"""For those that are swept."""

_ENDED: LiteralString = "SELECT id FROM invitation_ends WHERE end_time < %b::bigint ORDER BY end_time, id LIMIT %b::int"
_EXPIRED: LiteralString = (
    "SELECT id FROM invitations WHERE expire_time < %b::bigint ORDER BY expire_time, id LIMIT %b::int"
)
_FOR_HIM: LiteralString = (
    "i.player_id = %b AND i.player_id <> ''"
    " AND EXISTS (SELECT 1 FROM games g WHERE g.game = i.game AND g.platform = %b)"
)
_SELECT: LiteralString = (
    "SELECT i.id, i.code_hash, i.game, i.seat, i.player_id, i.create_time, i.expire_time, e.end_time,"
    " coalesce(e.used_seat, 0) FROM invitations i LEFT JOIN invitation_ends e ON e.id = i.id"
)


class PostgresInvitations:
    """Reads them (:class:`~boardkeeper.service.storage.invitations.InvitationTables`)."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def invitation(self, code_hash: bytes) -> InvitationRow | None:
        """The invitation with a code of that hash."""
        rows = self._readers.rows(_SELECT + " WHERE i.code_hash = %b", (code_hash,))
        return InvitationRow(*rows[0]) if rows else None

    def count_for(self, platform: str, player_id: str) -> int:
        """How many are for a player of a platform."""
        select: LiteralString = "SELECT count(*) FROM invitations i WHERE " + _FOR_HIM
        ((count,),) = self._readers.rows(select, (player_id, platform))
        return int(count)

    def are_over(self, before: int) -> bool:
        """Whether there are any that ended, or expired, before a time."""
        rows = self._readers.rows(
            "SELECT EXISTS (SELECT 1 FROM invitations WHERE expire_time < %b::bigint)"
            " OR EXISTS (SELECT 1 FROM invitation_ends WHERE end_time < %b::bigint)",
            (before, before),
        )
        return bool(rows[0][0])

    def invitations_of(self, game: UUID) -> list[InvitationRow]:
        """Those of a game, in the order in which they were made."""
        rows = self._readers.rows(_SELECT + " WHERE i.game = %b ORDER BY i.number", (game,))
        return [InvitationRow(*row) for row in rows]


# --- writing ------------------------------------------------------------------------------------------------


def _new_invitation(it: NewInvitation) -> list[Statement]:
    row = it.row
    # A hash cannot be null, which makes this conflict where there are as many as there may be.
    insert: LiteralString = (
        "INSERT INTO invitations (id, code_hash, game, seat, player_id, create_time, expire_time)"
        " VALUES (%b, CASE WHEN %b::bigint IS NULL OR (SELECT count(*) FROM invitations WHERE game = %b) < %b::bigint"
        " THEN %b::bytea END, %b, %b, %b, %b, %b)"
    )
    counted = (it.most, row.game, it.most, row.code_hash)
    values = (row.id, *counted, row.game, row.seat, row.player_id, row.create_time, row.expire_time)
    # Whoever makes another one of the game waits, and counts this one.
    alone = Statement("SELECT 1 FROM progress WHERE game = %b FOR UPDATE", (row.game,))
    return [*([alone] if it.most is not None else ()), Statement(insert, values)]


def _end_invitation(it: EndInvitation) -> list[Statement]:
    insert: LiteralString = "INSERT INTO invitation_ends (id, game, end_time, used_seat) VALUES (%b, %b, %b, %b)"
    return [Statement(insert, (it.id, it.game, it.time, it.used_seat))]


def _erase_invited(it: EraseInvited) -> list[Statement]:
    end: LiteralString = (
        "INSERT INTO invitation_ends (id, game, end_time, used_seat) SELECT i.id, i.game, %b::bigint, 0"
        " FROM invitations i WHERE " + _FOR_HIM + " ON CONFLICT (id) DO NOTHING"
    )
    erase: LiteralString = "UPDATE invitations i SET player_id = '' WHERE " + _FOR_HIM
    who = (it.player_id, it.platform)
    return [Statement(end, (it.time, *who)), Statement(erase, who)]


def _sweep(it: SweepInvitations) -> list[Statement]:
    some = (it.before, SWEPT_AT_ONCE)
    statements: tuple[LiteralString, ...] = (
        "DELETE FROM invitations WHERE id IN (" + _ENDED + ")",
        "DELETE FROM invitation_ends WHERE id IN (" + _ENDED + ")",
        "DELETE FROM invitation_ends WHERE id IN (" + _EXPIRED + ")",
        "DELETE FROM invitations WHERE id IN (" + _EXPIRED + ")",
    )
    return [Statement(sql, some) for sql in statements]


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {
    NewInvitation: _new_invitation,
    EndInvitation: _end_invitation,
    EraseInvited: _erase_invited,
    SweepInvitations: _sweep,
}
"""How each of these changes is written."""

OF_A_GAME: tuple[LiteralString, ...] = (
    "DELETE FROM invitations WHERE game = %b",
    "DELETE FROM invitation_ends WHERE game = %b",
)
"""What goes with a game that is removed."""
