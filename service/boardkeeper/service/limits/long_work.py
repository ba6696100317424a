"""Long work in reader threads: a few jobs at a time, each only while its caller waits for it.

A thread cannot be stopped from outside, so the work regularly calls a function that raises once its caller has been
cancelled. The turn ends with the thread, not with the caller.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import TypeVar

from boardkeeper.service.limits.clients import CURRENT_CLIENT, charge_work, wait_for_work_budget
from boardkeeper.service.limits.fair_queue import FairQueue
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage_reads import translate_errors

_T = TypeVar("_T")

CancelCheck = Callable[[], None]
"""Called between two steps of long work; raises :class:`WorkCancelledError` once no caller waits for the result."""


class WorkCancelledError(Exception):
    """The work was stopped because no caller waits for its result any more."""


class LongWork:
    """Runs ``at_once`` jobs at a time; at most ``most_waiting`` wait for their turn."""

    def __init__(self, application: GameApplication, at_once: int, most_waiting: int) -> None:
        self._application = application
        self._turns = FairQueue(at_once)
        self._most_waiting = most_waiting
        self._waiting = 0

    async def run(self, subject: Hashable, function: Callable[[CancelCheck], _T]) -> _T:
        """Run a blocking function in a thread, in a turn of the subject.

        Raises ``OVERLOADED``, ``LimitError`` if the client owes too much work, or the errors of a read.
        """
        client = CURRENT_CLIENT.get()
        await wait_for_work_budget()
        if self._waiting >= self._most_waiting:
            raise ApiError("OVERLOADED")
        self._waiting += 1
        try:
            await self._turns.acquire(subject, client)
        finally:
            self._waiting -= 1
        loop = asyncio.get_running_loop()
        has_caller = True

        def check_cancelled() -> None:
            if not has_caller:
                raise WorkCancelledError

        begun = time.monotonic()

        def end_turn() -> None:
            self._turns.release()
            charge_work(client, begun)

        def on_done(_work: object) -> None:
            with suppress(RuntimeError):  # the loop was closed
                loop.call_soon_threadsafe(end_turn)

        try:
            with translate_errors():
                thread = self._application.submit_read(partial(copy_context().run, function, check_cancelled))
        except BaseException:
            self._turns.release()
            raise
        thread.add_done_callback(on_done)
        try:
            with translate_errors():
                return await asyncio.wrap_future(thread)
        except asyncio.CancelledError:
            has_caller = False
            raise
