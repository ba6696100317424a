"""Appends, their outcomes, and the base class of the threads that store them."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from typing import NamedTuple
from uuid import UUID

import structlog
from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent
from msgspec import Struct

from boardkeeper.service.storage.changes import GameProgress
from boardkeeper.service.storage.errors import UnreachableError
from boardkeeper.service.storage.feed import FeedItem
from boardkeeper.service.storage.sql import Change

BLOCKED_TIMEOUT = 5.0
"""Seconds after which a blocked append fails."""

DEFAULT_QUEUE_LIMIT = 4096

_REPORT_BLOCKED_SECONDS = 1.0
"""An append that is blocked for this time is logged and counted."""

_MAX_GAMES = 1_000

_MIN_RETRY_DELAY, _MAX_RETRY_DELAY = 0.005, 0.25
_log = structlog.get_logger()


class OverloadedError(OperationalError):
    """The queue of appends is full; nothing was stored."""


class NewEventRow(Struct, frozen=True):
    """An event to store, with the field names of the library's rows."""

    originator_id: UUID
    originator_version: int
    topic: str
    state: bytes


EventToStore = NewEventRow | StoredEvent


class Append(Struct, frozen=True):
    """The events of one command and everything that is stored with them, in one transaction.

    They are stored only if the game is at the version before the first event; otherwise the outcome is a
    :class:`Conflict`. ``changes`` may conflict as well. ``progress`` updates the game's lobby row; ``feed_items`` are
    added to the feed.
    """

    events: Sequence[EventToStore]
    changes: Sequence[Change] = ()
    progress: GameProgress | None = None
    feed_items: Sequence[FeedItem] = ()


class Stored(Struct, frozen=True):
    """The append is durable."""


class Conflict(Struct, frozen=True):
    """The version, game or request exists already; nothing of the append was stored."""

    problem: str


class Failed(Struct, frozen=True):
    """The append failed or its outcome is unknown. A client that repeats the command learns whether it was stored."""

    error: Exception


class Blocked(Struct, frozen=True):
    """Another transaction holds a lock that the append needs; nothing of the append was stored.

    The writer does not wait for such locks, because this would delay all other games. The caller tries again.
    """

    problem: str


FinalOutcome = Stored | Conflict | Failed
"""The result of an append after all attempts."""

Outcome = FinalOutcome | Blocked
"""The result of one attempt to store an append."""


class Batch(NamedTuple):
    """Appends that are stored together. ``done`` is called once with their outcomes, on the writer's thread.

    A game is in a batch only once.
    """

    appends: Sequence[Append]
    done: Callable[[list[Outcome]], None]


class _Entry(Struct, eq=False):
    """An append that has no final outcome yet."""

    append: Append
    finish: Callable[[FinalOutcome], None]
    attempts: int = 0
    blocked_since: float = 0.0
    is_logged: bool = False

    @property
    def games(self) -> set[UUID]:
        """The games that the append changes."""
        changed = (change.changed_game for change in self.append.changes)
        events = (event.originator_id for event in self.append.events)
        return {id if isinstance(id, UUID) else UUID(id) for id in (*events, *changed) if id is not None}


