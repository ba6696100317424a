"""Streams of callers who have a rate: they are slowed down to it, where calls are refused.

HTTP/2 passes it on: who is not read from or written to for a moment waits, and nothing is lost.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from boardkeeper.service.limits.clients import ClientLimiter
from boardkeeper.service.limits.limits import BYTES_OUT, RATES
from boardkeeper.service.transport.call import Context


async def turn(caller: ClientLimiter, rate: int) -> None:
    """Wait until a caller can take one of that rate again, or has paid debts of it."""
    wait = caller.wait(rate, time.monotonic())
    if wait:
        caller.note(RATES[rate], caller.by)
    while wait:
        await asyncio.sleep(wait)
        wait = caller.wait(rate, time.monotonic())


class PacedContext:
    """The context of a call whose caller may be sent so many bytes in a time; otherwise as gRPC's own."""

    __slots__ = ("_caller", "_context")

    def __init__(self, context: Context, caller: ClientLimiter) -> None:
        self._context = context
        self._caller = caller

    async def write(self, message: Any) -> None:
        """Write a message when it is its time."""
        await turn(self._caller, BYTES_OUT)
        await self._context.write(message)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)
