"""What the commands of operators report about a database of either kind."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.archive.folder import ArchiveError, ArchiveFolder
from boardkeeper.service.storage.archive.tables import ArchivedRow
from boardkeeper.service.storage.chain import ChainedRow, Damage, find_damage


class CheckedGame(Struct, frozen=True):
    """One game of a database: its id, how many of its events there are, and what is wrong with them.

    ``number`` counts the games from 1 and ``games`` is how many there are. ``is_archived`` tells that its events are in
    the archive and were not looked at.
    """

    number: int
    games: int
    game_id: str
    events: int
    damage: Damage | None
    is_archived: bool = False


class ErasedSeat(Struct, frozen=True):
    """A seat that has no name any more."""

    game_id: UUID
    seat: int


def check_chain(
    key: str,
    rows: Sequence[ChainedRow],
    head: object,
    version: object,
    archived: ArchivedRow | None = None,
    archive: ArchiveFolder | None = None,
) -> tuple[int, Damage | None, bool]:
    """Return how many events a game has, its damage, and whether its events were not checked.

    ``key`` is its id as it is stored. Archived events are checked only if the folder of the archive is given.
    """
    if archived is None:
        return len(rows), find_damage(key, rows, head, version), False
    if archive is None:
        return archived.events, None, True
    try:
        return archived.events, find_damage(archived.game_id.hex, archive.read(archived), head, version), False
    except ArchiveError as error:
        return archived.events, Damage(1, str(error)), False
