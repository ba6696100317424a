"""Writing: appends, their outcomes, and the thread that stores them."""

from __future__ import annotations

import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from itertools import count
from typing import NamedTuple
from uuid import UUID

import structlog
from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent
from msgspec import Struct

from boardkeeper.service.storage.changes import Progress
from boardkeeper.service.storage.failures import UnreachableError
from boardkeeper.service.storage.feed import FeedItem
from boardkeeper.service.storage.sql import Change

BLOCKED_SECONDS = 5.0
"""An append that stays blocked for this time fails."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.005, 0.25
_log = structlog.get_logger()


class NewRow(Struct, frozen=True):
    """An event to be stored, under the names that the library's rows have."""

    originator_id: UUID
    originator_version: int
    topic: str
    state: bytes


AnyRow = NewRow | StoredEvent


class Append(Struct, frozen=True):
    """Events of one command of one game and what belongs to them, all or nothing.

    They are stored only if the game is at the version before the first of them. Otherwise they were decided on an older
    table, and the outcome is a :class:`Conflict`. ``changes`` can conflict as well, which fails this append alone.
    ``progress`` is the game's new line in the lobby, ``news`` are the items for the feed.
    """

    events: Sequence[AnyRow]
    changes: Sequence[Change] = ()
    progress: Progress | None = None
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


class Writer(ABC):
    """Stores queued batches one after the other, on a thread of its own, until it is closed.

    ``commits`` and ``appends`` count what was stored, ``conflicts`` the appends for which another one was first.
    ``trouble`` is the last error of the storage, until something is stored again. ``on_commit`` is called after each
    commit, on the writer's thread, with the number of appends and the seconds that the commit took.
    """

    def __init__(self) -> None:
        self.commits = 0
        self.appends = 0
        self.conflicts = 0
        self.trouble: Exception | None = None
        self.on_commit: Callable[[int, float], None] | None = None
        self._queue: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._ended = False
        self._ending = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="boardkeeper-writer", daemon=True)

    def submit(self, batch: Batch) -> None:
        """Queue a batch. Raises ``OperationalError`` if the writer is closed."""
        with self._ending:  # nothing may be queued after the end: it would get no outcome
            if self._ended:
                raise OperationalError("the storage is closed")
            self._queue.put(batch)

    def append(self, append: Append) -> None:
        """Store an append and wait until it is durable. Raises what prevents it."""
        give_up = time.monotonic() + BLOCKED_SECONDS
        for attempt in count():
            match outcome := self.try_once(append):
                case Stored():
                    return
                case Conflict():
                    raise IntegrityError(outcome.problem)
                case Failed():
                    raise outcome.error
                case Blocked() if time.monotonic() >= give_up:
                    raise UnreachableError(outcome.problem)
            time.sleep(pause_before(attempt))

    def store(self, changes: Sequence[Change]) -> None:
        """Store changes alone, all or none, and wait until they are durable. Raises what prevents it."""
        self.append(Append((), changes))

    def try_once(self, append: Append) -> Outcome:
        """Try once to store an append, and wait for the outcome."""
        outcomes: Future[list[Outcome]] = Future()
        self.submit(Batch([append], outcomes.set_result))
        (outcome,) = outcomes.result()
        return outcome

    @abstractmethod
    def try_out(self, *, write: bool = False) -> None:
        """Raise what prevents storing or reading now. Store a probe only after :attr:`trouble`, or with ``write``."""

    @abstractmethod
    def close(self) -> None:
        """Store what is queued, then end."""

    @abstractmethod
    def _store(self, appends: Sequence[Append]) -> list[Outcome]:
        """Store appends and return an outcome for each. Raises nothing."""

    def _end(self) -> bool:
        """Store what is queued and end the thread; return whether this is the first time."""
        with self._ending:
            is_first = not self._ended
            if is_first:
                self._ended = True
                self._queue.put(None)
        self._thread.join()
        return is_first

    def _count_commit(self, appends: int, begun: float) -> None:
        """Count a commit that began at a ``time.perf_counter``. Errors of ``on_commit`` are logged: all is stored."""
        self.commits += 1
        self.appends += appends
        if self.on_commit is not None:
            try:
                self.on_commit(appends, time.perf_counter() - begun)
            except Exception:  # noqa: BLE001  # the appends have not failed, and the thread must live
                _log.exception("reporting a commit failed")

    def _run(self) -> None:
        while (batch := self._queue.get()) is not None:
            try:
                batch.done(self._store(batch.appends))
            except Exception:  # noqa: BLE001  # the thread must live
                _log.exception("reporting outcomes failed")
            del batch  # an append holds its game


def pause_before(attempt: int) -> float:
    """Return the seconds to wait before another attempt to store a blocked append. The first attempt is 0."""
    return min(_FIRST_PAUSE * 2.0 ** min(attempt, 10), _LONGEST_PAUSE)
