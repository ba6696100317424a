"""The queue before a writer, and the thread that works it off.

What waits while one transaction is under way goes into the next one together.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from itertools import count

import structlog
from eventsourcing.persistence import IntegrityError, OperationalError

from boardkeeper.service.storage.database import Append, Batch, Blocked, Conflict, Failed, Outcome, Stored
from boardkeeper.service.storage.failures import UnreachableError

BLOCKED_SECONDS = 5.0
"""An append that stays blocked for this time fails."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.005, 0.25
_log = structlog.get_logger()


def pause_before(attempt: int) -> float:
    """Return the seconds to wait before another attempt to store a blocked append. The first attempt is 0."""
    return min(_FIRST_PAUSE * 2.0 ** min(attempt, 10), _LONGEST_PAUSE)


HearCommit = Callable[[int, float], None]
"""Is told of a commit: how many appends it had and how many seconds it took."""


def tell_commit(hear: HearCommit | None, appends: int, begun: float) -> None:
    """Tell of a commit that began at that ``time.perf_counter``. What goes wrong with that is logged: it is stored."""
    if hear is not None:
        try:
            hear(appends, time.perf_counter() - begun)
        except Exception:  # noqa: BLE001  # nobody may be told that the append failed, and the thread must live
            _log.exception("reporting a commit failed")


class AppendQueue:
    """Hands what is queued to ``store``, on a thread of its own, about ``most`` appends at once, until it is closed.

    ``store`` gives one outcome for each append and raises nothing.
    """

    def __init__(self, store: Callable[[list[Append]], list[Outcome]], most: int) -> None:
        self._store = store
        self._most = most
        self._queue: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._closed = False
        self._closing = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="boardkeeper-writer", daemon=True)
        self._thread.start()

    def submit(self, batch: Batch) -> None:
        """Queue a batch. Raises ``OperationalError`` if the queue is closed."""
        with self._closing:  # nothing may be queued behind the end, where nobody would ever tell of it
            if self._closed:
                raise OperationalError("the storage is closed")
            self._queue.put(batch)

    def append(self, append: Append) -> Stored:
        """Store an append and wait until it is durable. Raises what prevents it."""
        give_up = time.monotonic() + BLOCKED_SECONDS
        for attempt in count():
            match outcome := self.try_once(append):
                case Stored():
                    return outcome
                case Conflict():
                    raise IntegrityError(outcome.problem)
                case Failed():
                    raise outcome.error
                case Blocked() if time.monotonic() >= give_up:
                    raise UnreachableError(outcome.problem)
            time.sleep(pause_before(attempt))
        raise AssertionError

    def try_once(self, append: Append) -> Outcome:
        """Try once to store an append, and wait for the outcome."""
        told: Future[list[Outcome]] = Future()
        self.submit(Batch([append], told.set_result))
        (outcome,) = told.result()
        return outcome

    def close(self) -> None:
        """Work off what is queued, then end."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while self._work_off(*self._gather()):
            pass  # nothing of what was stored stays here: an append holds its game

    def _gather(self) -> tuple[list[Batch], bool]:
        """Wait for a batch and take with it those that are there already; also whether more may come."""
        batches: list[Batch] = []
        size = 0
        waiting = self._queue.get()
        with suppress(queue.Empty):
            while waiting is not None:
                batches.append(waiting)
                size += len(waiting.appends)
                if size >= self._most:
                    break
                waiting = self._queue.get_nowait()
        return batches, waiting is not None

    def _work_off(self, batches: list[Batch], going: bool) -> bool:
        if batches:
            outcomes = iter(self._store([append for batch in batches for append in batch.appends]))
            for batch in batches:
                try:
                    batch.done([next(outcomes) for _ in batch.appends])
                except Exception:  # noqa: BLE001  # the others must be told all the same, and the thread must live
                    _log.exception("reporting outcomes failed")
        return going
