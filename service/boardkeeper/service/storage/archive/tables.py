"""What a database keeps of a game whose events were archived."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.chain import ChainedRow


class ArchivedRow(Struct, frozen=True):
    """Where a game's events were moved out, at a time in milliseconds since 1970: how many, and the file's contents.

    ``sha256`` (hexadecimal) and ``size`` (bytes) are those of the file's contents before they are compressed.
    """

    game_id: UUID
    time: int
    events: int
    sha256: str
    size: int


class ArchiveGame(Struct, frozen=True):
    """A game's events and snapshots go, for they are in the archive; conflicts if they are not so many any more."""

    row: ArchivedRow


class UnarchiveGame(Struct, frozen=True):
    """A game's events come back, with their links; conflicts if it is not archived."""

    game: UUID
    rows: Sequence[ChainedRow]


ArchiveChange = ArchiveGame | UnarchiveGame


class ArchiveTables(Protocol):
    """The ways to ask a database for it; they block."""

    def archived(self, game: UUID) -> ArchivedRow | None:
        """Where a game's events are, if they are archived."""

    def archived_games(self) -> list[UUID]:
        """All games whose events are archived."""
