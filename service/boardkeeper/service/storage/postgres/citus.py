"""The version guard for a distributed PostgreSQL (Citus), where the rows of a game are on the node of its shard.

Citus cannot plan the guard's single statement for several shards. Here each statement is about one game, and each
transaction is about games of one node, so that only this node must commit it. Statements are pipelined. The tables of
the feed and notifications are on the coordinator, to which all processes connect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection

from boardkeeper.service.storage.changes import PROGRESS_COLUMNS, STATE_COLUMNS
from boardkeeper.service.storage.feed import FeedItem
from boardkeeper.service.storage.postgres.notifications import notify_versions
from boardkeeper.service.storage.postgres.version_guard import NO_PROGRESS, EventRow, GuardedStep, VersionGuard

_MAX_CACHED_NODES = 65_536
"""The maximum number of games whose nodes are cached."""

_LOCK_ROW: LiteralString = "SELECT status FROM progress WHERE game = %b AND version = %b FOR NO KEY UPDATE SKIP LOCKED"
_MOVE: LiteralString = (
    "UPDATE progress SET version = %b, chain = %b, "
    + ", ".join(f"{column} = coalesce(%b, {column})" for column in STATE_COLUMNS)
    + " WHERE game = %b"
)
_SET_STATUS: LiteralString = "UPDATE games SET status = %b WHERE game = %b"
_BEGIN: LiteralString = (
    f"INSERT INTO progress ({PROGRESS_COLUMNS}) VALUES (%b, %b, %b, %b, %b, %b, %b, %b) ON CONFLICT (game) DO NOTHING"
)
_EVENT: LiteralString = "INSERT INTO events (game, version, topic, state, link) VALUES (%b, %b, %b, %b, %b)"
_SELECT_ROW: LiteralString = "SELECT platform, title FROM games WHERE game = %b"
_INSERT_ITEM: LiteralString = (
    "INSERT INTO feed_outbox (id, platform, game, title, version, time, kind, content)"
    " VALUES (%b, %b, %b, %b, %b, %b, %b, %b)"
)
SETTINGS: tuple[LiteralString, ...] = ("citus.propagate_set_commands=local",)
"""Settings of a connection with which ``SET LOCAL`` is valid on all nodes."""

_NO_ROW = ("", "")


def is_distributed(connection: Connection[Any]) -> bool:
    """Return whether the database is a coordinator that distributes games to shards."""
    if connection.execute("SELECT to_regclass('pg_dist_partition')").fetchone() == (None,):
        return False
    select: LiteralString = (
        "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('progress') AND partmethod = 'h'"
    )
    return connection.execute(select).fetchone() is not None


class ShardNodes:
    """A cache of the nodes that store games. After a shard was moved, outdated entries only make commits slower."""

    def __init__(self, connection: Connection[Any]) -> None:
        self._connection = connection
        self._cache: dict[UUID, int] = {}

    def of(self, games: Iterable[UUID]) -> Mapping[UUID, int]:
        """Return the numbers of the nodes of these games; the result may contain other games."""
        if len(self._cache) > _MAX_CACHED_NODES:
            self._cache.clear()
        unknown = [game for game in games if game not in self._cache]
        if unknown:
            select: LiteralString = (
                "SELECT game, groupid FROM unnest(%b::uuid[]) w (game) JOIN pg_dist_placement"
                " ON shardid = get_shard_id_for_distribution_column('progress', game)"
            )
            self._cache.update(self._connection.execute(select, (unknown,), binary=True).fetchall())
        return self._cache


class CitusGuard(VersionGuard):
    """Stores steps of games on one node, in the caller's transaction."""

    def __init__(self, *, notify: bool) -> None:
        self._notify = notify

    def move(self, connection: Connection[Any], steps: Sequence[GuardedStep]) -> set[UUID]:
        with connection.pipeline():
            locked = [
                connection.execute(_LOCK_ROW, (step.rows[0].game, step.rows[0].version - 1), binary=True)
                for step in steps
            ]
        found = [(step, row[0]) for step, cursor in zip(steps, locked, strict=True) if (row := cursor.fetchone())]
        feed_items = [item for step, _ in found for item in step.feed_items]
        rows = self._lobby_values(connection, feed_items)
        with connection.pipeline():
            for step, status in found:
                last, progress = step.rows[-1], step.progress
                values = NO_PROGRESS if progress is None else progress[2:]
                connection.execute(_MOVE, (last.version, last.link, *values, last.game))
                if progress is not None and progress.status not in (None, status):
                    connection.execute(_SET_STATUS, (progress.status, last.game))
                _insert_events(connection, step.rows)
            _insert_items(connection, feed_items, rows)
            self._notify_peers(connection, [step for step, _ in found], has_feed_items=bool(feed_items))
        return {step.rows[0].game for step, _ in found}

    def begin(self, connection: Connection[Any], step: GuardedStep) -> bool:
        last, progress = step.rows[-1], step.progress
        values = (
            (0, "", b"[]", b"[]", False) if progress is None else (progress.time, progress.status or "", *progress[4:])
        )
        if not connection.execute(_BEGIN, (last.game, last.version, last.link, *values)).rowcount:
            return False
        with connection.pipeline():
            _insert_events(connection, step.rows)
            self._notify_peers(connection, [step])
        return True

    def insert_feed_items(self, connection: Connection[Any], items: Sequence[FeedItem]) -> None:
        _insert_items(connection, items, self._lobby_values(connection, items))

    @staticmethod
    def _lobby_values(connection: Connection[Any], items: Sequence[FeedItem]) -> Mapping[UUID, tuple[str, str]]:
        """Return the platforms and titles of the games of feed items."""
        games = {item.game for item in items}
        if not games:
            return {}
        with connection.pipeline():
            cursors = {game: connection.execute(_SELECT_ROW, (game,)) for game in games}
        return {game: cursor.fetchone() or _NO_ROW for game, cursor in cursors.items()}

    def _notify_peers(
        self, connection: Connection[Any], steps: Sequence[GuardedStep], *, has_feed_items: bool = False
    ) -> None:
        if self._notify and steps:
            versions = [(step.rows[-1].game, step.rows[-1].version) for step in steps]
            connection.execute(*notify_versions(versions, has_feed_items=has_feed_items))


def _insert_events(connection: Connection[Any], rows: Iterable[EventRow]) -> None:
    for row in rows:
        connection.execute(_EVENT, row)


def _insert_items(connection: Connection[Any], items: Iterable[FeedItem], rows: Mapping[UUID, tuple[str, str]]) -> None:
    for id, game, *values in items:
        platform, title = rows[game]
        connection.execute(_INSERT_ITEM, (id, platform, game, title, *values))
