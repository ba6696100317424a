"""What can be written beside the events, by name: every kind of database has its own way to carry each of them out.

A change is written in one transaction with the events that it comes with, all or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from eventsourcing.persistence import StoredEvent
from msgspec import Struct

from boardkeeper.service.storage.access import AccessChange
from boardkeeper.service.storage.archive.tables import ArchiveChange
from boardkeeper.service.storage.expiries import PutExpiry
from boardkeeper.service.storage.feed import FeedChange
from boardkeeper.service.storage.invitations import InvitationChange
from boardkeeper.service.storage.players import PlayerChange
from boardkeeper.service.storage.quotas import QuotaChange
from boardkeeper.service.storage.rows import ImportRow, LobbyRow, RequestRow, SeatRow, TombstoneRow, encode
from boardkeeper.service.storage.webhooks import WebhookChange
from boardkeeper.table.title import Standing


class NewGame(Struct, frozen=True):
    """A game that begins: its line in the lobby, whose number the database gives, its seats and its dice secret."""

    line: LobbyRow
    secret: bytes


class TakeSeat(Struct, frozen=True):
    """A seat that was free has somebody now."""

    game: UUID
    seat: SeatRow


class NewRequest(Struct, frozen=True):
    """A request to be remembered, since a time in milliseconds; a second one with its id conflicts."""

    row: RequestRow
    time: int


class NewImport(Struct, frozen=True):
    """A game was not played here; a second one from the same record conflicts."""

    row: ImportRow


class RemoveGame(Struct, frozen=True):
    """A game goes for good, with all that belongs to it but a tombstone, at a time in milliseconds since 1970."""

    game: UUID
    time: int


class PutTombstone(Struct, frozen=True):
    """A game was removed, before it could come here; what is known of that already stays."""

    row: TombstoneRow


class PutGame(Struct, frozen=True):
    """The lobby's line of a game as it should be, in place of the one that is there, whose number it keeps."""

    line: LobbyRow
    chain: bytes


class PutSeat(Struct, frozen=True):
    """Who sits on a seat as it should be; a name and a token that are there stay."""

    game: UUID
    seat: SeatRow


class PutSnapshots(Struct, frozen=True):
    """Stored snapshots of a game, and the versions of those that go because they do not fit it."""

    rows: Sequence[StoredEvent]
    misfits: Sequence[StoredEvent] = ()


class ForgetSnapshots(Struct, frozen=True):
    """No stored snapshot is left; they are made again when somebody looks back."""


class Probe(Struct, frozen=True):
    """So many bytes, to see whether there is room for them; none take away what was there."""

    size: int


Change = (
    NewGame
    | TakeSeat
    | NewRequest
    | NewImport
    | RemoveGame
    | PutTombstone
    | PutGame
    | PutSeat
    | PutSnapshots
    | ForgetSnapshots
    | Probe
    | ArchiveChange
    | AccessChange
    | QuotaChange
    | PlayerChange
    | PutExpiry
    | FeedChange
    | InvitationChange
    | WebhookChange
)


class Progress(NamedTuple):
    """A game's line in the lobby after a command; ``decisions`` and ``standings`` are in their stored form.

    ``status`` is ``None`` if the command does not change it: the columns with indices are the expensive ones.
    ``bot_decides`` says whether the service has to continue the game.
    """

    game: UUID
    version: int
    time: int
    status: str | None
    decisions: bytes
    standings: bytes
    bot_decides: bool


def progress(
    game: UUID,
    version: int,
    time: int,
    status: str | None,
    decisions: Sequence[str],
    standings: Sequence[Standing],
    *,
    bot_decides: bool = False,
) -> Progress:
    """Return the line of a game after a command, at a time in milliseconds since 1970."""
    return Progress(game, version, time, status, encode(decisions), encode(standings), bot_decides)
