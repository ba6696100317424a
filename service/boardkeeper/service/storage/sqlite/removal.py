"""Removing a game from a file: the one way in which stored events go, and what stays to tell of it.

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
from boardkeeper.service.storage.changes import Change, RemoveGame
from boardkeeper.service.storage.findings import ErasedSeat
from boardkeeper.service.storage.invitations import EraseInvited
from boardkeeper.service.storage.players import ErasePlayer
from boardkeeper.service.storage.sqlite.changes import EVENTS, SNAPSHOTS, statements
from boardkeeper.service.storage.sqlite.connections import APPLICATION_ID
from boardkeeper.service.storage.sqlite.erasure import one_game, writing
from boardkeeper.service.storage.sqlite.events_table import create_statements
from boardkeeper.service.storage.sqlite.schema import prepare_tables


def remove_from_file(path: Path, game: str, time: int) -> UUID:
    """Remove the game of that id, or whose id begins so, from a file that nobody serves.

    Raises ``StartupError`` if the file is being served or is none of ours, and ``LookupError`` if there is not exactly
    one such game.
    """
    with writing(path, "remove a game from", _prepare) as connection:
        id = one_game(connection, game)
        for sql, parameters in statements(RemoveGame(UUID(id), time)):
            connection.execute(sql, parameters)
    return UUID(id)


def erase_player(path: Path, platform: str, player: str, time: int) -> list[ErasedSeat]:
    """Erase a player of a platform from a file that nobody serves; raises ``StartupError``."""
    select = "SELECT game_id, seat FROM players WHERE platform=? AND player_id=? ORDER BY number"
    with writing(path, "erase from", _prepare) as connection:
        seats = [(UUID(game), seat) for game, seat in connection.execute(select, (platform, player)).fetchall()]
        changes: list[Change] = [ErasePlayer(game, seat, platform, player) for game, seat in seats]
        for change in (*changes, EraseInvited(platform, player, time)):
            for sql, parameters in statements(change):
                connection.execute(sql, parameters)
    return [ErasedSeat(game, seat) for game, seat in seats]


def _prepare(connection: sqlite3.Connection) -> None:
    """Make what a file of an earlier release lacks."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StartupError("it is not a Boardkeeper database")
    for statement in create_statements(EVENTS):
        connection.execute(statement)
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {SNAPSHOTS} (originator_id TEXT, originator_version INTEGER,"
        " topic TEXT, state BLOB, PRIMARY KEY (originator_id, originator_version)) WITHOUT ROWID"
    )
    prepare_tables(connection)