class Writer(ABC):
    """Stores batches one after the other on its own thread.

    One event loop stores with :meth:`append`. While the thread stores a batch, the loop collects the next one, of at
    most ``limit`` appends. The busier the loop is, the larger the batches become, and the less the two threads compete
    for the interpreter's lock.

    A blocked append is tried again with later batches, for ``BLOCKED_TIMEOUT`` seconds. Then, while the game remains
    blocked, its next appends fail at once; otherwise each waiting command of the game would take this time again. Other
    threads store with :meth:`store`.

    ``commits`` and ``appends`` count what was stored, ``conflicts`` the appends that lost a race. ``last_error`` is the
    last error of the storage; a commit clears it. ``on_commit`` is called after each commit, on the writer's thread,
    with the number of appends and the duration in seconds.
    """

    def __init__(self) -> None:
        self.limit = DEFAULT_QUEUE_LIMIT
        self.commits = 0
        self.appends = 0
        self.conflicts = 0
        self.last_error: Exception | None = None
        self.on_commit: Callable[[int, float], None] | None = None
        self._entries: list[_Entry] = []
        self._is_scheduled = False
        self._blocked_entries: set[_Entry] = set()
        self._failed: dict[UUID, float] = {}
        """When the last blocked append of a game failed; removed when an append is stored."""
        self._batch_start: float | None = None
        self._queue: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._is_closed = False
        self._close_lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="boardkeeper-writer", daemon=True)

    @abstractmethod
    def probe(self, *, write: bool = False) -> None:
        """Raise the error that prevents storing or reading now. This writes only after an error, or with ``write``."""

    @abstractmethod
    def close(self) -> None:
        """Store what is queued and stop."""

    # --- appends of an event loop -------------------------------------------------------------------------------

    @property
    def waiting_count(self) -> int:
        """The number of appends that wait for the next batch."""
        return len(self._entries)

    @property
    def is_full(self) -> bool:
        """Return whether :meth:`append` would raise now."""
        return len(self._entries) >= self.limit

    @property
    def blocked_count(self) -> int:
        """The number of appends that are blocked for at least a second, and of games whose appends fail at once."""
        now = time.monotonic()
        waiting = sum(entry.blocked_since <= now - _REPORT_BLOCKED_SECONDS for entry in tuple(self._blocked_entries))
        return waiting + sum(failed > now - BLOCKED_TIMEOUT for failed in tuple(self._failed.values()))

    @property
    def batch_seconds(self) -> float:
        """The seconds for which the thread has been storing the current batch; 0 if there is none."""
        since = self._batch_start
        return 0.0 if since is None else time.monotonic() - since

    def append(self, append: Append, finish: Callable[[FinalOutcome], None]) -> None:
        """Store an append; ``finish`` is called on the loop with the outcome. Raises :class:`OverloadedError`."""
        if self.is_full:
            raise OverloadedError(f"{self.limit} commands are waiting for the disk")
        self._enqueue(_Entry(append, finish))

    def _enqueue(self, entry: _Entry) -> None:
        self._entries.append(entry)
        if not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._submit_entries)  # with the other appends of this iteration

    def _submit_entries(self) -> None:
        self._batch_start = None
        if not self._entries:
            self._is_scheduled = False
            return
        entries, self._entries = self._entries, []
        loop = asyncio.get_running_loop()

        def done(outcomes: list[Outcome]) -> None:
            with suppress(RuntimeError):  # the loop is closed: there are no callers
                loop.call_soon_threadsafe(self._report, entries, outcomes)

        self._batch_start = time.monotonic()
        try:
            self.submit(Batch([entry.append for entry in entries], done))
        except OperationalError as error:
            self._report(entries, [Failed(error)] * len(entries))

    def _report(self, entries: list[_Entry], outcomes: Sequence[Outcome]) -> None:
        self._submit_entries()  # first, so that the thread works while the outcomes are reported
        for entry, outcome in zip(entries, outcomes, strict=True):
            final = self._retry(entry, outcome) if isinstance(outcome, Blocked) else outcome
            if final is None:
                continue
            self._blocked_entries.discard(entry)
            if self._failed and not isinstance(outcome, Blocked):
                for game in entry.games:
                    self._failed.pop(game, None)
            try:
                entry.finish(final)
            except Exception as error:  # noqa: BLE001  # the other callers need their outcomes
                problem = {"message": "reporting an outcome failed", "exception": error}
                asyncio.get_running_loop().call_exception_handler(problem)

    def _retry(self, entry: _Entry, blocked: Blocked) -> Failed | None:
        """Schedule another attempt for a blocked append, or return its failure after too long a time."""
        now = time.monotonic()
        if entry.attempts == 0:
            self._blocked_entries.add(entry)
            entry.blocked_since = now
        seconds = now - entry.blocked_since
        if seconds >= BLOCKED_TIMEOUT or self._has_failed(entry, now):
            self._record_failure(entry, now)
            return Failed(UnreachableError(blocked.problem))
        if seconds >= _REPORT_BLOCKED_SECONDS and not entry.is_logged:
            entry.is_logged = True
            _log.warning("append is blocked", games=sorted(map(str, entry.games)), problem=blocked.problem)
        asyncio.get_running_loop().call_later(_retry_delay(entry.attempts), self._enqueue, entry)
        entry.attempts += 1
        return None

    def _has_failed(self, entry: _Entry, now: float) -> bool:
        """Return whether an append of one of these games failed recently because it was blocked."""
        earliest = now - BLOCKED_TIMEOUT
        return any(self._failed.get(game, float("-inf")) > earliest for game in entry.games)

    def _record_failure(self, entry: _Entry, now: float) -> None:
        if len(self._failed) >= _MAX_GAMES:
            self._failed.clear()
        self._failed.update(dict.fromkeys(entry.games, now))

    # --- appends of other threads -------------------------------------------------------------------------------

    def store(self, changes: Sequence[Change], events: Sequence[EventToStore] = ()) -> None:
        """Store changes and events in one transaction. Wait until they are durable, or raise the error."""
        deadline = time.monotonic() + BLOCKED_TIMEOUT
        for attempt in count():
            match outcome := self.store_once(Append(events, changes)):
                case Stored():
                    return
                case Conflict():
                    raise IntegrityError(outcome.problem)
                case Failed():
                    raise outcome.error
                case Blocked() if time.monotonic() >= deadline:
                    raise UnreachableError(outcome.problem)
            time.sleep(_retry_delay(attempt))

    def store_once(self, append: Append) -> Outcome:
        """Try once to store an append, and wait for the outcome."""
        outcomes: Future[list[Outcome]] = Future()
        self.submit(Batch([append], outcomes.set_result))
        (outcome,) = outcomes.result()
        return outcome

    def submit(self, batch: Batch) -> None:
        """Queue a batch. Raises ``OperationalError`` if the writer is closed."""
        with self._close_lock:  # reject after close(): it would get no outcome
            if self._is_closed:
                raise OperationalError("the storage is closed")
            self._queue.put(batch)

    # --- the writer's thread ------------------------------------------------------------------------------------

    @abstractmethod
    def _store(self, appends: Sequence[Append]) -> list[Outcome]:
        """Store appends and return an outcome for each; must not raise."""

    def _run(self) -> None:
        while (batch := self._queue.get()) is not None:
            try:
                batch.done(self._store(batch.appends))
            except Exception:  # noqa: BLE001  # the thread must live
                _log.exception("reporting outcomes failed")
            del batch  # it refers to games, which must be freed while the thread waits

    def _count_commit(self, appends: int, start: float) -> None:
        """Count a commit; ``start`` is a value of ``time.perf_counter``. Errors of ``on_commit`` are only logged."""
        self.commits += 1
        self.appends += appends
        if self.on_commit is not None:
            try:
                self.on_commit(appends, time.perf_counter() - start)
            except Exception:  # noqa: BLE001  # the appends have not failed, and the thread must live
                _log.exception("reporting a commit failed")

    def _end(self) -> bool:
        """Store what is queued and end the thread; return whether this is the first call."""
        with self._close_lock:
            is_first = not self._is_closed
            if is_first:
                self._is_closed = True
                self._queue.put(None)
        self._thread.join()
        return is_first


def _retry_delay(attempt: int) -> float:
    """Return the seconds to wait after attempt number ``attempt`` (from 0) of a blocked append."""
    return min(_MIN_RETRY_DELAY * 2.0 ** min(attempt, 10), _MAX_RETRY_DELAY)
