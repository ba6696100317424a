"""Waiting for what others have to send, but not for ever: one timer for all who wait, however many come and go."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

REQUEST_SECONDS = 20.0
"""How long the one message of a request may take to arrive after its headers."""


class ReadTimeouts:
    """Cancels tasks that have waited for :data:`REQUEST_SECONDS`; all of them wait on the same loop."""

    def __init__(self) -> None:
        self._since: OrderedDict[asyncio.Task[Any], float] = OrderedDict()  # who has waited longest comes first
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, task: asyncio.Task[Any]) -> None:
        """A task waits from now on."""
        loop = task.get_loop()
        self._since[task] = loop.time()
        if self._timer is None:
            self._timer = loop.call_later(REQUEST_SECONDS, self._look, loop)

    def is_over(self, task: asyncio.Task[Any]) -> bool:
        """Whether a task that has begun to wait was cancelled for that."""
        return task not in self._since

    def end(self, task: asyncio.Task[Any]) -> None:
        """A task does not wait any more."""
        self._since.pop(task, None)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give up those who have waited too long, and look again when the next one will have."""
        self._timer = None
        now = loop.time()
        while self._since:
            task, since = self._since.popitem(last=False)
            if since + REQUEST_SECONDS > now:
                self._since[task] = since
                self._since.move_to_end(task, last=False)
                self._timer = loop.call_at(since + REQUEST_SECONDS, self._look, loop)
                return
            task.cancel()
