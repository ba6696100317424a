"""Turns at long work: a few at a time, in an order that is fair to callers with little work.

Reading a page of history, rebuilding a game and auditing a record keep a thread and the interpreter busy for
milliseconds to seconds. If all of it ran at once, a call that takes a millisecond would wait behind it.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

from boardkeeper.service.limits.clients import CALLER, ClientLimiter, afford_work, charge_work


class FairQueue:
    """At most ``at_once`` turns at the same time. For one event loop.

    Each request for a turn names a subject (``whom``), for example a game. Turns go round robin over the callers that
    wait, however many requests each of them has, and round robin over the subjects of one caller. Requests for the same
    subject are served in their order. The caller pays for the time of its turns
    (:func:`~boardkeeper.service.limits.clients.charge_work`).
    """

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: OrderedDict[ClientLimiter | None, _Line] = OrderedDict()

    @asynccontextmanager
    async def turn(self, whom: Hashable, *, for_all: bool = False) -> AsyncIterator[None]:
        """Wait for a turn and hold it. A task that is cancelled while it waits takes no turn.

        With ``for_all`` the work serves other callers too: its place does not depend on the caller, and it starts even
        if the caller owes work. Otherwise raises ``LimitError`` if the caller owes too much.
        """
        caller = CALLER.get()
        if not for_all:
            await afford_work()
        await self.take(whom, None if for_all else caller)
        begun = time.monotonic()
        try:
            yield
        finally:
            self.give_back()
            charge_work(caller, begun)

    async def take(self, whom: Hashable, caller: ClientLimiter | None = None) -> None:
        """Wait for a turn; :meth:`give_back` ends it."""
        if self._free and not self._waiting:
            self._free -= 1
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line = self._waiting.setdefault(caller, OrderedDict())
        queue = line.setdefault(whom, deque())
        queue.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():
                self.give_back()  # the turn came too late
            elif mine in queue:
                queue.remove(mine)
                if not queue and line.get(whom) is queue:
                    del line[whom]
                if not line and self._waiting.get(caller) is line:
                    del self._waiting[caller]
            raise

    def give_back(self) -> None:
        """End a turn and give it to the next that waits."""
        while self._waiting:
            caller, line = next(iter(self._waiting.items()))
            next_one = _next_of(line)
            if line:
                self._waiting.move_to_end(caller)
            else:
                del self._waiting[caller]
            if not next_one.done():  # its task may have been cancelled just now
                next_one.set_result(None)
                return
        self._free += 1


_Line = OrderedDict[Hashable, deque["asyncio.Future[None]"]]
"""Waiting requests by subject; the subject whose turn is next stands first."""


def _next_of(line: _Line) -> asyncio.Future[None]:
    whom, queue = next(iter(line.items()))
    next_one = queue.popleft()
    if queue:
        line.move_to_end(whom)
    else:
        del line[whom]
    return next_one
