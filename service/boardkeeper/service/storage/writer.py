"""Writing: appends, their outcomes, and the thread that stores them."""

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
"""An append that stays blocked for this time fails."""

DEFAULT_QUEUE_LIMIT = 4096

_REPORT_BLOCKED_SECONDS = 1.0
"""An append that is blocked for this time is logged and counted."""

_MOST_GAMES = 1_000

_MIN_RETRY_DELAY, _MAX_RETRY_DELAY = 0.005, 0.25
_log = structlog.get_logger()


class OverloadedError(OperationalError):
    """More appends wait for the disk than the server keeps in memory; nothing was stored."""


class NewEventRow(Struct, frozen=True):
    """An event to be stored, under the names that the library's rows have."""

    originator_id: UUID
    originator_version: int
    topic: str
    state: bytes


EventToStore = NewEventRow | StoredEvent


class Append(Struct, frozen=True):
    """Events of one command of one game and what belongs to them, all or nothing.

    They are stored only if the game is at the version before the first of them. Otherwise they were decided on an older
    table, and the outcome is a :class:`Conflict`. ``changes`` can conflict as well, which fails this append alone.
    ``progress`` is the game's new line in the lobby, ``news`` are the items for the feed.
    """

    events: Sequence[EventToStore]
    changes: Sequence[Change] = ()
    progress: GameProgress | None = None
    news: Sequence[FeedItem] = ()


class Stored(Struct, frozen=True):
    """The append is durable."""


class Conflict(Struct, frozen=True):
    """These versions, this game or this request were stored before; nothing of the append was stored."""

    problem: str


class Failed(Struct, frozen=True):
    """The append was not stored, or its outcome is unknown: a client that repeats the command gets the outcome."""

    error: Exception


class Blocked(Struct, frozen=True):
    """Another transaction holds a lock that the append needs; nothing of the append was stored.

    The writer does not wait for the lock, because all other games would wait with it. The caller tries again later.
    """

    problem: str


FinalOutcome = Stored | Conflict | Failed
"""The result of an append after all attempts."""

Outcome = FinalOutcome | Blocked
"""The result of one attempt to store an append."""


class Batch(NamedTuple):
    """Appends that were handed over together; ``done`` is called once, on the writer's thread, with their outcomes.

    No game is in it twice.
    """

    appends: Sequence[Append]
    done: Callable[[list[Outcome]], None]


