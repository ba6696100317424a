"""Erasing what a file knows about a person. The log holds no names, so nothing in it changes.

A seat loses its name and is called by its number from then on. The hashes of requests that were made with the name go
as well, because a name could be guessed from them; such a request is no longer repeated, but refused. The seat's token
stays: it is nobody's name, and whoever holds it may play on.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.failures import damaged_or_full
from boardkeeper.service.storage.findings import ErasedSeat
from boardkeeper.service.storage.sqlite.connections import connect, prepare_file
from boardkeeper.service.storage.sqlite.lock import FileLock


def erase_name(path: Path, name: str) -> list[ErasedSeat]:
    """Erase a name from every seat that has it; raises :class:`StartupError` as :func:`erase_seat` does."""
    with writing(path, "erase from") as connection:
        kept = unicodedata.normalize("NFC", name)  # but what was stored by 0.1.0 is as it came
        select = "SELECT game, seat FROM seats WHERE name IN (?, ?) AND name<>''"
        seats = connection.execute(select, (name, kept)).fetchall()
        return _erase(connection, seats)


def erase_seat(path: Path, game: str, seat: int) -> list[ErasedSeat]:
    """Erase the name of a seat, of the game with that id or whose id begins so; an empty list if it has none.

    Raises :class:`StartupError` if the file is being served or is none of ours, and ``LookupError`` if there is not
    exactly one such game, or no such seat in it.
    """
    with writing(path, "erase from") as connection:
        id = one_game(connection, game)
        seats = connection.execute("SELECT name FROM seats WHERE game=? AND seat=?", (id, seat)).fetchall()
        if not seats:
            raise LookupError(f"the game has no seat {seat}")
        return _erase(connection, [(id, seat)] if seats[0][0] else [])


def one_game(connection: sqlite3.Connection, game: str) -> str:
    """The stored id of the one game with that id, or whose id begins so; raises ``LookupError``."""
    beginning = game.replace("-", "").lower()
    select = "SELECT game FROM games WHERE substr(game, 1, ?)=?"
    ids = [str(id) for (id,) in connection.execute(select, (len(beginning), beginning)).fetchall()]
    if len(ids) != 1:
        raise LookupError(f"{len(ids) or 'no'} games have an id that begins with {game!r}")
    return ids[0]


@contextmanager
def writing(path: Path, doing: str) -> Iterator[sqlite3.Connection]:
    """A transaction on a file that no other process has open, with nothing left of what it overwrites.

    Raises :class:`StartupError`, which says what cannot be done.
    """
    path = path.absolute()
    if not path.is_file():
        raise StartupError(f"the file {path} does not exist")
    lock = FileLock(path)
    path = lock.database
    try:
        prepare_file(path)
        connection = connect(str(path), "FULL")
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
            # Older pages with the name are still in the write-ahead log: bring all into the file and cut it off.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise StartupError(f"cannot {doing} {path}, which {damaged_or_full(error)}") from error
    finally:
        lock.release()


def _erase(connection: sqlite3.Connection, seats: list[tuple[str, int]]) -> list[ErasedSeat]:
    for game, seat in seats:
        connection.execute("UPDATE seats SET name='' WHERE game=? AND seat=?", (game, seat))
        connection.execute("UPDATE requests SET content=zeroblob(32) WHERE game=?", (game,))
    return [ErasedSeat(UUID(game), seat) for game, seat in seats]
