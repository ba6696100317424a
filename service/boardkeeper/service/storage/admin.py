"""Operator commands on a database, without a server.

A SQLite file must not be in use, except for checks; a PostgreSQL database may be.
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
    """Create or update the tables of a PostgreSQL database and grant a role the rights of a server.

    Return the name of the database, without a password. Raises ``StartupError``, also for a SQLite file, whose tables
    the server creates.
    """
    if not is_postgres(name):
        raise StartupError("this command is only for PostgreSQL: name the database with --db postgresql://…")
    require_driver()
    from boardkeeper.service.storage.postgres import admin  # noqa: PLC0415

    return admin.create_tables(name, role)


def erase_name(database: str, name: str) -> list[ErasedSeat]:
    """Erase a name from all seats. The event log contains no names. Raises ``StartupError``."""
    select = "SELECT game, seat FROM seats WHERE name = ANY(?) AND name <> '' ORDER BY game, seat"
    names = [name, unicodedata.normalize("NFC", name)]  # release 0.1.0 did not normalize names
    with _write_transaction(database, "erase from") as transaction:
        found = transaction.fetch_tuples(tuple[UUID, int], select, names)
        seats = [seat for seat in found if _lock_name(transaction, *seat) in names]
        transaction.write(*(EraseName(*seat) for seat in seats))
    return [ErasedSeat(*seat) for seat in seats]


def erase_seat(database: str, game: str, seat: int) -> list[ErasedSeat]:
    """Erase the name of a seat of the game whose id begins with ``game``; the result is empty if it has no name.

    Raises ``StartupError``, and ``LookupError`` unless exactly one game matches and has this seat.
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
    """Erase a player of a platform from all seats, and the player's invitations. Raises ``StartupError``.

    An empty ``platform`` means the games without an owner.
    """
    select = "SELECT game, seat FROM players WHERE platform = ? AND player_id = ? ORDER BY game, seat"
    with _write_transaction(database, "erase from") as transaction:
        seats = transaction.fetch_tuples(tuple[UUID, int], select, platform, player)
        transaction.write(*(ErasePlayer(*seat, platform, player) for seat in seats))
        transaction.write(EraseInvitations(platform, player, time))
    return [ErasedSeat(*seat) for seat in seats]


def remove_game(database: str, game: str, time: int) -> UUID:
    """Delete the game whose id begins with ``game`` and return its id. Raises ``StartupError`` and ``LookupError``.

    No other command deletes events for good. A tombstone remains, so that the id is never used again and an imported
    record cannot be imported again.
    """
    with _write_transaction(database, "remove a game from") as transaction:
        id = _find_game(transaction, game)
        transaction.write(RemoveGame(id, time))
    return id


def _write_transaction(database: str, verb: str) -> AbstractContextManager[Transaction]:
    if not is_postgres(database):
        return write_transaction(sqlite_path(database), verb)
    require_driver()
    from boardkeeper.service.storage.postgres import admin  # noqa: PLC0415

    return admin.write_transaction(database, verb)


def _lock_name(transaction: Transaction, game: UUID, seat: int) -> str | None:
    """Return the name of a seat and lock it until the transaction ends; ``None`` if there is no such seat."""
    select = "SELECT name FROM seats WHERE game = ? AND seat = ?{postgres: FOR UPDATE}"
    return next(iter(transaction.fetch_values(str, select, game, seat)), None)


def _find_game(transaction: Transaction, game: str) -> UUID:
    """Return the id of the only game whose id begins with ``game``. Raises ``LookupError``."""
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
    """Check every game, and a SQLite file also against a checkpoint. Raises ``StartupError``.

    ``archive`` is the folder with archived games; without it they are not checked. With ``key_file``, a PostgreSQL
    database must belong to the key in that file.
    """
    folder = ArchiveFolder(archive) if archive is not None else None
    if not is_postgres(database):
        return file_check.check_file(sqlite_path(database), checkpoint, folder)
    if checkpoint is not None:
        raise StartupError("only SQLite files have checkpoints: leave --checkpoint out")
    require_driver()
    from boardkeeper.service.storage.postgres import admin  # noqa: PLC0415

    return iter(admin.check_games(database, folder, key_file))
