"""When clocks run out, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, LiteralString
from uuid import UUID

from boardkeeper.service.storage.expiries import PutExpiry
from boardkeeper.service.storage.postgres.access import Statement
from boardkeeper.service.storage.postgres.readers import Readers

MIGRATION: LiteralString = """
CREATE TABLE expiries (game uuid PRIMARY KEY, time bigint NOT NULL);
CREATE INDEX expiries_by_time ON expiries (time);
"""
"""A table of its own: an index on what changes would make each update of ``progress`` a dear one."""


class PostgresExpiries:
    """Reads them (:class:`~boardkeeper.service.storage.expiries.ExpiryTable`)."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def expired(self, until: int, limit: int) -> list[UUID]:
        """Games in which a clock has run out by that time, the longest ago first."""
        select: LiteralString = "SELECT game FROM expiries WHERE time <= %b ORDER BY time LIMIT %b"
        return [game for (game,) in self._readers.rows(select, (until, limit))]

    def expiry(self, game: UUID) -> int | None:
        """When the next clock of a game runs out, if one runs."""
        rows = self._readers.rows("SELECT time FROM expiries WHERE game = %b", (game,))
        return int(rows[0][0]) if rows else None


def _put_expiry(it: PutExpiry) -> list[Statement]:
    if it.was is not None:
        given = (it.game, it.was)
        if it.time is None:
            return [Statement("DELETE FROM expiries WHERE game = %b AND time = %b", given)]
        return [Statement("UPDATE expiries SET time = %b WHERE game = %b AND time = %b", (it.time, *given))]
    if it.time is None:
        return [Statement("DELETE FROM expiries WHERE game = %b", (it.game,))]
    insert: LiteralString = (
        "INSERT INTO expiries (game, time) VALUES (%b, %b) ON CONFLICT (game) DO UPDATE SET time = excluded.time"
    )
    return [Statement(insert, (it.game, it.time))]


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {PutExpiry: _put_expiry}
"""How it is written."""
