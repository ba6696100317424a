"""The library's application recorder over the group-commit writer, on the library's own table and a chain over it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder, ListenNotifySubscription, StoredEvent, Subscription
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from boardkeeper.service.storage.chain import ChainedRow
from boardkeeper.service.storage.database import NEWEST, EventRow, Synchronous
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.sqlite.connections import ConnectionPool
from boardkeeper.service.storage.sqlite.events_table import EVENTS, select_chain
from boardkeeper.service.storage.sqlite.files import make
from boardkeeper.service.storage.sqlite.reader import key
from boardkeeper.service.storage.sqlite.schema import HEAD_OF, create_tables
from boardkeeper.service.storage.sqlite.writer import GroupCommitWriter


class GroupCommitRecorder(SQLiteApplicationRecorder):
    """Events through one writer thread; reads on connections of their own.

    ``writer`` starts when all tables exist.
    """

    def __init__(self, datastore: SQLiteDatastore, *, synchronous: Synchronous = "FULL") -> None:
        super().__init__(datastore, EVENTS)
        replaced = datastore.pool
        make(Path(replaced.db_name))
        datastore.pool = ConnectionPool(replaced.db_name, synchronous)
        replaced.close()
        self._synchronous = synchronous
        self._writer: GroupCommitWriter | None = None

    @property
    def writer(self) -> GroupCommitWriter:
        """The thread that writes."""
        if self._writer is None:
            self._writer = GroupCommitWriter(self.datastore.pool.db_name, self._synchronous)
        return self._writer

    def create_table(self) -> None:
        """Create the tables that are missing, then start the writer."""
        create_tables(self.datastore)
        self.writer  # noqa: B018  # started here, before any thread can race for it

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Store events, wait until they are durable, and return their numbers. The library's threads call it."""
        changes: Sequence[Change] = kwargs.get("changes", ())
        if not stored_events:
            return []
        self.writer.store(changes, stored_events)
        select = f"SELECT rowid FROM {EVENTS} WHERE originator_id=? AND originator_version=?"
        with self.datastore.transaction(commit=False) as cursor:
            numbers: list[int] = []
            for event in stored_events:
                cursor.execute(select, (key(event.originator_id), event.originator_version))
                numbers += [row[0] for row in cursor.fetchall()]
            return numbers

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
        with self.datastore.transaction(commit=False) as cursor:
            cursor.sqlite_cursor.row_factory = None
            cursor.execute(
                f"SELECT originator_version, topic, state FROM {EVENTS}"
                " WHERE originator_id=? AND originator_version>? AND originator_version<=?"
                " ORDER BY originator_version LIMIT ?",
                (game.hex, after, (1 << 62) if until is None else until, -1 if limit is None else limit),
            )
            if most_bytes is None:
                rows: list[EventRow] = cursor.fetchall()
                return rows
            rows = []
            for row in cursor.sqlite_cursor:
                rows.append(row)
                most_bytes -= len(row[2])
                if most_bytes <= 0:
                    break
            return rows

    def select_chain(self, game: UUID) -> tuple[list[ChainedRow], object, object]:
        """All stored events of a game with their links, and the head of its chain with its version, at one moment.

        Where SQLite finds the file damaged, the rows end.
        """
        with self.datastore.transaction(commit=False) as cursor:
            cursor.sqlite_cursor.row_factory = None
            return select_chain(cursor.sqlite_cursor, HEAD_OF, game.hex)

    def select_linked(self, game: UUID, after: int, until: int) -> list[ChainedRow]:
        """The stored events of a game with ``after < version <= until`` and their links."""
        with self.datastore.transaction(commit=False) as cursor:
            cursor.sqlite_cursor.row_factory = None
            cursor.execute(
                f"SELECT originator_version, topic, state, link FROM {EVENTS} WHERE originator_id=?"
                " AND originator_version>? AND originator_version<=? ORDER BY originator_version",
                (game.hex, after, until),
            )
            rows: list[ChainedRow] = cursor.fetchall()
            return rows

    def select_tails(self, after: Mapping[UUID, int]) -> dict[UUID, list[ChainedRow]]:
        """The stored events of each of these games with ``after <= version`` and their links."""
        return {game: self.select_linked(game, version - 1, NEWEST) for game, version in after.items()}

    def select_link(self, game: UUID, version: int) -> bytes:
        """The link of one stored event; empty if it is not there or has none."""
        link = next((row[3] for row in self.select_linked(game, version - 1, version)), None)
        return link if isinstance(link, bytes) else b""

    def versions(self, games: Collection[UUID]) -> dict[UUID, int]:
        """The newest versions of those of these games that are there."""
        select = f"SELECT max(originator_version) FROM {EVENTS} WHERE originator_id=?"
        found: dict[UUID, int] = {}
        with self.datastore.transaction(commit=False) as cursor:
            cursor.sqlite_cursor.row_factory = None
            for game in games:
                cursor.execute(select, (game.hex,))
                ((version,),) = cursor.fetchall()
                if version is not None:
                    found[game] = version
        return found

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        """Events after a notification id as they are committed; the library's SQLite has no such thing."""
        return _Subscription(self, gt=gt, topics=topics)

    def close(self) -> None:
        """Store what is queued and end the writer."""
        if self._writer is not None:
            self._writer.close()


class _Subscription(ListenNotifySubscription[ApplicationRecorder]):
    """Wakes at every commit of this process, which is the only one that writes the file."""

    def __init__(self, recorder: GroupCommitRecorder, gt: int | None, topics: Sequence[str]) -> None:
        super().__init__(recorder, gt=gt, topics=topics)
        self._writer = recorder.writer
        self._writer.listen(self._has_been_notified)
        self._has_been_notified.set()

    def stop(self) -> None:
        super().stop()
        self._writer.unlisten(self._has_been_notified)
