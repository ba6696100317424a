"""Removing a game: the one way in which stored events go, and what stays to tell of it.

Events are for ever, because everybody who holds a game's record may rely on them; but nobody has to keep what he may
not or will not keep: spam, or what a court forbids. So an operator can remove a whole game, with everything that
belongs to it. What stays is a tombstone: the game's id, which is never taken again, and when it was removed; of an
imported game also whose record it was, so that the same record does not come back; and which numbers its events had,
for the checkpoints that name one of them. The triggers on the events let rows
go only where a tombstone stands.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from uuid import UUID

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage import chain
from boardkeeper.service.storage.connections import APPLICATION_ID
from boardkeeper.service.storage.erasure import one_game, writing
from boardkeeper.service.storage.tables import prepare_tables
from boardkeeper.service.storage.writer import Statement

_OF_LIBRARY = ("stored_events", "stored_snapshots")
_OURS = ("games", "seats", "dice_secrets", "requests", "imports")


def remove_game(game: UUID, time: int) -> list[Statement]:
    """The statements that remove a game at a time (milliseconds since 1970): all in one transaction."""
    key = game.hex
    tombstone = (
        f"INSERT OR IGNORE INTO {chain.TOMBSTONES}"
        " SELECT ?, ?, (SELECT head FROM imports WHERE game_id=?), (SELECT key_id FROM imports WHERE game_id=?),"
        f" min(rowid), max(rowid) FROM {_OF_LIBRARY[0]} WHERE originator_id=?"
    )
    return [
        (tombstone, (key, time, key, key, key)),
        *((f"DELETE FROM {table} WHERE originator_id=?", (key,)) for table in _OF_LIBRARY),
        *((f"DELETE FROM {table} WHERE game_id=?", (key,)) for table in _OURS),
    ]


def remove_from_file(path: Path, game: str, time: int) -> UUID:
    """Remove the game of that id, or whose id begins so, from a file that nobody serves.

    Raises ``StartupError`` if the file is being served or is none of ours, and ``LookupError`` if there is not exactly
    one such game.
    """
    with writing(path, "remove a game from", _prepare) as connection:
        id = one_game(connection, game)
        for sql, parameters in remove_game(UUID(id), time):
            connection.execute(sql, parameters)
    return UUID(id)


def _prepare(connection: sqlite3.Connection) -> None:
    """Make what a file of an earlier release lacks."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StartupError("it is not a database of Boardkeeper")
    for statement in chain.create_statements(_OF_LIBRARY[0]):
        connection.execute(statement)
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {_OF_LIBRARY[1]} (originator_id TEXT, originator_version INTEGER,"
        " topic TEXT, state BLOB, PRIMARY KEY (originator_id, originator_version)) WITHOUT ROWID"
    )
    prepare_tables(connection)
