"""What an operator does to a database, while it is served or not: make its tables, erase, remove, check.

Every process that serves it is told of what changed. What was overwritten stays in the write-ahead log, in replicas and
in backups until they are gone, and in the pages of the tables until they are vacuumed, which is asked for here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.archive.checking import checked_in_archive
from boardkeeper.service.storage.archive.folder import ArchiveFolder
from boardkeeper.service.storage.archive.tables import ArchiveTables
from boardkeeper.service.storage.chain import first_damage
from boardkeeper.service.storage.changes import RemoveGame
from boardkeeper.service.storage.companions import Companions
from boardkeeper.service.storage.findings import CheckedGame, ErasedSeat
from boardkeeper.service.storage.invitations import EraseInvited
from boardkeeper.service.storage.keys import ServiceKey
from boardkeeper.service.storage.players import ErasePlayer
from boardkeeper.service.storage.postgres.address import Address
from boardkeeper.service.storage.postgres.listening import changed
from boardkeeper.service.storage.postgres.readers import PostgresReader, Readers, run
from boardkeeper.service.storage.postgres.recorder import select_chain
from boardkeeper.service.storage.postgres.schema import grant, migrate, schema_number
from boardkeeper.service.storage.sql import Change

_DIGITS = 32
_Connection = psycopg.Connection[Any]


def make_tables(url: str, role: str = "") -> str:
    """Make the tables or bring them up to date, and grant a role what a service needs; gives the name of all of it.

    Raises ``StartupError``.
    """
    address = Address.of(url)
    with address.connected("make tables in") as connection, connection.transaction():
        connection.execute("SET LOCAL statement_timeout = 0")
        migrate(connection, address.name)
        if role:
            grant(connection, role)
    return address.name


def erase_name(url: str, name: str) -> list[ErasedSeat]:
    """Erase a name from every seat that has it; raises ``StartupError``."""
    kept = unicodedata.normalize("NFC", name)
    with _changing(url, "erase from") as connection:
        select = "SELECT game, seat FROM seats WHERE name = ANY(%b) AND name <> '' ORDER BY game, seat FOR UPDATE"
        return _erase(connection, connection.execute(select, ([name, kept],)).fetchall())


def erase_seat(url: str, game: str, seat: int) -> list[ErasedSeat]:
    """Erase the name of a seat, of the game with that id or whose id begins so; an empty list if it has none.

    Raises ``StartupError``, and ``LookupError`` if there is not exactly one such game, or no such seat in it.
    """
    with _changing(url, "erase from") as connection:
        id = _one_game(connection, game)
        select = "SELECT name FROM seats WHERE game = %b AND seat = %b FOR UPDATE"
        row = connection.execute(select, (id, seat)).fetchone()
        if row is None:
            raise LookupError(f"the game has no seat {seat}")
        return _erase(connection, [(id, seat)] if row[0] else [])


def erase_player(url: str, platform: str, player: str, time: int) -> list[ErasedSeat]:
    """Erase a player of a platform from all seats, with names, tokens and invitations; raises ``StartupError``."""
    with _changing(url, "erase from") as connection:
        select = "SELECT game, seat FROM players WHERE platform = %b AND player_id = %b ORDER BY game, seat"
        seats = connection.execute(select, (platform, player)).fetchall()
        changes: list[Change] = [ErasePlayer(game, seat, platform, player) for game, seat in seats]
        for change in (*changes, EraseInvited(platform, player, time)):
            run(connection, change.statements())
        for game, _ in seats:
            connection.execute(*changed(game))
    return [ErasedSeat(game, seat) for game, seat in seats]


def remove_game(url: str, game: str, time: int) -> UUID:
    """Remove the game of that id, or whose id begins so; raises ``StartupError`` and ``LookupError``."""
    with _changing(url, "remove a game from") as connection:
        id = _one_game(connection, game)
        run(connection, RemoveGame(id, time).statements())
        connection.execute(*changed(id))
    return id


def check_games(url: str, archive: ArchiveFolder | None = None, key_file: Path | None = None) -> Iterator[CheckedGame]:
    """Check every game, also those that stand in the lobby or in the log only; raises ``StartupError``.

    Archived games are checked if their folder is given. The database must belong to the key in ``key_file``,
    if one is given.
    """
    address = Address.of(url)
    with address.connected("check") as connection:
        _recognise(connection, address.name)
        if key_file is not None:
            _check_key(connection, address.name, key_file)
    readers = Readers(address)
    reader = PostgresReader(readers)
    try:
        companions, archived = Companions(reader), ArchiveTables(reader)
        games = companions.count_games() + len(companions.lost_games())
        for number, game in enumerate(companions.known_games(), 1):
            rows, head, version = select_chain(readers, game)
            row = archived.archived(game) if not rows else None
            if row is not None:
                yield checked_in_archive(row, number, max(games, number), archive, head, version)
                continue
            gone = not rows and companions.removed(game) is not None  # meanwhile
            damage = None if gone else first_damage(game.hex, rows, head, version)
            yield CheckedGame(number, max(games, number), str(game), len(rows), damage)
    finally:
        readers.close()


@contextmanager
def _changing(url: str, doing: str) -> Iterator[_Connection]:
    """A transaction; what it has overwritten is swept away behind it, as far as that can be done here."""
    address = Address.of(url)
    with address.connected(doing) as connection:
        _recognise(connection, address.name)
        with connection.transaction():
            yield connection
        connection.execute("SET statement_timeout = 0")
        for table in ("seats", "requests", "dice_secrets", "players", "invitations"):
            connection.execute(f"VACUUM {table}")  # who does not own them is only warned


def _recognise(connection: _Connection, name: str) -> None:
    if not schema_number(connection):
        raise StartupError(f"{name} is not a Boardkeeper database")


def _check_key(connection: _Connection, name: str, file: Path) -> None:
    """Raise ``StartupError`` if the database does not belong to the key in that file."""
    if not file.exists():
        raise StartupError(f"the key file {file} does not exist")
    key = ServiceKey.in_file(file)
    row = connection.execute("SELECT value FROM service WHERE what = 'key'").fetchone()
    if row is None:
        raise StartupError(f"{name} has no key yet: no server has used it")
    if row[0] != key.id:
        raise StartupError(f"{name} needs the key {row[0]}, but {file} contains the key {key.id}")


def _one_game(connection: _Connection, game: str) -> UUID:
    """The id of the one game with that id, or whose id begins so; raises ``LookupError``."""
    beginning = game.replace("-", "").lower()
    ids: list[UUID] = []
    if len(beginning) <= _DIGITS and not set(beginning) - set("0123456789abcdef"):
        bounds = UUID(beginning.ljust(_DIGITS, "0")), UUID(beginning.ljust(_DIGITS, "f"))
        select = "SELECT game FROM games WHERE game BETWEEN %b AND %b LIMIT 100"
        ids = [id for (id,) in connection.execute(select, bounds).fetchall()]
    if len(ids) != 1:
        raise LookupError(f"{len(ids) or 'no'} games have an id that begins with {game!r}")
    return ids[0]


def _erase(connection: _Connection, seats: list[tuple[UUID, int]]) -> list[ErasedSeat]:
    for game, seat in seats:
        connection.execute("UPDATE seats SET name = '' WHERE game = %b AND seat = %b", (game, seat))
        connection.execute("UPDATE requests SET content = %b WHERE game = %b", (bytes(_DIGITS), game))
        connection.execute(*changed(game))
    return [ErasedSeat(game, seat) for game, seat in seats]
