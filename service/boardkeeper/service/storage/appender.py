"""From the event loop to the writer: one batch at a time, while the next one is gathered.

The busier the loop is, the larger the batches become, and the less the two threads compete for the interpreter's lock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import structlog
from eventsourcing.persistence import OperationalError

from boardkeeper.service.storage import writing
from boardkeeper.service.storage.failures import UnreachableError
from boardkeeper.service.storage.writing import Append, Batch, Blocked, Failed, FinalOutcome, Outcome, Writer

_LONG_SECONDS = 1.0
"""An append that is blocked for this time is logged and counted."""

_log = structlog.get_logger()


class OverloadedError(OperationalError):
    """More appends wait for the disk than the service keeps in memory; nothing was stored."""


class _Entry:
    """An append that has no final outcome yet."""

    __slots__ = ("append", "attempts", "blocked_since", "finish", "is_logged")

    def __init__(self, append: Append, finish: Callable[[FinalOutcome], None]) -> None:
        self.append = append
        self.finish = finish
        self.attempts = 0
        self.blocked_since = 0.0
        self.is_logged = False


class Appender:
    """Passes the appends of one event loop to a writer, and returns the outcome to each caller.

    At most ``limit`` appends may wait. A blocked append is tried again, with the batches that come after, until it has
    been blocked for ``writing.BLOCKED_SECONDS``.
    """

    def __init__(self, writer: Writer, loop: asyncio.AbstractEventLoop, limit: int) -> None:
        self._writer = writer
        self._loop = loop
        self._limit = limit
        self._gathered: list[_Entry] = []
        self._blocked: set[_Entry] = set()
        self._under_way = False
        self._handed_over: float | None = None

    @property
    def waiting(self) -> int:
        """The number of appends that wait until the writer has stored its present batch."""
        return len(self._gathered)

    @property
    def blocked(self) -> int:
        """The number of appends that have been blocked for a second or longer."""
        long_ago = self._loop.time() - _LONG_SECONDS
        return sum(entry.blocked_since <= long_ago for entry in tuple(self._blocked))

    @property
    def batch_seconds(self) -> float:
        """Return for how many seconds the writer has had its present batch; 0 if it has none."""
        since = self._handed_over
        return 0.0 if since is None else self._loop.time() - since

    @property
    def is_full(self) -> bool:
        """Whether :meth:`append` would raise now."""
        return len(self._gathered) >= self._limit

    def append(self, append: Append, finish: Callable[[FinalOutcome], None]) -> None:
        """Store an append; ``finish`` is called on the loop with its outcome. Raises :class:`OverloadedError`."""
        if self.is_full:
            raise OverloadedError(f"{self._limit} commands are waiting for the disk")
        self._gather(_Entry(append, finish))

    def _gather(self, entry: _Entry) -> None:
        self._gathered.append(entry)
        if not self._under_way:
            self._under_way = True
            self._loop.call_soon(self._hand_over)  # together with the other appends of this turn of the loop

    def _hand_over(self) -> None:
        self._handed_over = None
        if not self._gathered:
            self._under_way = False
            return
        gathered, self._gathered = self._gathered, []

        def done(outcomes: list[Outcome]) -> None:
            with suppress(RuntimeError):  # the loop was closed: no caller is left
                self._loop.call_soon_threadsafe(self._done, gathered, outcomes)

        self._handed_over = self._loop.time()
        try:
            self._writer.submit(Batch([entry.append for entry in gathered], done))
        except OperationalError as error:
            self._done(gathered, [Failed(error)] * len(gathered))

    def _done(self, gathered: list[_Entry], outcomes: list[Outcome]) -> None:
        self._hand_over()  # first, so that the disk works while the outcomes are reported
        for entry, outcome in zip(gathered, outcomes, strict=True):
            final = self._retry(entry, outcome) if isinstance(outcome, Blocked) else outcome
            if final is None:
                continue
            self._blocked.discard(entry)
            try:
                entry.finish(final)
            except Exception as error:  # noqa: BLE001  # the other callers need their outcomes
                self._loop.call_exception_handler({"message": "reporting an outcome failed", "exception": error})

    def _retry(self, entry: _Entry, blocked: Blocked) -> Failed | None:
        """Try a blocked append again later, or return its failure if it has been blocked for too long."""
        now = self._loop.time()
        if entry not in self._blocked:
            self._blocked.add(entry)
            entry.blocked_since = now
        seconds = now - entry.blocked_since
        if seconds >= writing.BLOCKED_SECONDS:
            return Failed(UnreachableError(blocked.problem))
        if seconds >= _LONG_SECONDS and not entry.is_logged:
            entry.is_logged = True
            games = sorted({str(event.originator_id) for event in entry.append.events})
            _log.warning("append is blocked", games=games, problem=blocked.problem)
        self._loop.call_later(writing.pause_before(entry.attempts), self._gather, entry)
        entry.attempts += 1
        return None
