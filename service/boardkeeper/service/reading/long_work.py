"""Long work in reader threads: a little at a time, and no longer than somebody waits for it.

A thread cannot be stopped from outside. So what it carries out is handed a function to call every now and then, which
raises once nobody waits any more; and its turn ends when the thread has ended, not when its caller has gone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import TypeVar

from boardkeeper.service.limits import work
from boardkeeper.service.limits.callers import CALLER
from boardkeeper.service.reading.reads import translate_errors
from boardkeeper.service.reading.turns import Turns
from boardkeeper.service.requests.refusals import OverloadError
from boardkeeper.service.storage.application import GameApplication

_T = TypeVar("_T")

GoOn = Callable[[], None]
"""To be called between two steps of long work; raises :class:`NobodyWaitsError` once there is no use in the next."""


class NobodyWaitsError(Exception):
    """The work was given up: whoever wanted it has gone."""


class LongWork:
    """``at_once`` pieces of work at a time; no more than ``most_waiting`` wait for their turn."""

    def __init__(self, application: GameApplication, at_once: int, most_waiting: int) -> None:
        self._application = application
        self._turns = Turns(at_once)
        self._most_waiting = most_waiting
        self._waiting = 0

    async def do(self, whom: Hashable, function: Callable[[GoOn], _T]) -> _T:
        """Carry out what blocks, when it is the turn of ``whom``.

        Raises ``OverloadError``, ``LimitError`` if the caller owes too much work, or as a read does.
        """
        caller = CALLER.get()
        await work.afford()
        if self._waiting >= self._most_waiting:
            raise OverloadError
        self._waiting += 1
        try:
            await self._turns.take(whom, caller)
        finally:
            self._waiting -= 1
        loop = asyncio.get_running_loop()
        is_wanted = True

        def go_on() -> None:
            if not is_wanted:
                raise NobodyWaitsError

        begun = time.monotonic()

        def give_back() -> None:
            self._turns.give_back()
            work.done(caller, begun)

        def end(_work: object) -> None:
            with suppress(RuntimeError):  # the loop was closed: nobody is left who could have a turn
                loop.call_soon_threadsafe(give_back)

        try:
            with translate_errors():
                thread = self._application.begin(partial(copy_context().run, function, go_on))
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
