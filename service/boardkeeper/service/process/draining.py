"""Draining: waiting until the open calls have ended, while new calls are rejected."""

from __future__ import annotations

import asyncio

from boardkeeper.service.observability.counters import CallCounters

_POLL_SECONDS = 0.02
_FLUSH_SECONDS = 1.0


async def wait_until_idle(calls: CallCounters, at_least: float, at_most: float) -> float:
    """Wait until no call is open; return the seconds to allow for sending the last answers.

    The wait takes ``at_least`` and ``at_most`` these seconds. The port stays open meanwhile, so that load balancers see
    the health status and clients get an error that explains the shutdown.
    """
    loop = asyncio.get_running_loop()
    start = loop.time()
    while (passed := loop.time() - start) < at_least or (calls.open and passed < at_most):  # noqa: ASYNC110
        await asyncio.sleep(_POLL_SECONDS)
    return 0.0 if calls.open else _FLUSH_SECONDS
