"""The feed of all games, in PostgreSQL: written with the appends, numbered afterwards by one process at a time.

A sequence gives numbers before commits, and commits come in any order: who read up to a number would miss what is
committed below it later. So items go into ``feed_outbox`` first. Whoever wants to read takes an advisory lock until
its own commit, and moves what it sees there behind the last number of ``feed``. Numbers then have no gaps and appear in
their order, and nothing waits for a transaction that stays open, in this database or in another one of the server (as
it would below ``pg_snapshot_xmin``). Nor do they depend on the numbers of transactions, which begin anew where a dump
is restored.

The items of a game keep their order: the next one is written only once the one before is committed, and seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, LiteralString
from uuid import UUID

from boardkeeper.service.storage.feed import BLANK, REMOVED, Ends, FeedItem, FeedRow, PruneFeed, PutFeed, content_of
from boardkeeper.service.storage.postgres.access import Statement
from boardkeeper.service.storage.postgres.readers import Readers
from boardkeeper.service.storage.rows import encode

_OF_AN_ITEM: LiteralString = """
    id bytea NOT NULL,
    platform text NOT NULL,
    game uuid NOT NULL,
    title text NOT NULL,
    version integer NOT NULL,
    time bigint NOT NULL,
    kind text NOT NULL,
    content bytea NOT NULL
);
"""

MIGRATION: LiteralString = (
    "CREATE TABLE feed_outbox (sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    + _OF_AN_ITEM
    + "CREATE TABLE feed (number bigint PRIMARY KEY,"
    + _OF_AN_ITEM
    + """
