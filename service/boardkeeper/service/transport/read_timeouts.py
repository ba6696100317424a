"""Read timeouts of requests: one timer serves all waiting tasks."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

REQUEST_SECONDS = 20.0
"""The timeout of the message of a unary call, after its headers."""


class ReadTimeouts:
    """Cancels tasks of one event loop that have waited for :data:`REQUEST_SECONDS`."""

    def __init__(self) -> None:
        self._since: OrderedDict[asyncio.Task[Any], float] = OrderedDict()  # oldest first
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, task: asyncio.Task[Any]) -> None:
        """Start the timeout of a task."""
        loop = task.get_loop()
        self._since[task] = loop.time()
        if self._timer is None:
            self._timer = loop.call_later(REQUEST_SECONDS, self._cancel_overdue, loop)

    def is_over(self, task: asyncio.Task[Any]) -> bool:
        """Return whether the timeout of a task has cancelled it."""
        return task not in self._since

    def end(self, task: asyncio.Task[Any]) -> None:
        """Stop the timeout of a task."""
        self._since.pop(task, None)

    def _cancel_overdue(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cancel tasks whose timeout is over, and start the timer for the next one."""
        self._timer = None
        now = loop.time()
        while self._since:
            task, since = self._since.popitem(last=False)
            if since + REQUEST_SECONDS > now:
                self._since[task] = since
                self._since.move_to_end(task, last=False)
                self._timer = loop.call_at(since + REQUEST_SECONDS, self._cancel_overdue, loop)
                return
            task.cancel()
