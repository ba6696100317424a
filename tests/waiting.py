"""Wait for the work of other threads and processes: until a condition is true, never for a duration."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

SECONDS = 200.0
"""The timeout: long enough for a very busy machine."""
_PAUSE = 0.01


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until a condition is true."""
    give_up = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < give_up, f"it never became true: {condition}"
        time.sleep(_PAUSE)


async def until(condition: Callable[[], object]) -> None:
    """Wait until a condition is true, while other tasks of this loop run."""
    give_up = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < give_up, f"it never became true: {condition}"
        await asyncio.sleep(_PAUSE)
