"""The event feed of all games: items for platforms, in an order that never changes.

Items are stored in the transaction of their append. Each item has a number, which never changes. A client that has read
an item has all items with smaller numbers.

A SQLite file has one writer, so an item gets its number when it is stored. Several processes cannot use a sequence: it
assigns numbers before the commits, which happen in any order, so a reader would miss items. Instead, items are first
stored in ``feed_outbox``. Before a process reads the feed, it takes an advisory lock until its commit and moves the
items in the outbox to the end of ``feed``, with the next numbers (:meth:`FeedTables.number_outbox`). So numbers have no
gaps, open transactions do not delay them, and a restored backup continues them. The items of a game remain in order,
because the next one is stored only after the commit of the previous one.

Each item also has a random id. A client's cursor contains number and id. The id shows whether the number now belongs to
another item, because the database was restored or is another one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.errors import ConflictError
from boardkeeper.service.storage.rows import Int32, encode
from boardkeeper.service.storage.sql import Change, Check, Statement, Tables, Where, columns
from boardkeeper.titlekit.title import Standing

CREATED = "created"
JOINED = "joined"
TURN = "turn"
ENDED = "ended"
RESULT = "result"
REMOVED = "removed"
HANDED_OVER = "handed_over"
TAKEN_BACK = "taken_back"
RESIGNED = "resigned"
TIME_EXPIRED = "time_expired"
VOTE = "vote"

KINDS = (CREATED, JOINED, TURN, ENDED, RESULT, REMOVED, HANDED_OVER, TAKEN_BACK, RESIGNED, TIME_EXPIRED, VOTE)
"""All kinds of items."""

BLANK = ""
"""The kind of an item whose game was removed. Only its number, id and time remain."""

ID_BYTES = 16


class FeedItem(NamedTuple):
    """A new item. The database adds the platform and the title of the game.

    ``version`` is that of the event that the item describes, ``time`` is in milliseconds since 1970, ``content`` is an
    encoded :class:`ItemContent`.
    """

    id: bytes
    game: UUID
    version: int
    time: int
    kind: str
    content: bytes


class ItemContent(Struct, frozen=True, omit_defaults=True):
    """The seats that an item is about, the result of the game, or the kind of the bot that took over."""

    seats: tuple[int, ...] = ()
    standings: tuple[Standing, ...] = ()
    bot: str = ""


class FeedRow(Struct, frozen=True):
    """A stored item."""

    number: int
    id: bytes
    platform: str
    game: UUID
    title: str
    version: Int32
    time: int
    kind: str
    content: ItemContent = ItemContent()


class FeedBounds(NamedTuple):
    """The numbers of the oldest and the newest stored item (0: none), and the newest one's id."""

    oldest: int = 0
    newest: int = 0
    newest_id: bytes = b""


_EMPTY_CONTENT = encode(ItemContent())


def new_item(
    game: UUID,
    version: int,
    time: int,
    kind: str,
    seats: Sequence[int] = (),
    standings: Sequence[Standing] = (),
    bot: str = "",
) -> FeedItem:
    """Return a new item with a random id."""
    content = encode(ItemContent(tuple(seats), tuple(standings), bot)) if seats or standings else _EMPTY_CONTENT
    return FeedItem(os.urandom(ID_BYTES), game, version, time, kind, content)


FEED_LOCK = Statement("{postgres:SELECT pg_advisory_xact_lock(?::bigint)}", (0x626B_6665,))  # "bkfe"
"""While a transaction holds this lock, no other process numbers items."""

_NO_GAME = UUID(int=0)
_BATCH = 2_000

# A join would be planned for the size of the outbox when it was analysed, which is mostly empty: for each item it would
# read all deleted rows that are not vacuumed yet.
NUMBER_ITEMS = (
    "WITH taken AS (DELETE FROM feed_outbox WHERE sequence <= (SELECT max(sequence) FROM"
    " (SELECT sequence FROM feed_outbox ORDER BY sequence LIMIT ?::int) first) RETURNING *)"
    " INSERT INTO feed (number, id, platform, game, title, version, time, kind, content)"
    " SELECT (SELECT coalesce(max(number), 0) FROM feed) + row_number() OVER (ORDER BY sequence),"
    " id, platform, game, title, version, time, kind, content FROM taken"
)
"""SQL for PostgreSQL that moves items from the outbox into the feed. It needs the lock."""


