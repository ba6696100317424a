"""The thread of a writer, and the queue of batches before it."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
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
"""Is called after a commit, with the number of appends and the seconds that it took."""


def report_commit(hear: HearCommit | None, appends: int, begun: float) -> None:
    """Call ``hear`` for a commit that began at that ``time.perf_counter``. Its errors are logged: all is stored."""
    if hear is not None:
        try:
            hear(appends, time.perf_counter() - begun)
        except Exception:  # noqa: BLE001  # the appends have not failed, and the thread must live
            _log.exception("reporting a commit failed")


class AppendQueue:
    """Stores batches one after the other, on a thread of its own, until it is closed.

    ``store`` returns one outcome for each append and raises nothing.
    """

    def __init__(self, store: Callable[[Sequence[Append]], list[Outcome]]) -> None:
        self._store = store
        self._queue: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._closed = False
        self._closing = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="boardkeeper-writer", daemon=True)
        self._thread.start()

    def submit(self, batch: Batch) -> None:
        """Queue a batch. Raises ``OperationalError`` if the queue is closed."""
        with self._closing:  # nothing may be queued after the end: it would get no outcome
            if self._closed:
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

    def try_once(self, append: Append) -> Outcome:
        """Try once to store an append, and wait for the outcome."""
        told: Future[list[Outcome]] = Future()
        self.submit(Batch([append], told.set_result))
        (outcome,) = told.result()
        return outcome

    def close(self) -> None:
        """Store what is queued, then end."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (batch := self._queue.get()) is not None:
            try:
                batch.done(self._store(batch.appends))
            except Exception:  # noqa: BLE001  # the thread must live
                _log.exception("reporting outcomes failed")
            del batch  # an append holds its game
