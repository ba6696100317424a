"""When clocks run out, in a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from eventsourcing.sqlite import SQLiteDatastore

from boardkeeper.service.storage.expiries import PutExpiry, Readings, readings_from

TABLES = """
CREATE TABLE IF NOT EXISTS expiries (game_id TEXT PRIMARY KEY, time INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS expiries_by_time ON expiries (time);
"""

ADD_CLOCKS = "ALTER TABLE expiries ADD COLUMN clocks BLOB"


class SqliteExpiries:
    """Reads them (:class:`~boardkeeper.service.storage.expiries.ExpiryTable`)."""

    def __init__(self, datastore: SQLiteDatastore) -> None:
        self._datastore = datastore

    def now(self) -> int:
        """Return the time of this machine's clock."""
        return time.time_ns() // 1_000_000

    def expired(self, until: int, limit: int) -> list[UUID]:
        """Games in which a clock has run out by that time, the longest ago first."""
        select = "SELECT game_id FROM expiries WHERE time<=? ORDER BY time LIMIT ?"
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(select, (until, limit))
            return [UUID(game) for (game,) in cursor.fetchall()]

    def expiry(self, game: UUID) -> int | None:
        """When the next clock of a game runs out, if one runs."""
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute("SELECT time FROM expiries WHERE game_id=?", (game.hex,))
            return next((int(time) for (time,) in cursor.fetchall()), None)

    def readings(self, games: Sequence[UUID]) -> Mapping[UUID, Readings]:
        """The clocks of those of the games in which one runs."""
        select = f"SELECT game_id, clocks FROM expiries WHERE game_id IN ({','.join('?' * len(games))})"
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(select, [game.hex for game in games])
            found = {UUID(game): readings_from(clocks) for game, clocks in cursor.fetchall()}
        return {game: readings for game, readings in found.items() if readings is not None}


def _put_expiry(it: PutExpiry) -> list[tuple[str, tuple[object, ...]]]:
    if it.was is not None:
        given = (it.game.hex, it.was)
        if it.time is None:
            return [("DELETE FROM expiries WHERE game_id=? AND time=?", given)]
        return [("UPDATE expiries SET time=?, clocks=? WHERE game_id=? AND time=?", (it.time, it.content, *given))]
    if it.time is None:
        return [("DELETE FROM expiries WHERE game_id=?", (it.game.hex,))]
    insert = (
        "INSERT INTO expiries (game_id, time, clocks) VALUES (?,?,?)"
        " ON CONFLICT (game_id) DO UPDATE SET time=excluded.time, clocks=excluded.clocks"
    )
    return [(insert, (it.game.hex, it.time, it.content))]


WAYS: dict[type[Any], Callable[[Any], Sequence[tuple[str, tuple[object, ...]]]]] = {PutExpiry: _put_expiry}
"""How it is written."""
