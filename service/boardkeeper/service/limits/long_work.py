"""Long work in reader threads: few pieces at a time, each only as long as its caller waits for it.

A thread cannot be stopped from outside. So the work gets a function that it calls every now and then. The function
raises once the caller has gone. The turn ends when the thread has ended, not when the caller has gone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import TypeVar

from boardkeeper.service.limits.clients import CALLER, afford_work, charge_work
from boardkeeper.service.limits.fair_queue import FairQueue
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage_reads import translate_errors

_T = TypeVar("_T")

CancelCheck = Callable[[], None]
"""Called between two steps of long work; raises :class:`WorkCancelledError` once no caller waits for the result."""


class WorkCancelledError(Exception):
    """The work was stopped because its caller has gone."""


class LongWork:
    """Runs ``at_once`` pieces of work at a time; at most ``most_waiting`` wait for their turn."""

    def __init__(self, application: GameApplication, at_once: int, most_waiting: int) -> None:
        self._application = application
        self._turns = FairQueue(at_once)
        self._most_waiting = most_waiting
        self._waiting = 0

    async def do(self, whom: Hashable, function: Callable[[CancelCheck], _T]) -> _T:
        """Run a blocking function in a thread, when it is the turn of ``whom``.

        Raises ``OVERLOADED``, ``LimitError`` if the caller owes too much work, or as a read does.
        """
        caller = CALLER.get()
        await afford_work()
        if self._waiting >= self._most_waiting:
            raise ApiError("OVERLOADED")
        self._waiting += 1
        try:
            await self._turns.take(whom, caller)
        finally:
            self._waiting -= 1
        loop = asyncio.get_running_loop()
        is_wanted = True

        def check_cancelled() -> None:
            if not is_wanted:
                raise WorkCancelledError

        begun = time.monotonic()

        def give_back() -> None:
            self._turns.give_back()
            charge_work(caller, begun)

        def end(_work: object) -> None:
            with suppress(RuntimeError):  # the loop was closed, so no turn is left to give
                loop.call_soon_threadsafe(give_back)

        try:
            with translate_errors():
                thread = self._application.submit_read(partial(copy_context().run, function, check_cancelled))
        except BaseException:
            self._turns.give_back()
            raise
        thread.add_done_callback(end)
        try:
            with translate_errors():
                return await asyncio.wrap_future(thread)
        except asyncio.CancelledError:
            is_wanted = False
            raise
