"""Invitations to free seats, as a database keeps them: beside the events, and their codes as hashes only."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.rows import Small


class InvitationRow(Struct, frozen=True):
    """An invitation; times are milliseconds since 1970. ``seat`` is 0 for any, ``used_seat`` until it was used.

    ``code_hash`` is the SHA-256 of what is handed over. ``end_time`` is when it was used or revoked.
    """

    id: str
    code_hash: bytes
    game: UUID
    seat: Small
    player_id: str
    create_time: int
    expire_time: int | None = None
    end_time: int | None = None
    used_seat: Small = 0


class NewInvitation(Struct, frozen=True):
    """An invitation that is made; conflicts if its game has ``most`` already."""

    row: InvitationRow
    most: int | None = None


class EndInvitation(Struct, frozen=True):
    """An invitation was used for a seat, or revoked (0), at a time; whoever ends it a second time conflicts."""

    id: str
    game: UUID
    time: int
    used_seat: int = 0


class EraseInvited(Struct, frozen=True):
    """Invitations for a player of a platform end, at a time, and no longer say for whom they were."""

    platform: str
    player_id: str
    time: int


class SweepInvitations(Struct, frozen=True):
    """Some invitations go that ended, or expired, before a time."""

    before: int


InvitationChange = NewInvitation | EndInvitation | EraseInvited | SweepInvitations

SWEPT_AT_ONCE = 500


class InvitationTables(Protocol):
    """The ways to ask a database for them; they block."""

    def invitation(self, code_hash: bytes) -> InvitationRow | None:
        """The invitation with a code of that hash."""

    def count_for(self, platform: str, player_id: str) -> int:
        """How many are for a player of a platform."""

    def are_over(self, before: int) -> bool:
        """Whether there are any that ended, or expired, before a time."""

    def invitations_of(self, game: UUID) -> list[InvitationRow]:
        """Those of a game, in the order in which they were made."""
