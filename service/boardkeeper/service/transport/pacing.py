"""Slows streams down to the rates of their clients, instead of rejecting calls.

Flow control of HTTP/2 makes a client wait while the server does not read, so no message is lost.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from boardkeeper.service.limits.clients import ClientLimiter
from boardkeeper.service.limits.limits import BYTES_OUT, RATES
from boardkeeper.service.transport.call import Context


async def wait_for_rate(client: ClientLimiter, rate: int) -> None:
    """Wait until a client has paid its debts of a rate."""
    wait = client.wait(rate, time.monotonic())
    if wait:
        client.on_reached(RATES[rate], client.by)
    while wait:
        await asyncio.sleep(wait)
        wait = client.wait(rate, time.monotonic())


class PacedContext:
    """The context of a call whose client has a limit of sent bytes: :meth:`write` waits for it."""

    __slots__ = ("_client", "_context")

    def __init__(self, context: Context, client: ClientLimiter) -> None:
        self._context = context
        self._client = client

    async def write(self, message: Any) -> None:
        """Write a message as soon as the rate permits."""
        await wait_for_rate(self._client, BYTES_OUT)
        await self._context.write(message)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)
