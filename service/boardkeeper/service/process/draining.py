"""The end of a service: what was begun is finished, while whoever comes anew is told to come back later."""

from __future__ import annotations

import asyncio

from boardkeeper.service.observability.counters import CallCounters

_LOOK_SECONDS = 0.02
_LAST_SECONDS = 1.0


async def wait_until_idle(calls: CallCounters, at_least: float, at_most: float) -> float:
    """Wait until no call is open, for so many seconds; tells how long the last answers may take to go out then.

    The port is still open meanwhile: balancers see that the service takes no more, and clients are told so in words.
    """
    loop = asyncio.get_running_loop()
    begun = loop.time()
    while (passed := loop.time() - begun) < at_least or (calls.open and passed < at_most):  # noqa: ASYNC110
        await asyncio.sleep(_LOOK_SECONDS)
    return 0.0 if calls.open else _LAST_SECONDS