CREATE INDEX feed_by_platform ON feed (platform, number);
CREATE INDEX feed_by_game ON feed (game, number);
"""
)
"""What it is kept in, beside what was there before."""

_COLUMNS: LiteralString = "id, platform, game, title, version, time, kind, content"
_AT_ONCE = 2_000
_LOCK = 0x626B_6665  # "bkfe"

# A join would be planned by what was there when the outbox was analysed: mostly nothing, so that for each item all rows
# would be read that have gone and were not cleaned up yet.
_NUMBERED: LiteralString = (
    "WITH taken AS (DELETE FROM feed_outbox WHERE sequence <= (SELECT max(sequence) FROM"
    " (SELECT sequence FROM feed_outbox ORDER BY sequence LIMIT %b::int) first) RETURNING sequence, "
    + _COLUMNS
    + ") INSERT INTO feed (number, "
    + _COLUMNS
    + ") SELECT (SELECT coalesce(max(number), 0) FROM feed) + row_number() OVER (ORDER BY sequence), "
    + _COLUMNS
    + " FROM taken"
)

_INSERT: LiteralString = (
    "INSERT INTO feed_outbox (" + _COLUMNS + ") SELECT w.id, coalesce(g.platform, ''), w.game, coalesce(g.title, ''),"
    " w.version, w.time, w.kind, w.content FROM unnest(%(f_ids)b::bytea[], %(f_games)b::uuid[], %(f_versions)b::int[],"
    " %(f_times)b::bigint[], %(f_kinds)b::text[], %(f_contents)b::bytea[]) WITH ORDINALITY"
    " AS w (id, game, version, time, kind, content, place)"
)
_LINES: LiteralString = " LEFT JOIN games g ON g.game = w.game ORDER BY w.place"

INSERT: LiteralString = _INSERT + _LINES
"""SQL that writes items, whose games have their lines in the lobby."""

INSERT_MOVED: LiteralString = _INSERT + " JOIN moved m ON m.game = w.game" + _LINES
"""The same within the guard: those of the games alone that were moved."""

COLUMNS = ("f_ids", "f_games", "f_versions", "f_times", "f_kinds", "f_contents")
"""The parameters of both, for :func:`values` of each item."""


def values(item: FeedItem) -> tuple[object, ...]:
    """What an item has for each of :data:`COLUMNS`."""
    return item.id, item.game, item.version, item.time, item.kind, item.content


def game_removed(game: UUID, time: int) -> list[Statement]:
    """What a game leaves behind, while its line is still there: that it was removed, once."""
    removed: LiteralString = (
        "INSERT INTO feed_outbox (" + _COLUMNS + ") SELECT uuid_send(gen_random_uuid()), coalesce(a.platform, ''),"
        " w.game, coalesce(g.title, ''), coalesce(p.version, 0), %b::bigint, %b::text, %b::bytea"
        " FROM (SELECT %b::uuid AS game) w LEFT JOIN game_access a USING (game) LEFT JOIN games g USING (game)"
        " LEFT JOIN progress p USING (game) WHERE NOT EXISTS (SELECT 1 FROM removed_games r WHERE r.game = w.game)"
    )
    blank: LiteralString = (
        "UPDATE feed SET platform = '', game = %b::uuid, title = '', version = 0, kind = %b::text, content = %b::bytea"
        " WHERE game = %b AND kind <> %b"
    )
    return [
        Statement("DELETE FROM feed_outbox WHERE game = %b AND kind <> %b", (game, REMOVED)),
        Statement(blank, (UUID(int=0), BLANK, b"{}", game, REMOVED)),
        Statement(removed, (time, REMOVED, b"{}", game)),
    ]


LOCK = Statement("SELECT pg_advisory_xact_lock(%b::bigint)", (_LOCK,))
"""Until the transaction ends nobody else gives numbers."""


class PostgresFeed:
    """Reads it (:class:`~boardkeeper.service.storage.feed.FeedTables`)."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def settle(self) -> int:
        """Give numbers to what was written since."""
        settled = 0
        while self._readers.rows("SELECT 1 FROM feed_outbox LIMIT 1"):
            with self._readers.connection() as connection, connection.transaction():
                connection.execute(LOCK.sql, LOCK.parameters)
                # A statement of its own: it sees what whoever had the lock before has committed.
                count = connection.execute(_NUMBERED, (_AT_ONCE,)).rowcount
            settled += count
            if count < _AT_ONCE:
                break
        return settled

    def ends(self) -> Ends:
        """From where to where it goes."""
        rows = self._readers.rows(
            "SELECT o.number, n.number, n.id FROM (SELECT number FROM feed ORDER BY number LIMIT 1) o,"
            " (SELECT number, id FROM feed ORDER BY number DESC LIMIT 1) n"
        )
        return Ends(rows[0][0], rows[0][1], bytes(rows[0][2])) if rows else Ends()

    def id_at(self, number: int) -> bytes:
        """The id of an item; empty if it is not there."""
        rows = self._readers.rows("SELECT id FROM feed WHERE number = %b::bigint", (number,))
        return bytes(rows[0][0]) if rows else b""

    def page(
        self, after: int, until: int, limit: int, *, platform: str | None = None, game: UUID | None = None
    ) -> list[FeedRow]:
        """Items with ``after < number <= until``, in order."""
        select: LiteralString = "SELECT number, " + _COLUMNS + " FROM feed WHERE number > %b::bigint"
        select += " AND number <= %b::bigint"
        parameters: list[object] = [after, until]
        if platform is not None:
            select += " AND platform = %b::text"
            parameters.append(platform)
        if game is not None:
            select += " AND game = %b::uuid"
            parameters.append(game)
        select += " ORDER BY number LIMIT %b::int"
        return [_row(*row) for row in self._readers.rows(select, (*parameters, limit))]


def _row(number: int, id: bytes, platform: str, game: UUID, *more: Any) -> FeedRow:
    title, version, time, kind, content = more
    return FeedRow(number, bytes(id), platform, game, title, version, time, kind, content_of(bytes(content)))


# --- writing ------------------------------------------------------------------------------------------------


def _prune(it: PruneFeed) -> list[Statement]:
    delete: LiteralString = "DELETE FROM feed WHERE number < %b::bigint AND number < (SELECT max(number) FROM feed)"
    dead: LiteralString = "DELETE FROM webhook_deliveries WHERE number < %b::bigint AND dead_time IS NOT NULL"
    return [Statement(delete, (it.below,)), Statement(dead, (it.below,))]


def _put(it: PutFeed) -> list[Statement]:
    sql: LiteralString = "INSERT INTO feed (number, " + _COLUMNS + ") VALUES (%b, %b, %b, %b, %b, %b, %b, %b, %b)"
    return [LOCK, *(Statement(sql, _values(row)) for row in it.rows)]


def _values(row: FeedRow) -> tuple[object, ...]:
    content = encode(row.content)
    return row.number, row.id, row.platform, row.game, row.title, row.version, row.time, row.kind, content


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {PruneFeed: _prune, PutFeed: _put}
"""How each of these changes is written."""
