"""From the event loop to the writer: one batch under way at a time, the next one gathering meanwhile.

The busier the loop is, the larger the batches become by themselves, and the rarer the two threads disturb each other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from eventsourcing.persistence import OperationalError

from boardkeeper.service.storage.database import Append, Batch, Failed, Outcome, Writer


class OverloadedError(OperationalError):
    """More appends wait for the disk than the service keeps in memory; nothing was stored."""


class Appender:
    """Hands the appends of one event loop to a writer and tells each what became of it.

    At most ``limit`` appends may wait.
    """

    def __init__(self, writer: Writer, loop: asyncio.AbstractEventLoop, limit: int) -> None:
        self._writer = writer
        self._loop = loop
        self._limit = limit
        self._gathered: list[Append] = []
        self._finish: list[Callable[[Outcome], None]] = []
        self._under_way = False

    @property
    def waiting(self) -> int:
        """How many appends wait for the one batch that is under way."""
        return len(self._gathered)

    @property
    def is_full(self) -> bool:
        """Whether :meth:`append` would refuse now."""
        return len(self._gathered) >= self._limit

    def append(self, append: Append, finish: Callable[[Outcome], None]) -> None:
        """Store an append; ``finish`` is called on the loop with its outcome. Raises :class:`OverloadedError`."""
        if self.is_full:
            raise OverloadedError(f"{self._limit} commands are waiting for the disk")
        self._gathered.append(append)
        self._finish.append(finish)
        if not self._under_way:
            self._under_way = True
            self._loop.call_soon(self._hand_over)  # with what else this turn of the loop brings

    def _hand_over(self) -> None:
        if not self._gathered:
            self._under_way = False
            return
        gathered, self._gathered = self._gathered, []
        finish, self._finish = self._finish, []

        def done(outcomes: list[Outcome]) -> None:
            with suppress(RuntimeError):  # the loop was closed: nobody is left to be told
                self._loop.call_soon_threadsafe(self._done, finish, outcomes)

        try:
            self._writer.submit(Batch(gathered, done))
        except OperationalError as error:
            self._done(finish, [Failed(error)] * len(gathered))

    def _done(self, finish: list[Callable[[Outcome], None]], outcomes: list[Outcome]) -> None:
        self._hand_over()  # first, so that the disk is at work while the outcomes are told
        for tell, outcome in zip(finish, outcomes, strict=True):
            try:
                tell(outcome)
            except Exception as error:  # noqa: BLE001  # the others must be told all the same
                self._loop.call_exception_handler({"message": "telling an outcome failed", "exception": error})
