"""Waiting for what other threads and processes do, which wake nobody here: for a condition, never for a duration."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

SECONDS = 200.0
"""When to give up: what has not happened by then does not happen, however busy the machine is."""
_PAUSE = 0.01


def wait_until(holds: Callable[[], object]) -> None:
    """Wait until it holds."""
    give_up = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < give_up, f"it never held: {holds}"
        time.sleep(_PAUSE)


async def until(holds: Callable[[], object]) -> None:
    """The same, while others go on in this loop."""
    give_up = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < give_up, f"it never held: {holds}"
        await asyncio.sleep(_PAUSE)
