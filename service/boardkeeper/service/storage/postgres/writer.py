"""Group commit: one thread stores all waiting appends with one guarded statement, which is one commit.

Appends with further changes follow in a transaction with a savepoint for each, so that each can be rolled back alone.
An append that loses a race has the outcome "conflict" and does not affect the others.

The writer does not wait for rows of a game that another transaction has locked: the append of that game is *blocked*,
and the others are stored. For other locks it waits for a short time (``lock_timeout``).

In a distributed database each node has its own transaction (:mod:`~boardkeeper.service.storage.postgres.citus`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import groupby, islice
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from eventsourcing.persistence import OperationalError
from psycopg.errors import LockNotAvailable

from boardkeeper.service.storage import chain
from boardkeeper.service.storage.changes import GameProgress, NewGame, Probe, not_removed
from boardkeeper.service.storage.errors import BlockedError, ConflictError, UnreachableError, is_unavailable
from boardkeeper.service.storage.postgres.address import Address, backend_pid, configure
from boardkeeper.service.storage.postgres.citus import SETTINGS, CitusGuard, ShardNodes, is_distributed
from boardkeeper.service.storage.postgres.errors import CONFLICTS, translate
from boardkeeper.service.storage.postgres.notifications import notify_changed, notify_feed
from boardkeeper.service.storage.postgres.reader import PostgresReader, run_statements
from boardkeeper.service.storage.postgres.version_guard import PLAN_SETTINGS, EventRow, GuardedStep, VersionGuard
from boardkeeper.service.storage.sql import Check, Statement
from boardkeeper.service.storage.writer import Append, Blocked, Conflict, EventToStore, Failed, Outcome, Stored, Writer

MAX_APPENDS = 180
"""The maximum number of appends of a statement: their games must fit into one notification."""

_MAX_CACHED_HEADS = 8192
_NO_HEAD = (-1, b"")
_PROBE_BYTES = 64 * 1024
_MIN_RETRY_DELAY, _MAX_RETRY_DELAY = 0.1, 2.0
_LOCK_TIMEOUT, _SHORT_LOCK_TIMEOUT = "250ms", "1ms"
_MAX_LOCK_TIMEOUTS = 2
"""After this many lock timeouts in a transaction, its other appends use the short timeout."""

_LOCKED = "another transaction of the database holds a lock on rows of the game or on its tables"
_CONFLICT = "another process has changed the game"

_Connection = psycopg.Connection[Any]


class PostgresWriter(Writer):
    """Owns the writing connection.

    A lost connection is opened again for the next batch, with growing delays. The outcome of the batch that was being
    stored is reported as failed: if it was stored, a client that repeats the command gets the outcome.
    """

    def __init__(
        self, address: Address, readers: PostgresReader, settings: Sequence[str] = (), *, notify: bool = True
    ) -> None:
        """With ``notify``, other processes are notified of appends. Raises ``psycopg.Error``.

        ``readers`` checks the database while nothing is written.
        """
        super().__init__()
        self._address = address
        self._readers = readers
        self._settings = (f"lock_timeout='{_LOCK_TIMEOUT}'", *settings)
        self._notify = notify
        self._guard: VersionGuard
        self._nodes: ShardNodes | None = None
        """``None`` unless the database is distributed."""
        self._links: dict[UUID, tuple[int, bytes]] = {}
        self._retry_delay = _MIN_RETRY_DELAY
        self._retry_time = 0.0
        self._closing = False
        self._lock_timeouts = 0
        self._has_short_timeout = False
        """True if the current transaction uses the short lock timeout."""
        self._blocked: set[Hashable] = set()
        """Games and other lock keys that timed out. Their next attempts use the short lock timeout."""
        self._process = 0
        self._connection: _Connection | None = self._connect()
        self._thread.start()

    @property
    def process(self) -> int:
        """The id of the server process that writes; 0 without a connection."""
        return self._process if self._connection is not None else 0

    def probe(self, *, write: bool = False) -> None:
        if self.last_error is None and not write:
            self._readers.ping()
            return
        for size in (_PROBE_BYTES, 0):  # store about as much as a few commands, then delete it
            outcome = self.store_once(Append((), [Probe(size)]))
            if isinstance(outcome, Failed):
                raise outcome.error
            if not isinstance(outcome, Stored):
                raise UnreachableError(outcome.problem)

    def close(self) -> None:
        """Store what is queued and stop. After the first failure do not try to connect again."""
        self._closing = True
        self._end()
        self._disconnect()

    # --- the connection; on the writer's thread -----------------------------------------------------------------

    def _connect(self) -> _Connection:
        connection = self._address.connect(self._settings, prepare_threshold=0)
        connection.keep_waiting = self._waits_for_standby
        self._process = backend_pid(connection)
        if is_distributed(connection):
            self._guard, self._nodes = CitusGuard(notify=self._notify), ShardNodes(connection)
            configure(connection, SETTINGS)
        else:
            self._guard, self._nodes = VersionGuard(notify=self._notify), None
            configure(connection, PLAN_SETTINGS)
        return connection

    def _waits_for_standby(self) -> bool:
        """Return whether to continue to wait for a standby: the commit would remain open without this connection."""
        return not self._closing and self._readers.waits_for_standby(self.process)

    def _get_connection(self) -> _Connection:
        """Return the connection, opened again if it was lost. Raises ``UnreachableError``."""
        if self._connection is not None:
            return self._connection
        if time.monotonic() < self._retry_time or (self._closing and self.last_error is not None):
            raise UnreachableError(str(self.last_error or "the database does not answer"))
        try:
            self._connection = self._connect()
        except psycopg.Error as error:
            self._retry_time = time.monotonic() + self._retry_delay
            self._retry_delay = min(2 * self._retry_delay, _MAX_RETRY_DELAY)
            raise translate(error) from error
        self._retry_delay = _MIN_RETRY_DELAY
        return self._connection

    def _disconnect(self) -> None:
        self._links.clear()
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    # --- storing ------------------------------------------------------------------------------------------------

    def _store(self, appends: Sequence[Append]) -> list[Outcome]:
        """Store appends in parts that fit into one notification."""
        outcomes: list[Outcome] = []
        remaining = iter(appends)
        while part := list(islice(remaining, MAX_APPENDS)):
            outcomes += self._store_part(part)
        return outcomes

    def _store_part(self, appends: list[Append]) -> list[Outcome]:
        """Store appends: first, together, those that only add events to different games; then the others.

        Changes of a quota have their own transactions; otherwise processes would wait for each other, possibly in a
        deadlock.
        """
        seen: set[UUID] = set()
        together: list[int] = []
        alone: list[int] = []
        counted: list[int] = []
        for at, append in enumerate(appends):
            games = {_game_id(event) for event in append.events}
            is_plain = len(games) == 1 and not append.changes and append.events[0].originator_version > 1
            if _is_counted(append):
                counted.append(at)
            else:
                is_plain = is_plain and games.isdisjoint(self._blocked)
                (together if is_plain and seen.isdisjoint(games) else alone).append(at)
            seen |= games
        outcomes: dict[int, Outcome] = {}
        parts = [(part, self._store_together) for part in self._by_node(appends, together)]
        parts += [(part, self._store_one_by_one) for part in self._by_node(appends, alone)]
        parts += [([at], self._store_one_by_one) for at in counted]
        for numbers, store in parts:
            part = [appends[at] for at in numbers]
            outcomes |= zip(numbers, self._store_safely(store, part), strict=True)
        return [outcomes[at] for at in range(len(appends))]

    def _by_node(self, appends: list[Append], numbers: list[int]) -> list[list[int]]:
        """Divide appends among transactions: return lists of indexes, made from the indexes ``numbers``.

        In a distributed database a transaction contains the games of one node. A new game has its own transaction,
        because games are numbered in the order of their creation.
        """
        if self._nodes is None or not numbers:
            return [numbers] if numbers else []
        numbers = sorted(numbers, key=lambda at: _storage_order(appends[at]))
        try:
            nodes = self._nodes.of({_game_id(event) for at in numbers for event in appends[at].events})
        except psycopg.Error:
            return [numbers]  # a transaction across nodes also stores them, or reports the problem
        parts: dict[object, list[int]] = {}
        for at in numbers:
            events = appends[at].events
            is_in_game = bool(events) and events[0].originator_version > 1
            key = ("node", nodes[_game_id(events[0])]) if is_in_game else ("append", at)
            parts.setdefault(key, []).append(at)
        return list(parts.values())

    def _store_safely(
        self, store: Callable[[_Connection, list[Append]], list[Outcome]], appends: list[Append]
    ) -> list[Outcome]:
        """Store appends and return their outcomes; errors count as outcomes."""
        start = time.perf_counter()
        try:
            outcomes = store(self._get_connection(), appends)
        except LockNotAvailable:
            self._links.clear()
            return [Blocked(_LOCKED)] * len(appends)
        except Exception as error:  # noqa: BLE001  # all callers need an outcome
            failed = translate(error) if isinstance(error, psycopg.Error) else error
            if not isinstance(failed, OperationalError):
                failed = OperationalError(failed)
            if self._connection is not None:
                self._disconnect()  # its state is unknown
            self.last_error = failed
            return [Failed(failed)] * len(appends)
        done = sum(not isinstance(outcome, Blocked) for outcome in outcomes)
        if done:
            self.last_error = None
            self._count_commit(done, start)
        return outcomes

    def _store_together(self, connection: _Connection, appends: list[Append]) -> list[Outcome]:
        """Store appends of different games with one statement. If it fails, store them one by one."""
        self._load_heads(connection, [append.events[0] for append in appends])
        steps = {at: step for at, append in enumerate(appends) if (step := self._make_step(append)) is not None}
        try:
            with nullcontext() if self._nodes is None else self._transaction(connection):
                moved = self._guard.move(connection, list(steps.values()))
        except psycopg.Error as error:
            if is_unavailable(translate(error)) and not isinstance(error, LockNotAvailable):
                raise
            self._links.clear()
            return self._store_one_by_one(connection, appends, has_waited=isinstance(error, LockNotAvailable))
        locked = self._find_locked(connection, steps.values(), moved)
        outcomes: list[Outcome] = [self._outcome(steps.get(at), moved, locked) for at in range(len(appends))]
        self.conflicts += sum(isinstance(outcome, Conflict) for outcome in outcomes)
        return outcomes

    def _find_locked(self, connection: _Connection, steps: Iterable[GuardedStep], moved: set[UUID]) -> set[UUID]:
        """Return the games that were not stored although they are at the expected version.

        Another transaction has locked their rows, or had locked them a moment ago.
        """
        expected = {step.rows[0].game: step.rows[0].version - 1 for step in steps if step.rows[0].game not in moved}
        if not expected:
            return set()
        select = "SELECT game, version FROM progress WHERE game = ANY(%b)"
        found = connection.execute(select, (list(expected),), binary=True).fetchall()
        return {game for game, version in found if version == expected[game]}

    def _outcome(self, step: GuardedStep | None, moved: set[UUID], locked: set[UUID]) -> Stored | Conflict | Blocked:
        if step is None or step.rows[0].game not in moved:
            if step is not None:
                self._links.pop(step.rows[0].game, None)
                if step.rows[0].game in locked:
                    return Blocked(_LOCKED)
            return Conflict(_CONFLICT)
        last = step.rows[-1]
        self._links[last.game] = last.version, last.link
        return Stored()

    def _store_one_by_one(
        self, connection: _Connection, appends: list[Append], *, has_waited: bool = False
    ) -> list[Outcome]:
        """Store appends with their changes in one transaction; each may fail alone.

        With ``has_waited``, an earlier statement has already waited for a lock, so all locks use the short timeout.

        New games come first, in the order of their creation, which determines their numbers. The others are in the
        order of their ids, as in all processes, which prevents deadlocks.
        """
        outcomes: dict[int, Outcome] = {}
        self._lock_timeouts, self._has_short_timeout = _MAX_LOCK_TIMEOUTS if has_waited else 0, False
        with self._transaction(connection):
            for at in sorted(range(len(appends)), key=lambda at: _storage_order(appends[at])):
                outcomes[at] = self._store_one(connection, appends[at])
        return [outcomes[at] for at in range(len(appends))]

    @contextmanager
    def _transaction(self, connection: _Connection) -> Iterator[None]:
        """Begin a transaction. In a distributed database, also set the lock timeout of the other nodes."""
        with connection.transaction():
            if self._nodes is not None:
                connection.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'", prepare=False)
            yield

    def _store_one(self, connection: _Connection, append: Append) -> Outcome:
        keys = _lock_keys(append)
        is_short = self._lock_timeouts >= _MAX_LOCK_TIMEOUTS or not keys.isdisjoint(self._blocked)
        if is_short != self._has_short_timeout:
            self._has_short_timeout = is_short
            timeout = _SHORT_LOCK_TIMEOUT if is_short else _LOCK_TIMEOUT
            connection.execute(f"SET LOCAL lock_timeout = '{timeout}'", prepare=False)
        try:
            with connection.transaction():
                self._execute(connection, append)
        except BlockedError:
            self._links.clear()
            return Blocked(_LOCKED)
        except LockNotAvailable:
            self._links.clear()
            self._lock_timeouts += 1
            self._blocked |= keys
            return Blocked(_LOCKED)
        except psycopg.Error as error:
            if is_unavailable(translate(error)):
                raise  # nothing else can be stored
            failed: Exception = error
        except Exception as error:  # noqa: BLE001  # only this append has failed
            failed = error
        else:
            self._blocked -= keys
            return Stored()
        self._links.clear()
        if isinstance(failed, (ConflictError, *CONFLICTS)):
            self.conflicts += 1
            return Conflict(str(failed))
        return Failed(OperationalError(failed))

    def _execute(self, connection: _Connection, append: Append) -> None:
        statements: list[Statement | Check] = []
        for game, group in groupby(sorted(append.events, key=_sort_key), key=_game_id):
            events = list(group)
            is_new = events[0].originator_version == 1
            if not is_new:
                self._load_heads(connection, events[:1])
            step = self._make_step(Append(events, (), append.progress))
            steps = [step] if step else []
            if is_new:
                if not any(isinstance(change, NewGame) for change in append.changes):  # NewGame contains the same check
                    statements.append(not_removed(game))
                moved = {game} if step and self._guard.begin(connection, step) else set()
            else:
                moved = self._guard.move(connection, steps)
            match self._outcome(step, moved, self._find_locked(connection, steps, moved)):
                case Conflict():
                    raise ConflictError(_CONFLICT)
                case Blocked():
                    raise BlockedError(_LOCKED)
        statements += [statement for change in append.changes for statement in change.statements()]
        run_statements(connection, statements)
        for change in append.changes:
            if (other := change.changed_game) is not None and self._notify:
                connection.execute(*notify_changed(other))
        if append.feed_items:  # after the changes, which may insert the lobby row
            self._guard.insert_feed_items(connection, append.feed_items)
            if self._notify:
                connection.execute(*notify_feed())
        if append.progress is not None and (not append.events or append.events[0].originator_version == 1):
            _update_lobby(connection, append.progress)

    # --- the chain ----------------------------------------------------------------------------------------------

    def _load_heads(self, connection: _Connection, firsts: Sequence[EventToStore]) -> None:
        """Load the chain heads of games whose cached head is not the version before their first event."""
        if len(self._links) > _MAX_CACHED_HEADS:
            self._links.clear()
            self._blocked.clear()
        unknown = [
            game
            for event in firsts
            if self._links.get(game := _game_id(event), _NO_HEAD)[0] != event.originator_version - 1
        ]
        if unknown:
            select = "SELECT game, version, chain FROM progress WHERE game = ANY(%b)"
            for game, version, link in connection.execute(select, (unknown,), binary=True).fetchall():
                self._links[game] = version, bytes(link)

    def _make_step(self, append: Append) -> GuardedStep | None:
        """Return the step of an append; ``None`` if its events do not continue the last event of the game."""
        first = append.events[0]
        game, before = _game_id(first), first.originator_version - 1
        version, link = self._links.get(game, (0, b""))
        if before == 0:
            version, link = 0, chain.initial_link(game.hex)
        rows: list[EventRow] = []
        for event in append.events:
            if event.originator_version != version + 1:
                self._links.pop(game, None)
                return None
            version = event.originator_version
            link = chain.next_link(link, version, event.topic, event.state)
            rows.append(EventRow(game, version, event.topic, event.state, link))
        progress = append.progress if append.progress is None or append.progress.game == game else None
        return GuardedStep(rows, progress, append.feed_items)


def _update_lobby(connection: _Connection, progress: GameProgress) -> None:
    """Update the lobby row of a game whose append has its first events, or no events."""
    status: LiteralString = "UPDATE games SET status = %b WHERE game = %b AND status <> %b"
    connection.execute(status, (progress.status, progress.game, progress.status))
    update: LiteralString = (
        "UPDATE progress SET time = %b, status = coalesce(%b, status), decisions = %b, standings = %b, bot_decides = %b"
        " WHERE game = %b"
    )
    connection.execute(update, (*progress[2:], progress.game))


def _game_id(event: EventToStore) -> UUID:
    id = event.originator_id
    return id if isinstance(id, UUID) else UUID(id)


def _is_counted(append: Append) -> bool:
    return any(change.is_counted for change in append.changes)


def _lock_keys(append: Append) -> set[Hashable]:
    """Return the keys of the rows that an append locks."""
    keys: set[Hashable] = {change.lock_key for change in append.changes} - {None}
    return keys if _is_counted(append) else keys | {_game_id(event) for event in append.events}


def _sort_key(event: EventToStore) -> tuple[UUID, int]:
    return _game_id(event), event.originator_version


def _storage_order(append: Append) -> tuple[bool, bytes]:
    is_new = any(event.originator_version == 1 for event in append.events)
    return not is_new, b"" if is_new else min((_game_id(event).bytes for event in append.events), default=b"")
