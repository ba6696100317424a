"""A fair queue for long work: a few turns at a time, in an order that is fair to clients with little work.

Reading a page of history, rebuilding a game and auditing a record keep a thread and the interpreter busy for
milliseconds to seconds. If all of it ran at once, a call that takes a millisecond would wait behind it.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

from boardkeeper.service.limits.clients import CURRENT_CLIENT, ClientLimiter, charge_work, wait_for_work_budget


class FairQueue:
    """At most ``at_once`` turns at the same time. For one event loop.

    Each request for a turn names a subject, for example a game. Turns go round robin over the waiting clients, and
    round robin over the subjects of one client. Requests for the same subject are served in their order. The client
    pays for the time of its turns (:func:`~boardkeeper.service.limits.clients.charge_work`).
    """

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: OrderedDict[ClientLimiter | None, _Requests] = OrderedDict()

    @asynccontextmanager
    async def turn(self, subject: Hashable, *, is_shared: bool = False) -> AsyncIterator[None]:
        """Wait for a turn and hold it. A task that is cancelled while it waits takes no turn.

        With ``is_shared`` the work serves other clients too: its place does not depend on the client, and it starts
        even if the client owes work. Otherwise raises ``LimitError`` if the client owes too much.
        """
        client = CURRENT_CLIENT.get()
        if not is_shared:
            await wait_for_work_budget()
        await self.acquire(subject, None if is_shared else client)
        begun = time.monotonic()
        try:
            yield
        finally:
            self.release()
            charge_work(client, begun)

    async def acquire(self, subject: Hashable, client: ClientLimiter | None = None) -> None:
        """Wait for a turn; :meth:`release` ends it."""
        if self._free and not self._waiting:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        requests = self._waiting.setdefault(client, OrderedDict())
        queue = requests.setdefault(subject, deque())
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.release()  # the task was cancelled just after it had got the turn
            elif turn in queue:
                queue.remove(turn)
                if not queue and requests.get(subject) is queue:
                    del requests[subject]
                if not requests and self._waiting.get(client) is requests:
                    del self._waiting[client]
            raise

    def release(self) -> None:
        """End a turn and give it to the next that waits."""
        while self._waiting:
            client, requests = next(iter(self._waiting.items()))
            next_turn = _pop_next(requests)
            if requests:
                self._waiting.move_to_end(client)
            else:
                del self._waiting[client]
            if not next_turn.done():  # its task may have been cancelled just now
                next_turn.set_result(None)
                return
        self._free += 1


_Requests = OrderedDict[Hashable, deque["asyncio.Future[None]"]]
"""Waiting requests by subject; the subject whose turn is next is the first."""


def _pop_next(requests: _Requests) -> asyncio.Future[None]:
    subject, queue = next(iter(requests.items()))
    next_turn = queue.popleft()
    if queue:
        requests.move_to_end(subject)
    else:
        del requests[subject]
    return next_turn
