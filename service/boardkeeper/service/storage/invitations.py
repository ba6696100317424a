"""Invitations to open seats. They are stored outside the event log; codes are stored as hashes."""

from __future__ import annotations

from collections.abc import Hashable
from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.errors import ConflictError
from boardkeeper.service.storage.rows import Int32
from boardkeeper.service.storage.sql import Change, Check, Statement, Tables, bind


class InvitationRow(Struct, frozen=True):
    """An invitation. Times are in milliseconds since 1970.

    ``seat`` is 0 for any seat. ``code_hash`` is the SHA-256 of the code. ``end_time`` is when the invitation was used
    (for ``used_seat``) or revoked.
    """

    id: str
    code_hash: bytes
    game: UUID
    seat: Int32
    player_id: str
    create_time: int
    expire_time: int | None = None
    end_time: int | None = None
    used_seat: Int32 = 0


_FOR_PLAYER = (
    "i.player_id = ? AND i.player_id <> '' AND EXISTS (SELECT 1 FROM games g WHERE g.game = i.game AND g.platform = ?)"
)
_ENDED = "SELECT id FROM invitation_ends WHERE end_time < ?::bigint ORDER BY end_time, id LIMIT ?::int"
_EXPIRED = "SELECT id FROM invitations WHERE expire_time < ?::bigint ORDER BY expire_time, id LIMIT ?::int"
_SELECT = (
    "SELECT i.id, i.code_hash, i.game, i.seat, i.player_id, i.create_time, i.expire_time, e.end_time,"
    " coalesce(e.used_seat, 0) FROM invitations i LEFT JOIN invitation_ends e ON e.id = i.id AND e.game = i.game"
)


class NewInvitation(Change, frozen=True):
    """Insert an invitation. Conflicts if its game has ``max_invitations`` invitations."""

    row: InvitationRow
    max_invitations: int | None = None

    @property
    def lock_key(self) -> Hashable:
        return self.row.game

    def statements(self) -> list[Statement | Check]:
        row = self.row
        insert = bind(
            row,
            "INSERT INTO invitations (id, code_hash, game, seat, player_id, create_time, expire_time)"
            " VALUES (?id, ?code_hash, ?game, ?seat, ?player_id, ?create_time, ?expire_time)",
        )
        if self.max_invitations is None:
            return [*insert]
        full = "SELECT 1 FROM (SELECT count(*) AS number FROM invitations WHERE game = ?) made WHERE number >= ?"
        return [
            # Other processes that insert an invitation for this game wait for this lock, and then count this one.
            Statement("{postgres:SELECT 1 FROM progress WHERE game = ? FOR UPDATE}", (row.game,)),
            Check(full, (row.game, self.max_invitations), ConflictError),
            *insert,
        ]


class EndInvitation(Change, frozen=True):
    """Store that an invitation was used for a seat, or revoked (seat 0). Conflicts if it has already ended."""

    id: str
    game: UUID
    time: int
    used_seat: int = 0

    def statements(self) -> list[Statement]:
        insert = "INSERT INTO invitation_ends (id, game, end_time, used_seat) VALUES (?id, ?game, ?time, ?used_seat)"
        return bind(self, insert)


class EraseInvitations(Change, frozen=True):
    """Revoke the invitations for a player of a platform and erase the player's id from them."""

    platform: str
    player_id: str
    time: int

    def statements(self) -> list[Statement]:
        end = (
            "INSERT INTO invitation_ends (id, game, end_time, used_seat) SELECT i.id, i.game, ?::bigint, 0"
            f" FROM invitations i WHERE {_FOR_PLAYER} ON CONFLICT (id{{postgres:, game}}) DO NOTHING"
        )
        erase = f"UPDATE invitations AS i SET player_id = '' WHERE {_FOR_PLAYER}"
        player = (self.player_id, self.platform)
        return [Statement(end, (self.time, *player)), Statement(erase, player)]


class DeleteEndedInvitations(Change, frozen=True):
    """Delete a batch of invitations that ended or expired before a time (milliseconds since 1970)."""

    before: int

    def statements(self) -> list[Statement]:
        return [
            Statement(f"DELETE FROM {table} WHERE id IN ({ids})", (self.before, DELETE_BATCH))
            for ids, tables in (
                (_ENDED, ("invitations", "invitation_ends")),
                (_EXPIRED, ("invitation_ends", "invitations")),
            )
            for table in tables
        ]


DELETE_BATCH = 500


class InvitationTables(Tables):
    """Reads invitations."""

    def invitation(self, code_hash: bytes) -> InvitationRow | None:
        """Return the invitation whose code has this hash."""
        return self._reader.fetch_first(InvitationRow, f"{_SELECT} WHERE i.code_hash = ?", code_hash)

    def count_for(self, platform: str, player_id: str) -> int:
        """Return the number of invitations for a player of a platform."""
        select = f"SELECT count(*) FROM invitations i WHERE {_FOR_PLAYER}"
        return self._reader.fetch_value(int, select, player_id, platform)

    def has_ended(self, before: int) -> bool:
        """Return whether any invitation ended or expired before a time (milliseconds since 1970)."""
        select = (
            "SELECT EXISTS (SELECT 1 FROM invitations WHERE expire_time < ?::bigint LIMIT 1)"
            " OR EXISTS (SELECT 1 FROM invitation_ends WHERE end_time < ?::bigint LIMIT 1)"
        )
        return self._reader.fetch_value(bool, select, before, before)

    def invitations_of(self, game: UUID) -> list[InvitationRow]:
        """Return the invitations of a game in the order of their creation."""
        return self._reader.fetch_structs(InvitationRow, f"{_SELECT} WHERE i.game = ? ORDER BY i.number", game)
