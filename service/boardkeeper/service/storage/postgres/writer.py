"""Group commit: one thread sends everything that waits as one guarded statement, which is one commit.

Appends with further changes follow in a transaction with a savepoint for each, so each can be rolled back alone. An
append that loses a race returns a conflict and raises nothing, so the others are not affected.

The writer does not wait for rows of a game that another transaction holds locked: that append is *blocked*, and the
others are stored. For other locks it waits for a short time (``lock_timeout``).

In a distributed database each machine has its own transaction
(:mod:`~boardkeeper.service.storage.postgres.citus`).
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
"""So many games one notification can name."""

_MAX_CACHED_HEADS = 8192
_NO_HEAD = (-1, b"")
_PROBE_BYTES = 64 * 1024
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0
_LOCK_TIMEOUT, _SHORT_LOCK_TIMEOUT = "250ms", "1ms"
_MOST_LOCK_TIMEOUTS = 2
"""In one transaction. After these the other appends of the transaction wait for the short time."""

_LOCKED = "another transaction of the database holds a lock on rows of the game or on its tables"
_CONFLICT = "another process has changed the game"

_Connection = psycopg.Connection[Any]


class PostgresWriter(Writer):
    """Owns the connection that writes.

    A connection that is lost is made anew for what comes next, at most every so often. What was under way then has
    failed as far as anybody knows: if it was stored after all, whoever repeats the command is answered with it.
    """

    def __init__(
        self, address: Address, readers: PostgresReader, settings: Sequence[str] = (), *, tell: bool = True
    ) -> None:
        """With ``tell``, processes that listen are told of every append. Raises ``psycopg.Error``.

        ``readers`` are asked whether the database is well while nothing is written.
        """
        super().__init__()
        self._address = address
        self._readers = readers
        self._settings = (f"lock_timeout='{_LOCK_TIMEOUT}'", *settings)
        self._tell = tell
        self._guard: VersionGuard
        self._nodes: ShardNodes | None = None
        """Of a distributed database."""
        self._links: dict[UUID, tuple[int, bytes]] = {}
        self._pause = _FIRST_PAUSE
        self._not_before = 0.0
        self._closing = False
        self._lock_timeouts = 0
        self._waits_short = False
        """Whether the present transaction waits for locks for the short time."""
        self._blocked: set[Hashable] = set()
        """Games, and other keys of locks, that waited for the long time. The next attempts wait for the short time."""
        self._process = 0
        self._connection: _Connection | None = self._connect()
        self._thread.start()

    @property
    def process(self) -> int:
        """The server's process that carries out what is written here; 0 while there is none."""
        return self._process if self._connection is not None else 0

    def probe(self, *, write: bool = False) -> None:
        """Raise what prevents storing now. Store a probe only after ``last_error``, or with ``write``."""
        if self.last_error is None and not write:
            self._readers.ping()
            return
        for size in (_PROBE_BYTES, 0):  # store about as much as some commands do, and delete it again
            outcome = self.store_once(Append((), [Probe(size)]))
            if isinstance(outcome, Failed):
                raise outcome.error
            if not isinstance(outcome, Stored):
                raise UnreachableError(outcome.problem)

    def close(self) -> None:
        """Store what is queued, then end; nothing is tried again after the first of it that fails."""
        self._closing = True
        self._end()
        self._let_go()

    # --- the connection; on the writer's thread -----------------------------------------------------------------

    def _connect(self) -> _Connection:
        connection = self._address.connect(self._settings, prepare_threshold=0)
        connection.keep_waiting = self._waits_for_standby
        self._process = backend_pid(connection)
        if is_distributed(connection):
            self._guard, self._nodes = CitusGuard(notify=self._tell), ShardNodes(connection)
            configure(connection, SETTINGS)
        else:
            self._guard, self._nodes = VersionGuard(notify=self._tell), None
            configure(connection, PLAN_SETTINGS)
        return connection

    def _waits_for_standby(self) -> bool:
        """A commit that only waits to be confirmed is waited for; given up, it would stay open at the server, too."""
        return not self._closing and self._readers.waits_for_standby(self.process)

    def _connected(self) -> _Connection:
        """The connection, which is made anew if it was lost; raises ``UnreachableError`` while that is vain."""
        if self._connection is not None:
            return self._connection
        if time.monotonic() < self._not_before or (self._closing and self.last_error is not None):
            raise UnreachableError(str(self.last_error or "the database does not answer"))
        try:
            self._connection = self._connect()
        except psycopg.Error as error:
            self._not_before = time.monotonic() + self._pause
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            raise translate(error) from error
        self._pause = _FIRST_PAUSE
        return self._connection

    def _let_go(self) -> None:
        self._links.clear()
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    # --- storing ------------------------------------------------------------------------------------------------

    def _store(self, appends: Sequence[Append]) -> list[Outcome]:
        """Store appends, at most so many at once that one notification can name them."""
        outcomes: list[Outcome] = []
        remaining = iter(appends)
        while part := list(islice(remaining, MAX_APPENDS)):
            outcomes += self._store_part(part)
        return outcomes

    def _store_part(self, appends: list[Append]) -> list[Outcome]:
        """First those that are events of a game alone, which no other of these appends is about; then the others.

        What counts for a quota has a transaction of its own, or processes would wait for each other, even in a circle.
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
        parts = [(part, self._together) for part in self._by_node(appends, together)]
        parts += [(part, self._one_by_one) for part in self._by_node(appends, alone)]
        parts += [([at], self._one_by_one) for at in counted]
        for numbers, store in parts:
            part = [appends[at] for at in numbers]
            outcomes |= zip(numbers, self._somehow(store, part), strict=True)
        return [outcomes[at] for at in range(len(appends))]

    def _by_node(self, appends: list[Append], numbers: list[int]) -> list[list[int]]:
        """Divide appends, by their numbers, among transactions.

        In a distributed database a transaction has the games of one machine. A game that begins has its own
        transaction, because games are numbered in the order in which they came.
        """
        if self._nodes is None or not numbers:
            return [numbers] if numbers else []
        numbers = sorted(numbers, key=lambda at: _storage_order(appends[at]))
        try:
            nodes = self._nodes.of({_game_id(event) for at in numbers for event in appends[at].events})
        except psycopg.Error:
            return [numbers]  # also one transaction on several machines stores them, or reports what is wrong
        parts: dict[object, list[int]] = {}
        for at in numbers:
            events = appends[at].events
            is_in_game = bool(events) and events[0].originator_version > 1
            key = ("node", nodes[_game_id(events[0])]) if is_in_game else ("append", at)
            parts.setdefault(key, []).append(at)
        return list(parts.values())

    def _somehow(
        self, store: Callable[[_Connection, list[Append]], list[Outcome]], appends: list[Append]
    ) -> list[Outcome]:
        """What became of the appends, whatever goes wrong."""
        begun = time.perf_counter()
        try:
            outcomes = store(self._connected(), appends)
        except LockNotAvailable:
            self._links.clear()
            return [Blocked(_LOCKED)] * len(appends)
        except Exception as error:  # noqa: BLE001  # whatever it was, everybody must be told
            failed = translate(error) if isinstance(error, psycopg.Error) else error
            if not isinstance(failed, OperationalError):
                failed = OperationalError(failed)
            if self._connection is not None:
                self._let_go()  # whatever state it is in
            self.last_error = failed
            return [Failed(failed)] * len(appends)
        done = sum(not isinstance(outcome, Blocked) for outcome in outcomes)
        if done:
            self.last_error = None
            self._count_commit(done, begun)
        return outcomes

    def _together(self, connection: _Connection, appends: list[Append]) -> list[Outcome]:
        """Appends of different games in one statement; where that breaks, one by one, to see which it was."""
        self._find_heads(connection, [append.events[0] for append in appends])
        steps = {at: step for at, append in enumerate(appends) if (step := self._step(append)) is not None}
        try:
            with nullcontext() if self._nodes is None else self._transaction(connection):
                moved = self._guard.move(connection, list(steps.values()))
        except psycopg.Error as error:
            if is_unavailable(translate(error)) and not isinstance(error, LockNotAvailable):
                raise
            self._links.clear()
            return self._one_by_one(connection, appends, has_waited=isinstance(error, LockNotAvailable))
        locked = self._locked(connection, steps.values(), moved)
        outcomes: list[Outcome] = [self._settled(steps.get(at), moved, locked) for at in range(len(appends))]
        self.conflicts += sum(isinstance(outcome, Conflict) for outcome in outcomes)
        return outcomes

    def _locked(self, connection: _Connection, steps: Iterable[GuardedStep], moved: set[UUID]) -> set[UUID]:
        """Return the games that were not moved although they are at the version that the step expects.

        Another transaction holds their rows locked, or did so until a moment ago.
        """
        expected = {step.rows[0].game: step.rows[0].version - 1 for step in steps if step.rows[0].game not in moved}
        if not expected:
            return set()
        select = "SELECT game, version FROM progress WHERE game = ANY(%b)"
        found = connection.execute(select, (list(expected),), binary=True).fetchall()
        return {game for game, version in found if version == expected[game]}

    def _settled(self, step: GuardedStep | None, moved: set[UUID], locked: set[UUID]) -> Stored | Conflict | Blocked:
        if step is None or step.rows[0].game not in moved:
            if step is not None:
                self._links.pop(step.rows[0].game, None)
                if step.rows[0].game in locked:
                    return Blocked(_LOCKED)
            return Conflict(_CONFLICT)
        last = step.rows[-1]
        self._links[last.game] = last.version, last.link
        return Stored()

    def _one_by_one(self, connection: _Connection, appends: list[Append], *, has_waited: bool = False) -> list[Outcome]:
        """Appends with all that belongs to them in one transaction; each may fail alone.

        If a lock was waited for already, none is waited for long again: all other games wait with it.

        Games that begin come first, in the order in which they came, for so they are numbered. Those that go on come
        in order of their ids, as in every process.
        """
        outcomes: dict[int, Outcome] = {}
        self._lock_timeouts, self._waits_short = _MOST_LOCK_TIMEOUTS if has_waited else 0, False
        with self._transaction(connection):
            for at in sorted(range(len(appends)), key=lambda at: _storage_order(appends[at])):
                outcomes[at] = self._alone(connection, appends[at])
        return [outcomes[at] for at in range(len(appends))]

    @contextmanager
    def _transaction(self, connection: _Connection) -> Iterator[None]:
        """Begin a transaction. In a distributed database it also sets how long the other machines wait for locks."""
        with connection.transaction():
            if self._nodes is not None:
                connection.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'", prepare=False)
            yield

    def _alone(self, connection: _Connection, append: Append) -> Outcome:
        keys = _lock_keys(append)
        is_short = self._lock_timeouts >= _MOST_LOCK_TIMEOUTS or not keys.isdisjoint(self._blocked)
        if is_short != self._waits_short:
            self._waits_short = is_short
            timeout = _SHORT_LOCK_TIMEOUT if is_short else _LOCK_TIMEOUT
            connection.execute(f"SET LOCAL lock_timeout = '{timeout}'", prepare=False)
        try:
            with connection.transaction():
                self._carry_out_all(connection, append)
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
                raise  # nothing else can be stored either
            failed: Exception = error
        except Exception as error:  # noqa: BLE001  # of this append alone
            failed = error
        else:
            self._blocked -= keys
            return Stored()
        self._links.clear()
        if isinstance(failed, (ConflictError, *CONFLICTS)):
            self.conflicts += 1
            return Conflict(str(failed))
        return Failed(OperationalError(failed))

    def _carry_out_all(self, connection: _Connection, append: Append) -> None:
        statements: list[Statement | Check] = []
        for game, group in groupby(sorted(append.events, key=_sort_key), key=_game_id):
            events = list(group)
            is_new = events[0].originator_version == 1
            if not is_new:
                self._find_heads(connection, events[:1])
            step = self._step(Append(events, (), append.progress))
            steps = [step] if step else []
            if is_new:
                if not any(isinstance(change, NewGame) for change in append.changes):  # it has the same check
                    statements.append(not_removed(game))
                moved = {game} if step and self._guard.begin(connection, step) else set()
            else:
                moved = self._guard.move(connection, steps)
            match self._settled(step, moved, self._locked(connection, steps, moved)):
                case Conflict():
                    raise ConflictError(_CONFLICT)
                case Blocked():
                    raise BlockedError(_LOCKED)
        statements += [statement for change in append.changes for statement in change.statements()]
        run_statements(connection, statements)
        for change in append.changes:
            if (other := change.changed_game) is not None and self._tell:
                connection.execute(*notify_changed(other))
        if append.news:  # behind the changes, which may have made the game's line in the lobby
            self._guard.insert_news(connection, append.news)
            if self._tell:
                connection.execute(*notify_feed())
        if append.progress is not None and (not append.events or append.events[0].originator_version == 1):
            _update_lobby(connection, append.progress)

    # --- the chain ----------------------------------------------------------------------------------------------

    def _find_heads(self, connection: _Connection, firsts: Sequence[EventToStore]) -> None:
        """Look up where the chains of games stand of which it is not known here that they stand before these events."""
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

    def _step(self, append: Append) -> GuardedStep | None:
        """The rows of an append's events with their links; ``None`` if they do not go on from the game's last one."""
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
        return GuardedStep(rows, progress, append.news)


def _update_lobby(connection: _Connection, line: GameProgress) -> None:
    """Store the line of a game that came with its first events, or without events."""
    status: LiteralString = "UPDATE games SET status = %b WHERE game = %b AND status <> %b"
    connection.execute(status, (line.status, line.game, line.status))
    update: LiteralString = (
        "UPDATE progress SET time = %b, status = coalesce(%b, status), decisions = %b, standings = %b, bot_decides = %b"
        " WHERE game = %b"
    )
    connection.execute(update, (*line[2:], line.game))


def _game_id(event: EventToStore) -> UUID:
    id = event.originator_id
    return id if isinstance(id, UUID) else UUID(id)


def _is_counted(append: Append) -> bool:
    return any(change.is_counted for change in append.changes)


def _lock_keys(append: Append) -> set[Hashable]:
    """What identifies the rows that an append locks."""
    keys: set[Hashable] = {change.lock_key for change in append.changes} - {None}
    return keys if _is_counted(append) else keys | {_game_id(event) for event in append.events}


def _sort_key(event: EventToStore) -> tuple[UUID, int]:
    return _game_id(event), event.originator_version


def _storage_order(append: Append) -> tuple[bool, bytes]:
    is_new = any(event.originator_version == 1 for event in append.events)
    return not is_new, b"" if is_new else min((_game_id(event).bytes for event in append.events), default=b"")
