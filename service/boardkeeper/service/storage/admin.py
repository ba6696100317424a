"""Commands of an operator on a database of either kind, without a server.

A file must not be served meanwhile, unless it is only checked; a PostgreSQL may be.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from uuid import UUID

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.archive.folder import ArchiveFolder
from boardkeeper.service.storage.changes import EraseName, RemoveGame
from boardkeeper.service.storage.database_urls import is_postgres, require_driver, sqlite_path
from boardkeeper.service.storage.invitations import EraseInvitations
from boardkeeper.service.storage.players import ErasePlayer
from boardkeeper.service.storage.reports import CheckedGame, ErasedSeat
from boardkeeper.service.storage.sql import Transaction, ids_with_prefix
from boardkeeper.service.storage.sqlite import file_check
from boardkeeper.service.storage.sqlite.file_check import CheckedFile
from boardkeeper.service.storage.sqlite.write_transaction import write_transaction

_REMOVED_GAME = "SELECT game FROM removed_games WHERE game BETWEEN ? AND ?"


def create_tables(name: str, role: str = "") -> str:
    """Make the tables of a PostgreSQL, and grant a role what a service needs; gives its name without passwords.

    Raises ``StartupError``, also for a file, which a service prepares by itself.
    """
    if not is_postgres(name):
        raise StartupError("this command is only for PostgreSQL: name the database with --db postgresql://…")
    require_driver()
    from boardkeeper.service.storage.postgres import admin  # noqa: PLC0415

    return admin.create_tables(name, role)


def erase_name(database: str, name: str) -> list[ErasedSeat]:
    """Erase a name from every seat that has it. The log has no names, so nothing in it changes.

    Raises ``StartupError``.
    """
    select = "SELECT game, seat FROM seats WHERE name = ANY(?) AND name <> '' ORDER BY game, seat"
    names = [name, unicodedata.normalize("NFC", name)]  # 0.1.0 stored names as they came
    with _write_transaction(database, "erase from") as transaction:
        found = transaction.fetch_tuples(tuple[UUID, int], select, names)
        seats = [seat for seat in found if _lock_name(transaction, *seat) in names]
        transaction.write(*(EraseName(*seat) for seat in seats))
    return [ErasedSeat(*seat) for seat in seats]


def erase_seat(database: str, game: str, seat: int) -> list[ErasedSeat]:
    """Erase the name of a seat, of the game with that id or whose id begins so; an empty list if it has none.

    Raises ``StartupError``, and ``LookupError`` if there is not exactly one such game, or no such seat in it.
    """
    with _write_transaction(database, "erase from") as transaction:
        id = _find_game(transaction, game)
        name = _lock_name(transaction, id, seat)
        if name is None:
            raise LookupError(f"the game has no seat {seat}")
        if not name:
            return []
        transaction.write(EraseName(id, seat))
    return [ErasedSeat(id, seat)]


def erase_player(database: str, platform: str, player: str, time: int) -> list[ErasedSeat]:
    """Erase a player of a platform (empty: of games without an owner) from all seats, and the player's invitations.

    Raises ``StartupError``.
    """
    select = "SELECT game, seat FROM players WHERE platform = ? AND player_id = ? ORDER BY game, seat"
    with _write_transaction(database, "erase from") as transaction:
        seats = transaction.fetch_tuples(tuple[UUID, int], select, platform, player)
        transaction.write(*(ErasePlayer(*seat, platform, player) for seat in seats))
        transaction.write(EraseInvitations(platform, player, time))
    return [ErasedSeat(*seat) for seat in seats]


def remove_game(database: str, game: str, time: int) -> UUID:
    """Remove the game of that id, or whose id begins so. Raises ``StartupError`` and ``LookupError``.

    This is the only way in which stored events are deleted. A tombstone stays: the id, which is never used again, and
    the time; of an imported game also the record, so that it does not come back.
    """
    with _write_transaction(database, "remove a game from") as transaction:
        id = _find_game(transaction, game)
        transaction.write(RemoveGame(id, time))
    return id


def _write_transaction(database: str, doing: str) -> AbstractContextManager[Transaction]:
    if not is_postgres(database):
        return write_transaction(sqlite_path(database), doing)
    require_driver()
    from boardkeeper.service.storage.postgres import admin  # noqa: PLC0415

    return admin.write_transaction(database, doing)


def _lock_name(transaction: Transaction, game: UUID, seat: int) -> str | None:
    """Return the name of a seat, which no other process changes until the transaction ends; ``None``: no such seat."""
    select = "SELECT name FROM seats WHERE game = ? AND seat = ?{postgres: FOR UPDATE}"
    return next(iter(transaction.fetch_values(str, select, game, seat)), None)


def _find_game(transaction: Transaction, game: str) -> UUID:
    """Return the id of the one game with that id, or whose id begins so. Raises ``LookupError``."""
    digits = game.replace("-", "").lower()
    ids: list[UUID] = []
    if len(digits) <= 32 and not set(digits) - set("0123456789abcdef"):
        select = "SELECT game FROM games WHERE game BETWEEN ? AND ? LIMIT 100"
        ids = transaction.fetch_values(UUID, select, *ids_with_prefix(digits))
    if not ids and len(digits) == 32 and transaction.fetch_values(UUID, _REMOVED_GAME, *ids_with_prefix(digits)):
        raise LookupError(f"the game {game} was removed before")
    if len(ids) != 1:
        raise LookupError(f"{len(ids) or 'no'} games have an id that begins with {game!r}")
    return ids[0]


def check_database(
    database: str, checkpoint: Path | None = None, archive: Path | None = None, key_file: Path | None = None
) -> Iterator[CheckedGame | CheckedFile]:
    """Check every game, and a file also against a checkpoint; raises ``StartupError``.

    Archived games are checked if ``archive`` names their folder. A PostgreSQL database must belong to the key in
    ``key_file``, if one is given.
    """
    folder = ArchiveFolder(archive) if archive is not None else None
    if not is_postgres(database):
        return file_check.check_file(sqlite_path(database), checkpoint, folder)
    if checkpoint is not None:
        raise StartupError("only SQLite files have checkpoints: leave --checkpoint out")
    require_driver()
    from boardkeeper.service.storage.postgres import admin  # noqa: PLC0415

    return iter(admin.check_games(database, folder, key_file))
