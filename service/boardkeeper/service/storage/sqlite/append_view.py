"""A temporary view through which one INSERT writes a batch of appends: events, lobby rows and feed items.

Its triggers distribute the rows among the tables. A single statement outside a transaction is a transaction, so SQLite
begins, writes and commits a batch within one call of the driver.
"""

from __future__ import annotations

from functools import cache

from boardkeeper.service.storage.changes import GameProgress
from boardkeeper.service.storage.feed import FeedItem
from boardkeeper.service.storage.sqlite.events_table import EVENTS

EVENT, LAST_EVENT, LAST_EVENT_WITH_PROGRESS, FEED_ITEM = range(4)
"""The kinds of rows. The last event of a game in an append has its own kinds, without or with the game's progress."""

WIDTH = 10
"""The number of columns of the view."""

_COLUMNS = "kind, game, version, name, content, link, time, status, decisions, standings"
_INSERT_ITEM = """
INSERT INTO feed (id, platform, game, title, version, time, kind, content) SELECT NEW.link,
    coalesce((SELECT platform FROM games WHERE game=NEW.game), ''), NEW.game,
    coalesce((SELECT title FROM games WHERE game=NEW.game), ''), NEW.version, NEW.time, NEW.name, NEW.content;
"""
"""SQL that inserts a feed item of a game that has a lobby row."""

_NO_PROGRESS = (None,) * 4
_PROGRESS_AT = WIDTH - len(_NO_PROGRESS)
_ROW = f"({','.join('?' * WIDTH)})"


_ACTIONS = {
    f"kind<>{FEED_ITEM}": f"INSERT INTO {EVENTS} VALUES (NEW.game, NEW.version, NEW.name, NEW.content, NEW.link);",
    f"kind={LAST_EVENT}": "UPDATE games SET chain=NEW.link WHERE game=NEW.game;",
    f"kind={LAST_EVENT_WITH_PROGRESS}": (
        "UPDATE games SET version=NEW.version, update_time=NEW.time, decisions=NEW.decisions, standings=NEW.standings,"
        " chain=NEW.link WHERE game=NEW.game;"
    ),
    "status IS NOT NULL": "UPDATE games SET status=NEW.status WHERE game=NEW.game;",
    f"kind={FEED_ITEM}": _INSERT_ITEM,
}
CREATE = (
    f"CREATE TEMP VIEW appended ({_COLUMNS}) AS SELECT {','.join(['NULL'] * WIDTH)}",
    *(
        f"CREATE TEMP TRIGGER append_{at} INSTEAD OF INSERT ON appended WHEN NEW.{condition} BEGIN {action} END"
        for at, (condition, action) in enumerate(_ACTIONS.items())
    ),
)
"""SQL that creates the view on a connection."""


@cache
def insert_sql(rows: int) -> str:
    """Return SQL that inserts a number of rows, with ``WIDTH`` parameters for each."""
    return "INSERT INTO appended VALUES " + ",".join([_ROW] * rows)


def event_values(game: str, version: int, topic: str, state: bytes, link: bytes) -> tuple[object, ...]:
    """Return the values of an event."""
    return EVENT, game, version, topic, state, link, *_NO_PROGRESS


def mark_last_event(values: list[object], at: int, progress: GameProgress | None) -> None:
    """Mark the event whose values begin at index ``at`` as the last one of its game, and add the game's progress."""
    if progress is None:
        values[at] = LAST_EVENT
    else:
        values[at] = LAST_EVENT_WITH_PROGRESS
        values[at + _PROGRESS_AT : at + WIDTH] = progress.time, progress.status, progress.decisions, progress.standings


def feed_item_values(it: FeedItem) -> tuple[object, ...]:
    """Return the values of a feed item."""
    return FEED_ITEM, it.game.hex, it.version, it.kind, it.content, it.id, it.time, None, None, None
