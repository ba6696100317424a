"""The library's recorders over our tables: events go through the writer, and are read on connections of their own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, LiteralString, NoReturn
from uuid import UUID

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    Notification,
    ProgrammingError,
    StoredEvent,
    Subscription,
)

from boardkeeper.service.storage.chain import ChainedRow
from boardkeeper.service.storage.changes import PutSnapshots
from boardkeeper.service.storage.database import NEWEST, EventRow
from boardkeeper.service.storage.postgres.readers import Readers
from boardkeeper.service.storage.postgres.writer import PostgresWriter
from boardkeeper.service.storage.sql import Change


class PostgresRecorder(ApplicationRecorder):
    """The events of all games (:class:`~boardkeeper.service.storage.database.EventLog`).

    There is no order among all of them, only within each game: what the library builds upon one is refused.
    """

    def __init__(self, writer: PostgresWriter, readers: Readers) -> None:
        self.writer = writer
        self._readers = readers

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Store events and wait for the disk (the library's way in, for threads)."""
        changes: Sequence[Change] = kwargs.get("changes", ())
        if stored_events:
            self.writer.store(changes, stored_events)
        return None

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """The stored events of one game with ``gt < version <= lte``."""
        return _select(self._readers, _EVENTS, originator_id, gt, lte, desc, limit)

    def select_rows(
        self,
        game: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        limit: int | None = None,
        most_bytes: int | None = None,
    ) -> list[EventRow]:
        """The stored events of one game with ``after < version <= until``, oldest first, as bare rows.

        No more rows are read once there are ``most_bytes`` of states.
        """
        bounds = (game, after, NEWEST if until is None else until)
        if most_bytes is None:
            select: LiteralString = (
                "SELECT version, topic, state FROM events WHERE game = %b AND version > %b AND version <= %b"
                " ORDER BY version LIMIT %b"
            )
            return self._readers.rows(select, (*bounds, limit))
        # States are counted where they are: what is not wanted does not come.
        counted: LiteralString = (
            "SELECT version, topic, state FROM (SELECT version, topic, state, sum(length(state)) OVER (ORDER BY version"
            " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM (SELECT * FROM events WHERE game = %b"
            " AND version > %b AND version <= %b ORDER BY version LIMIT %b) e) c"
            " WHERE coalesce(before, 0) < %b ORDER BY version"
        )
        return self._readers.rows(counted, (*bounds, limit, most_bytes))

    def select_chain(self, game: UUID) -> tuple[list[ChainedRow], object, object]:
        """All stored events of a game with their links, and the head of its chain with its version, at one moment."""
        return select_chain(self._readers, game)

    def select_linked(self, game: UUID, after: int, until: int) -> list[ChainedRow]:
        """The stored events of a game with ``after < version <= until`` and their links."""
        select: LiteralString = (
            "SELECT version, topic, state, link FROM events WHERE game = %b AND version > %b AND version <= %b"
            " ORDER BY version"
        )
        return self._readers.rows(select, (game, after, until))

    def select_tails(self, after: Mapping[UUID, int]) -> dict[UUID, list[ChainedRow]]:
        """The stored events of each of these games with ``after <= version`` and their links."""
        # One look at the key for each game: joined otherwise, all events might be looked through.
        select: LiteralString = (
            "SELECT w.game, e.* FROM unnest(%b::uuid[], %b::int[]) AS w (game, after), LATERAL (SELECT version, topic,"
            " state, link FROM events WHERE game = w.game AND version >= w.after ORDER BY version) e"
        )
        found: dict[UUID, list[ChainedRow]] = {}
        for game, *row in self._readers.rows(select, (list(after), list(after.values()))):
            found.setdefault(game, []).append(tuple(row))
        return found

    def select_link(self, game: UUID, version: int) -> bytes:
        """The link of one stored event; empty if it is not there."""
        return next((bytes(row[3]) for row in self.select_linked(game, version - 1, version)), b"")

    def versions(self, games: Collection[UUID]) -> dict[UUID, int]:
        """The newest versions of those of these games that are there."""
        if not games:
            return {}
        return dict(self._readers.rows("SELECT game, version FROM progress WHERE game = ANY(%b)", (list(games),)))

    # --- what the library asks of an order among all events ---------------------------------------------------

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Raises ``ProgrammingError``."""
        _refuse()

    def max_notification_id(self) -> int | None:
        """Raises ``ProgrammingError``."""
        _refuse()

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        """Raises ``ProgrammingError``."""
        _refuse()


def select_chain(readers: Readers, game: UUID) -> tuple[list[ChainedRow], object, object]:
    """All stored events of a game with their links, and the head of its chain with its version, at one moment."""
    select: LiteralString = "SELECT version, topic, state, link FROM events WHERE game = %b ORDER BY version"
    with readers.moment() as connection:
        head = connection.execute("SELECT chain, version FROM progress WHERE game = %b", (game,), binary=True)
        chain, version = head.fetchone() or (None, 0)
        rows: list[ChainedRow] = connection.execute(select, (game,), binary=True).fetchall()
        return rows, chain, version


class PostgresSnapshotRecorder(AggregateRecorder):
    """Stored snapshots, written by the thread that writes the events."""

    def __init__(self, writer: PostgresWriter, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Store snapshots in place of the rows ``misfits``, and wait for the disk."""
        self._writer.store([PutSnapshots(stored_events, kwargs.get("misfits", ()))])
        return None

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """The stored snapshots of one game with ``gt < version <= lte``."""
        return _select(self._readers, _SNAPSHOTS, originator_id, gt, lte, desc, limit)


_EVENTS: LiteralString = (
    "SELECT version, topic, state FROM events WHERE game = %b AND version > %b AND version <= %b ORDER BY version"
)
_SNAPSHOTS: LiteralString = (
    "SELECT version, topic, state FROM snapshots WHERE game = %b AND version > %b AND version <= %b ORDER BY version"
)
_DOWN: LiteralString = " DESC"
_LIMIT: LiteralString = " LIMIT %b"


def _select(
    readers: Readers,
    select: LiteralString,
    id: UUID | str,
    gt: int | None,
    lte: int | None,
    desc: bool,
    limit: int | None,
) -> list[StoredEvent]:
    game = id if isinstance(id, UUID) else UUID(id)
    bounds = (game, -1 if gt is None else gt, NEWEST if lte is None else lte, limit)
    rows = readers.rows(select + (_DOWN if desc else "") + _LIMIT, bounds)
    return [StoredEvent(game, version, topic, state) for version, topic, state in rows]


def _refuse() -> NoReturn:
    raise ProgrammingError("games in PostgreSQL have no order among each other: read each game's own events")
