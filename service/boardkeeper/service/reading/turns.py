"""Turns at long work: a few at a time, in an order that is fair to those who ask for little.

Reading a page of history, rebuilding a game and auditing a record keep a thread and the interpreter busy for
milliseconds to seconds. If all of it were let loose at once, a call that takes a millisecond would stand behind it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class Turns:
    """``at_once`` have their turn at the same time. For one event loop.

    Whoever asks says for whom. All for whom somebody asks get a turn each, then a second each, and so on, however many
    times somebody asks for one of them. Among those for the same one, first come is first served.
    """

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, whom: Hashable) -> AsyncIterator[None]:
        """Wait for a turn and have it; who is cancelled while it waits takes none."""
        await self.take(whom)
        try:
            yield
        finally:
            self.give_back()

    async def take(self, whom: Hashable) -> None:
        """Wait for a turn, to be given back by :meth:`give_back`."""
        if self._free and not self._waiting:
            self._free -= 1
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue = self._waiting.setdefault(whom, deque())
        queue.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():
                self.give_back()  # it came too late
            elif mine in queue:
                queue.remove(mine)
                if not queue and self._waiting.get(whom) is queue:
                    del self._waiting[whom]
            raise

    def give_back(self) -> None:
        """End a turn; whose it is now goes on."""
        while self._waiting:
            whom, queue = next(iter(self._waiting.items()))
            next_one = queue.popleft()
            if queue:
                self._waiting.move_to_end(whom)
            else:
                del self._waiting[whom]
            if not next_one.done():  # who was cancelled just now has not been told yet
                next_one.set_result(None)
                return
        self._free += 1