class PruneFeed(Change, frozen=True):
    """Delete items below a number, and their dead letters. The newest item remains: it determines the next number."""

    below: int

    def statements(self) -> list[Statement]:
        delete = "DELETE FROM feed WHERE number < ?::bigint AND number < (SELECT max(number) FROM feed)"
        dead = "DELETE FROM webhook_deliveries WHERE number < ?::bigint AND dead_time IS NOT NULL"
        return [Statement(delete, (self.below,)), Statement(dead, (self.below,))]


def check_numbers_free(numbers: Sequence[int]) -> Check:
    """Return the check that no item has one of these numbers. It needs the lock."""
    return Check("SELECT 1 FROM feed WHERE number = ANY(?::bigint[])", (list(numbers),), ConflictError)


def remove_game_items(game: UUID, time: int) -> list[Statement]:
    """Return statements that blank the items of a game and add one about its removal. The game's row must exist."""
    blank = (
        "UPDATE feed SET platform = '', game = ?::uuid, title = '', version = 0, kind = ?::text, content = ?::bytea"
        " WHERE game = ? AND kind <> ?"
    )
    removed = (
        "INSERT INTO {postgres:feed_outbox}{sqlite:feed} (id, platform, game, title, version, time, kind, content)"
        " SELECT ?::bytea, coalesce(a.platform, ''), w.game, coalesce(g.title, ''), coalesce(p.version, 0), ?::bigint,"
        " ?::text, ?::bytea FROM (SELECT ?::uuid AS game) w LEFT JOIN game_access a ON a.game = w.game"
        " LEFT JOIN games g ON g.game = w.game LEFT JOIN progress p ON p.game = w.game"
        " WHERE w.game NOT IN (SELECT game FROM removed_games WHERE game = ?)"
    )
    return [
        FEED_LOCK,  # without it, items that another process is numbering would remain
        # A process that appends to the game waits for this lock and then finds no row to update.
        Statement("{postgres:SELECT 1 FROM progress WHERE game = ? FOR UPDATE}", (game,)),
        Statement("{postgres:DELETE FROM feed_outbox WHERE game = ? AND kind <> ?}", (game, REMOVED)),
        Statement(blank, (_NO_GAME, BLANK, b"{}", game, REMOVED)),
        Statement(removed, (os.urandom(ID_BYTES), time, REMOVED, b"{}", game, game)),
    ]


class FeedTables(Tables):
    """Reads the feed."""

    def number_outbox(self) -> int:
        """Number the new items and return how many there were. Call this before reading the feed."""
        numbered = 0
        while self._reader.is_shared and self._reader.fetch("SELECT 1 FROM feed_outbox LIMIT 1", ()):
            # The second statement sees what the process that had the lock before has committed.
            count = self._reader.execute([FEED_LOCK, Statement(NUMBER_ITEMS, (_BATCH,))])
            numbered += count
            if count < _BATCH:
                break
        return numbered

    def bounds(self) -> FeedBounds:
        """Return the numbers of the oldest and the newest item."""
        select = (
            "SELECT o.number, n.number, n.id FROM (SELECT number FROM feed ORDER BY number LIMIT 1) o,"
            " (SELECT number, id FROM feed ORDER BY number DESC LIMIT 1) n"
        )
        return next(iter(self._reader.fetch_tuples(FeedBounds, select)), FeedBounds())

    def item_id(self, number: int) -> bytes:
        """Return the id of an item; empty if it does not exist."""
        return next(iter(self._reader.fetch_values(bytes, "SELECT id FROM feed WHERE number = ?::bigint", number)), b"")

    def page(
        self, after: int, until: int, limit: int, *, platform: str | None = None, game: UUID | None = None
    ) -> list[FeedRow]:
        """Return items with ``after < number <= until``, in order, optionally of one platform or game.

        An empty ``platform`` means games without an owner. Blank items are included unless ``game`` is given. Raises
        ``DamagedRowError``.
        """
        where = Where("number > ?::bigint AND number <= ?::bigint", after, until)
        if platform is not None:
            where.add("platform = ?::text", platform)
        if game is not None:
            where.add("game = ?::uuid", game)
        select = f"SELECT {columns(FeedRow)} FROM feed{where} ORDER BY number LIMIT ?::int"
        return self._reader.fetch_structs(FeedRow, select, *where.parameters, limit)
