"""When clocks run out, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from boardkeeper.service.storage.expiries import PutExpiry, Readings, readings_from
from boardkeeper.service.storage.postgres.access import Statement
from boardkeeper.service.storage.postgres.readers import Readers

MIGRATION: LiteralString = """
CREATE TABLE expiries (game uuid PRIMARY KEY, time bigint NOT NULL);
CREATE INDEX expiries_by_time ON expiries (time);
"""
"""A table of its own: an index on what changes would make each update of ``progress`` a dear one."""

CLOCKS: LiteralString = "ALTER TABLE expiries ADD COLUMN clocks bytea;"
"""For lists of games."""


class PostgresExpiries:
    """Reads them (:class:`~boardkeeper.service.storage.expiries.ExpiryTable`)."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def now(self) -> int:
        """Return the time of the database server's clock."""
        ((now,),) = self._readers.rows("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        return int(now)

    def expired(self, until: int, limit: int) -> list[UUID]:
        """Games in which a clock has run out by that time, the longest ago first."""
        select: LiteralString = "SELECT game FROM expiries WHERE time <= %b ORDER BY time LIMIT %b"
        return [game for (game,) in self._readers.rows(select, (until, limit))]

    def expiry(self, game: UUID) -> int | None:
        """When the next clock of a game runs out, if one runs."""
        rows = self._readers.rows("SELECT time FROM expiries WHERE game = %b", (game,))
        return int(rows[0][0]) if rows else None

    def readings(self, games: Sequence[UUID]) -> Mapping[UUID, Readings]:
        """The clocks of those of the games in which one runs."""
        select: LiteralString = "SELECT game, clocks FROM expiries WHERE game = ANY(%b)"
        found = {game: readings_from(clocks) for game, clocks in self._readers.rows(select, (list(games),))}
        return {game: readings for game, readings in found.items() if readings is not None}


def _put_expiry(it: PutExpiry) -> list[Statement]:
    if it.was is not None:
        given = (it.game, it.was)
        if it.time is None:
            return [Statement("DELETE FROM expiries WHERE game = %b AND time = %b", given)]
        update: LiteralString = "UPDATE expiries SET time = %b, clocks = %b WHERE game = %b AND time = %b"
        return [Statement(update, (it.time, it.content, *given))]
    if it.time is None:
        return [Statement("DELETE FROM expiries WHERE game = %b", (it.game,))]
    insert: LiteralString = (
        "INSERT INTO expiries (game, time, clocks) VALUES (%b, %b, %b)"
        " ON CONFLICT (game) DO UPDATE SET time = excluded.time, clocks = excluded.clocks"
    )
    return [Statement(insert, (it.game, it.time, it.content))]


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {PutExpiry: _put_expiry}
"""How it is written."""
