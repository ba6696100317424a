"""Group commit: one thread writes everything that waits in one transaction.

A commit costs a flush to the disk, however much it holds, so commands that arrive while one is under way
share the next. Each is durable before it is answered, and a command that conflicts is undone alone.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import structlog
from eventsourcing.persistence import OperationalError

from boardkeeper.service.storage import chain
from boardkeeper.service.storage.changes import Change, Probe, RemoveGame
from boardkeeper.service.storage.database import Append, Batch, Conflict, Failed, Outcome, Stored, Synchronous
from boardkeeper.service.storage.failures import FilesLostError, is_of_the_disk, is_of_the_file
from boardkeeper.service.storage.invitations import EraseInvited
from boardkeeper.service.storage.players import ErasePlayer
from boardkeeper.service.storage.queueing import AppendQueue, HearCommit, tell_commit
from boardkeeper.service.storage.sqlite import feed
from boardkeeper.service.storage.sqlite.changes import (
    OF_LINES,
    PUT_STATUS,
    Row,
    key,
    progress_row,
    progress_statement,
    statements,
)
from boardkeeper.service.storage.sqlite.connections import BUSY_SECONDS, connect
from boardkeeper.service.storage.sqlite.files import OpenFiles
from boardkeeper.service.storage.sqlite.schema import Heads

_log = structlog.get_logger()

_MAX_BATCH = 512
_MOST_ROWS = 96
_MOST_HEADS = 8192
_PROBE_BYTES = 64 * 1024
_TRUNCATE_MILLISECONDS = 100
_ERASING = (ErasePlayer, EraseInvited, RemoveGame)
"""Changes after which the write-ahead log is emptied, because it still has what they erased."""


class GroupCommitWriter:
    """Owns the only writing connection of a database file, and the thread that uses it.

    Everything in a batch goes into as few statements as possible: around each, SQLite lets go of the interpreter and
    has to compete for it again with the busy event loop. ``commits`` and ``appends`` count what was done,
    ``conflicts`` the appends that failed alone. ``trouble``
    is what went wrong with the disk or the files as long as nothing has been stored since. ``on_commit`` is told of
    each commit, on the writer's thread: how many appends it had and how many seconds it took.
    """

    def __init__(
        self,
        database: str,
        table: str,
        synchronous: Synchronous,
        heads: Heads | None = None,
    ) -> None:
        self.commits = 0
        self.appends = 0
        self.conflicts = 0
        self.on_commit: HearCommit | None = None
        self.trouble: Exception | None = None
        self._heads = heads
        self._links: dict[str, tuple[int, bytes]] = {}
        self._statuses: dict[str, str] = {}
        self._link_before = f"SELECT link FROM {table} WHERE originator_id=? AND originator_version=?"
        self._insert = f"INSERT INTO {table} VALUES "
        self._secured = False
        self._must_truncate = False
        """Whether the write-ahead log may have something that was erased."""
        self._closed = False
        self._listeners: tuple[threading.Event, ...] = ()
        self._connection = connect(database, synchronous)
        self._connection.execute("SELECT 1 FROM sqlite_master").fetchall()  # now all its files are there
        self._files = OpenFiles(Path(database))
        self._sql: dict[tuple[bool, int], str] = {}
        self._queue = AppendQueue(self._store, _MAX_BATCH)

    def submit(self, batch: Batch) -> None:
        """Queue a batch. Raises ``OperationalError`` if the writer is closed."""
        self._queue.submit(batch)

    def append(self, append: Append) -> list[int]:
        """Store an append and wait until it is durable; gives the numbers of its events. Raises what prevents it."""
        return list(self._queue.append(append).numbers)

    def store(self, changes: Sequence[Change]) -> None:
        """Store changes alone, all or none, and wait until they are durable; raises what prevents it."""
        self.append(Append((), changes))

    def try_out(self, *, write: bool = False) -> None:
        """Raise what prevents storing now. Store a probe only after :attr:`trouble`, or with ``write``."""
        self.check_files()
        if self._must_truncate:
            self._queue.submit(Batch([], lambda _outcomes: None))
        if self.trouble is not None or write:  # store about as much as some commands do, and take it away again
            self.store([Probe(_PROBE_BYTES)])
            self.store([Probe(0)])

    def close(self) -> None:
        """Store what is queued, then end."""
        if self._closed:
            return
        self._closed = True
        self._queue.close()
        try:
            self._files.check()
        except FilesLostError as error:
            self._lose(error)
        self._connection.close()

    def listen(self, event: threading.Event) -> None:
        """Set the event after every commit from now on."""
        self._listeners = (*self._listeners, event)

    def unlisten(self, event: threading.Event) -> None:
        """Stop what :meth:`listen` began."""
        self._listeners = tuple(listener for listener in self._listeners if listener is not event)

    # --- the writer's thread --------------------------------------------------------------------------------

    def _store(self, appends: list[Append]) -> list[Outcome]:
        """Store appends in one transaction; when one of them does not fit, start again and take them one by one."""
        try:
            self._check_files_again()
            outcomes = self._store_somehow(appends)
        except Exception as error:  # noqa: BLE001  # whatever it was, everybody must be told
            if isinstance(error, FilesLostError):
                self._lose(error)
                return [Failed(error)] * len(appends)
            self.trouble = error
            return [Failed(OperationalError(error))] * len(appends)
        self.trouble = None
        self._secured = False
        if any(isinstance(change, _ERASING) for append in appends for change in append.changes):
            self._must_truncate = True
        if self._must_truncate:
            self._truncate_log()
        return outcomes

    def _truncate_log(self) -> None:
        """Empty the write-ahead log, where erased data is still readable. While a backup reads it, try again later."""
        connection = self._connection
        try:
            connection.execute(f"PRAGMA busy_timeout={_TRUNCATE_MILLISECONDS}").fetchall()
            ((is_busy, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._must_truncate = bool(is_busy)
        except sqlite3.Error as error:  # what had to be stored is stored
            _log.warning("write-ahead log was not emptied", problem=str(error))
        finally:
            connection.execute(f"PRAGMA busy_timeout={round(BUSY_SECONDS * 1000)}").fetchall()

    def _store_somehow(self, appends: list[Append]) -> list[Outcome]:
        if not any(append.changes for append in appends):
            try:
                return self._in_transaction(self._store_together, appends)
            except sqlite3.DatabaseError as error:
                if not (isinstance(error, sqlite3.IntegrityError) or is_of_the_file(error)):
                    raise
        return self._in_transaction(self._store_one_by_one, appends)

    def _check_files_again(self) -> None:
        """Where files were lost nothing more is written, until they are back."""
        if isinstance(self.trouble, FilesLostError):
            self._files.check()

    def _lose(self, error: FilesLostError) -> None:
        """Bring what was stored so far out of the write-ahead log into the file, wherever the two are now.

        The log may still lie where another database has been put: with anything in it, it would spoil that one.
        """
        self.trouble = error
        if not self._secured:
            self._secured = True
            with suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def check_files(self) -> None:
        """Raises :class:`FilesLostError`, which is ``trouble`` then, if writing is vain. Any thread may ask."""
        try:
            self._files.check()
        except FilesLostError as error:
            self.trouble = error
            raise

    def _in_transaction(self, store: Callable[[list[Append]], list[Outcome]], batch: list[Append]) -> list[Outcome]:
        connection = self._connection
        begun = time.perf_counter()
        try:
            if connection.in_transaction:  # what failed before could not even be rolled back then
                connection.execute("ROLLBACK")
            connection.execute("BEGIN IMMEDIATE")
            outcomes = store(batch)
            connection.execute("COMMIT")
            self._files.check()  # after the commit: what is told to be stored is in the file of that name
        except BaseException:
            self._forget()
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        self.commits += 1
        self.appends += len(batch)
        for listener in self._listeners:
            listener.set()
        tell_commit(self.on_commit, len(batch), begun)
        return outcomes

    def _store_together(self, batch: list[Append]) -> list[Outcome]:
        ids = self._insert_events(batch)
        self._write_progress(batch)
        self._insert_news(batch)
        outcomes: list[Outcome] = []
        start = 0
        for append in batch:
            outcomes.append(Stored(ids[start : start + len(append.events)]))
            start += len(append.events)
        return outcomes

    def _store_one_by_one(self, batch: list[Append]) -> list[Outcome]:
        connection = self._connection
        outcomes: list[Outcome] = []
        for append in batch:
            connection.execute("SAVEPOINT append")
            outcome: Outcome
            try:
                outcome = Stored(self._insert_events([append]))
                for change in append.changes:
                    if type(change) in OF_LINES:
                        self._statuses.clear()
                    for sql, parameters in statements(change):
                        connection.execute(sql, parameters)
                self._write_progress([append])
                self._insert_news([append])
            except Exception as error:
                if is_of_the_disk(error) or not connection.in_transaction:
                    raise  # nothing else can be stored either, or SQLite gave up the whole transaction
                self._forget()
                connection.execute("ROLLBACK TO append")
                is_conflict = isinstance(error, sqlite3.IntegrityError)
                self.conflicts += is_conflict
                outcome = Conflict(str(error)) if is_conflict else Failed(OperationalError(error))
            connection.execute("RELEASE append")
            outcomes.append(outcome)
        return outcomes

    def _insert_events(self, appends: Sequence[Append]) -> list[int]:
        rows: list[Row] = []
        links = self._links
        if len(links) > _MOST_HEADS:
            self._forget()
        for append in appends:
            for event in append.events:
                game = key(event.originator_id)
                version, topic, state = event.originator_version, event.topic, event.state
                last = links.get(game)
                before = last[1] if last is not None and last[0] == version - 1 else self._before(game, version)
                link = chain.link(before, version, topic, state)
                links[game] = version, link
                rows.append((game, version, topic, state, link))
        ids: list[int] = []
        for part in _parts(rows):
            count = len(part)
            cursor = self._connection.execute(self._statement(False, count), [value for row in part for value in row])
            last_id = cursor.lastrowid or 0
            ids += range(last_id - count + 1, last_id + 1)
        return ids

    def _forget(self) -> None:
        """From now on look up in the file what it has, and do not go by what was written last."""
        self._links.clear()
        self._statuses.clear()

    def _before(self, game: str, version: int) -> bytes:
        """The link that a game's next row goes on from: the head of its chain."""
        if version > 1:
            row = self._connection.execute(self._heads.read, (game,)).fetchone() if self._heads is not None else None
            if row is None or row[0] is None:
                row = self._connection.execute(self._link_before, (game, version - 1)).fetchone()
            if row is not None and row[0] is not None:
                return bytes(row[0])
        return chain.start(game)

    def _write_progress(self, appends: Sequence[Append]) -> None:
        """Bring the progress of all games up to date, and the head of each one's chain with it."""
        rows: list[Row] = []
        statuses = self._statuses
        for append in appends:
            progress = append.progress
            if progress is not None:
                game, status = key(progress.game), progress.status
                rows.append(progress_row(game, progress, self._links[game][1]))
                if statuses.get(game) != status:
                    self._connection.execute(PUT_STATUS, (status, game))
                    statuses[game] = status
            elif self._heads is not None:
                for game in {key(event.originator_id) for event in append.events}:
                    self._connection.execute(self._heads.write, (self._links[game][1], game))
        for part in _parts(rows):
            self._connection.execute(self._statement(True, len(part)), [value for row in part for value in row])

    def _insert_news(self, appends: Sequence[Append]) -> None:
        """Tell the feed, once the games have their lines in the lobby."""
        rows = [feed.values(item) for append in appends for item in append.news]
        for part in _parts(rows):
            self._connection.execute(feed.insert(len(part)), [value for row in part for value in row])

    def _statement(self, progress: bool, count: int) -> str:
        sql = self._sql.get((progress, count))
        if sql is None:
            sql = progress_statement(count) if progress else self._insert + ",".join(["(?,?,?,?,?)"] * count)
            self._sql[progress, count] = sql
        return sql


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Rows in parts that one statement takes; few enough that SQLite keeps a statement for each number of them."""
    for start in range(0, len(rows), _MOST_ROWS):
        yield rows[start : start + _MOST_ROWS]
