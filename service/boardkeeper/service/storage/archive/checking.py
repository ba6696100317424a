"""The check of a game whose events are archived."""

from __future__ import annotations

from boardkeeper.service.storage.archive.folder import ArchiveError, ArchiveFolder
from boardkeeper.service.storage.archive.tables import ArchivedRow
from boardkeeper.service.storage.chain import Damage, first_damage
from boardkeeper.service.storage.findings import CheckedGame


def checked_in_archive(
    row: ArchivedRow, number: int, games: int, folder: ArchiveFolder | None, head: object, version: object
) -> CheckedGame:
    """What is found of a game with that line, whose chain has that head; without a folder nothing is looked at."""
    damage = None
    if folder is not None:
        try:
            damage = first_damage(row.game_id.hex, folder.read(row), head, version)
        except ArchiveError as error:
            damage = Damage(1, str(error))
    return CheckedGame(number, games, str(row.game_id), row.events, damage, is_archived=folder is None)
