"""Group commit: one thread writes all appends of a batch in one transaction.

A commit costs a flush to disk regardless of its size, so appends that arrive during a commit share the next one. An
append is durable before its outcome is reported, and one that conflicts is rolled back alone.

Python's driver releases the GIL during each statement and then competes for it with the event loop. Therefore a batch
without changes is one statement, without BEGIN and COMMIT (:mod:`~boardkeeper.service.storage.sqlite.append_view`).
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import structlog
from eventsourcing.persistence import OperationalError

from boardkeeper.service.storage import chain
from boardkeeper.service.storage.changes import GameProgress, Probe, RemoveGame
from boardkeeper.service.storage.database import Synchronous
from boardkeeper.service.storage.errors import ConflictError, FilesLostError, is_file_damage, is_unavailable
from boardkeeper.service.storage.invitations import EraseInvitations
from boardkeeper.service.storage.players import ErasePlayer
from boardkeeper.service.storage.sqlite import append_view
from boardkeeper.service.storage.sqlite.connections import BUSY_SECONDS, connect
from boardkeeper.service.storage.sqlite.database_files import FileIdentities
from boardkeeper.service.storage.sqlite.events_table import EVENTS
from boardkeeper.service.storage.sqlite.reader import game_key, run_statements
from boardkeeper.service.storage.sqlite.schema import HEAD_OF
from boardkeeper.service.storage.writer import Append, Batch, Conflict, EventToStore, Failed, Outcome, Stored, Writer

_log = structlog.get_logger()

_MAX_ROWS = 96
"""The maximum number of rows of a statement. The driver caches a statement for each number of rows."""

_MAX_CACHED_HEADS = 8192
_LINK_OF = f"SELECT link FROM {EVENTS} WHERE originator_id=? AND originator_version=?"
_PROBE_BYTES = 64 * 1024
_TRUNCATE_MILLISECONDS = 100
_ERASING = (ErasePlayer, EraseInvitations, RemoveGame)
"""Changes after which the write-ahead log is truncated, because it still contains the erased data."""


class SqliteWriter(Writer):
    """Owns the only writing connection of a database file."""

    def __init__(self, database: str, synchronous: Synchronous) -> None:
        super().__init__()
        self._links: dict[str, tuple[int, bytes]] = {}
        self._is_checkpointed = False
        self._must_truncate = False
        """True if the write-ahead log may contain erased data."""
        self._connection = connect(database, synchronous)
        self._connection.execute("SELECT 1 FROM sqlite_master").fetchall()  # creates the files beside the database
        for sql in append_view.CREATE:
            self._connection.execute(sql)
        self._files = FileIdentities(Path(database))
        self._thread.start()

    def probe(self, *, write: bool = False) -> None:
        self.check_files()
        if self._must_truncate:
            self.submit(Batch([], lambda _outcomes: None))
        if self.last_error is not None or write:  # store about as much as a few commands, then delete it
            self.store([Probe(_PROBE_BYTES)])
            self.store([Probe(0)])

    def close(self) -> None:
        if not self._end():
            return
        try:
            self._files.check()
        except FilesLostError as error:
            self._handle_lost_files(error)
        self._connection.close()

    # --- the writer's thread --------------------------------------------------------------------------------

    def _store(self, appends: Sequence[Append]) -> list[Outcome]:
        """Store appends in one transaction. If one of them conflicts, start again and store them one by one."""
        try:
            self._check_lost_files()
            outcomes = self._store_batch(appends)
        except Exception as error:  # noqa: BLE001  # all callers need an outcome
            if isinstance(error, FilesLostError):
                self._handle_lost_files(error)
                return [Failed(error)] * len(appends)
            self.last_error = error
            return [Failed(OperationalError(error))] * len(appends)
        self.last_error = None
        self._is_checkpointed = False
        if any(isinstance(change, _ERASING) for append in appends for change in append.changes):
            self._must_truncate = True
        if self._must_truncate:
            self._truncate_log()
        return outcomes

    def _truncate_log(self) -> None:
        """Truncate the write-ahead log, which still contains erased data.

        If a backup reads it, try again after the next batch.
        """
        connection = self._connection
        try:
            connection.execute(f"PRAGMA busy_timeout={_TRUNCATE_MILLISECONDS}").fetchall()
            ((is_busy, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._must_truncate = bool(is_busy)
        except sqlite3.Error as error:  # the appends are stored
            _log.warning("write-ahead log was not emptied", problem=str(error))
        finally:
            connection.execute(f"PRAGMA busy_timeout={round(BUSY_SECONDS * 1000)}").fetchall()

    def _store_batch(self, appends: Sequence[Append]) -> list[Outcome]:
        if not any(append.changes for append in appends):
            try:
                return self._in_transaction(self._store_together, appends, begin=not _is_one_statement(appends))
            except sqlite3.DatabaseError as error:
                if not (isinstance(error, sqlite3.IntegrityError) or is_file_damage(error)):
                    raise
        return self._in_transaction(self._store_one_by_one, appends)

    def _check_lost_files(self) -> None:
        """Raise :class:`FilesLostError` if the files were lost before and are not back yet."""
        if isinstance(self.last_error, FilesLostError):
            self._files.check()

    def _handle_lost_files(self, error: FilesLostError) -> None:
        """Copy the write-ahead log into the database file after its files were moved.

        Otherwise the log could damage another database that was put in the place of this one.
        """
        self.last_error = error
        if not self._is_checkpointed:
            self._is_checkpointed = True
            with suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def check_files(self) -> None:
        """Raise :class:`FilesLostError` if the files were removed or replaced. Any thread may call this."""
        try:
            self._files.check()
        except FilesLostError as error:
            self.last_error = error
            raise

    def _in_transaction(
        self, store: Callable[[Sequence[Append]], list[Outcome]], batch: Sequence[Append], *, begin: bool = True
    ) -> list[Outcome]:
        """Store a batch and commit. Without ``begin`` it must be a single statement."""
        connection = self._connection
        start = time.perf_counter()
        try:
            if connection.in_transaction:  # an earlier rollback has failed
                connection.execute("ROLLBACK")
            if begin:
                connection.execute("BEGIN IMMEDIATE")
            outcomes = store(batch)
            if begin:
                connection.execute("COMMIT")
            self._files.check()  # after the commit: reported appends must be in the file with this name
        except BaseException:
            self._links.clear()
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        self._count_commit(len(batch), start)
        return outcomes

    def _store_together(self, batch: Sequence[Append]) -> list[Outcome]:
        self._insert_events(batch)
        return [Stored()] * len(batch)

    def _store_one_by_one(self, batch: Sequence[Append]) -> list[Outcome]:
        connection = self._connection
        outcomes: list[Outcome] = []
        for append in batch:
            connection.execute("SAVEPOINT append")
            outcome: Outcome
            try:
                for change in append.changes:
                    run_statements(connection, change.statements())
                self._insert_events([append])  # after the changes, which may insert the lobby row
                outcome = Stored()
            except Exception as error:
                if is_unavailable(error) or not connection.in_transaction:
                    raise  # nothing else can be stored, or SQLite rolled back the whole transaction
                self._links.clear()
                connection.execute("ROLLBACK TO append")
                is_conflict = isinstance(error, (sqlite3.IntegrityError, ConflictError))
                self.conflicts += is_conflict
                outcome = Conflict(str(error)) if is_conflict else Failed(OperationalError(error))
            connection.execute("RELEASE append")
            outcomes.append(outcome)
        return outcomes

    def _insert_events(self, appends: Sequence[Append]) -> None:
        """Insert the events of appends with the progress of their games, then their feed items."""
        values: list[object] = []
        for append in appends:
            self._add_events(values, append.events, append.progress)
        for append in appends:
            for item in append.feed_items:
                values += append_view.feed_item_values(item)
        for start in range(0, len(values), _MAX_ROWS * append_view.WIDTH):
            part = values[start : start + _MAX_ROWS * append_view.WIDTH]
            self._connection.execute(append_view.insert_sql(len(part) // append_view.WIDTH), part)

    def _add_events(self, values: list[object], events: Sequence[EventToStore], progress: GameProgress | None) -> None:
        """Append the values of an append's events, with their links, to ``values``."""
        links = self._links
        if len(links) > _MAX_CACHED_HEADS:
            links.clear()
        last_of: dict[str, int] = {}
        for event in events:
            game, version = game_key(event.originator_id), event.originator_version
            last = links.get(game)
            before = last[1] if last is not None and last[0] == version - 1 else self._previous_link(game, version)
            link = chain.next_link(before, version, event.topic, event.state)
            links[game] = version, link
            last_of[game] = len(values)
            values += append_view.event_values(game, version, event.topic, event.state, link)
        for at in last_of.values():
            append_view.mark_last_event(values, at, progress)

    def _previous_link(self, game: str, version: int) -> bytes:
        """Return the link of the event before ``version``, or the initial link."""
        if version > 1:
            row = self._connection.execute(HEAD_OF, (game,)).fetchone()
            if row is None or row[0] is None:  # the lobby row may not exist yet
                row = self._connection.execute(_LINK_OF, (game, version - 1)).fetchone()
            if row is not None and row[0] is not None:
                return bytes(row[0])
        return chain.initial_link(game)


def _is_one_statement(appends: Sequence[Append]) -> bool:
    return sum(len(append.events) + len(append.feed_items) for append in appends) <= _MAX_ROWS
