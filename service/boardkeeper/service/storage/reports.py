"""Results of operator commands on a database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.archive.folder import ArchiveError, ArchiveFolder
from boardkeeper.service.storage.archive.tables import ArchivedRow
from boardkeeper.service.storage.chain import ChainedRow, Damage, find_damage

ProgressCallback = Callable[[int, int], None]
"""A function that is called from time to time with the amount of work that is done, and the total."""


def ignore_progress(done: int, total: int) -> None:
    """Do nothing."""


class CheckedGame(Struct, frozen=True):
    """The result of checking a game: its id, number of events, and damage.

    ``number`` counts the ``games`` from 1. ``is_archived`` means that its events are in the archive and were not
    checked.
    """

    number: int
    games: int
    game_id: str
    events: int
    damage: Damage | None
    is_archived: bool = False


class ErasedSeat(Struct, frozen=True):
    """A seat whose name was erased."""

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
    """Return the number of a game's events, its damage, and whether its events were not checked.

    ``key`` is the game's id as it is stored. With ``archive``, archived events are checked too.
    """
    if archived is None:
        return len(rows), find_damage(key, rows, head, version), False
    if archive is None:
        return archived.events, None, True
    try:
        return archived.events, find_damage(archived.game_id.hex, archive.read(archived), head, version), False
    except ArchiveError as error:
        return archived.events, Damage(1, str(error)), False
