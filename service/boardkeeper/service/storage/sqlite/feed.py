"""The feed of all games, in a file: numbered as it is written, for there is one writer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from eventsourcing.sqlite import SQLiteDatastore
from msgspec.structs import replace

from boardkeeper.service.storage.feed import BLANK, REMOVED, Ends, FeedRow, PruneFeed, PutFeed, content_of
from boardkeeper.service.storage.rows import encode
from boardkeeper.service.storage.sqlite.typed import blob, fitting

Statement = tuple[str, tuple[object, ...]]

# The next number is above the last one, also when that has gone since.
TABLES = """
CREATE TABLE IF NOT EXISTS feed (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id BLOB NOT NULL,
    platform TEXT NOT NULL,
    game_id TEXT NOT NULL,
    title TEXT NOT NULL,
    version INTEGER NOT NULL,
    time INTEGER NOT NULL,
    kind TEXT NOT NULL,
    content BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS feed_by_platform ON feed (platform, number);
CREATE INDEX IF NOT EXISTS feed_by_game ON feed (game_id, number);
"""

_COLUMNS = "id, platform, game_id, title, version, time, kind, content"
_NO_GAME = UUID(int=0).hex


INSERT_NEW = f"""
INSERT INTO feed ({_COLUMNS}) SELECT NEW.link, coalesce((SELECT platform FROM games WHERE game_id=NEW.game_id), ''),
    NEW.game_id, coalesce((SELECT title FROM games WHERE game_id=NEW.game_id), ''), NEW.version, NEW.time, NEW.name,
    NEW.content;
"""
"""SQL of a trigger that writes an item, whose game has its line in the lobby."""


def game_removed(game: UUID, time: int, tombstones: str) -> list[Statement]:
    """What a game leaves behind, while its line is still there: that it was removed, once."""
    key = game.hex
    removed = (
        f"INSERT INTO feed ({_COLUMNS}) SELECT randomblob(16),"
        " coalesce((SELECT platform FROM game_access WHERE game_id=?1), ''), ?1,"
        " coalesce((SELECT title FROM games WHERE game_id=?1), ''),"
        " coalesce((SELECT version FROM games WHERE game_id=?1), 0), ?2, ?3, ?4"
        f" WHERE NOT EXISTS (SELECT 1 FROM {tombstones} WHERE game_id=?1)"
    )
    return [
        (
            (
                "UPDATE feed SET platform='', game_id=?, title='', version=0, kind=?, content=? WHERE game_id=?"
                f" AND kind<>'{REMOVED}'"
            ),
            (_NO_GAME, BLANK, b"{}", key),
        ),
        (removed, (key, time, REMOVED, b"{}")),
    ]


class SqliteFeed:
    """Reads it (:class:`~boardkeeper.service.storage.feed.FeedTables`)."""

    def __init__(self, datastore: SQLiteDatastore) -> None:
        self._datastore = datastore

    def settle(self) -> int:
        """Everything has its number."""
        return 0

    def ends(self) -> Ends:
        """From where to where it goes."""
        first = self._rows("SELECT number FROM feed ORDER BY number LIMIT 1")
        last = self._rows("SELECT number, id FROM feed ORDER BY number DESC LIMIT 1")
        return Ends(first[0][0], last[0][0], blob(last[0][1])) if first and last else Ends()

    def id_at(self, number: int) -> bytes:
        """The id of an item; empty if it is not there."""
        rows = self._rows("SELECT id FROM feed WHERE number=?", (number,))
        return blob(rows[0][0]) if rows else b""

    def page(
        self, after: int, until: int, limit: int, *, platform: str | None = None, game: UUID | None = None
    ) -> list[FeedRow]:
        """Items with ``after < number <= until``, in order."""
        where, parameters = "number>? AND number<=?", [after, until, *(it for it in (platform,) if it is not None)]
        if platform is not None:
            where += " AND platform=?"
        if game is not None:
            where += " AND game_id=?"
            parameters.append(game.hex)
        select = f"SELECT number, {_COLUMNS} FROM feed WHERE {where} ORDER BY number LIMIT ?"
        return [_row(*row) for row in self._rows(select, (*parameters, limit))]

    def _rows(self, sql: str, parameters: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(sql, parameters)
            return [tuple(row) for row in cursor.fetchall()]


def _row(number: int, id: bytes, platform: str, game: str, *more: Any) -> FeedRow:
    *others, content = more
    return replace(fitting(FeedRow, number, id, platform, game, *others), content=content_of(content))


# --- writing ------------------------------------------------------------------------------------------------


def _prune(it: PruneFeed) -> list[Statement]:
    return [
        ("DELETE FROM feed WHERE number<? AND number<(SELECT max(number) FROM feed)", (it.below,)),
        ("DELETE FROM webhook_deliveries WHERE number<? AND dead_time IS NOT NULL", (it.below,)),
    ]


def _put(it: PutFeed) -> list[Statement]:
    sql = f"INSERT INTO feed (number, {_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)"
    return [(sql, _values(row)) for row in it.rows]


def _values(row: FeedRow) -> tuple[object, ...]:
    game, content = row.game.hex, encode(row.content)
    return row.number, row.id, row.platform, game, row.title, row.version, row.time, row.kind, content


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {PruneFeed: _prune, PutFeed: _put}
"""How each of these changes is written."""