class _Entry(Struct, eq=False):
    """An append of an event loop that has no final outcome yet."""

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
    """Stores batches one after the other, on a thread of its own, until it is closed.

    One event loop stores with :meth:`append`. While the thread stores a batch, the loop gathers the next one: the
    busier the loop is, the larger the batches become, and the less the two threads compete for the interpreter's lock.
    At most ``limit`` appends may wait. A blocked append is tried again, with later batches, until it has been blocked
    for ``BLOCKED_TIMEOUT``. The commands of a game wait for each other, so that each of them would take this time:
    therefore the next appends of the game fail at once while it stays blocked. Other threads store with :meth:`store`.

    ``commits`` and ``appends`` count what was stored, ``conflicts`` the appends for which another one was first.
    ``last_error`` is the last error of the storage, until something is stored again. ``on_commit`` is called after each
    commit, on the writer's thread, with the number of appends and the seconds that the commit took.
    """

    def __init__(self) -> None:
        self.limit = DEFAULT_QUEUE_LIMIT
        self.commits = 0
        self.appends = 0
        self.conflicts = 0
        self.last_error: Exception | None = None
        self.on_commit: Callable[[int, float], None] | None = None
        self._gathered: list[_Entry] = []
        self._under_way = False
        self._blocked_entries: set[_Entry] = set()
        self._failed: dict[UUID, float] = {}
        """When the last append failed that was blocked, by game. The next append may be stored again."""
        self._handed_over: float | None = None
        self._queue: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._ended = False
        self._ending = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="boardkeeper-writer", daemon=True)

    @abstractmethod
    def probe(self, *, write: bool = False) -> None:
        """Raise what prevents storing or reading now. Store a probe only after ``last_error``, or with ``write``."""

    @abstractmethod
    def close(self) -> None:
        """Store what is queued, then end."""

    # --- appends of an event loop -------------------------------------------------------------------------------

    @property
    def waiting_count(self) -> int:
        """The number of appends that wait until the present batch is stored."""
        return len(self._gathered)

    @property
    def is_full(self) -> bool:
        """Whether :meth:`append` would raise now."""
        return len(self._gathered) >= self.limit

    @property
    def blocked_count(self) -> int:
        """The number of appends that have been blocked for a second or longer, and of games whose appends fail so."""
        now = time.monotonic()
        waiting = sum(entry.blocked_since <= now - _REPORT_BLOCKED_SECONDS for entry in tuple(self._blocked_entries))
        return waiting + sum(failed > now - BLOCKED_TIMEOUT for failed in tuple(self._failed.values()))

    @property
    def batch_seconds(self) -> float:
        """The seconds for which the thread has had its present batch; 0 if it has none."""
        since = self._handed_over
        return 0.0 if since is None else time.monotonic() - since

    def append(self, append: Append, finish: Callable[[FinalOutcome], None]) -> None:
        """Store an append; ``finish`` is called on the loop with its outcome. Raises :class:`OverloadedError`."""
        if self.is_full:
            raise OverloadedError(f"{self.limit} commands are waiting for the disk")
        self._gather(_Entry(append, finish))

    def _gather(self, entry: _Entry) -> None:
        self._gathered.append(entry)
        if not self._under_way:
            self._under_way = True
            asyncio.get_running_loop().call_soon(self._hand_over)  # with the other appends of this turn of the loop

    def _hand_over(self) -> None:
        self._handed_over = None
        if not self._gathered:
            self._under_way = False
            return
        gathered, self._gathered = self._gathered, []
        loop = asyncio.get_running_loop()

        def done(outcomes: list[Outcome]) -> None:
            with suppress(RuntimeError):  # the loop was closed: no caller is left
                loop.call_soon_threadsafe(self._report, gathered, outcomes)

        self._handed_over = time.monotonic()
        try:
            self.submit(Batch([entry.append for entry in gathered], done))
        except OperationalError as error:
            self._report(gathered, [Failed(error)] * len(gathered))

    def _report(self, entries: list[_Entry], outcomes: Sequence[Outcome]) -> None:
        self._hand_over()  # first, so that the disk works while the outcomes are reported
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
        """Try a blocked append again later, or return its failure if it has been blocked for too long."""
        now = time.monotonic()
        if entry.attempts == 0:
            self._blocked_entries.add(entry)
            entry.blocked_since = now
        seconds = now - entry.blocked_since
        if seconds >= BLOCKED_TIMEOUT or self._has_failed(entry, now):
            self._note_failure(entry, now)
            return Failed(UnreachableError(blocked.problem))
        if seconds >= _REPORT_BLOCKED_SECONDS and not entry.is_logged:
            entry.is_logged = True
            _log.warning("append is blocked", games=sorted(map(str, entry.games)), problem=blocked.problem)
        asyncio.get_running_loop().call_later(_retry_delay(entry.attempts), self._gather, entry)
        entry.attempts += 1
        return None

    def _has_failed(self, entry: _Entry, now: float) -> bool:
        """Return whether an earlier append of these games was blocked for too long, a short time ago."""
        longest_ago = now - BLOCKED_TIMEOUT
        return any(self._failed.get(game, float("-inf")) > longest_ago for game in entry.games)

    def _note_failure(self, entry: _Entry, now: float) -> None:
        if len(self._failed) >= _MOST_GAMES:
            self._failed.clear()
        self._failed.update(dict.fromkeys(entry.games, now))

    # --- appends of other threads -------------------------------------------------------------------------------

    def store(self, changes: Sequence[Change], events: Sequence[EventToStore] = ()) -> None:
        """Store changes, and events, all or none, and wait until they are durable. Raises what prevents it."""
        give_up = time.monotonic() + BLOCKED_TIMEOUT
        for attempt in count():
            match outcome := self.store_once(Append(events, changes)):
                case Stored():
                    return
                case Conflict():
                    raise IntegrityError(outcome.problem)
                case Failed():
                    raise outcome.error
                case Blocked() if time.monotonic() >= give_up:
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
        with self._ending:  # nothing may be queued after the end: it would get no outcome
            if self._ended:
                raise OperationalError("the storage is closed")
            self._queue.put(batch)

    # --- the writer's thread ------------------------------------------------------------------------------------

    @abstractmethod
    def _store(self, appends: Sequence[Append]) -> list[Outcome]:
        """Store appends and return an outcome for each. Raises nothing."""

    def _run(self) -> None:
        while (batch := self._queue.get()) is not None:
            try:
                batch.done(self._store(batch.appends))
            except Exception:  # noqa: BLE001  # the thread must live
                _log.exception("reporting outcomes failed")
            del batch  # an append holds its game

    def _count_commit(self, appends: int, begun: float) -> None:
        """Count a commit that began at a ``time.perf_counter``. Errors of ``on_commit`` are logged: all is stored."""
        self.commits += 1
        self.appends += appends
        if self.on_commit is not None:
            try:
                self.on_commit(appends, time.perf_counter() - begun)
            except Exception:  # noqa: BLE001  # the appends have not failed, and the thread must live
                _log.exception("reporting a commit failed")

    def _end(self) -> bool:
        """Store what is queued and end the thread; return whether this is the first time."""
        with self._ending:
            is_first = not self._ended
            if is_first:
                self._ended = True
                self._queue.put(None)
        self._thread.join()
        return is_first


def _retry_delay(attempt: int) -> float:
    """Return the seconds to wait before another attempt to store a blocked append. The first attempt is 0."""
    return min(_MIN_RETRY_DELAY * 2.0 ** min(attempt, 10), _MAX_RETRY_DELAY)
