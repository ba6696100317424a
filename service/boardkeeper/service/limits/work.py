"""Long work that a caller lets the service do: paid for when it is done, in milliseconds, and waited for by who owes.

Threads of one process share one interpreter. Whatever one caller lets them do for seconds, all others wait a little
longer for everything; so it counts how long it took, and not how many there were of it.
"""

from __future__ import annotations

import asyncio
import time

from boardkeeper.service.limits.callers import CALLER, Caller
from boardkeeper.service.limits.terms import RATES, WORK

LONGEST_WAIT = 2.0
"""Who owes more than so many seconds of waiting is refused."""


async def afford() -> None:
    """Wait until the caller has paid for the long work done for him; raises ``LimitError`` if that is too long."""
    caller = CALLER.get()
    if caller is None:
        return
    wait = caller.wait(WORK, time.monotonic())
    if wait > LONGEST_WAIT:
        caller.refuse(WORK, wait)
    if wait:
        caller.note(RATES[WORK], caller.by)
    while wait:
        await asyncio.sleep(wait)
        wait = caller.wait(WORK, time.monotonic())


def done(caller: Caller | None, begun: float) -> None:
    """Long work is done that began at that time of the monotonic clock."""
    if caller is not None:
        now = time.monotonic()
        caller.charge(WORK, round((now - begun) * 1000), now)
